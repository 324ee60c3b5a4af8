/**
 * Mail permission: to whom a mail may go, and how many a day. A mail that an API key alone can cause goes only to registered
 * addresses, so that nobody uses the operator's domain to write to strangers.
 */
import { DAY_MS, startOfJstDay, type Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { EndpointMailKind } from './endpoint-mail.ts'
import type { MailKind } from './mail.ts'
import { isNotificationKind, type NotificationKind } from './notification-mails.ts'

/** The kind of the mail that asks an address to confirm. */
export const CONFIRMATION = 'confirmation'

/** Mails that are counted together. */
export const MAIL_CLASSES = [
  'receipt',
  'refund',
  'on_request',
  'test',
  CONFIRMATION,
  'notification',
  'test_notification',
] as const
export type MailClass = (typeof MAIL_CLASSES)[number]

export interface MailRule {
  readonly class: MailClass
  /** Whether the address must be registered with its merchant. */
  readonly needsRegistration: boolean
}

const LIVE: Readonly<Record<MailKind | EndpointMailKind | NotificationKind, MailRule>> = {
  receipt: { class: 'receipt', needsRegistration: false },
  refund: { class: 'refund', needsRegistration: false },
  nothing_charged: { class: 'refund', needsRegistration: false },
  reissue: { class: 'on_request', needsRegistration: false },
  // These go to the address in the settings, which an API key can set.
  endpoint_failing: { class: 'on_request', needsRegistration: true },
  endpoint_disabled: { class: 'on_request', needsRegistration: true },
  endpoint_gone: { class: 'on_request', needsRegistration: true },
  // So do these. Counted separately, so that notifications do not use up the cap of shoppers' receipts.
  shop_paid: { class: 'notification', needsRegistration: true },
  shop_refunded: { class: 'notification', needsRegistration: true },
  shop_refund_refused: { class: 'notification', needsRegistration: true },
  shop_dispute: { class: 'notification', needsRegistration: true },
  shop_payment_in_doubt: { class: 'notification', needsRegistration: true },
  shop_card_testing: { class: 'notification', needsRegistration: true },
  shop_summary: { class: 'notification', needsRegistration: true },
}

/** In test mode a payment costs nothing, so a key could cause any number of mails to anybody. */
export const mailRuleOf = (kind: MailKind | EndpointMailKind | NotificationKind, mode: MerchantMode): MailRule =>
  mode === 'live'
    ? LIVE[kind]
    : { class: isNotificationKind(kind) ? 'test_notification' : 'test', needsRegistration: true }

/** Mails a day in Japan; null: no cap. */
export interface MailCaps {
  readonly toOneFromMerchant: number
  readonly toOneFromAll: number
  readonly fromMerchant: number | null
  /** What happens to a mail above the cap. The receipt of a real payment is not lost. */
  readonly over: 'waits for the next day' | 'is refused'
}

/**
 * Receipts and refunds are one mail for each movement of money: a shop has no cap on them. One recipient has: more than a buyer
 * causes in a day is a flood. Mails that a key can ask for again and again have the lowest caps.
 */
export const MAIL_CAPS: Readonly<Record<MailClass, MailCaps>> = {
  receipt: { toOneFromMerchant: 100, toOneFromAll: 300, fromMerchant: null, over: 'waits for the next day' },
  refund: { toOneFromMerchant: 20, toOneFromAll: 60, fromMerchant: null, over: 'waits for the next day' },
  on_request: { toOneFromMerchant: 10, toOneFromAll: 30, fromMerchant: 2000, over: 'is refused' },
  // To registered addresses. A developer who needs more has the sandbox's mailbox.
  test: { toOneFromMerchant: 50, toOneFromAll: 100, fromMerchant: 50, over: 'is refused' },
  // Above the caps of payment/notification-mails.ts: only an agency with many shops reaches these.
  notification: { toOneFromMerchant: 400, toOneFromAll: 2000, fromMerchant: 400, over: 'is refused' },
  test_notification: { toOneFromMerchant: 150, toOneFromAll: 300, fromMerchant: 150, over: 'is refused' },
  // To addresses that are not registered: with a stolen key ten strangers a day, each once.
  confirmation: { toOneFromMerchant: 1, toOneFromAll: 3, fromMerchant: 10, over: 'is refused' },
}

/** Mails of one class on one day, with the one to be sent. */
export type MailCounts = Readonly<Record<keyof Omit<MailCaps, 'over'>, number>>

const CAP_WORDS: Readonly<Record<keyof MailCounts, string>> = {
  toOneFromMerchant: 'to one address from one merchant',
  toOneFromAll: 'to one address',
  fromMerchant: 'from one merchant',
}

const CAP_NAMES = ['fromMerchant', 'toOneFromMerchant', 'toOneFromAll'] as const

/** The beginning of the reason. */
export const CAP_MARK = 'cap: '

/** Why a mail is above a cap; null: it is not. */
export const overCap = (mailClass: MailClass, counts: MailCounts): string | null => {
  const caps = MAIL_CAPS[mailClass]
  for (const name of CAP_NAMES) {
    const cap = caps[name]
    if (cap !== null && counts[name] > cap)
      return `${CAP_MARK}${cap} mails a day of the class ${mailClass} ${CAP_WORDS[name]}`
  }
  return null
}

/** The beginning of the day in which a mail is counted. */
export const mailDay = (now: Instant): Instant => startOfJstDay(now)

export const nextMailDay = (now: Instant): Instant => startOfJstDay(now) + DAY_MS

/** Stored as the answer to a mail that was not sent, and read by its merchant. */
export const UNREGISTERED =
  'the address is not registered: its owner confirms by the link that was mailed to it once, or the operator runs mail-address add'

/** How long a confirmation link works. */
export const CONFIRMATION_LIFETIME_MS = 3 * DAY_MS

/** An address that has not confirmed is not asked again for 90 days, and is then deleted. */
export const UNCONFIRMED_KEPT_MS = 90 * DAY_MS
