/** Yen as people type them: full-width digits, commas, ¥ and 円 are taken as they are meant. */
import { isPayableYen, withThousandsSeparators } from '#contract/yen.ts'

export type TypedYen =
  | { readonly state: 'empty' }
  | { readonly state: 'wrong' }
  | { readonly state: 'amount'; readonly amount: number }

/** NFKC makes １２，０００ to 12,000 and ￥ to ¥. A Japanese keyboard also offers 、 for a comma. */
export const parseYen = (text: string): TypedYen => {
  const plain = text.normalize('NFKC').replaceAll(/[\s,、¥円]/g, '')
  if (plain === '') return { state: 'empty' }
  if (!/^\d{1,9}$/.test(plain)) return { state: 'wrong' }
  const amount = Number(plain)
  return isPayableYen(amount) ? { state: 'amount', amount } : { state: 'wrong' }
}

/** How a field shows what was typed once it is left. */
export const tidyYen = (text: string): string => {
  const typed = parseYen(text)
  return typed.state === 'amount' ? withThousandsSeparators(typed.amount) : text
}
