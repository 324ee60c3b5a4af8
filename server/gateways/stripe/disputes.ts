/** Stripe, disputes: its list as disputes, and as the money that they moved. */
import { Check } from 'typebox/value'
import type { Instant } from '#contract/jst.ts'
import { isMovedYen } from '#payment/acquirer-limits.ts'
import type {
  AcquirerDispute,
  DisputeMovement,
  DisputePage,
  DisputeStatus,
  Period,
  UnreadableDispute,
} from '#payment/ports.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import { reasonOf } from '../acquirer-words.ts'
import type { FormFields } from './form.ts'
import { listFields, orderCodeOf, readListPage } from './lists.ts'
import { DisputedPayment, EvidenceDetails, ListedDispute, NamedDispute } from './wire.ts'

/**
 * All words of stripe@23.1.0. `warning_`: an inquiry of the issuer, which takes no money; closed, it can take none any more.
 * `by money`: Stripe settled it with the issuer before a chargeback, and its transactions alone say who paid.
 */
const STATUSES: Readonly<Record<string, DisputeStatus | 'by money'>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  lost: 'lost',
  prevented: 'by money',
}

/** The shop's answer is waited for. In every other state Stripe takes none. */
const WAITS_FOR_SHOP: readonly string[] = ['warning_needs_response', 'needs_response', 'appeal_needs_response']

const takenYen = (movements: readonly DisputeMovement[]): number =>
  movements.reduce((sum, { kind, amountYen }) => (kind === 'chargeback' ? sum + amountYen : sum - amountYen), 0)

/**
 * A word that did not exist when this was written is open: it is neither won nor lost, and is read again. The page is not given
 * up for it: the money is told by the transactions, and of every other dispute too.
 */
const statusOf = (word: string, movements: readonly DisputeMovement[]): DisputeStatus => {
  const status = Object.hasOwn(STATUSES, word) ? (STATUSES[word] ?? 'open') : 'open'
  if (status !== 'by money') return status
  return takenYen(movements) > 0 ? 'lost' : 'won'
}

/** 0: the issuer takes no answer. */
const respondByOf = (word: string, details: unknown): Instant | null =>
  WAITS_FOR_SHOP.includes(word) && Check(EvidenceDetails, details) && details.due_by > 0 ? details.due_by * 1000 : null

/** Undefined: one is not in yen, or is no amount of yen. Stripe's fee is apart, and one that moves nothing else is no movement. */
const movementsOf = (transactions: ListedDispute['balance_transactions']): DisputeMovement[] | undefined =>
  transactions.every(({ currency, amount }) => currency === 'jpy' && isMovedYen(Math.abs(amount)))
    ? transactions
        .filter(({ amount }) => amount !== 0)
        .map(({ id, amount, created }) => ({
          kind: amount < 0 ? 'chargeback' : 'chargeback_reversal',
          movementId: id,
          amountYen: Math.abs(amount),
          movedAt: created * 1000,
        }))
    : undefined

interface Disputed {
  readonly dispute: AcquirerDispute
  /** A payment of another system on the same account is named by Stripe's own id. */
  readonly isOurs: boolean
}

/** Null: of another system, in another currency: it is none of ours. Undefined: it cannot be read. */
const disputedOf = (item: unknown): Disputed | null | undefined => {
  if (!Check(DisputedPayment, item)) return undefined
  const { payment_intent: intent, charge, currency } = item
  const ours = orderCodeOf(intent)
  if (ours === undefined && currency !== 'jpy') return null
  if (!Check(ListedDispute, item) || currency !== 'jpy' || !isMovedYen(item.amount)) return undefined
  const movements = movementsOf(item.balance_transactions)
  if (movements === undefined) return ours === undefined ? null : undefined
  const { id: disputeId, status: word, amount: amountYen, reason, created, evidence_details: details } = item
  const dispute = {
    disputeId,
    orderCode: ours ?? intent?.id ?? charge,
    status: statusOf(word, movements),
    amountYen,
    reason: typeof reason === 'string' && reason !== '' ? reasonOf(reason) : null,
    respondBy: respondByOf(word, details),
    openedAt: created * 1000,
    movements,
  }
  return { dispute, isOurs: ours !== undefined }
}

/** A dispute names its order only through its intent. */
export const disputeFields = (openedIn: Period, startingAfter: string | null, limit: number): FormFields => ({
  ...listFields(openedIn, startingAfter, limit),
  expand: ['data.payment_intent'],
})

/** `dp_1`; null is the beginning. */
export const isDisputeCursor = (cursor: string | null): boolean => cursor === null || /^\w{1,255}$/.test(cursor)

const unreadableOf = (item: unknown): UnreadableDispute => ({
  disputeId: Check(NamedDispute, item) ? item.id : null,
  orderCode: Check(DisputedPayment, item) ? (orderCodeOf(item.payment_intent) ?? null) : null,
  why: 'what the acquirer says of it cannot be read',
})

export const readDisputePage = (startingAfter: string | null, reply: AcquirerReply): DisputePage => {
  const page = readListPage(startingAfter, reply)
  if (page.outcome === 'unknown') return page
  const read = page.items.map((item) => ({ item, disputed: disputedOf(item) }))
  return {
    outcome: 'page',
    disputes: read.flatMap(({ disputed }) => disputed?.dispute ?? []),
    unreadable: read.flatMap(({ item, disputed }) => (disputed === undefined ? [unreadableOf(item)] : [])),
    after: page.after,
  }
}

export type DisputeLine = { readonly orderCode: string } & DisputeMovement

/** What a listed dispute moved in a period. None: not ours, as for charges. Undefined: it cannot be read. */
export const movedByDispute = (item: unknown, { from, to }: Period): readonly DisputeLine[] | undefined => {
  const disputed = disputedOf(item)
  if (disputed === undefined) return undefined
  if (disputed === null || !disputed.isOurs) return []
  const { orderCode, movements } = disputed.dispute
  return movements
    .filter(({ movedAt }) => movedAt >= from && movedAt < to)
    .map((movement) => ({ orderCode, ...movement }))
}
