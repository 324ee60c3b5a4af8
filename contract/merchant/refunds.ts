/** Refunds of the merchant API: what is sent and answered, and the calls that make, read and list them. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { merchantCall, NoPath, NoQuery, queryCall } from '../calls.ts'
import { CheckoutId, CheckoutPath, InstantText, Yen } from '../checkout.ts'
import { TaxAmounts } from '../invoice.ts'
import { TEXT_RULES } from '../text-rules.ts'
import { PageQuery, pageOf } from './lists.ts'

const closed = { additionalProperties: false }

const RefundBody = Type.Object(
  {
    refundId: Type.String({
      pattern: TEXT_RULES.refundId.pattern,
      description: 'Your own name for this refund. The same id is refunded once, however often it is sent.',
    }),
    amount: Type.Optional({ ...Yen, description: 'In yen. Left out: all that is left.' }),
    taxes: Type.Optional({
      ...TaxAmounts,
      description:
        'The refund by tax rate, where the checkout has taxes. Left out: all that is left, or the one rate that is left.',
    }),
  },
  closed,
)
export type RefundBody = Static<typeof RefundBody>

const REFUND_STATUSES = ['pending', 'refunded', 'refused'] as const

export const RefundAnswer = Type.Object(
  {
    refundId: Type.String({ description: 'Your own name for it.' }),
    checkoutId: Type.String({ description: 'The checkout that was paid.' }),
    amount: Yen,
    taxes: Type.Optional(TaxAmounts),
    status: Type.Enum([...REFUND_STATUSES], {
      description:
        'pending: the acquirer has not said yet what became of it; read it again later. refunded: given back. refused: by the acquirer; nothing was given back.',
    }),
    requestedAt: { ...InstantText, description: 'When you asked for it.' },
    refundedAt: Type.Optional({ ...InstantText, description: 'When the acquirer gave it back.' }),
    reason: Type.Optional(Type.String({ description: 'Why the acquirer refused it.' })),
  },
  { ...closed, title: 'Refund' },
)
export type RefundAnswer = Static<typeof RefundAnswer>

const RefundListAnswer = pageOf('RefundList', RefundAnswer)
export type RefundListAnswer = Static<typeof RefundListAnswer>

const RefundPath = Type.Object({
  checkoutId: CheckoutId,
  refundId: Type.String({ description: 'Your own name for the refund.' }),
})

export const refundCheckout = merchantCall({
  ...MERCHANT_ROUTES.refundCheckout,
  limit: 'refunds',
  summary: 'Refund a paid checkout, wholly or in part',
  params: CheckoutPath,
  body: RefundBody,
  status: 201,
  answer: RefundAnswer,
  errors: ['checkout_not_found', 'not_refundable', 'refund_mismatch', 'refund_exceeds_payment'],
})

export const listCheckoutRefunds = queryCall({
  ...MERCHANT_ROUTES.listCheckoutRefunds,
  summary: 'List the refunds of a checkout, the newest first',
  params: CheckoutPath,
  query: PageQuery,
  answer: RefundListAnswer,
  errors: ['checkout_not_found'],
})

export const readRefund = queryCall({
  ...MERCHANT_ROUTES.readRefund,
  summary: 'Read a refund',
  params: RefundPath,
  query: NoQuery,
  answer: RefundAnswer,
  errors: ['checkout_not_found', 'refund_not_found'],
})

export const listRefunds = queryCall({
  ...MERCHANT_ROUTES.listRefunds,
  summary: 'List all refunds, the newest first',
  params: NoPath,
  query: PageQuery,
  answer: RefundListAnswer,
  errors: [],
})
