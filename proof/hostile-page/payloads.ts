/** Markup payloads: generated texts that try to become elements, attributes or scripts of the page. */
import { ADDRESSES, ATTRIBUTES, BREAKS, CODE, HANDLERS, QUOTES, SELF_STARTING, TAGS } from './payload-parts.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'

const entities = (text: string, form: (code: number) => string): string =>
  text.replaceAll(/./gsu, (letter) => form(letter.codePointAt(0) ?? 0))

const ENCODINGS: readonly [(text: string) => string, ...((text: string) => string)[]] = [
  (text) => text,
  ...Array.from({ length: 11 }, () => (text: string) => text),
  (text) => entities(text, (code) => `&#${code};`),
  (text) => entities(text, (code) => `&#x${code.toString(16)}`),
  (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (text) => text.replaceAll('<', '&amp;lt;'),
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => text.replaceAll('<', '\\u003c').replaceAll('>', '\\x3e'),
  (text) => text.replaceAll('<', '＜').replaceAll('>', '＞'),
  (text) => text.replaceAll('<', '+ADw-').replaceAll('>', '+AD4-'),
  (text) => text.replaceAll(' ', '/'),
  (text) => text.replaceAll(' ', '\t'),
  (text) => text.replaceAll(' ', '\f'),
  (text) => text.toUpperCase(),
]

const element = (random: SeededRandom): string => {
  const code = random.oneOf(CODE)
  if (random.chance(0.3)) return `<${random.oneOf(SELF_STARTING)}="${code}">`
  if (random.chance(0.4)) return `<script${random.oneOf(['', ' ', '/', ' x', ' type=module', '\n'])}>${code}</script>`
  const quote = random.oneOf(QUOTES)
  const handler = `${random.oneOf(HANDLERS)}=${quote}${code}${quote}`
  const end = random.oneOf(['>', '>', '/>', '//', ' ', ''])
  return `<${random.oneOf(TAGS)} ${random.oneOf(ATTRIBUTES)} ${handler}${end}`
}

const attribute = (random: SeededRandom): string => {
  const quote = random.oneOf(QUOTES)
  return `${quote} ${random.oneOf(ATTRIBUTES)} ${random.oneOf(HANDLERS)}=${quote}${random.oneOf(CODE)}${quote} x=${quote}`
}

const expression = (random: SeededRandom): string =>
  `${random.oneOf(['";', "';", '`;', '${', '{{', '"-', '*/', '\u2028', ')'])}${random.oneOf(CODE)}${random.oneOf(['//', '}', '}}', '/*', '-"', '`'])}`

const style = (random: SeededRandom): string =>
  `${random.oneOf(['}', '</style>', '"}', ';'])}*{background:url(${random.oneOf(['//evil.test/', 'javascript:'])}x)}@import '//evil.test';`

const address = (random: SeededRandom): string => random.oneOf(ADDRESSES) + random.oneOf(CODE)

const KINDS: readonly [(random: SeededRandom) => string, ...((random: SeededRandom) => string)[]] = [
  element,
  element,
  element,
  attribute,
  expression,
  style,
  address,
]

/** As long as the shortest of the fields may be. */
const LENGTH_MAX = 200

/** The same seed gives the same payloads; no two are equal. */
export const generatePayloads = (random: SeededRandom, count: number): string[] => {
  const payloads = new Set<string>()
  while (payloads.size < count) {
    const core = random.oneOf(BREAKS) + random.oneOf(KINDS)(random)
    const payload = random.oneOf(ENCODINGS)(core) + (random.chance(0.2) ? random.oneOf(BREAKS) : '')
    if (payload.length <= LENGTH_MAX) payloads.add(payload)
  }
  return [...payloads]
}
