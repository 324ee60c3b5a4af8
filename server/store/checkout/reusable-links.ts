/** Reusable links: their rows, and how many charges of one are under way. */
import { Compile } from 'typebox/compile'
import { isMerchantMode } from '#contract/access.ts'
import { CheckoutOfLink } from '#contract/merchant/reusable-links.ts'
import type { Instant } from '#contract/jst.ts'
import type { Checkout } from '#payment/checkout.ts'
import type { LinkAmount, ReusableLink } from '#payment/reusable-link.ts'
import { isAcquirerKind, type AcquirerKind } from '#payment/acquirer-limits.ts'
import { ID_LENGTH, isId } from '../../ids.ts'
import { integer, integerOrNull, json, oneOf, text } from '../engine/columns.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { conditions, pageOf, type ListPage, type PageRequest } from '../engine/list-page.ts'
import { insertRecords } from '../engine/write.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { IS_PENDING } from './checkout-list-conditions.ts'

export interface LinkRef {
  readonly merchantId: string
  readonly linkId: string
}

const storedCheckout = Compile(CheckoutOfLink)

const COLUMNS = `merchant_id, id, mode, min_yen, max_yen, is_entered, checkout, max_payments, payments, valid_until,
  disabled_at, created_at`

const amountFromRow = (row: Row): LinkAmount => {
  const [min, max] = [integer(row, 'min_yen'), integer(row, 'max_yen')]
  return integer(row, 'is_entered') === 1 ? { by: 'shopper', min, max } : { by: 'merchant', yen: min }
}

const fromRow = (row: Row): ReusableLink => ({
  merchantId: text(row, 'merchant_id'),
  id: text(row, 'id'),
  mode: oneOf(row, 'mode', isMerchantMode),
  amount: amountFromRow(row),
  checkout: json(row, 'checkout', storedCheckout),
  maxPayments: integerOrNull(row, 'max_payments'),
  payments: integer(row, 'payments'),
  validUntil: integerOrNull(row, 'valid_until'),
  disabledAt: integerOrNull(row, 'disabled_at'),
  createdAt: integer(row, 'created_at'),
})

const linkOrNull = ([row]: readonly Row[]): ReusableLink | null => (row === undefined ? null : fromRow(row))

export const newReusableLinkWrite = (link: ReusableLink): Write[] => {
  const { amount } = link
  const { min, max } = amount.by === 'shopper' ? amount : { min: amount.yen, max: amount.yen }
  return insertRecords('reusable_links', [
    {
      merchant_id: link.merchantId,
      id: link.id,
      mode: link.mode,
      min_yen: min,
      max_yen: max,
      is_entered: amount.by === 'shopper' ? 1 : 0,
      checkout: JSON.stringify(link.checkout),
      max_payments: link.maxPayments,
      payments: link.payments,
      valid_until: link.validUntil,
      disabled_at: link.disabledAt,
      created_at: link.createdAt,
    },
  ])
}

/** What cannot be an id is not looked up: PostgreSQL takes a zero byte in a text for a fault. */
export const findReusableLink = async (sql: Sql, { merchantId, linkId }: LinkRef): Promise<ReusableLink | null> =>
  isId(linkId)
    ? linkOrNull(
        await sql.rows(`SELECT ${COLUMNS} FROM reusable_links WHERE merchant_id = $1 AND id = $2`, merchantId, linkId),
      )
    : null

/** A link that somebody opens, with what decides about the checkout beside it. */
export interface LinkToOpen {
  readonly link: ReusableLink
  /** The acquirer of its shop in its mode; null: the sandbox. */
  readonly acquirer: AcquirerKind | null
  /** When this database was last restored from a backup; null: never. */
  readonly restoredAt: Instant | null
  /** When the checkout was cancelled, before any card; null: it was not. */
  readonly cancelledAt: Instant | null
}

/**
 * The link whose id begins so, for this checkout of it; null: there is none, or more than one. By bytes: in Estonian `y` comes after
 * `z`, and in Danish `aa`.
 */
