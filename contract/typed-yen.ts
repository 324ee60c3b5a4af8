/** Typed yen: an amount as people type it, with full-width digits, commas and a yen sign. */

/** Longer than any amount that is typed with its commas and its sign. */
const TYPED_MAX_LENGTH = 40

/** What people write around and between the digits. A Japanese keyboard also offers 、 for a comma. */
const ORNAMENT = /[\s,、¥円]/gu
const DIGITS = /^\d{1,9}$/

/** The number that was typed. Null: nothing was. Undefined: it is no whole number of yen. */
export const readTypedYen = (typed: string): number | null | undefined => {
  if (typed.length > TYPED_MAX_LENGTH) return undefined
  // NFKC makes １２，０００ to 12,000 and ￥ to ¥.
  const digits = typed.normalize('NFKC').replaceAll(ORNAMENT, '')
  if (digits === '') return null
  return DIGITS.test(digits) ? Number(digits) : undefined
}
