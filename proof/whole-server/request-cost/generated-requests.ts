/** Generated requests: calls of every route with a long text of one or two kinds of characters in one of its places. */
import lz from 'lz-string'
import { isRecord } from '../../../tools/is-record.mjs'
import { parsedJson } from '../../harness/shop-client.ts'
import { seededRandom, type SeededRandom } from '../../harness/seeded-random.ts'
import type { FuzzRequest, FuzzSite, KnownIds } from '../../fuzz/fuzz-request.ts'
import { FUZZED_ROUTES } from '../../fuzz/routes.ts'

/** Kinds of characters that some program reads, escapes, normalizes or counts in its own way. */
export const CHARACTERS = {
  'quotation marks': '"',
  apostrophes: "'",
  'opening tags': '<',
  ampersands: '&',
  digits: '4',
  'digits with gaps': '4 ',
  'digits of another script': '４',
  spaces: ' ',
  'tabs and line ends': '\t\r\n',
  letters: 'a',
  Japanese: 'あ茶',
  'ligatures that normalize to eighteen characters': '\ufdfa',
  'combining marks': 'a\u0301\u0323\u0302',
  'combining marks alone': '\u0323\u0301',
  emoji: '👩‍👩‍👧',
  'lone surrogates': '\ud800',
  'control characters': '\u0001\u007f\u0085',
  'right to left': '\u202eשלום\u202c',
  backslashes: '\\',
  'percent signs': '%',
  'broken percent encoding': '%E3%81',
  commas: 'a,',
  equals: 'a=',
  dots: 'a.',
  'slashes and colons': 'https://',
  hyphens: 'xn--',
  brackets: '[{(',
} as const satisfies Readonly<Record<string, string>>

const KINDS = Object.values(CHARACTERS)

const LENGTHS = [100, 1000, 16_384] as const

/** No longer than `length`; halves of a piece are left out. */
export const textOf = (piece: string, length: number): string => piece.repeat(Math.floor(length / piece.length))

/** One kind, or two in turn, or one that ends with another: what is sought is often found, or missing, at the very end. */
const longText = (random: SeededRandom): string => {
  const kind = (): string => KINDS[random.between(0, KINDS.length - 1)] ?? ''
  const length = random.oneOf([...LENGTHS])
  switch (random.between(0, 3)) {
    case 0:
      return textOf(kind() + kind(), length)
    case 1:
      return kind() + textOf(kind(), length) + kind()
    default:
      return textOf(kind(), length)
  }
}

/** What lies in front of our code takes no more: Node of the address and the headers together, Fastify of a body. */
const HEAD_MAX = 28 * 1024
const BODY_MAX = 63 * 1024

/** As the preview's own tools compress it. */
export const compressed = (text: string): string => lz.compressToEncodedURIComponent(text)

const PARAMETERS: readonly [string, ...string[]] = [
  'subject',
  'shopName',
  'remarks',
  'brands',
  'logoUrl',
  'coverImageUrl',
  'colorCode',
  'amount',
  'validUntil',
  'screen',
  'locale',
  'mode',
  'limit',
  'after',
  'newerThan',
  'status',
  'email',
  'lastFour',
  'transactionId',
  'reference',
  'from',
  'to',
  'type',
  'x',
]
const HEADERS: readonly [string, ...string[]] = [
  'user-agent',
  'accept',
  'accept-language',
  'accept-encoding',
  'authorization',
  'content-type',
  'cookie',
  'referer',
  'origin',
  'merchant',
  'host',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'x-forwarded-for',
  'range',
]

type Placement = (request: FuzzRequest, text: string, random: SeededRandom) => FuzzRequest

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const inQuery: Placement = (request, text, random) => {
  const value = random.chance(0.5) ? compressed(text) : encoded(text)
  const names = random.chance(0.3) ? ['subject', 'shopName', 'remarks'] : [random.oneOf(PARAMETERS)]
  const each = Math.floor(HEAD_MAX / names.length)
  const added = names.map((name) => `${name}=${value.slice(0, each)}`).join('&')
  return { ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}${added}` }
}

/** In place of one part of the path: an id, a name, or what says which call it is. */
const inPath: Placement = (request, text, random) => {
  const [path = '', query] = request.target.split('?')
  const parts = path.split('/')
  const at = random.between(1, parts.length - 1)
  const target = parts.with(at, encoded(text).slice(0, HEAD_MAX)).join('/')
  return { ...request, target: query === undefined ? target : `${target}?${query}` }
}

/** Characters that HTTP allows in a header; what is left of others are letters beyond ASCII. */
const inHeader: Placement = (request, text, random) => {
  const value = text.replaceAll(/[^ -~]/g, 'ä').slice(0, HEAD_MAX)
  return { ...request, headers: { ...request.headers, [random.oneOf(HEADERS)]: value } }
}

const FIELDS: readonly [string, ...string[]] = [
  'subject',
  'remarks',
  'metadata',
  'reference',
  'shopName',
  'shopAddress',
  'shopUrl',
  'linkHosts',
  'notifications',
  'links',
  'url',
  'types',
  'refundId',
  'x',
]

/** In a field that the call knows or in one more, at any depth, as a value, in a list, or as a name. */
const withText = (fields: Record<string, unknown>, text: string, random: SeededRandom): Record<string, unknown> => {
  const known = Object.keys(fields)
  const name = random.chance(0.5) ? (known[random.between(0, known.length - 1)] ?? 'x') : random.oneOf(FIELDS)
  const inner = fields[name]
  if (isRecord(inner)) return { ...fields, [name]: withText(inner, text, random) }
  switch (random.between(0, 5)) {
    case 0:
      return { ...fields, [name]: [text, text] }
    case 1:
      return { ...fields, [name]: { [text]: text } }
    case 2:
      return { ...fields, [text]: 1 }
    default:
      return { ...fields, [name]: text }
  }
}

const inBody: Placement = (request, text, random) => {
  const fields = parsedJson(request.body ?? '')
  const form = String(new URLSearchParams({ event: text.toWellFormed(), param: text.toWellFormed() }))
  const body = isRecord(fields) ? JSON.stringify(withText(fields, text, random)) : random.oneOf([text, form])
  return { ...request, body: body.slice(0, BODY_MAX) }
}

const PLACEMENTS: readonly [Placement, ...Placement[]] = [inQuery, inQuery, inPath, inHeader]

/**
 * So many requests, over all routes in turn. What is drawn depends on the seed alone; the ids in it are those that `ids` holds
 * when a request is taken.
 */
export function* generatedRequests(
  site: FuzzSite,
  ids: KnownIds,
  seed: number,
  count: number,
): Generator<{ readonly route: string; readonly request: FuzzRequest }> {
  const routes = Object.entries(FUZZED_ROUTES)
  const random = seededRandom(seed)
  for (let each = 0; each < count; each += 1) {
    const own = random.split()
    const [route, fuzzed] = routes[each % routes.length] ?? []
    if (route === undefined || fuzzed === undefined) return
    const request = fuzzed.valid(site, ids, own)
    const placement = request.body === null || own.chance(0.4) ? own.oneOf(PLACEMENTS) : inBody
    yield { route, request: placement(request, longText(own), own) }
  }
}

/** As Fastify's `inject` takes it: a text as the bytes that would be sent. */
export const toInject = ({ method, target, headers, body }: FuzzRequest) => ({
  method,
  url: target,
  headers,
  ...(body === null ? {} : { payload: Buffer.from(body, 'utf8') }),
})
