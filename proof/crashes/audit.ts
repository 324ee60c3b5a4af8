import { isPaid, type BothSides } from '../promises/both-sides.ts'
import { brokenPromises, type BrokenPromise } from '../promises/promises.ts'

/** What a 2xx answer said, or what the page told the shopper after reading one. None of it may become untrue. */
export type Acknowledged =
  | { readonly said: 'created'; readonly checkoutId: string; readonly amountYen: number }
  | { readonly said: 'started'; readonly checkoutId: string; readonly orderCode: string }
  | { readonly said: 'authenticated'; readonly orderCode: string; readonly checkCode: string }
  | { readonly said: 'paid'; readonly checkoutId: string; readonly transactionId: string }
  | { readonly said: 'cancelled'; readonly checkoutId: string }
  | { readonly said: 'nothing charged'; readonly orderCode: string }
  | {
      readonly said: 'refund'
      readonly checkoutId: string
      readonly refundId: string
      readonly amountYen: number
      readonly status: 'pending' | 'refunded' | 'refused'
    }

export interface Acknowledgements extends BothSides {
  readonly acknowledged: readonly Acknowledged[]
  /** By order code. */
  readonly checkCodes: ReadonlyMap<string, string | null>
}

/** What an answer spoke of and the store or the acquirer does not know. */
const lostWords = ({ acknowledged, checkCodes, facts, books }: Acknowledgements): string[] => {
  const checkouts = new Map(facts.checkouts.map((checkout) => [checkout.id, checkout]))
  const attempts = new Map(facts.attempts.map((attempt) => [attempt.orderCode, attempt]))
  const refunds = new Map(facts.refunds.map((refund) => [`${refund.checkoutId} ${refund.refundId}`, refund]))
  const charged = new Set(books.filter(({ status }) => status === 'charged').map(({ orderCode }) => orderCode))

  const isKept = (word: Acknowledged): boolean => {
    switch (word.said) {
      case 'created':
        return checkouts.get(word.checkoutId)?.amountYen === word.amountYen
      case 'started':
        return attempts.get(word.orderCode)?.checkoutId === word.checkoutId
      case 'authenticated':
        return checkCodes.get(word.orderCode) === word.checkCode
      case 'paid': {
        const checkout = checkouts.get(word.checkoutId)
        return checkout !== undefined && isPaid(checkout) && checkout.transactionId === word.transactionId
      }
      case 'cancelled':
        return checkouts.get(word.checkoutId)?.status === 'cancelled'
      case 'nothing charged':
        return !charged.has(word.orderCode)
      case 'refund': {
        const refund = refunds.get(`${word.checkoutId} ${word.refundId}`)
        if (refund?.amountYen !== word.amountYen) return false
        return word.status === 'pending' || refund.state === word.status
      }
    }
  }
  return acknowledged
    .filter((word) => !isKept(word))
    .map((word) => `it was said and is not so: ${JSON.stringify(word)}`)
}

/** What a kill has broken: a promise about money, or one that an answer gave. */
export type Finding = BrokenPromise | { readonly kind: 'lost'; readonly line: string }

/** Compares what was said with what is stored and with the acquirer's books, when the dust has settled. */
export const audit = (settled: Acknowledgements): Finding[] => [
  ...lostWords(settled).map((line): Finding => ({ kind: 'lost', line })),
  ...brokenPromises(settled),
]
