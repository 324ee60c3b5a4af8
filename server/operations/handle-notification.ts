/** Handle notification: what an acquirer has told makes an inquiry due at once, records a dispute, or calls a person. */
import { transitionAttempt } from '#payment/attempt.ts'
import { transitionRefund, type Refund } from '#payment/refund.ts'
import type { OrderRef } from '#payment/references.ts'
import { consequenceOf, type Consequence } from '../gateways/adyen/notification-effects.ts'
import { DISPUTE_EVENTS, isDisputeEvent } from '../gateways/adyen/dispute-events.ts'
import { HANDLED_EVENTS } from '../gateways/adyen/parse-notification.ts'
import { findOrderByPrefix } from '../store/checkout/order-by-prefix.ts'
import type { OnUnreadable } from '../store/engine/columns.ts'
import type { Sql } from '../store/engine/database.ts'
import {
  findUnhandledNotifications,
  markHandled,
  type AcquirerNotification,
} from '../store/merchant/acquirer-notifications.ts'
import type { LockedCheckout, Transitions } from '../store/checkout/transitions.ts'
import type { Dependencies } from '../dependencies.ts'
import { attemptOf, withLockedCheckout, type CheckoutDependencies } from './locked-checkout.ts'
import { findDisputesToAskFor, recordDisputes } from './record-disputes.ts'

/** For the worker: notifications that are to be handled. */
export const findNotificationsDue = (
  sql: Sql,
  _now: number,
  limit: number,
  onUnreadable?: OnUnreadable,
): Promise<AcquirerNotification[]> =>
  findUnhandledNotifications(sql, [...HANDLED_EVENTS, ...DISPUTE_EVENTS], limit, onUnreadable)

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

/** The notification says only that there is something to read: the account tells how its disputes stand. */
const readDisputesOf = async (
  deps: NotificationDependencies,
  { merchantId, mode }: AcquirerNotification,
): Promise<void> => {
  const scope = { merchantId, mode }
  const account = { gateway: await deps.gateways.of(scope), scopes: [scope] }
  const read = await recordDisputes(deps, account, await findDisputesToAskFor(deps.database, deps.clock.now()))
  // Handled all the same: the worker asks every account each hour.
  if (read.outcome === 'unknown')
    deps.log.warn('an acquirer did not name its disputes', { merchant: merchantId, why: read.why })
}

type NotificationDependencies = CheckoutDependencies & Pick<Dependencies, 'gateways'>

/**
 * Handles one notification. Marked as handled at the end: after a crash it is handled again, which at worst calls a person
 * twice.
 */
export const handleNotification = async (
  deps: NotificationDependencies,
  notification: AcquirerNotification,
): Promise<void> => {
  const { database, clock, log } = deps
  const { event, merchantId, orderCode, refundId } = notification
  const isOfDispute = isDisputeEvent(event)
  if (isOfDispute) await readDisputesOf(deps, notification)
  const order = orderCode === null || isOfDispute ? null : await findOrderByPrefix(database, merchantId, orderCode)
  if (order !== null) {
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
      log.alarm(ALARMS[consequence.about], { order: order.orderCode, why: consequence.why })
  }
  await markHandled(database, notification, clock.now())
}
