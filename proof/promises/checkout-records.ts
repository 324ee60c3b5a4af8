/** Checkout records: our rows and the acquirer's orders, grouped by checkout. */
import type { StoredCheckout, StoredRecords } from './stored-records.ts'

/** Acquirer's order: one order in the acquirer's own record, which no error of ours can change. */
export interface AcquirerOrder {
  readonly orderCode: string
  readonly status: 'pending' | 'charged' | 'declined' | 'void'
  /** 0 for an order that was fenced before the acquirer ever saw it. */
  readonly amountYen: number
  readonly transactionId: string | null
  readonly refunds: readonly { readonly refundId: string; readonly amountYen: number }[]
}

/** Records to compare: what we have stored about money, and what the acquirer has on its side. */
export interface RecordsToCompare {
  readonly stored: StoredRecords
  readonly acquirerOrders: readonly AcquirerOrder[]
}

/** All records of one checkout, from our store and from the acquirer. */
export interface CheckoutRecords extends Omit<StoredRecords, 'checkouts'> {
  readonly checkout: StoredCheckout
  /** Its orders that the acquirer has charged. */
  readonly charges: readonly AcquirerOrder[]
}

const byCheckout = <T extends { readonly checkoutId: string }>(items: readonly T[]): Map<string, T[]> =>
  Map.groupBy(items, ({ checkoutId }) => checkoutId)

export const groupByCheckout = ({ stored, acquirerOrders }: RecordsToCompare) => {
  const known = new Set(stored.checkouts.map(({ id }) => id))
  const checkoutOf = new Map(stored.attempts.map(({ orderCode, checkoutId }) => [orderCode, checkoutId]))
  const charged = acquirerOrders.filter(({ status }) => status === 'charged')
  const charges = Map.groupBy(charged, ({ orderCode }) => checkoutOf.get(orderCode))
  const [attempts, refunds, ledger, mails, events] = [
    byCheckout(stored.attempts),
    byCheckout(stored.refunds),
    byCheckout(stored.ledger),
    byCheckout(stored.mails),
    byCheckout(stored.events),
  ]
  return {
    checkouts: stored.checkouts.map((checkout): CheckoutRecords => ({
      checkout,
      attempts: attempts.get(checkout.id) ?? [],
      refunds: refunds.get(checkout.id) ?? [],
      ledger: ledger.get(checkout.id) ?? [],
      mails: mails.get(checkout.id) ?? [],
      events: events.get(checkout.id) ?? [],
      charges: charges.get(checkout.id) ?? [],
    })),
    /** Charges of the acquirer that belong to no checkout of ours. */
    unmatchedCharges: charged.filter(({ orderCode }) => !known.has(checkoutOf.get(orderCode) ?? '')),
  }
}

export const isPaid = ({ status }: StoredCheckout): boolean => status === 'paid' || status === 'refunded'

export const sumYen = (items: readonly { readonly amountYen: number }[]): number =>
  items.reduce((total, { amountYen }) => total + amountYen, 0)
