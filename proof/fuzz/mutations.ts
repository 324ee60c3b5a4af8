/** Mutations: a valid request with something wrong in its method, address, headers or body. */
import { isRecord } from '../../tools/is-record.mjs'
import { parsedJson } from '../harness/shop-client.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import {
  awkwardBody,
  awkwardContentType,
  awkwardHeaderText,
  awkwardHost,
  awkwardSegment,
  awkwardValue,
  awkwardText,
  headerName,
} from './awkward-values.ts'
import { pathOf, type FuzzRequest, type FuzzSite } from './fuzz-request.ts'

type Mutation = (request: FuzzRequest, random: SeededRandom) => FuzzRequest

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'] as const

const otherMethod: Mutation = (request, random) => {
  const method = random.oneOf([...METHODS])
  return { ...request, method, body: request.body ?? (random.chance(0.3) ? awkwardBody(random) : null) }
}

const otherPath: Mutation = (request, random) => {
  const path = pathOf(request)
  const segments = path.split('/').slice(1)
  const place = random.between(0, segments.length - 1)
  const changed = random.oneOf([
    () => segments.with(place, awkwardSegment(random)),
    () => segments.toSpliced(place, 1),
    () => segments.toSpliced(place, 0, awkwardSegment(random)),
    () => [...segments, awkwardSegment(random)],
    () => [...segments, ''],
    () => ['', ...segments],
    () => segments.with(place, (segments[place] ?? '').toUpperCase()),
    () => segments.with(place, `${(segments[place] ?? '').slice(0, -1)}%`),
    () =>
      segments.with(
        place,
        Buffer.from(segments[place] ?? '')
          .toString('hex')
          .replaceAll(/../g, '%$&'),
      ),
  ])
  return { ...request, target: `/${changed().join('/')}${request.target.slice(path.length)}` }
}

const otherQuery: Mutation = (request, random) => {
  const pairs = Array.from(
    { length: random.between(1, 4) },
    () =>
      `${random.oneOf(['locale', 'mode', 'screen', 'reference', 'limit', 'a', ''])}=${awkwardSegment(random).slice(0, 60)}`,
  )
  const many = random.chance(0.03) ? '&a'.repeat(random.between(40, 4000)) : ''
  const mark = random.oneOf(['?', '?', '&', '??', '#', '%3f'])
  return { ...request, target: `${request.target}${mark}${pairs.join('&')}${many}`.slice(0, 28_000) }
}

const otherHeader: Mutation = (request, random) => {
  const names = Object.keys(request.headers)
  const changed = random.oneOf([
    () => {
      const dropped = names[random.between(0, names.length - 1)]
      // Without a Host header nothing behind the first check is reached: that is left to raw requests.
      return Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== dropped || name === 'host'))
    },
    () => ({ ...request.headers, [names[random.between(0, names.length - 1)] ?? 'x']: awkwardHeaderText(random) }),
    () => ({ ...request.headers, [headerName(random)]: awkwardHeaderText(random) }),
    () => ({ ...request.headers, host: awkwardHost(random) }),
    () => ({ ...request.headers, 'content-type': awkwardContentType(random) }),
  ])
  return { ...request, headers: changed() }
}

/** One field, at any depth, replaced, left out or added: most of the body stays valid, so that the code behind the checks runs. */
const withOtherField = (fields: Record<string, unknown>, random: SeededRandom): Record<string, unknown> => {
  const names = Object.keys(fields)
  const name = names[random.between(0, names.length - 1)] ?? 'extra'
  const inner = fields[name]
  if (isRecord(inner) && random.chance(0.85)) return { ...fields, [name]: withOtherField(inner, random) }
  switch (random.between(0, 5)) {
    case 0: {
      const { [name]: _dropped, ...rest } = fields
      return rest
    }
    case 1:
      return { ...fields, [random.oneOf(['extra', 'constructor', 'toString', 'number', 'id'])]: awkwardValue(random) }
    case 2:
      return { ...fields, [name]: typeof inner === 'string' ? inner + awkwardText(random) : JSON.stringify(inner) }
    default:
      return { ...fields, [name]: awkwardValue(random) }
  }
}

/** What has grown so long is no valid body any more. */
const FIELDS_MAX_LENGTH = 5000

const otherField: Mutation = (request, random) => {
  const { body } = request
  const fields = body === null || body.length > FIELDS_MAX_LENGTH ? undefined : parsedJson(body)
  return isRecord(fields)
    ? { ...request, body: JSON.stringify(withOtherField(fields, random)) }
    : { ...request, body: awkwardBody(random) }
}

const damagedBody: Mutation = (request, random) => {
  const { body } = request
  if (body === null || body === '') return { ...request, body: awkwardBody(random) }
  const place = random.between(0, body.length)
  const damaged = random.oneOf([
    () => body.slice(0, place),
    () => body.slice(0, place) + awkwardText(random) + body.slice(place),
    () => body + body,
    () => `[${body}]`,
    () => body.replaceAll(/["&=]/g, (sign) => (random.chance(0.2) ? '' : sign)),
    () => body.replace(/\d+/, (digits) => random.oneOf([`-${digits}`, `${digits}e9`, `${digits}.5`, `"${digits}"`])),
  ])
  return { ...request, body: damaged() }
}

/** A text of Shift_JIS or Latin-1 inside of a body that was right. */
const legacyBody: Mutation = (request, random) => {
  const { body } = request
  const place = random.between(0, (body ?? '').length)
  const text = random.oneOf(['\x93\xfa\x96\x7b\x92\x83', 'caf\xe9', '\xed\xa0\xbd', '\xc0\x80'])
  return { ...request, body: (body ?? '').slice(0, place) + text + (body ?? '').slice(place), isLatin1: true }
}

const otherBody: Mutation = (request, random) => ({ ...request, body: awkwardBody(random) })

/** Each as often as it stands here: a changed field gets the furthest. */
const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  otherField,
  otherField,
  otherField,
  otherField,
  damagedBody,
  legacyBody,
  otherBody,
  otherHeader,
  otherHeader,
  otherPath,
  otherQuery,
  otherMethod,
]

export const mutate = (valid: FuzzRequest, random: SeededRandom): FuzzRequest => {
  let request = valid
  const times = random.oneOf([1, 1, 1, 2, 3])
  for (let each = 0; each < times; each += 1) request = random.oneOf(MUTATIONS)(request, random)
  return request
}

/** An address that is probably no route, with a body that nobody asked for. */
export const unknownAddress = ({ base, merchant }: FuzzSite, random: SeededRandom): FuzzRequest => ({
  method: random.oneOf([...METHODS]),
  target: `/${Array.from({ length: random.between(1, 4) }, () => awkwardSegment(random)).join('/')}`,
  headers: {
    host: random.oneOf(['', `${merchant}.`, '3ds.', 'console.', 'nobody.']) + base,
    'content-type': random.chance(0.5) ? 'application/json' : awkwardContentType(random),
  },
  body: random.chance(0.8) ? awkwardBody(random) : null,
})
