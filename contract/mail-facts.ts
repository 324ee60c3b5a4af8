/** Mail facts: what each mail to a shopper tells, stored with what it tells of and drawn when it is sent. */
import { Type, type Static } from 'typebox'
import { InvoiceFacts, ReturnInvoiceFacts } from './invoice.ts'

/** How a mail stands. */
export const MAIL_STATES = ['waiting', 'sending', 'sent', 'refused', 'given_up'] as const
export type MailState = (typeof MAIL_STATES)[number]

export const isMailState = (word: string): word is MailState => MAIL_STATES.some((state) => state === word)

const closed = { additionalProperties: false }

const attemptFacts = {
  mode: Type.Enum(['test', 'live']),
  amountYen: Type.Integer(),
  subject: Type.Union([Type.String(), Type.Null()]),
  card: Type.Object({ brand: Type.String(), lastFour: Type.String() }, closed),
}

const paymentFacts = {
  ...attemptFacts,
  transactionId: Type.String(),
  paidAt: Type.Integer(),
}

export const MailFacts = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('receipt'),
      ...paymentFacts,
      /** Null where the receipt is a plain one. */
      invoice: Type.Union([InvoiceFacts, Type.Null()]),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('refund'),
      ...paymentFacts,
      refundedYen: Type.Integer(),
      refundedAt: Type.Integer(),
      invoice: Type.Union([ReturnInvoiceFacts, Type.Null()]),
    },
    closed,
  ),
  Type.Object({ kind: Type.Literal('nothing_charged'), ...attemptFacts }, closed),
])
export type MailFacts = Readonly<Static<typeof MailFacts>>
