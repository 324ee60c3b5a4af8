/** Calls of the merchant API that list, report, cancel, draw a QR code and send a receipt again. */
import { Type } from 'typebox'
import { bodyErrors, merchantCall, merchantErrors, NoBody, NoPath, queryCall, queryErrors } from './calls.ts'
import { CheckoutId, CheckoutPath } from './checkout.ts'
import {
  CheckoutListAnswer,
  CheckoutListQuery,
  DayRangeQuery,
  ExportQuery,
  PageQuery,
  ReceiptAnswer,
  RefundListAnswer,
  SummaryAnswer,
  TimelineAnswer,
} from './merchant-lists.ts'
import { MerchantCheckoutAnswer, RefundAnswer } from './merchant.ts'
import { MERCHANT_LIST_PATHS } from './paths.ts'

const NoQuery = Type.Object({}, { additionalProperties: false })

const RefundPath = Type.Object({
  checkoutId: CheckoutId,
  refundId: Type.String({ maxLength: 200, description: 'Your own name for the refund.' }),
})

export const listCheckouts = queryCall({
  ...MERCHANT_LIST_PATHS.listCheckouts,
  lane: 'dearCalls',
  summary: 'List checkouts, the newest first',
  params: NoPath,
  query: CheckoutListQuery,
  answer: CheckoutListAnswer,
  errors: queryErrors,
})

export const readTimeline = queryCall({
  ...MERCHANT_LIST_PATHS.readTimeline,
  lane: 'dearCalls',
  summary: 'List what happened to a checkout, the newest first',
  params: CheckoutPath,
  query: PageQuery,
  answer: TimelineAnswer,
  errors: ['checkout_not_found', ...queryErrors],
})

export const cancelMerchantCheckout = merchantCall({
  ...MERCHANT_LIST_PATHS.cancelCheckout,
  lane: 'merchantCalls',
  access: 'sales',
  summary: 'Cancel a checkout; one that is closed already is answered as it stands',
  params: CheckoutPath,
  body: NoBody,
  status: 200,
  answer: MerchantCheckoutAnswer,
  errors: ['checkout_not_found', 'payment_in_progress', ...merchantErrors, ...bodyErrors],
})

export const sendReceipt = merchantCall({
  ...MERCHANT_LIST_PATHS.sendReceipt,
  lane: 'merchantCalls',
  access: 'sales',
  summary: 'Send the receipt of a paid checkout to its shopper again',
  params: CheckoutPath,
  body: NoBody,
  status: 200,
  answer: ReceiptAnswer,
  errors: ['checkout_not_found', 'no_receipt', ...merchantErrors, ...bodyErrors],
})

export const listCheckoutRefunds = queryCall({
  ...MERCHANT_LIST_PATHS.listCheckoutRefunds,
  lane: 'merchantCalls',
  summary: 'List the refunds of a checkout, the newest first',
  params: CheckoutPath,
  query: PageQuery,
  answer: RefundListAnswer,
  errors: ['checkout_not_found', ...queryErrors],
})

export const readRefund = queryCall({
  ...MERCHANT_LIST_PATHS.readRefund,
  lane: 'merchantCalls',
  summary: 'Read a refund',
  params: RefundPath,
  query: NoQuery,
  answer: RefundAnswer,
  errors: ['checkout_not_found', 'refund_not_found', ...queryErrors],
})

export const listRefunds = queryCall({
  ...MERCHANT_LIST_PATHS.listRefunds,
  lane: 'dearCalls',
  summary: 'List all refunds, the newest first',
  params: NoPath,
  query: PageQuery,
  answer: RefundListAnswer,
  errors: queryErrors,
})

export const drawQrCode = queryCall({
  ...MERCHANT_LIST_PATHS.drawQrCode,
  lane: 'merchantCalls',
  summary: 'Draw the link of a checkout as a QR code',
  params: CheckoutPath,
  query: NoQuery,
  answer: Type.String({ description: 'An SVG picture.' }),
  contentType: 'image/svg+xml',
  errors: ['checkout_not_found', ...queryErrors],
})

export const readSummary = queryCall({
  ...MERCHANT_LIST_PATHS.readSummary,
  lane: 'reports',
  summary: 'Add up charges and refunds by day in Japan',
  params: NoPath,
  query: DayRangeQuery,
  answer: SummaryAnswer,
  errors: queryErrors,
})

export const exportMovements = queryCall({
  ...MERCHANT_LIST_PATHS.exportMovements,
  lane: 'reports',
  summary: 'Export charges and refunds as CSV, the oldest first',
  params: NoPath,
  query: ExportQuery,
  answer: Type.String({
    description:
      'UTF-8 with BOM, lines end with CRLF, the first names the columns. A cell that begins with = + - @ has an apostrophe before it.',
  }),
  contentType: 'text/csv',
  errors: queryErrors,
})
