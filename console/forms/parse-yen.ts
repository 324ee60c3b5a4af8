/** Yen as people type them: full-width digits, commas, ¥ and 円 are taken as they are meant. */
import { readTypedYen } from '#contract/typed-yen.ts'
import { isPayableYen, withThousandsSeparators } from '#contract/yen.ts'

export type TypedYen =
  | { readonly state: 'empty' }
  | { readonly state: 'wrong' }
  | { readonly state: 'amount'; readonly amount: number }

export const parseYen = (text: string): TypedYen => {
  const amount = readTypedYen(text)
  if (amount === null) return { state: 'empty' }
  return amount !== undefined && isPayableYen(amount) ? { state: 'amount', amount } : { state: 'wrong' }
}

/** How a field shows what was typed once it is left. */
export const tidyYen = (text: string): string => {
  const typed = parseYen(text)
  return typed.state === 'amount' ? withThousandsSeparators(typed.amount) : text
}
