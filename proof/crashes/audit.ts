/** Audit after the kills: acknowledgements, our store and the acquirer's record must agree. */
import { isPaid, type RecordsToCompare } from '../promises/checkout-records.ts'
import { brokenPromises, type BrokenPromise } from '../promises/promises.ts'

/** Acknowledgement: what a 2xx response confirmed or the page showed after reading one. It must stay true. */
export type Acknowledgement =
  | { readonly event: 'created'; readonly checkoutId: string; readonly amountYen: number }
  | { readonly event: 'started'; readonly checkoutId: string; readonly orderCode: string }
  | { readonly event: 'authenticated'; readonly orderCode: string; readonly checkCode: string }
  | { readonly event: 'paid'; readonly checkoutId: string; readonly transactionId: string }
  | { readonly event: 'cancelled'; readonly checkoutId: string }
  | { readonly event: 'nothing charged'; readonly orderCode: string }
  | {
      readonly event: 'refund'
      readonly checkoutId: string
      readonly refundId: string
      readonly amountYen: number
      readonly status: 'pending' | 'refunded' | 'refused'
    }

export interface AuditRecords extends RecordsToCompare {
  readonly acknowledgements: readonly Acknowledgement[]
  /** By order code. */
  readonly checkCodes: ReadonlyMap<string, string | null>
}

/** Acknowledgements that our store or the acquirer's record contradicts. */
const lostAcknowledgements = ({ acknowledgements, checkCodes, stored, acquirerOrders }: AuditRecords): string[] => {
  const checkouts = new Map(stored.checkouts.map((checkout) => [checkout.id, checkout]))
  const attempts = new Map(stored.attempts.map((attempt) => [attempt.orderCode, attempt]))
  const refunds = new Map(stored.refunds.map((refund) => [`${refund.checkoutId} ${refund.refundId}`, refund]))
  const charged = new Set(acquirerOrders.filter(({ status }) => status === 'charged').map(({ orderCode }) => orderCode))

  const isKept = (acknowledgement: Acknowledgement): boolean => {
    switch (acknowledgement.event) {
      case 'created':
        return checkouts.get(acknowledgement.checkoutId)?.amountYen === acknowledgement.amountYen
      case 'started':
        return attempts.get(acknowledgement.orderCode)?.checkoutId === acknowledgement.checkoutId
      case 'authenticated':
        return checkCodes.get(acknowledgement.orderCode) === acknowledgement.checkCode
      case 'paid': {
        const checkout = checkouts.get(acknowledgement.checkoutId)
        return checkout !== undefined && isPaid(checkout) && checkout.transactionId === acknowledgement.transactionId
      }
      case 'cancelled':
        return checkouts.get(acknowledgement.checkoutId)?.status === 'cancelled'
      case 'nothing charged':
        return !charged.has(acknowledgement.orderCode)
      case 'refund': {
        const refund = refunds.get(`${acknowledgement.checkoutId} ${acknowledgement.refundId}`)
        if (refund?.amountYen !== acknowledgement.amountYen) return false
        return acknowledgement.status === 'pending' || refund.state === acknowledgement.status
      }
    }
  }
  return acknowledgements
    .filter((acknowledgement) => !isKept(acknowledgement))
    .map((acknowledgement) => `it was acknowledged and is not so: ${JSON.stringify(acknowledgement)}`)
}

/** What a kill has broken: a promise about money, or something that was acknowledged. */
export type Finding = BrokenPromise | { readonly kind: 'lost'; readonly description: string }

/** Audit of a settled store after the kills: acknowledgements, our store and the acquirer's record must agree. */
export const audit = (records: AuditRecords): Finding[] => [
  ...lostAcknowledgements(records).map((description): Finding => ({ kind: 'lost', description })),
  ...brokenPromises(records),
]
