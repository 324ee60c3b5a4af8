/** 3-D Secure on the wire: start, authenticate, monitor, error reports and pay. */
import { Type, type Static } from 'typebox'
import { EMAIL_MAX_LENGTH, HOLDER_MAX_LENGTH, HOLDER_MIN_LENGTH, EXPIRY_YEAR_MAX } from './card.ts'
import { TEXT_RULES } from './text-rules.ts'

const closed = { additionalProperties: false }
const Cvc = Type.String({ pattern: TEXT_RULES.cvc.pattern })

export const CardPayload = Type.Object(
  {
    number: Type.String({ pattern: TEXT_RULES.cardNumber.pattern }),
    expiryMonth: Type.Integer({ minimum: 1, maximum: 12 }),
    expiryYear: Type.Integer({ minimum: 2000, maximum: EXPIRY_YEAR_MAX }),
    cvc: Cvc,
    email: Type.String({ minLength: 3, maxLength: EMAIL_MAX_LENGTH }),
    name: Type.String({ minLength: HOLDER_MIN_LENGTH, maxLength: HOLDER_MAX_LENGTH }),
  },
  closed,
)
export type CardPayload = Static<typeof CardPayload>

export const StartBody = Type.Object({ card: CardPayload }, closed)
export type StartBody = Static<typeof StartBody>

export const StartAnswer = Type.Object(
  {
    orderCode: Type.String(),
    threeDSRequired: Type.Boolean(),
    collectUrl: Type.Optional(Type.String()),
    monitoringUrl: Type.Optional(Type.String()),
  },
  closed,
)
export type StartAnswer = Static<typeof StartAnswer>

export const AuthenticateAnswer = Type.Object(
  {
    threeDSType: Type.Enum(['challenge', 'frictionless']),
    checkCode: Type.String(),
    challengeUrl: Type.Optional(Type.String()),
    monitoringUrl: Type.Optional(Type.String()),
    orderCode: Type.String(),
  },
  closed,
)
export type AuthenticateAnswer = Static<typeof AuthenticateAnswer>

export const MonitorAnswer = Type.Object({ event: Type.Enum(['AuthResultReady', 'AuthResultNotReady']) }, closed)
export const ReportAnswer = Type.Object({}, closed)

export const PayBody = Type.Object(
  {
    cvc: Cvc,
    locale: Type.Optional(Type.String({ maxLength: 35 })),
    receiptEmail: Type.String({ minLength: 3, maxLength: EMAIL_MAX_LENGTH }),
  },
  closed,
)
export type PayBody = Static<typeof PayBody>

export const OrderPath = Type.Object({ orderCode: Type.String({ maxLength: 200 }) })
export const CheckoutOrderPath = Type.Object({
  checkoutId: Type.String({ maxLength: 200 }),
  orderCode: Type.String({ maxLength: 200 }),
})
