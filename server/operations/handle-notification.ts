/** Handle notification: what an acquirer has told makes an inquiry due at once, records a dispute, or calls a person. */
import { transitionAttempt } from '#payment/attempt.ts'
import { transitionRefund, type Refund } from '#payment/refund.ts'
import type { OrderRef } from '#payment/references.ts'
import { consequenceOf, type Consequence } from '../gateways/adyen/notification-effects.ts'
import { DISPUTE_EVENTS, isDisputeEvent } from '../gateways/adyen/dispute-events.ts'
import { readTold } from '../gateways/adyen/disputes.ts'
import { toldOfDispute } from '../gateways/adyen/inbox.ts'
import { HANDLED_EVENTS } from '../gateways/adyen/parse-notification.ts'
import { findOrderByPrefix } from '../store/checkout/order-by-prefix.ts'
import { inBackground } from '../store/engine/urgency.ts'
import type { Sql } from '../store/engine/database.ts'
import {
  findUnhandledNotification,
  findUnhandledNotifications,
  markHandled,
  type AcquirerNotification,
  type NotificationRef,
} from '../store/merchant/acquirer-notifications.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import type { LockedCheckout, Transitions } from '../store/checkout/transitions.ts'
import { attemptOf, withLockedCheckout, type CheckoutDependencies } from './locked-checkout.ts'
import { recordTold } from './record-disputes.ts'

/** For the worker: notifications that are to be handled. */
export const findNotificationsDue = (sql: Sql, _now: number, limit: number): Promise<NotificationRef[]> =>
  findUnhandledNotifications(sql, [...HANDLED_EVENTS, ...DISPUTE_EVENTS], limit)

/** The refund that the notification names; where it names none, every refund of the order that is in doubt. */
const refundsNamed = ({ refunds }: LockedCheckout, order: OrderRef, refundId: string | null): Refund[] =>
  refunds.filter(
    (refund) =>
      refund.orderCode === order.orderCode &&
      (refundId === null ? refund.state.name === 'unknown' : refund.refundId === refundId),
  )

/** The payment, or these refunds, still in doubt, with the next inquiry due now. */
const dueNow = (
  locked: LockedCheckout,
  order: OrderRef,
  refunds: readonly Refund[],
  what: 'payment' | 'refund',
  now: number,
): Transitions => {
  if (what === 'refund')
    return {
      refunds: refunds.flatMap((refund) =>
        refund.state.name === 'unknown' ? [transitionRefund(refund, { ...refund.state, nextInquiryAt: now })] : [],
      ),
    }
  const attempt = attemptOf(locked, order.orderCode)
  return attempt?.state.name === 'unknown'
    ? { attempts: [transitionAttempt(attempt, { ...attempt.state, nextInquiryAt: now })] }
    : {}
}

const ALARMS = { payment: 'payment needs a person', refund: 'a refund needs a person' } as const

/**
 * All that was told of the dispute is read and handled together: of five thousand notifications each would otherwise read all
 * disputes of the account again.
 */
const handleDispute = async (deps: CheckoutDependencies, scope: KeyScope, disputeId: string): Promise<void> => {
  const { database, clock } = deps
  const askedAt = clock.now()
  const notifications = await toldOfDispute(database, scope, disputeId)
  await recordTold(deps, [scope], readTold([notifications]), askedAt)
  for (const each of notifications) if (each.handledAt === null) await markHandled(database, each, clock.now())
}

const handleOfPayment = async (
  deps: CheckoutDependencies,
  order: OrderRef,
  notification: AcquirerNotification,
): Promise<void> => {
  const { event, refundId } = notification
  const consequence = await withLockedCheckout(deps, order, async ({ locked, now, save }): Promise<Consequence> => {
    const refunds = refundsNamed(locked, order, refundId)
    const decided = consequenceOf(notification, {
      attempt: attemptOf(locked, order.orderCode)?.state.name ?? null,
      refund: refunds[0]?.state.name ?? null,
    })
    if (decided.is === 'inquire')
      await save(dueNow(locked, order, refunds, decided.what, now), {
        actor: 'inquiry',
        why: `notification ${event}`,
      })
    return decided
  })
  // After the commit: an alarm cannot be rolled back.
  if (consequence?.is === 'alarm')
    deps.log.alarm(ALARMS[consequence.about], { order: order.orderCode, why: consequence.why })
}

/**
 * Handles one notification. Marked as handled at the end: after a crash it is handled again, which at worst calls a person
 * twice.
 */
export const handleNotification = async (deps: CheckoutDependencies, due: NotificationRef): Promise<void> => {
  const { database, clock } = deps
  const notification = await findUnhandledNotification(database, due)
  if (notification === null) return
  const { event, merchantId, mode, orderCode, disputeId } = notification
  // A dispute says nothing of how a payment has ended.
  if (disputeId !== null) await inBackground(() => handleDispute(deps, { merchantId, mode }, disputeId))
  const order =
    orderCode === null || isDisputeEvent(event) ? null : await findOrderByPrefix(database, merchantId, orderCode)
  if (order !== null) await handleOfPayment(deps, order, notification)
  await markHandled(database, notification, clock.now())
}
