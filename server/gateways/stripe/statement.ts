/** Stripe, statement: the lists of charges, refunds and disputes as what moved, and the charges of one order. */
import { Check } from 'typebox/value'
import { isMovedYen } from '#payment/acquirer-limits.ts'
import type { Fencing, Period, SentOrder, Statement, StatementLine } from '#payment/ports.ts'
import { disputesMovingIn } from '#payment/reconciliation-period.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import { undecided } from '../unknown-outcome.ts'
import { disputeFields, movedByDispute } from './disputes.ts'
import type { FormFields } from './form.ts'
import { listFields, orderCodeOf, readListPage, UNREADABLE_LIST } from './lists.ts'
import { ListedCharge, ListedRefund, Page, RefundMetadata } from './wire.ts'

/** The lists of a statement, one after another. */
const LISTS = ['charges', 'refunds', 'disputes'] as const
type List = (typeof LISTS)[number]

const isList = (text: string | undefined): text is List => LISTS.some((list) => list === text)

export interface Place {
  readonly list: List
  readonly startingAfter: string | null
}

/** `charges:ch_1`, `refunds:`, `refunds:re_1`; null is the beginning. Undefined: no cursor of ours. */
export const placeOf = (cursor: string | null): Place | undefined => {
  if (cursor === null) return { list: 'charges', startingAfter: null }
  const [, list, id = ''] = /^([a-z]+):([A-Za-z0-9_]{0,255})$/.exec(cursor) ?? []
  return isList(list) ? { list, startingAfter: id === '' ? null : id } : undefined
}

const cursorOf = ({ list }: Place, after: string | null): string | null => {
  if (after !== null) return `${list}:${after}`
  const next = LISTS[LISTS.indexOf(list) + 1]
  return next === undefined ? null : `${next}:`
}

export const pageFields = (period: Period, { list, startingAfter }: Place, limit: number): FormFields => {
  if (list === 'disputes') return disputeFields(disputesMovingIn(period), startingAfter, limit)
  const fields = listFields(period, startingAfter, limit)
  // A refund names its order only through its intent.
  return list === 'refunds' ? { ...fields, expand: ['data.payment_intent'] } : fields
}

type Moved = StatementLine | { readonly kind: 'pending'; readonly order: Pick<SentOrder, 'orderCode' | 'reference'> }

/** Undefined: a line that cannot be read. None: not ours, or no money moved. */
const movedByCharge = (item: unknown): readonly Moved[] | undefined => {
  const orderCode = orderCodeOf(item)
  if (orderCode === undefined) return []
  if (!Check(ListedCharge, item) || item.currency !== 'jpy' || !isMovedYen(item.amount_captured)) return undefined
  const { status, payment_intent: reference, amount_captured: amountYen, created } = item
  if (status === 'pending') return [{ kind: 'pending', order: { orderCode, reference } }]
  return status === 'succeeded' && amountYen > 0
    ? [{ kind: 'charge', orderCode, reference, amountYen, movedAt: created * 1000 }]
    : []
}

const movedByRefund = (item: unknown): readonly Moved[] | undefined => {
  const intent: unknown =
    typeof item === 'object' && item !== null && 'payment_intent' in item ? item.payment_intent : null
  // Not expanded: whether it is ours cannot be said.
  if (typeof intent === 'string') return undefined
  const orderCode = orderCodeOf(intent)
  if (orderCode === undefined) return []
  if (!Check(ListedRefund, item) || item.currency !== 'jpy' || !isMovedYen(item.amount)) return undefined
  const { id, status, amount: amountYen, created, metadata } = item
  const refundId = Check(RefundMetadata, metadata) ? metadata.refund : id
  return status === 'succeeded' ? [{ kind: 'refund', orderCode, refundId, amountYen, movedAt: created * 1000 }] : []
}

const MOVED: Readonly<Record<List, (item: unknown, period: Period) => readonly Moved[] | undefined>> = {
  charges: movedByCharge,
  refunds: movedByRefund,
  disputes: movedByDispute,
}

/** A page with one line that cannot be read is not a page: what is left out of a statement would look like a discrepancy. */
export const readPage = (period: Period, place: Place, reply: AcquirerReply): Statement => {
  const page = readListPage(place.startingAfter, reply)
  if (page.outcome === 'unknown') return page
  const moved: Moved[] = []
  for (const item of page.items) {
    const lines = MOVED[place.list](item, period)
    if (lines === undefined) return UNREADABLE_LIST
    moved.push(...lines)
  }
  return {
    outcome: 'page',
    lines: moved.flatMap((each) => (each.kind === 'pending' ? [] : [each])),
    pending: moved.flatMap((each) => (each.kind === 'pending' ? [each.order] : [])),
    after: cursorOf(place, page.after),
  }
}

export const chargesOfOrderFields = (orderCode: string): FormFields => ({ transfer_group: orderCode, limit: 100 })

/**
 * Whether an order whose reference is not known was charged after all. That happens only after a restore from a backup: the
 * reference is stored before a card can be charged. A charge that failed moves nothing, and its order is confirmed only once.
 */
export const readChargesOfOrder = (orderCode: string, reply: AcquirerReply): Fencing => {
  const { status, body } = reply
  if (status !== 200) return undecided(reply)
  if (!Check(Page, body) || body.has_more) return UNREADABLE_LIST
  const states = body.data.map((item) =>
    orderCodeOf(item) === orderCode && 'status' in item && typeof item.status === 'string' ? item.status : null,
  )
  if (states.includes(null)) return UNREADABLE_LIST
  return states.every((state) => state === 'failed') ? { outcome: 'fenced' } : { outcome: 'exists' }
}
