/** Adyen, disputes: what its notifications say of each. Pure: the inbox is read by whoever asks. */
import type { Instant } from '#contract/jst.ts'
import type { AcquirerDispute, DisputeMovement, DisputePage, DisputeStatus, Period, Unknown } from '#payment/ports.ts'
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

/** Where the next page begins: behind a dispute that was opened then. */
export interface DisputeCursor {
  readonly openedAt: Instant
  readonly disputeId: string
}

/** Disputes with all that was told of each, in the order of their opening. */
export interface DisputeNotices {
  readonly disputes: readonly (readonly DisputeNotice[])[]
  readonly after: DisputeCursor | null
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

/** Adyen calls two of one event a repetition, of which the later one counts. Undefined: one is not in yen. */
const movementsOf = (disputeId: string, notices: readonly DisputeNotice[]): DisputeMovement[] | undefined => {
  const movements: DisputeMovement[] = []
  for (const { event, kind, suffix } of DISPUTE_MOVES) {
    const told = latest(notices, event)
    if (told === undefined) continue
    const { amountYen, occurredAt: movedAt } = told
    if (amountYen === null) return undefined
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

/** Null: of another system, in another currency: it is none of ours. */
const disputeTold = (notices: readonly DisputeNotice[]): AcquirerDispute | Unknown | null => {
  const [first] = notices.toSorted((one, other) => one.occurredAt - other.occurredAt)
  if (first === undefined) return null
  const { pspReference: disputeId } = first
  const payment = notices.find(({ originalReference }) => originalReference !== null)?.originalReference ?? disputeId
  // A reference that reads like a card number would be stored and shown.
  if (!isPspReference(disputeId) || !isPspReference(payment)) return unknown('a dispute has no reference of Adyen')
  // Of a payment of ours the reference is the order code, never that of a refund.
  const ours = notices.find(({ orderCode, refundId }) => orderCode !== null && refundId === null)?.orderCode ?? null
  const movements = movementsOf(disputeId, notices)
  const amountYen = latest(notices, 'CHARGEBACK')?.amountYen ?? first.amountYen
  if (movements === undefined || amountYen === null)
    return ours === null ? null : unknown('a dispute is in another currency than yen')
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

const cursorOf = (after: string | null): DisputeCursor | null | undefined => {
  if (after === null) return null
  const [, openedAt, disputeId] = /^(\d{1,15})\.([A-Za-z0-9_.-]{1,200})$/.exec(after) ?? []
  return openedAt === undefined || disputeId === undefined ? undefined : { openedAt: Number(openedAt), disputeId }
}

export interface DisputeInbox {
  /** Disputes whose first notification was told of in a period, behind a cursor. */
  disputes(openedIn: Period, after: DisputeCursor | null, limit: number): Promise<DisputeNotices>
}

/** A page with one dispute that cannot be read is not a page: one that is left out is a chargeback that nobody hears of. */
export const readDisputes = async (
  inbox: DisputeInbox,
  openedIn: Period,
  after: string | null,
  limit: number,
): Promise<DisputePage> => {
  const cursor = cursorOf(after)
  if (cursor === undefined) return unknown('a page that does not exist')
  const told = await inbox.disputes(openedIn, cursor, limit)
  const disputes: AcquirerDispute[] = []
  for (const notices of told.disputes) {
    const dispute = disputeTold(notices)
    if (dispute === null) continue
    if ('outcome' in dispute) return dispute
    disputes.push(dispute)
  }
  return {
    outcome: 'page',
    disputes,
    after: told.after === null ? null : `${told.after.openedAt}.${told.after.disputeId}`,
  }
}
