/** A number of payments as people type it: in any width, with commas, with 件. */

/** Null: nothing was typed. Undefined: it is no number from 1 to 999,999. */
export const readCount = (typed: string): number | null | undefined => {
  const text = typed.normalize('NFKC').replaceAll(/[\s,件]/g, '')
  if (text === '') return null
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined
}
