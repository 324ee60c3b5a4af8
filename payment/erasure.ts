/** Erasure: removes an e-mail address from texts and JSON, as a whole address and in upper or lower case. */

/** Replaces the address in a text that somebody else wrote. */
export const ERASED = '[erased]'

/**
 * Characters that continue an address: beside one of these the match is part of another address. Letters of other scripts are
 * not among them: Japanese has no spaces around an address, and no shopper's address has such letters.
 */
const BEFORE = 'a-z0-9._+-'
const AFTER = 'a-z0-9-'

/** Ends of what is written before an address in a web address (`%3D`) or in JSON (`\n`); not what may begin one (`%2B`). */
const ENCODED_BEFORE = String.raw`%(?!2[bde]|5f)[0-9a-f]{2}|\\[nrt]`

export interface Eraser {
  /** Whether a text is this address and nothing else. */
  isAddress(text: string): boolean
  /** Replaces the address everywhere in a text. */
  inText(text: string): string
  /** The same in every text and name of a JSON value. A field `email` with the address becomes `field`; undefined: removed. */
  inJson(json: string, field: null | undefined): string
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

const folded = (text: string): string => text.normalize('NFC').toLowerCase()

/** An address in the form in which two addresses are compared. */
export const comparableAddress = (text: string): string => folded(text.trim())

const TO_FULL_WIDTH = 0xfee0

/** A character as it may be written in a text: itself, as in a web address, as an escape of JSON, or in full width. */
const spelled = (character: string): string => {
  if (/[a-z0-9]/i.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  const others =
    code < 0x80
      ? [`%${hex}`, String.raw`\\u00${hex}`, String.fromCodePoint(code + TO_FULL_WIDTH)]
      : [encodeURIComponent(character)]
  return `(?:${[escaped(character), ...others].join('|')})`
}

/** Never longer than what it replaces: a text at its maximum length could not be read any more. */
const inPlaceOf = (written: string): string => (written.length < ERASED.length ? '*'.repeat(written.length) : ERASED)

export const createEraser = (address: string): Eraser => {
  const anySpelling = Array.from(address, spelled).join('')
  // A full stop ends the address if no other label follows it.
  // oxlint-disable-next-line kaikei/linear-regexp -- it is as long as the address, and repeats nothing
  const whole = new RegExp(
    `(?:(?<![${BEFORE}])|(?<=${ENCODED_BEFORE}))${anySpelling}(?![${AFTER}]|\\.[${AFTER}])`,
    'giu',
  )
  const isAddress = (text: string): boolean => comparableAddress(text) === folded(address)
  const inText = (text: string): string => text.replaceAll(whole, inPlaceOf)

  const inValue = (value: unknown, field: null | undefined): unknown => {
    if (typeof value === 'string') return inText(value)
    if (Array.isArray(value)) return value.map((each) => inValue(each, field))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) =>
        name === 'email' && typeof each === 'string' && isAddress(each)
          ? [name, field]
          : [inText(name), inValue(each, field)],
      ),
    )
  }
  return { isAddress, inText, inJson: (json, field) => JSON.stringify(inValue(JSON.parse(json), field)) }
}
