import type { LedgerLine, PostedLetter, StoredAttempt, StoredCheckout, StoredFacts, StoredRefund } from './facts.ts'

/** One order as it stands in the acquirer's own books: the witness that no answer of ours can talk its way round. */
export interface AcquirerOrder {
  readonly orderCode: string
  readonly status: 'pending' | 'charged' | 'declined' | 'void'
  /** 0 for an order that was fenced before the acquirer ever saw it. */
  readonly amountYen: number
  readonly transactionId: string | null
  readonly refunds: readonly { readonly refundId: string; readonly amountYen: number }[]
}

/** The two sides of the money: what we have stored, and what the acquirer has booked. */
export interface BothSides {
  readonly facts: StoredFacts
  readonly books: readonly AcquirerOrder[]
}

/** All that both sides have about one checkout. */
export interface CheckoutTrail {
  readonly checkout: StoredCheckout
  readonly attempts: readonly StoredAttempt[]
  readonly refunds: readonly StoredRefund[]
  readonly ledger: readonly LedgerLine[]
  readonly letters: readonly PostedLetter[]
  /** Its orders that the acquirer has charged. */
  readonly charges: readonly AcquirerOrder[]
}

interface Trails {
  readonly trails: readonly CheckoutTrail[]
  /** What the acquirer charged for no checkout of ours. */
  readonly strangeCharges: readonly AcquirerOrder[]
}

const byCheckout = <T extends { readonly checkoutId: string }>(items: readonly T[]): Map<string, T[]> =>
  Map.groupBy(items, ({ checkoutId }) => checkoutId)

export const followTrails = ({ facts, books }: BothSides): Trails => {
  const known = new Set(facts.checkouts.map(({ id }) => id))
  const checkoutOf = new Map(facts.attempts.map(({ orderCode, checkoutId }) => [orderCode, checkoutId]))
  const charged = books.filter(({ status }) => status === 'charged')
  const charges = Map.groupBy(charged, ({ orderCode }) => checkoutOf.get(orderCode))
  const [attempts, refunds, ledger, letters] = [
    byCheckout(facts.attempts),
    byCheckout(facts.refunds),
    byCheckout(facts.ledger),
    byCheckout(facts.letters),
  ]
  return {
    trails: facts.checkouts.map((checkout) => ({
      checkout,
      attempts: attempts.get(checkout.id) ?? [],
      refunds: refunds.get(checkout.id) ?? [],
      ledger: ledger.get(checkout.id) ?? [],
      letters: letters.get(checkout.id) ?? [],
      charges: charges.get(checkout.id) ?? [],
    })),
    strangeCharges: charged.filter(({ orderCode }) => !known.has(checkoutOf.get(orderCode) ?? '')),
  }
}

export const isPaid = ({ status }: StoredCheckout): boolean => status === 'paid' || status === 'refunded'

export const yenOf = (items: readonly { readonly amountYen: number }[]): number =>
  items.reduce((total, { amountYen }) => total + amountYen, 0)
