/** Standard notifications of Adyen (Webhooks v1): the item of each event, and its HMAC signature. */
import { createHmac } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { JsonObject } from '../http/json.ts'
import type { Modification, Payment } from './rows.ts'

const EVENT_CODES = [
  'AUTHORISATION',
  'CAPTURE',
  'CAPTURE_FAILED',
  'CANCELLATION',
  'TECHNICAL_CANCEL',
  'REFUND',
  'REFUND_FAILED',
  'REQUEST_FOR_INFORMATION',
  'NOTIFICATION_OF_CHARGEBACK',
  'CHARGEBACK',
  'INFORMATION_SUPPLIED',
  'DISPUTE_DEFENSE_PERIOD_ENDED',
  'CHARGEBACK_REVERSED',
  'ISSUER_RESPONSE_TIMEFRAME_EXPIRED',
  'PREARBITRATION_WON',
  'PREARBITRATION_LOST',
  'SECOND_CHARGEBACK',
  'REPORT_AVAILABLE',
] as const
export type EventCode = (typeof EVENT_CODES)[number]

const Item = Type.Object({
  eventCode: Type.Enum(EVENT_CODES),
  pspReference: Type.String(),
  /** The payment's; absent where the event is the payment's own, or none was found. */
  originalReference: Type.Optional(Type.String()),
  merchantAccountCode: Type.String(),
  merchantReference: Type.String(),
  amount: Type.Object({ currency: Type.Literal('JPY'), value: Type.Integer() }),
  eventDate: Type.String(),
  success: Type.Enum(['true', 'false']),
  reason: Type.String(),
  paymentMethod: Type.Optional(Type.String()),
  operations: Type.Optional(Type.Array(Type.String())),
  additionalData: Type.Record(Type.String(), Type.String()),
})
export type NotificationItem = Static<typeof Item>

export const parseItem = (text: string): NotificationItem => {
  const item: unknown = JSON.parse(text)
  if (!Check(Item, item)) throw new Error('a stored notification is none')
  return item
}

const JAPAN_OFFSET_MS = 9 * 60 * 60 * 1000

/** Account time zone: Adyen writes times in that of the account, here Japan's. */
export const japanTime = (time: number): string => new Date(time + JAPAN_OFFSET_MS).toISOString().slice(0, 19)

/** yyyy-MM-DDThh:mm:ssTZD, as the schema says of eventDate. */
const eventDate = (time: number): string => `${japanTime(time)}+09:00`

const yen = (value: number): NotificationItem['amount'] => ({ currency: 'JPY', value })

export const authorisationItem = (payment: Payment, time: number): NotificationItem => ({
  eventCode: 'AUTHORISATION',
  pspReference: payment.pspReference,
  merchantAccountCode: payment.merchantAccount,
  merchantReference: payment.reference,
  amount: yen(payment.amountYen),
  eventDate: eventDate(time),
  success: payment.status === 'authorised' ? 'true' : 'false',
  reason: payment.status === 'authorised' ? `${payment.authCode}:${payment.lastFour}` : payment.refusalReason,
  paymentMethod: payment.paymentMethod,
  ...(payment.status === 'authorised' ? { operations: ['CANCEL', 'CAPTURE', 'REFUND'] } : {}),
  additionalData: { authCode: payment.authCode, cardSummary: payment.lastFour },
})

interface ModificationEvent {
  readonly eventCode: EventCode
  readonly modification: Pick<Modification, 'pspReference' | 'amountYen'>
  /** Undefined where a cancel by reference found none. */
  readonly payment: Payment | undefined
  readonly merchantAccount: string
  readonly merchantReference: string
  readonly success: boolean
  readonly reason: string
  readonly additionalData?: Readonly<Record<string, string>>
}

export const modificationItem = (event: ModificationEvent, time: number): NotificationItem => ({
  eventCode: event.eventCode,
  pspReference: event.modification.pspReference,
  ...(event.payment === undefined
    ? {}
    : { originalReference: event.payment.pspReference, paymentMethod: event.payment.paymentMethod }),
  merchantAccountCode: event.merchantAccount,
  merchantReference: event.merchantReference,
  amount: yen(event.modification.amountYen),
  eventDate: eventDate(time),
  success: event.success ? 'true' : 'false',
  reason: event.reason,
  additionalData: event.additionalData ?? {},
})

export const reportItem = (merchantAccount: string, file: string, url: string, time: number): NotificationItem => ({
  eventCode: 'REPORT_AVAILABLE',
  pspReference: file,
  merchantAccountCode: merchantAccount,
  merchantReference: '',
  amount: yen(0),
  eventDate: eventDate(time),
  success: 'true',
  reason: url,
  additionalData: {},
})

/** docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures; the key is given as hex. */
export const signatureOf = (item: NotificationItem, hmacKey: string): string =>
  createHmac('sha256', Buffer.from(hmacKey, 'hex'))
    .update(
      [
        item.pspReference,
        item.originalReference ?? '',
        item.merchantAccountCode,
        item.merchantReference,
        item.amount.value,
        item.amount.currency,
        item.eventCode,
        item.success,
      ].join(':'),
    )
    .digest('base64')

/** The body of the webhook: one item in each, signed where the account has a key. */
export const notificationBody = (
  item: NotificationItem,
  { hmacKey, isLive }: { readonly hmacKey: string | null; readonly isLive: boolean },
): JsonObject => ({
  live: String(isLive),
  notificationItems: [
    {
      NotificationRequestItem:
        hmacKey === null
          ? item
          : { ...item, additionalData: { ...item.additionalData, hmacSignature: signatureOf(item, hmacKey) } },
    },
  ],
})
