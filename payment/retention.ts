/** Retention: how long deliveries, events, mails and addresses are kept. */
import { DAY_MS } from '#contract/jst.ts'

export interface Retention {
  /** Webhook deliveries that have ended, and every try with the endpoint's answer. */
  readonly deliveriesMs: number
  /** Events, which hold the checkout as it was, with the shopper's address. */
  readonly eventsMs: number
  /** Recipient and content of mails. That a mail was sent, and when, is kept. */
  readonly mailsMs: number
  /** The address of the receipt, counted from the creation of the checkout. */
  readonly addressesMs: number
}

/** Browser facts are for the issuer, and the issuer is never asked about an attempt of the day before. */
export const BROWSER_KEPT_MS = DAY_MS

/** The defaults, in days. A card holder can dispute a payment for up to 540 days; after that nobody needs the address. */
export const RETENTION_DAYS = { deliveries: 30, events: 90, mails: 30, addresses: 540 } as const

export const retentionOf = (days: Readonly<Record<keyof typeof RETENTION_DAYS, number>>): Retention => ({
  deliveriesMs: days.deliveries * DAY_MS,
  eventsMs: days.events * DAY_MS,
  mailsMs: days.mails * DAY_MS,
  addressesMs: days.addresses * DAY_MS,
})

export const RETENTION = retentionOf(RETENTION_DAYS)
