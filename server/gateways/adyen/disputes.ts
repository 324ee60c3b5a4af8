/** Adyen, disputes: what its notifications say of each. Pure: the inbox is read by whoever asks. */
import type { Instant } from '#contract/jst.ts'
import type {
  AcquirerDispute,
  DisputeMovement,
  DisputePage,
  DisputeStatus,
  Period,
  ToldDisputes,
  UnreadableDispute,
} from '#payment/ports.ts'
import { unknown } from '../unknown-outcome.ts'
import { disputeEventOf, DISPUTE_MOVES, isDisputeEvent } from './dispute-events.ts'
import type { Notice } from './notified-outcomes.ts'
import { isPspReference } from './references.ts'

/** A notification about a dispute, as the inbox keeps it. Its `pspReference` is that of the dispute. */
export interface DisputeNotice extends Notice {
  /** Adyen's id of the payment. */
  readonly originalReference: string | null
  readonly respondBy: Instant | null
}

/** Disputes with all that was told of each, in any order. */
export interface DisputeNotices {
  readonly disputes: readonly (readonly DisputeNotice[])[]
  /** The dispute that the next page begins behind. */
  readonly after: string | null
}

const latest = (notices: readonly DisputeNotice[], event: string): DisputeNotice | undefined =>
  notices.filter((notice) => notice.event === event).toSorted((one, other) => other.occurredAt - one.occurredAt)[0]

const stageOf = ({ event }: DisputeNotice): number => (isDisputeEvent(event) ? disputeEventOf(event).stage : -1)

const statusOf = (notices: readonly DisputeNotice[]): DisputeStatus => {
  const has = (event: string): boolean => notices.some((notice) => notice.event === event)
  let status: DisputeStatus = 'inquiry'
  for (const { event } of notices.toSorted((one, other) => stageOf(one) - stageOf(other))) {
    const said = isDisputeEvent(event) ? disputeEventOf(event).status : null
    if (said === null) continue
    // A shop that has answered waits for the issuer; a question of the issuer takes no money by itself.
    if (said === 'lost unless defended') status = has('CHARGEBACK') && !has('INFORMATION_SUPPLIED') ? 'lost' : status
    else status = said
  }
  return status
}

/** Adyen calls two of one event a repetition, of which the later one counts. Null: one is not in yen. */
const movementsOf = (disputeId: string, notices: readonly DisputeNotice[]): DisputeMovement[] | null => {
  const movements: DisputeMovement[] = []
  for (const { event, kind, suffix } of DISPUTE_MOVES) {
    const told = latest(notices, event)
    if (told === undefined) continue
    const { amountYen, occurredAt: movedAt } = told
    if (amountYen === null) return null
    movements.push({ kind, movementId: `${disputeId}${suffix}`, amountYen, movedAt })
  }
  return movements
}

/** Until the shop has answered. */
const respondByOf = (status: DisputeStatus, notices: readonly DisputeNotice[]): Instant | null => {
  if (status === 'won' || status === 'lost' || notices.some(({ event }) => event === 'INFORMATION_SUPPLIED'))
    return null
  const times = notices.flatMap(({ respondBy }) => respondBy ?? [])
  return times.length === 0 ? null : Math.max(...times)
}

/** Far more than a dispute has: without a bound one dispute could be told of for ever, and be read anew each time. */
export const NOTICES_MAX = 100

/** Booked alone, the books would give the shop what was never taken. Both are booked once the chargeback is told, too. */
const isReversalAlone = (notices: readonly DisputeNotice[]): boolean =>
  latest(notices, 'CHARGEBACK_REVERSED') !== undefined && latest(notices, 'CHARGEBACK') === undefined

/** Null: of another system, in another currency: it is none of ours. */
const disputeTold = (notices: readonly DisputeNotice[]): AcquirerDispute | UnreadableDispute | null => {
  const [first] = notices.toSorted((one, other) => one.occurredAt - other.occurredAt)
  if (first === undefined) return null
  const { pspReference: disputeId } = first
  const payment = notices.find(({ originalReference }) => originalReference !== null)?.originalReference ?? disputeId
  // Of a payment of ours the reference is the order code, never that of a refund.
  const ours = notices.find(({ orderCode, refundId }) => orderCode !== null && refundId === null)?.orderCode ?? null
  const unreadable = (why: string): UnreadableDispute => ({ disputeId, orderCode: ours, why })
  // A reference that reads like a card number would be stored and shown.
  if (!isPspReference(disputeId)) return { ...unreadable('it has no reference of Adyen'), disputeId: null }
  if (!isPspReference(payment)) return unreadable('its payment has no reference of Adyen')
  if (notices.length > NOTICES_MAX) return unreadable(`it has more than ${NOTICES_MAX} notifications`)
  const movements = movementsOf(disputeId, notices)
  const amountYen = latest(notices, 'CHARGEBACK')?.amountYen ?? first.amountYen
  if (movements === null || amountYen === null)
    return ours === null ? null : unreadable('it is in another currency than yen')
  if (isReversalAlone(notices))
    return ours === null ? null : unreadable('its money was given back, and no notification says that it was taken')
  const status = statusOf(notices)
  return {
    disputeId,
    // Adyen's own id where another system made the payment: so does the settlement report.
    orderCode: ours ?? payment,
    status,
    amountYen,
    reason: notices.find(({ reason }) => reason !== null)?.reason ?? null,
    respondBy: respondByOf(status, notices),
    openedAt: first.occurredAt,
    movements,
  }
}

/** What was told of some disputes, of each for itself: one that cannot be read hides no other. */
export const readTold = (all: readonly (readonly DisputeNotice[])[]): ToldDisputes => {
  const told = all.map(disputeTold).filter((dispute) => dispute !== null)
  return {
    disputes: told.filter((dispute) => 'status' in dispute),
    unreadable: told.filter((dispute) => 'why' in dispute),
  }
}

export interface DisputeInbox {
  /** Disputes whose first notification was told of in a period, behind a dispute. */
  disputes(openedIn: Period, after: string | null, limit: number): Promise<DisputeNotices>
}

export const readDisputes = async (
  inbox: DisputeInbox,
  openedIn: Period,
  after: string | null,
  limit: number,
): Promise<DisputePage> => {
  if (after !== null && !/^[A-Za-z0-9_.-]{1,200}$/.test(after)) return unknown('a page that does not exist')
  const { disputes, after: next } = await inbox.disputes(openedIn, after, limit)
  return { outcome: 'page', ...readTold(disputes), after: next }
}
