/** Erasure: an e-mail address taken out of texts and JSON, as a whole address and in any case of its letters. */

/** Stands where an address was, in a text that somebody else wrote. */
export const ERASED = '[erased]'

/** Characters that go on with an address: next to one of them it is part of another address. */
const BEFORE = '\\p{L}\\p{N}._+-'
const AFTER = '\\p{L}\\p{N}-'

export interface Eraser {
  /** Whether a text is this address and nothing else. */
  isAddress(text: string): boolean
  /** Every place of the address in a text is replaced; the text itself where it has none. */
  inText(text: string): string
  /** The same in every text and name of a JSON value. A field `email` that is the address becomes `field`; undefined: it goes. */
  inJson(json: string, field: null | undefined): string
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

const folded = (text: string): string => text.normalize('NFC').toLowerCase()

/** Also as it stands in a web address. */
export const spellingsOf = (address: string): string[] => [...new Set([address, encodeURIComponent(address)])]

export const createEraser = (address: string): Eraser => {
  const spelled = spellingsOf(address).map(escaped).join('|')
  // A full stop ends the address where no other label follows it.
  const whole = new RegExp(`(?<![${BEFORE}])(?:${spelled})(?![${AFTER}]|\\.[${AFTER}])`, 'giu')
  const isAddress = (text: string): boolean => folded(text.trim()) === folded(address)
  const inText = (text: string): string => text.replaceAll(whole, ERASED)

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
