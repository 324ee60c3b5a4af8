/** Typed yen: an amount as people type it, with full-width digits, commas and a yen sign. */

/** Longer than any amount that is typed with its commas and its sign. */
const TYPED_MAX_LENGTH = 40

/** What people write around and between the digits. */
const ORNAMENT = /[\s,，、¥￥円]/gu
const DIGITS = /^\d{1,9}$/

/** The number that was typed; undefined: it is no whole number of yen. */
export const readTypedYen = (typed: string): number | undefined => {
  if (typed.length > TYPED_MAX_LENGTH) return undefined
  const digits = typed.replaceAll(ORNAMENT, '').normalize('NFKC')
  return DIGITS.test(digits) ? Number(digits) : undefined
}
