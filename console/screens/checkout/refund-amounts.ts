/** Refund amounts: what of a payment can still be given back, by tax rate where it has taxes, and what the typed amounts mean. */
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { RefundAnswer, RefundBody } from '#contract/merchant/refunds.ts'
import type { TaxAmount } from '#contract/invoice.ts'
import { parseYen } from '../../forms/parse-yen.ts'

type Paid = Pick<MerchantCheckoutAnswer, 'amount' | 'taxes' | 'disputes'>

const taken = (refunds: readonly RefundAnswer[]): readonly RefundAnswer[] =>
  refunds.filter(({ status }) => status !== 'refused')

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Refunds that are pending count as given back, and so does what disputes have taken: else it could go back twice. */
export const refundableYen = ({ amount, disputes = [] }: Paid, refunds: readonly RefundAnswer[]): number =>
  Math.max(
    0,
    amount -
      sum(taken(refunds).map((refund) => refund.amount)) -
      // A dispute may have given back more than it took: no more than was paid is refunded for that.
      Math.max(0, sum(disputes.map(({ withdrawnAmount }) => withdrawnAmount))),
  )

/** What is left at each rate, the highest rate first; none where the checkout has no taxes. */
export const refundableTaxes = ({ taxes = [] }: Paid, refunds: readonly RefundAnswer[]): readonly TaxAmount[] => {
  const given = taken(refunds).flatMap((refund) => refund.taxes ?? [])
  return taxes
    .map(({ rate, amount }) => ({
      rate,
      amount: amount - sum(given.filter((each) => each.rate === rate).map((each) => each.amount)),
    }))
    .filter(({ amount }) => amount > 0)
}

export type TypedRefund =
  | { readonly state: 'empty' }
  | { readonly state: 'wrong' }
  /** More than is left, of all or at one rate. */
  | { readonly state: 'too much'; readonly left: number }
  | { readonly state: 'amount'; readonly amount: number; readonly body: Pick<RefundBody, 'amount' | 'taxes'> }

interface Left {
  readonly amount: number
  /** None where the checkout has no taxes. */
  readonly taxes: readonly TaxAmount[]
}

/** All that is left, as it was shown: without an amount it would be what is left when the call arrives. */
export const wholeRefund = ({ amount, taxes }: Left): Pick<RefundBody, 'amount' | 'taxes'> => ({
  amount,
  // Where a dispute has taken a part, it is not known from which rate.
  ...(taxes.length > 0 && sum(taxes.map((tax) => tax.amount)) === amount ? { taxes: [...taxes] } : {}),
})

/** `typed`: one text where the checkout has no taxes, else one for each rate that is left. */
export const readPartRefund = (left: Left, typed: readonly string[]): TypedRefund => {
  const read = typed.map(parseYen)
  if (read.some(({ state }) => state === 'wrong')) return { state: 'wrong' }
  const amounts = read.map((each) => (each.state === 'amount' ? each.amount : 0))
  const amount = sum(amounts)
  if (amount === 0) return { state: 'empty' }
  const over = left.taxes.find((tax, at) => (amounts[at] ?? 0) > tax.amount)
  if (over !== undefined) return { state: 'too much', left: over.amount }
  if (amount > left.amount) return { state: 'too much', left: left.amount }
  const taxes = left.taxes.map(({ rate }, at) => ({ rate, amount: amounts[at] ?? 0 })).filter((tax) => tax.amount > 0)
  return { state: 'amount', amount, body: { amount, ...(taxes.length === 0 ? {} : { taxes }) } }
}
