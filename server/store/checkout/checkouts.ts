/** Checkouts: their rows are read, inserted and updated here. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { CARD_BRANDS } from '#contract/brands.ts'
import { CHECKOUT_STATUSES, type CheckoutStatus } from '#contract/checkout.ts'
import { RegistrationNumber, TaxAmounts } from '#contract/invoice.ts'
import { isWireLocale } from '#contract/locale.ts'
import type { Shopper } from '#contract/merchant/checkout-answer.ts'
import { isMerchantMode } from '#contract/access.ts'
import type { Checkout, CheckoutState, Payment } from '#payment/checkout.ts'
import { cardFromRow, storedCard } from './card-columns.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { integer, integerOrNull, json, jsonOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import { insertRecords, jsonText } from '../engine/write.ts'

/** The version of a new checkout. */
export const FIRST_VERSION = 0

const Brands = Compile(Type.Array(Type.Enum([...CARD_BRANDS])))
/** The taxes of a checkout or a refund. */
export const storedTaxes = Compile(TaxAmounts)
const StoredIssuer = Compile(Type.Object({ registrationNumber: RegistrationNumber, name: Type.String() }))
const Metadata = Compile(Type.Record(Type.String(), Type.String()))

const isStatus = (value: string): value is CheckoutStatus => CHECKOUT_STATUSES.some((status) => status === value)

const paymentOf = (row: Row): Payment => ({
  orderCode: text(row, 'order_code'),
  transactionId: text(row, 'transaction_id'),
  paidAt: integer(row, 'paid_at'),
  card: cardFromRow(row),
  invoiceIssuer: jsonOrNull(row, 'invoice_issuer', StoredIssuer),
})

const stateOf: Record<CheckoutStatus, (row: Row) => CheckoutState> = {
  open: () => ({ status: 'open' }),
  paid: (row) => ({ status: 'paid', payment: paymentOf(row) }),
  refunded: (row) => ({ status: 'refunded', payment: paymentOf(row), refundedAt: integer(row, 'closed_at') }),
  failed: (row) => ({ status: 'failed', closedAt: integer(row, 'closed_at') }),
  cancelled: (row) => ({ status: 'cancelled', closedAt: integer(row, 'closed_at') }),
  expired: (row) => ({ status: 'expired', closedAt: integer(row, 'closed_at') }),
}

export const CHECKOUT_COLUMNS = `merchant_id, id, mode, amount_yen, subject, remarks, valid_until, accepted_card_brands,
  cancel_url, redirect_url, locale, metadata, reference, taxes, created_at, link_id, held_since, status, closed_at, order_code,
  transaction_id, paid_at, card_brand, card_last_four, invoice_issuer`

export const checkoutFromRow = (row: Row): Checkout => ({
  merchantId: text(row, 'merchant_id'),
  id: text(row, 'id'),
  mode: oneOf(row, 'mode', isMerchantMode),
  amountYen: integer(row, 'amount_yen'),
  subject: textOrNull(row, 'subject'),
  remarks: textOrNull(row, 'remarks'),
  validUntil: integer(row, 'valid_until'),
  acceptedCardBrands: json(row, 'accepted_card_brands', Brands),
  cancelUrl: textOrNull(row, 'cancel_url'),
  redirectUrl: textOrNull(row, 'redirect_url'),
  locale: row['locale'] === null ? null : oneOf(row, 'locale', isWireLocale),
  metadata: json(row, 'metadata', Metadata),
  reference: textOrNull(row, 'reference'),
  taxes: jsonOrNull(row, 'taxes', storedTaxes),
  createdAt: integer(row, 'created_at'),
  linkId: textOrNull(row, 'link_id'),
  heldSince: integerOrNull(row, 'held_since'),
  state: stateOf[oneOf(row, 'status', isStatus)](row),
})

/** Stores a new checkout. `end` follows the row. */
export const newCheckoutWrite = (checkout: Checkout, end = ''): Write[] =>
  insertRecords(
    'checkouts',
    [
      {
        merchant_id: checkout.merchantId,
        id: checkout.id,
        version: FIRST_VERSION,
        mode: checkout.mode,
        status: checkout.state.status,
        amount_yen: checkout.amountYen,
        subject: checkout.subject,
        remarks: checkout.remarks,
        valid_until: checkout.validUntil,
        accepted_card_brands: JSON.stringify(checkout.acceptedCardBrands),
        cancel_url: checkout.cancelUrl,
        redirect_url: checkout.redirectUrl,
        locale: checkout.locale,
        metadata: JSON.stringify(checkout.metadata),
        taxes: jsonText(checkout.taxes),
        created_at: checkout.createdAt,
        reference: checkout.reference,
        link_id: checkout.linkId,
      },
    ],
    end,
  )

/** Stores an opened checkout of a link, unless another start has stored it. */
export const storeOpenedCheckout = (sql: Sql, checkout: Checkout): Promise<void> =>
  sql.writeAll(newCheckoutWrite(checkout, 'ON CONFLICT (merchant_id, id) DO NOTHING'))

interface ClosingColumns {
  readonly closedAt: number | null
  readonly payment: Payment | null
}

const closingColumns = (state: CheckoutState): ClosingColumns => {
  switch (state.status) {
    case 'open':
      return { closedAt: null, payment: null }
    case 'paid':
      return { closedAt: null, payment: state.payment }
    case 'refunded':
      return { closedAt: state.refundedAt, payment: state.payment }
    case 'failed':
    case 'cancelled':
    case 'expired':
      return { closedAt: state.closedAt, payment: null }
  }
}

/** Stores how many events a checkout has. Whoever stores an event stores this too, under the lock of the checkout. */
export const eventCountWrite = ({ merchantId, id }: Checkout, eventCount: number): Write => ({
  text: 'UPDATE checkouts SET event_count = $3 WHERE merchant_id = $1 AND id = $2',
  values: [merchantId, id, eventCount],
})

/** Stores the next state of a checkout. The shopper is stored with the payment and stays. */
export const checkoutStateWrite = (
  { merchantId, id, state }: Checkout,
  eventCount: number,
  shopper: Shopper | null = null,
): Write => {
  const { closedAt, payment } = closingColumns(state)
  const card = payment === null ? null : storedCard(payment.card)
  return {
    text: `UPDATE checkouts SET status = $3, closed_at = $4, order_code = $5, transaction_id = $6, paid_at = $7,
       card_brand = $8, card_last_four = $9, shopper_email = COALESCE($10, shopper_email),
       shopper_locale = COALESCE($11, shopper_locale), invoice_issuer = $12, event_count = $13
     WHERE merchant_id = $1 AND id = $2`,
    values: [
      merchantId,
      id,
      state.status,
      closedAt,
      payment?.orderCode ?? null,
      payment?.transactionId ?? null,
      payment?.paidAt ?? null,
      card?.brand ?? null,
      card?.lastFour ?? null,
      shopper?.email ?? null,
      shopper?.locale ?? null,
      jsonText(payment?.invoiceIssuer ?? null),
      eventCount,
    ],
  }
}
