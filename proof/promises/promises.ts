/** Promises: what must hold of all money once everything is settled. Compares our store with the acquirer's record. */
import { groupByCheckout, sumYen, type CheckoutRecords, type RecordsToCompare } from './checkout-records.ts'
import { eventsAreNumberedWithoutAGap, eventsTellEachChangeOnce } from './events.ts'
import { eachMailIsWrittenOnce } from './mails.ts'
import {
  chargedAtMostOnce,
  chargedTheExactAmount,
  ledgerEqualsChargesMinusRefunds,
  orderAndTransactionMatch,
  paidMeansCharged,
  refundedMeansAllIsRefunded,
  refundedNoMoreThanPaid,
  refundsMatch,
} from './money.ts'

/** Broken promise: what is wrong, in a sentence. */
export interface BrokenPromise {
  readonly kind: 'double charge' | 'unsettled' | 'untrue'
  readonly description: string
}

type PromiseCheck<T> = readonly [kind: BrokenPromise['kind'], faultsIn: (records: T) => readonly string[]]

const UNSETTLED_STATES: readonly string[] = ['charging', 'unknown', 'requested']

const noChargeOrRefundIsInDoubt = ({ stored }: RecordsToCompare): string[] => [
  ...stored.attempts
    .filter(({ state }) => UNSETTLED_STATES.includes(state))
    .map(({ orderCode, state }) => `attempt ${orderCode} is still ${state}`),
  ...stored.refunds
    .filter(({ state }) => UNSETTLED_STATES.includes(state))
    .map(({ checkoutId, refundId, state }) => `refund ${refundId} of checkout ${checkoutId} is still ${state}`),
]

const acquirerHasDecidedEveryOrder = ({ acquirerOrders }: RecordsToCompare): string[] =>
  acquirerOrders
    .filter(({ status }) => status === 'pending')
    .map(({ orderCode }) => `the acquirer still weighs ${orderCode}`)

/** With this the ledger as a whole adds up to zero. */
const everyEntryIsBalanced = ({ stored }: RecordsToCompare): string[] =>
  [...Map.groupBy(stored.ledger, ({ checkoutId, entry }) => `${entry} of checkout ${checkoutId}`)]
    .filter(([, lines]) => sumYen(lines) !== 0)
    .map(([entry, lines]) => `the ledger is out of balance by ${sumYen(lines)} yen: ${entry}`)

/** No foreign key of the database ties ledger lines, mails and events to a checkout. */
const everyRowBelongsToACheckout = ({ stored }: RecordsToCompare): string[] => {
  const known = new Set(stored.checkouts.map(({ id }) => id))
  return [
    ...stored.ledger.map(({ checkoutId, entry }) => ({ checkoutId, what: `ledger entry ${entry}` })),
    ...stored.mails.map(({ checkoutId, id }) => ({ checkoutId, what: `mail ${id}` })),
    ...stored.events.map(({ checkoutId, id }) => ({ checkoutId, what: `event ${id}` })),
  ]
    .filter(({ checkoutId }) => !known.has(checkoutId))
    .map(({ checkoutId, what }) => `${what} is of checkout ${checkoutId}, and there is none`)
}

const CHECKS_OF_ALL: readonly PromiseCheck<RecordsToCompare>[] = [
  ['unsettled', noChargeOrRefundIsInDoubt],
  ['unsettled', acquirerHasDecidedEveryOrder],
  ['untrue', everyEntryIsBalanced],
  ['untrue', everyRowBelongsToACheckout],
]

const CHECKS_OF_EACH_CHECKOUT: readonly PromiseCheck<CheckoutRecords>[] = [
  ['double charge', chargedAtMostOnce],
  ['untrue', paidMeansCharged],
  ['untrue', orderAndTransactionMatch],
  ['untrue', chargedTheExactAmount],
  ['untrue', refundsMatch],
  ['untrue', refundedNoMoreThanPaid],
  ['untrue', refundedMeansAllIsRefunded],
  ['untrue', ledgerEqualsChargesMinusRefunds],
  ['untrue', eachMailIsWrittenOnce],
  ['untrue', eventsTellEachChangeOnce],
  ['untrue', eventsAreNumberedWithoutAGap],
]

export const brokenPromises = (records: RecordsToCompare): BrokenPromise[] => {
  const { checkouts, unmatchedCharges } = groupByCheckout(records)
  return [
    ...CHECKS_OF_ALL.flatMap(([kind, faultsIn]) =>
      faultsIn(records).map((description): BrokenPromise => ({ kind, description })),
    ),
    ...unmatchedCharges.map(({ orderCode }): BrokenPromise => ({
      kind: 'untrue',
      description: `order ${orderCode} was charged and nobody here knows it`,
    })),
    ...checkouts.flatMap((each) =>
      CHECKS_OF_EACH_CHECKOUT.flatMap(([kind, faultsIn]) =>
        faultsIn(each).map((fault): BrokenPromise => ({ kind, description: `checkout ${each.checkout.id} ${fault}` })),
      ),
    ),
  ]
}