export const findLinkToOpen = async (
  sql: Sql,
  merchantId: string,
  prefix: string,
  checkoutId: string | null,
): Promise<LinkToOpen | null> => {
  const rows = await sql.rows(
    `SELECT ${COLUMNS}, (SELECT max(restored_at) FROM restores) AS restored_at, (SELECT kind FROM acquirer_accounts
       WHERE acquirer_accounts.merchant_id = reusable_links.merchant_id AND acquirer_accounts.mode = reusable_links.mode)
       AS acquirer,
       (SELECT cancelled_at FROM cancelled_openings WHERE merchant_id = $1 AND checkout_id = $4) AS cancelled_at
     FROM reusable_links WHERE merchant_id = $1 AND id ${sql.byBytes} >= $2 AND id ${sql.byBytes} <= $3 LIMIT 2`,
    merchantId,
    prefix,
    prefix.padEnd(ID_LENGTH, 'z'),
    checkoutId,
  )
  const [row] = rows
  if (row === undefined || rows.length > 1) return null
  const acquirer = row['acquirer'] === null ? null : oneOf(row, 'acquirer', isAcquirerKind)
  const [restoredAt, cancelledAt] = [integerOrNull(row, 'restored_at'), integerOrNull(row, 'cancelled_at')]
  return { link: fromRow(row), acquirer, restoredAt, cancelledAt }
}

/** No other transaction changes the link, or takes a place of it, until this one ends. */
export const lockReusableLink = async (sql: Sql, { merchantId, linkId }: LinkRef): Promise<ReusableLink | null> =>
  isId(linkId)
    ? linkOrNull(
        await sql.rows(
          `UPDATE reusable_links SET payments = payments WHERE merchant_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
          merchantId,
          linkId,
        ),
      )
    : null

/** Stores what a merchant may change of a link. */
export const changeReusableLink = async (
  sql: Sql,
  { merchantId, id, maxPayments, validUntil, disabledAt }: ReusableLink,
): Promise<void> => {
  await sql.rows(
    `UPDATE reusable_links SET max_payments = $3, valid_until = $4, disabled_at = $5
     WHERE merchant_id = $1 AND id = $2`,
    merchantId,
    id,
    maxPayments,
    validUntil,
    disabledAt,
  )
}

export const listReusableLinks = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { after, limit }: PageRequest,
): Promise<ListPage<ReusableLink>> => {
  const marks = conditions(merchantId, mode)
  const place = after === null ? '' : `AND (created_at, id) < (${after.map((value) => marks.add(value)).join(', ')})`
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM reusable_links WHERE merchant_id = $1 AND mode = $2 ${place}
     ORDER BY created_at DESC, id DESC LIMIT ${marks.add(limit + 1)}`,
    ...marks.values,
  )
  return pageOf(rows, limit, { read: fromRow, placeOf: ({ createdAt, id }) => [createdAt, id] })
}

/**
 * How many charges of a link's checkouts are under way or in doubt, counted up to `most`. Of the link's own open checkouts: after a
 * restore every open one of the shop may be held.
 */
export const countPendingOfLink = async (
  sql: Sql,
  { merchantId, id, mode }: Pick<ReusableLink, 'merchantId' | 'id' | 'mode'>,
  most: number,
): Promise<number> => {
  const [row = {}] = await sql.rows(
    `SELECT COUNT(*) AS pending_count FROM (SELECT 1 AS one FROM checkouts AS found
       WHERE merchant_id = $1 AND mode = $2 AND link_id = $3 AND status = 'open' AND ${IS_PENDING} LIMIT $4) AS pending`,
    merchantId,
    mode,
    id,
    most,
  )
  return integer(row, 'pending_count')
}

/** Counts a payment of a link, in the transaction that stores it; nothing for a checkout without a link. */
export const linkPaymentWrite = ({ merchantId, linkId, state }: Checkout): Write[] =>
  linkId === null || state.status !== 'paid'
    ? []
    : [
        {
          text: 'UPDATE reusable_links SET payments = payments + 1 WHERE merchant_id = $1 AND id = $2',
          values: [merchantId, linkId],
        },
      ]
