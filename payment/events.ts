/** Events: which transitions of a checkout, its attempts, refunds and disputes are sent to its merchant. */
import { iso } from '#contract/answer-fields.ts'
import type { CheckoutStatus } from '#contract/checkout.ts'
import type { CheckoutEventType, EventData } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isInFlight, type Attempt } from './attempt.ts'
import type { Checkout } from './checkout.ts'
import { disputeEvents, type Dispute, type DisputeEventType } from './dispute.ts'
import { presentDetails, presentDispute, presentRefund, type AttemptWithAuthentication } from './merchant-view.ts'
import type { Refund, RefundStateName } from './refund.ts'

export type CheckoutEvent =
  | {
      readonly type: Exclude<
        CheckoutEventType,
        'refund.succeeded' | 'refund.refused' | DisputeEventType | 'alert.card_testing'
      >
    }
  | { readonly type: 'refund.succeeded' | 'refund.refused'; readonly refund: Refund }
  | { readonly type: DisputeEventType; readonly dispute: Dispute }
  | { readonly type: 'alert.card_testing'; readonly forcedChallengeUntil: Instant }

/** A checkout with its attempts, refunds and disputes, before or after a transition. */
export interface CheckoutWhole {
  readonly checkout: Checkout
  readonly attempts: readonly AttemptWithAuthentication[]
  readonly refunds: readonly Refund[]
  readonly disputes: readonly Dispute[]
}

export interface NextStates {
  readonly checkout?: Checkout
  readonly attempts?: readonly Attempt[]
  readonly refunds?: readonly Refund[]
  /** Only those in which something has changed. */
  readonly disputes?: readonly Dispute[]
}

const CLOSING = {
  open: null,
  paid: 'checkout.paid',
  refunded: 'checkout.refunded',
  failed: 'checkout.failed',
  cancelled: 'checkout.cancelled',
  expired: 'checkout.expired',
} as const satisfies Record<CheckoutStatus, CheckoutEventType | null>

const REFUND_ENDS = {
  requested: null,
  unknown: null,
  refunded: 'refund.succeeded',
  refused: 'refund.refused',
} as const satisfies Record<RefundStateName, CheckoutEventType | null>

const doubtsOf = ({ attempts }: CheckoutWhole, next: NextStates): CheckoutEvent[] => {
  const wasInDoubt = (orderCode: string): boolean =>
    attempts.some(({ attempt }) => attempt.orderCode === orderCode && attempt.state.name === 'unknown')
  return (next.attempts ?? [])
    .filter(({ state, orderCode }) => state.name === 'unknown' && !wasInDoubt(orderCode))
    .map(() => ({ type: 'alert.payment_in_doubt' }))
}

const refundsOf = ({ refunds }: CheckoutWhole, next: NextStates): CheckoutEvent[] =>
  (next.refunds ?? []).flatMap((refund) => {
    const before = refunds.find(({ refundId }) => refundId === refund.refundId)
    const type = REFUND_ENDS[refund.state.name]
    return type === null || before?.state.name === refund.state.name ? [] : [{ type, refund }]
  })

const disputesOf = ({ disputes }: CheckoutWhole, next: NextStates): CheckoutEvent[] =>
  (next.disputes ?? []).flatMap((dispute) => {
    const before = disputes.find(({ disputeId }) => disputeId === dispute.disputeId)
    return disputeEvents(before ?? null, dispute).map((type) => ({ type, dispute }))
  })

const closingOf = ({ checkout }: CheckoutWhole, next: NextStates): CheckoutEvent[] => {
  const status = next.checkout?.state.status ?? checkout.state.status
  const type = CLOSING[status]
  return type === null || status === checkout.state.status ? [] : [{ type }]
}

/** In the order in which they are sent: the refund before the checkout that it has refunded. */
export const eventsOf = (before: CheckoutWhole, next: NextStates): CheckoutEvent[] => [
  ...doubtsOf(before, next),
  ...refundsOf(before, next),
  ...disputesOf(before, next),
  ...closingOf(before, next),
]

/** The checkout with its attempts, refunds and disputes after the transition. */
export const afterTransition = (before: CheckoutWhole, next: NextStates): CheckoutWhole => {
  const moved = new Map(next.attempts?.map((attempt) => [attempt.orderCode, attempt]))
  const refunds = new Map([...before.refunds, ...(next.refunds ?? [])].map((refund) => [refund.refundId, refund]))
  const disputes = new Map([...before.disputes, ...(next.disputes ?? [])].map((each) => [each.disputeId, each]))
  const known = new Set(before.attempts.map(({ attempt }) => attempt.orderCode))
  const fresh = (next.attempts ?? []).filter(({ orderCode }) => !known.has(orderCode))
  return {
    checkout: next.checkout ?? before.checkout,
    attempts: [
      ...before.attempts.map((each) => ({ ...each, attempt: moved.get(each.attempt.orderCode) ?? each.attempt })),
      ...fresh.map((attempt) => ({ attempt, authentication: null })),
    ],
    refunds: [...refunds.values()],
    disputes: [...disputes.values()],
  }
}

const payingOf = ({ checkout, attempts }: CheckoutWhole): AttemptWithAuthentication | null => {
  const orderCode = 'payment' in checkout.state ? checkout.state.payment.orderCode : undefined
  const isPaying = ({ attempt }: AttemptWithAuthentication): boolean =>
    orderCode === undefined ? isInFlight(attempt.state) : attempt.orderCode === orderCode
  return attempts.find(isPaying) ?? null
}

/** The data of an event: the checkout as its merchant would read it now, and the refund, the dispute or the forced challenge. */
export const eventData = (stands: CheckoutWhole, event: CheckoutEvent, origin: string): EventData => {
  const { checkout, refunds, disputes } = stands
  const paying = payingOf(stands)
  const inFlight = paying !== null && isInFlight(paying.attempt.state) ? paying.attempt : null
  const details = { checkout, refunds, disputes, paying, inFlight, now: 'as stored' } as const
  return {
    checkout: presentDetails(details, origin),
    ...('refund' in event ? { refund: presentRefund(event.refund) } : {}),
    ...('dispute' in event ? { dispute: presentDispute(event.dispute) } : {}),
    ...('forcedChallengeUntil' in event ? { brakedUntil: iso(event.forcedChallengeUntil) } : {}),
  }
}
