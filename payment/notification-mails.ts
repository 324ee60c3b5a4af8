/** Notification mails: which events a shop gets by mail, how many one by one, and what each mail says. */
import type { EventData, EventType } from '#contract/merchant/events.ts'
import { type Instant, HOUR_MS } from '#contract/jst.ts'
import type { NotificationFacts } from '#contract/mail-facts.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { Notifications, NotificationTopic } from '#contract/notification-settings.ts'
import { LONG_DOUBT_MS } from './doubt.ts'

export type NotificationKind = NotificationFacts['kind']

const IS_KIND: Readonly<Record<NotificationKind, true>> = {
  shop_paid: true,
  shop_refunded: true,
  shop_refund_refused: true,
  shop_dispute: true,
  shop_payment_in_doubt: true,
  shop_card_testing: true,
  shop_summary: true,
}

export const isNotificationKind = (word: string): word is NotificationKind => Object.hasOwn(IS_KIND, word)

/** Null: no mail for this event. */
const TOPICS: Readonly<Record<EventType, NotificationTopic | null>> = {
  'checkout.paid': 'paid',
  'checkout.failed': null,
  'checkout.cancelled': null,
  'checkout.expired': null,
  // Its last refund has a mail of its own.
  'checkout.refunded': null,
  'refund.succeeded': 'refunded',
  'refund.refused': 'needsAttention',
  'dispute.opened': 'needsAttention',
  'dispute.updated': null,
  'dispute.closed': 'needsAttention',
  'alert.payment_in_doubt': 'needsAttention',
  'alert.card_testing': 'needsAttention',
  'webhook.ping': null,
}

export const topicOf = (type: EventType): NotificationTopic | null => TOPICS[type]

/**
 * Whether a shop gets the mail. If it has not chosen: only while no webhook of the event's mode is enabled, and only to a
 * registered address, because nobody has asked for these mails.
 */
export const isTold = (
  chosen: Notifications[NotificationTopic],
  { hasWebhook }: { readonly hasWebhook: boolean },
): 'yes' | 'no' | 'if registered' => {
  if (chosen !== null) return chosen ? 'yes' : 'no'
  return hasWebhook ? 'no' : 'if registered'
}

/** An hour begins at the same moment in Japan and in UTC. */
export const notificationHour = (now: Instant): Instant => now - (now % HOUR_MS)

/** The most single mails of each topic. More events are summed up in one mail an hour. */
export const NOTIFICATION_CAPS: Readonly<Record<MerchantMode, { readonly hour: number; readonly day: number }>> = {
  live: { hour: 20, day: 100 },
  // A test costs nothing.
  test: { hour: 5, day: 20 },
}

/** How many more single mails are allowed after those of this hour and of this day. */
export const mailsLeft = (mode: MerchantMode, { ofHour, ofDay }: { ofHour: number; ofDay: number }): number => {
  const { hour, day } = NOTIFICATION_CAPS[mode]
  return Math.max(0, Math.min(hour - ofHour, day - ofDay))
}

/** The clocks of workers differ: a minute after an hour has ended no worker counts in it any more. */
const HOUR_MARGIN_MS = 60_000

/** The sums of hours that began before this time, or at it, can be sent. */
export const lastHourOver = (now: Instant): Instant => now - HOUR_MS - HOUR_MARGIN_MS

/** Counts and sums of earlier hours are not needed any more. */
export const HOURS_KEPT_MS = 72 * HOUR_MS

/** An event as it was stored. */
export interface NotifiedEvent {
  readonly type: EventType
  readonly mode: MerchantMode
  readonly data: EventData
  readonly createdAt: Instant
}

/** The amount in a mail about this event, and in a sum of such events. */
export const amountOf = ({ type, data }: NotifiedEvent): number =>
  type === 'alert.card_testing' ? 0 : (data.dispute?.amount ?? data.refund?.amount ?? data.checkout?.amount ?? 0)

const instantOf = (text: string | undefined, otherwise: Instant): Instant =>
  text === undefined ? otherwise : Date.parse(text)

type Notified = Pick<
  Extract<NotificationFacts, { checkoutId: string }>,
  'mode' | 'checkoutId' | 'amountYen' | 'reference' | 'subject' | 'isLastOfHour'
>

/** A dispute that was over when it was first read has two events, `opened` and `closed`: only `closed` is mailed. */
const disputeFacts = (
  type: EventType,
  notified: Notified,
  dispute: NonNullable<EventData['dispute']>,
): NotificationFacts | null => {
  const { id: disputeId, status, amount, withdrawnAmount, reason = null, respondBy } = dispute
  const isOver = status === 'won' || status === 'lost'
  if (isOver !== (type === 'dispute.closed')) return null
  return {
    kind: 'shop_dispute',
    ...notified,
    disputeId,
    status,
    disputeYen: amount,
    withdrawnYen: withdrawnAmount,
    reason,
    respondBy: respondBy === undefined ? null : Date.parse(respondBy),
  }
}

/** The contents of the mail about an event; null: the event has none. */
export const notificationFacts = (event: NotifiedEvent, isLastOfHour: boolean): NotificationFacts | null => {
  const { type, mode, data, createdAt } = event
  const { checkout, refund, dispute } = data
  if (checkout === undefined) return null
  const { id: checkoutId, amount: amountYen, reference = null, subject = null } = checkout
  const notified = { mode, checkoutId, amountYen, reference, subject, isLastOfHour }
  if (type === 'alert.payment_in_doubt')
    return { kind: 'shop_payment_in_doubt', ...notified, since: instantOf(checkout.doubt?.since, createdAt) }
  if (type === 'alert.card_testing')
    return { kind: 'shop_card_testing', ...notified, until: instantOf(data.brakedUntil, createdAt) }
  if (dispute !== undefined) return disputeFacts(type, notified, dispute)
  const { card, transactionId, paidAt } = checkout
  if (transactionId === undefined) return null
  const charged = {
    ...notified,
    ...(card === undefined ? {} : { card }),
    transactionId,
    paidAt: instantOf(paidAt, createdAt),
  }
  if (type === 'checkout.paid') return { kind: 'shop_paid', ...charged }
  if (refund === undefined) return null
  if (type === 'refund.refused')
    return { kind: 'shop_refund_refused', ...charged, refundYen: refund.amount, refundId: refund.refundId }
  if (type !== 'refund.succeeded') return null
  return {
    kind: 'shop_refunded',
    ...charged,
    refundYen: refund.amount,
    refundedAt: instantOf(refund.refundedAt, createdAt),
    refundedSoFarYen: checkout.refundedAmount,
  }
}

/** When a mail is due. A doubt is mailed only if it lasts, because most end within a minute. */
export const notificationDueAt = (
  { kind }: Pick<NotificationFacts, 'kind'>,
  createdAt: Instant,
  now: Instant,
): Instant => (kind === 'shop_payment_in_doubt' ? Math.min(createdAt, now) + LONG_DOUBT_MS : now)
