/** Stripe, statement: the lists of charges and refunds as what moved, and the charges of one order. */
import { Check } from 'typebox/value'
import type { Fencing, Period, SentOrder, Statement, StatementLine } from '#payment/ports.ts'
import { isId } from '../../ids.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import { undecided, unknown } from '../unknown-outcome.ts'
import type { FormFields } from './form.ts'
import { ListedCharge, ListedRefund, NamesOrder, OrderMetadata, Page, RefundMetadata } from './wire.ts'

const UNREADABLE = unknown('a list that cannot be read')

/** A place in the statement: all charges come before all refunds. */
export interface Place {
  readonly list: 'charges' | 'refunds'
  readonly startingAfter: string | null
}

/** `charges:ch_1`, `refunds:`, `refunds:re_1`; null is the beginning. Undefined: no cursor of ours. */
export const placeOf = (cursor: string | null): Place | undefined => {
  if (cursor === null) return { list: 'charges', startingAfter: null }
  const [, list, id = ''] = /^(charges|refunds):([A-Za-z0-9_]{0,255})$/.exec(cursor) ?? []
  if (list !== 'charges' && list !== 'refunds') return undefined
  return { list, startingAfter: id === '' ? null : id }
}

/** Stripe counts whole seconds: rounded up at both ends, periods that adjoin have no line in common and leave none out. */
const seconds = (instant: number): number => Math.ceil(instant / 1000)

export const pageFields = ({ from, to }: Period, { list, startingAfter }: Place, limit: number): FormFields => ({
  created: { gte: seconds(from), lt: seconds(to) },
  limit,
  ...(startingAfter === null ? {} : { starting_after: startingAfter }),
  // A refund names its order only through its intent.
  ...(list === 'refunds' ? { expand: ['data.payment_intent'] } : {}),
})

/** Undefined: no payment of ours. A shop may sell elsewhere with the same account. */
const orderCodeOf = (named: unknown): string | undefined => {
  if (!Check(NamesOrder, named)) return undefined
  const { transfer_group: group, metadata } = named
  const codes = [group, Check(OrderMetadata, metadata) ? metadata.order : undefined]
  return codes.find((code): code is string => typeof code === 'string' && isId(code))
}

type Moved = StatementLine | { readonly kind: 'pending'; readonly order: Pick<SentOrder, 'orderCode' | 'reference'> }

/** Undefined: a line that cannot be read. None: not ours, or no money moved. */
const movedByCharge = (item: unknown): readonly Moved[] | undefined => {
  const orderCode = orderCodeOf(item)
  if (orderCode === undefined) return []
  if (!Check(ListedCharge, item) || item.currency !== 'jpy') return undefined
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
  if (!Check(ListedRefund, item) || item.currency !== 'jpy') return undefined
  const { id, status, amount: amountYen, created, metadata } = item
  const refundId = Check(RefundMetadata, metadata) ? metadata.refund : id
  return status === 'succeeded' ? [{ kind: 'refund', orderCode, refundId, amountYen, movedAt: created * 1000 }] : []
}

const MOVED = { charges: movedByCharge, refunds: movedByRefund } as const

/** A page with one line that cannot be read is not a page: what is left out of a statement would look like a discrepancy. */
export const readPage = ({ list, startingAfter }: Place, reply: AcquirerReply): Statement => {
  const { status, body } = reply
  if (status !== 200) return undecided(reply)
  if (!Check(Page, body)) return UNREADABLE
  const moved: Moved[] = []
  for (const item of body.data) {
    const lines = MOVED[list](item)
    if (lines === undefined) return UNREADABLE
    moved.push(...lines)
  }
  const last = body.data.at(-1)?.id
  // A list that leads back to where it was would be read for ever.
  if (body.has_more && (last === undefined || last === startingAfter)) return unknown('a list that does not go on')
  return {
    outcome: 'page',
    lines: moved.flatMap((each) => (each.kind === 'pending' ? [] : [each])),
    pending: moved.flatMap((each) => (each.kind === 'pending' ? [each.order] : [])),
    after: body.has_more ? `${list}:${last}` : list === 'charges' ? 'refunds:' : null,
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
  if (!Check(Page, body) || body.has_more) return UNREADABLE
  const states = body.data.map((item) =>
    orderCodeOf(item) === orderCode && 'status' in item && typeof item.status === 'string' ? item.status : null,
  )
  if (states.includes(null)) return UNREADABLE
  return states.every((state) => state === 'failed') ? { outcome: 'fenced' } : { outcome: 'exists' }
}
