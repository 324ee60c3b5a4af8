/** Retention: how long is kept what nobody needs for ever. */
import { DAY_MS } from '#contract/jst.ts'

export interface Retention {
  /** Deliveries of webhooks that have ended, and every try with what the endpoint answered. */
  readonly deliveriesMs: number
  /** Events, which hold the checkout as it stood, the shopper's address included. */
  readonly eventsMs: number
  /** Recipient and content of mails; that one was sent, and when, stays. */
  readonly mailsMs: number
  /** Where the receipt went, counted from the creation of the checkout. */
  readonly addressesMs: number
}

/** What a browser says of itself is for the issuer, and nobody asks the issuer about an attempt of yesterday. */
export const BROWSER_KEPT_MS = DAY_MS

/** The defaults, in days. 540 days after a payment its card holder may still dispute it; then nobody asks for the address. */
export const RETENTION_DAYS = { deliveries: 30, events: 90, mails: 30, addresses: 540 } as const

export const retentionOf = (days: Readonly<Record<keyof typeof RETENTION_DAYS, number>>): Retention => ({
  deliveriesMs: days.deliveries * DAY_MS,
  eventsMs: days.events * DAY_MS,
  mailsMs: days.mails * DAY_MS,
  addressesMs: days.addresses * DAY_MS,
})

export const RETENTION = retentionOf(RETENTION_DAYS)
