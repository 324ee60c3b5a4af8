/** Page facts: what a payment page is sent with and what it runs, and how two of these differ (PCI DSS 11.6.1). */
import { createHash } from 'node:crypto'

export interface PageFacts {
  readonly headers: Readonly<Record<string, string>>
  /** sha384 of every script by its address, or by where it stands in the document. */
  readonly scripts: Readonly<Record<string, string>>
}

/** Other in every answer, whoever sends it. Any header beside these is looked at: what a stranger adds is not on a list. */
const VOLATILE = [
  'age',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'request-id',
  'transfer-encoding',
]

export const integrityOf = (bytes: Buffer | string): string =>
  `sha384-${createHash('sha384').update(bytes).digest('base64')}`

export type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

const CHECKOUT_ID = /\b[a-z2-7]{32}\b/g

/** Nonce and checkout are other in every answer, and are named instead. */
export const steadyHeaders = (headers: RawHeaders): Readonly<Record<string, string>> => {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    if (value === undefined || VOLATILE.includes(lower)) return []
    const text = (typeof value === 'string' ? value : value.join(', '))
      .replaceAll(/'nonce-[^']*'/g, "'nonce-{nonce}'")
      .replaceAll(CHECKOUT_ID, '{checkout}')
    return [[lower, text] as const]
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export const noncesIn = (headers: RawHeaders): string[] =>
  [...String(headers['content-security-policy'] ?? '').matchAll(/'nonce-([^']*)'/g)].map(([, nonce = '']) => nonce)

export interface DocumentScripts {
  /** As they stand in the document, without data. */
  readonly inline: readonly string[]
  /** To be fetched: named by scripts, preloads and the import map. */
  readonly addresses: readonly string[]
}

const ATTRIBUTES = {
  as: /(?:^|[\s/"'])as\s*=\s*["']?([^"'\s>]*)/i,
  href: /(?:^|[\s/"'])href\s*=\s*["']?([^"'\s>]*)/i,
  rel: /(?:^|[\s/"'])rel\s*=\s*["']?([^"'\s>]*)/i,
  src: /(?:^|[\s/"'])src\s*=\s*["']?([^"'\s>]*)/i,
  type: /(?:^|[\s/"'])type\s*=\s*["']?([^"'\s>]*)/i,
} as const

const attributeOf = (tag: string, name: keyof typeof ATTRIBUTES): string | undefined => ATTRIBUTES[name].exec(tag)?.[1]

/**
 * Data as our server writes it, and in no other way: a tag with a second type or a quoted one may be a script to a browser, and
 * a text with a tag in it may be data to us alone, as behind `<!--`.
 */
const isData = (tag: string, text: string): boolean =>
  /^(\s+(id|nonce)="[^"]*")*\s+type="application\/json"(\s+(id|nonce)="[^"]*")*\s*$/.test(tag) && !text.includes('<')

/** The tags of a document, each from a `<` that begins one of these; a tag ends at the next `>`. */
const tagsIn = (html: string, begin: RegExp): string[] =>
  html
    .split('>')
    .slice(0, -1)
    .flatMap((upToEnd) => {
      const at = upToEnd.search(begin)
      return at === -1 ? [] : [upToEnd.slice(at)]
    })

/** What runs a script without being one, or leads scripts and shoppers elsewhere. Our pages have none of these. */
const activeIn = (tag: string): string[] => {
  if (/[\s/"']on[a-z]+\s*=|javascript:/i.test(tag.slice(2))) return [`${tag}>`]
  const meta = tag.search(/<meta\b/i)
  const isRefresh = meta !== -1 && /http-equiv/i.test(tag.slice(meta))
  const places = [tag.search(/<(?:base|embed|frame|iframe|object)\b/i), isRefresh ? meta : -1].filter((at) => at !== -1)
  return places.length === 0 ? [] : [`${tag.slice(Math.min(...places))}>`]
}

/** Every script of a document, and what is outside of them. A script ends at whatever begins like its end tag, or with the document. */
const splitScripts = (
  html: string,
): { readonly scripts: (readonly [tag: string, text: string])[]; readonly outside: string } => {
  const scripts: (readonly [string, string])[] = []
  const outside: string[] = []
  let rest = html
  for (;;) {
    const begin = rest.search(/<script\b/i)
    const tagEnd = begin === -1 ? -1 : rest.indexOf('>', begin)
    if (tagEnd === -1) return { scripts, outside: [...outside, rest].join('') }
    const behind = rest.slice(tagEnd + 1)
    const end = behind.search(/<\/script[\s/>]/i)
    scripts.push([rest.slice(begin + '<script'.length, tagEnd), end === -1 ? behind : behind.slice(0, end)])
    outside.push(rest.slice(0, begin))
    rest = end === -1 ? '' : behind.slice(end + '</script>'.length)
  }
}

/** The addresses of an import map that does nothing but list hashes; undefined where it does more. */
const addressesOfMap = (text: string): string[] | undefined => {
  try {
    const map: unknown = JSON.parse(text)
    if (typeof map !== 'object' || map === null || Object.keys(map).join() !== 'integrity') return undefined
    const listed: unknown = 'integrity' in map ? map.integrity : undefined
    return typeof listed === 'object' && listed !== null ? Object.keys(listed) : undefined
  } catch {
    return undefined
  }
}

export const scriptsIn = (html: string): DocumentScripts => {
  const inline: string[] = []
  const addresses = new Set<string>()
  const { scripts, outside } = splitScripts(html)
  for (const [tag, text] of scripts) {
    const source = attributeOf(tag, 'src')
    const mapped = attributeOf(tag, 'type') === 'importmap' ? addressesOfMap(text) : undefined
    if (source !== undefined) addresses.add(source)
    if (mapped !== undefined) for (const each of mapped) addresses.add(each)
    else if (source === undefined ? !isData(tag, text) : text.trim() !== '') inline.push(text)
  }
  inline.push(...tagsIn(outside, /<[a-z]/i).flatMap(activeIn))
  for (const tag of tagsIn(html, /<link\b/i)) {
    const address = attributeOf(tag, 'href')
    if (/modulepreload|script/i.test(`${attributeOf(tag, 'rel')} ${attributeOf(tag, 'as')}`) && address !== undefined)
      addresses.add(address)
  }
  return { inline, addresses: [...addresses].toSorted() }
}

const differencesIn = (
  kind: string,
  stored: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] =>
  [...new Set([...Object.keys(stored), ...Object.keys(now)])].toSorted().flatMap((name) => {
    const [was, is] = [stored[name], now[name]]
    if (was === is) return []
    if (was === undefined) return [`${kind} ${name} is new: ${is}`]
    return [is === undefined ? `${kind} ${name} is gone` : `${kind} ${name} has changed: it was ${was}, and is ${is}`]
  })

export const differences = (stored: PageFacts, now: PageFacts): string[] => [
  ...differencesIn('header', stored.headers, now.headers),
  ...differencesIn('script', stored.scripts, now.scripts),
]

/** Scripts that are none of those in the inventory of this release. */
export const notInInventory = (scripts: PageFacts['scripts'], inventory: ReadonlySet<string>): string[] =>
  Object.entries(scripts)
    .filter(([, integrity]) => !inventory.has(integrity))
    .map(([name, integrity]) => `script ${name} is none of this release: ${integrity}`)
