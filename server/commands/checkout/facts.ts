/** Facts of a checkout and of a refund, as lines and rows for people. */
import type { TaxAmount } from '#contract/invoice.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { minuteText, timeText, yenText } from '../table.ts'

type Facts = Readonly<Record<string, string | null | undefined>>

const taxesText = (taxes: readonly TaxAmount[] | undefined): string | undefined =>
  taxes?.map(({ rate, amount }) => `${yenText(amount)} at ${rate} %`).join(', ')

/** Of an object whose fields the caller has named; undefined where it is empty. */
const pairsText = (pairs: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ') || undefined

export const checkoutFacts = (checkout: MerchantCheckoutAnswer): Facts => ({
  id: checkout.id,
  status: checkout.paymentPending ? `${checkout.status}, a payment is under way or in doubt` : checkout.status,
  amount: yenText(checkout.amount),
  refunded: checkout.refundedAmount > 0 ? yenText(checkout.refundedAmount) : undefined,
  url: checkout.url,
  mode: checkout.mode,
  subject: checkout.subject,
  remarks: checkout.remarks,
  reference: checkout.reference,
  taxes: taxesText(checkout.taxes),
  metadata: pairsText(checkout.metadata),
  brands: checkout.acceptedCardBrands.join(', '),
  locale: checkout.locale,
  'cancel url': checkout.links.cancelUrl,
  'redirect url': checkout.links.redirectUrl,
  created: timeText(checkout.createdAt),
  'valid until': timeText(checkout.validUntil),
  paid: timeText(checkout.paidAt),
  card: checkout.card === undefined ? undefined : `${checkout.card.brand} ${checkout.card.number}`,
  transaction: checkout.transactionId,
  email: checkout.shopper?.email,
  'in doubt since': timeText(checkout.doubt?.since),
  'next inquiry': timeText(checkout.doubt?.nextInquiryAt),
})

export const refundFacts = (refund: RefundAnswer): Facts => ({
  refund: refund.refundId,
  status: refund.status,
  amount: yenText(refund.amount),
  taxes: taxesText(refund.taxes),
  checkout: refund.checkoutId,
  requested: timeText(refund.requestedAt),
  refunded: timeText(refund.refundedAt),
  reason: refund.reason,
})

export const LIST_COLUMNS = ['id', 'status', 'yen', 'created', 'reference', 'subject']

export const listRow = (checkout: MerchantCheckoutAnswer): (string | null)[] => [
  checkout.id,
  checkout.paymentPending ? 'pending' : checkout.status,
  withThousandsSeparators(checkout.amount),
  minuteText(checkout.createdAt),
  checkout.reference ?? null,
  checkout.subject ?? null,
]
