/** Merchants: their rows and settings. */
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { isRefusal, type Refusal } from '#contract/errors.ts'
import { Locale, MerchantSetting, ReceiptFacts } from '#contract/checkout.ts'
import { RegistrationNumber } from '#contract/invoice.ts'
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'
import { AcceptedCardBrands } from '#contract/merchant/checkouts.ts'
import { DEFAULT_NOTIFICATIONS, Notifications } from '#contract/notification-settings.ts'
import type { InvoiceIssuer } from '#payment/checkout.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, integerOrNull, json, readEach, text, type OnUnreadable } from '../engine/columns.ts'
import { padToFixedSizes } from '../engine/write.ts'

const StoredSettings = Type.Object({
  setting: MerchantSetting,
  receipt: ReceiptFacts,
  /** Whether a card without 3-D Secure may be charged; the merchant is then liable for chargebacks. */
  allowExemption: Type.Boolean(),
  /** Whether an attempted authentication (status A) is refused. */
  requireFullAuthentication: Type.Optional(Type.Boolean()),
  /** The registration number of a qualified invoice issuer; without it, receipts are no invoices. */
  registrationNumber: Type.Optional(Type.Union([RegistrationNumber, Type.Null()])),
  /** The language of new checkouts that name none. */
  locale: Type.Optional(Type.Union([Locale, Type.Null()])),
  acceptedCardBrands: Type.Optional(Type.Union([AcceptedCardBrands, Type.Null()])),
  /** Hosts to which links of live checkouts may lead. */
  linkHosts: Type.Optional(Type.Array(Type.String())),
  /** Which events the shop gets by mail. */
  notifications: Type.Optional(Notifications),
})
const settingsShape = Compile(StoredSettings)
export type MerchantSettings = Required<Static<typeof StoredSettings>>

export interface Merchant {
  readonly id: string
  readonly label: string
  readonly settings: MerchantSettings
  /** Card testing: the end of the forced challenge. */
  readonly forcedChallengeUntil: Readonly<Record<MerchantMode, Instant>>
  /** Since then its keys are refused, and no payment is started on its checkouts. */
  readonly closedAt: Instant | null
}

/** Defaults for settings that older rows lack. */
const settingsFromRow = (row: Row): MerchantSettings => ({
  requireFullAuthentication: false,
  registrationNumber: null,
  locale: null,
  acceptedCardBrands: null,
  linkHosts: [],
  notifications: DEFAULT_NOTIFICATIONS,
  ...json(row, 'settings', settingsShape),
})

export const merchantFromRow = (row: Row): Merchant => ({
  id: text(row, 'id'),
  label: text(row, 'label'),
  settings: settingsFromRow(row),
  forcedChallengeUntil: { test: integer(row, 'test_braked_until'), live: integer(row, 'live_braked_until') },
  closedAt: integerOrNull(row, 'closed_at'),
})

/** With the table's name, because they are joined. */
export const MERCHANT_COLUMNS = ['id', 'label', 'settings', 'test_braked_until', 'live_braked_until', 'closed_at']
  .map((column) => `merchants.${column}`)
  .join(', ')

export const findMerchant = async (sql: Sql, label: string): Promise<Merchant | null> => {
  const [row] = await sql.rows(`SELECT ${MERCHANT_COLUMNS} FROM merchants WHERE label = $1`, label)
  return row === undefined ? null : merchantFromRow(row)
}

/** The issuer of the invoice of a payment; null without a registration number. */
export const readInvoiceIssuer = async (sql: Sql, merchantId: string): Promise<InvoiceIssuer | null> => {
  const [row] = await sql.rows('SELECT settings FROM merchants WHERE id = $1', merchantId)
  if (row === undefined) throw new Error('a checkout has no merchant')
  const { registrationNumber, receipt } = settingsFromRow(row)
  return registrationNumber === null ? null : { registrationNumber, name: receipt.shopName }
}

/** Label and settings of a merchant, for mails. */
export type Shop = Pick<Merchant, 'label' | 'settings'>

export const readShop = async (sql: Sql, merchantId: string): Promise<Shop> => {
  const [row] = await sql.rows('SELECT label, settings FROM merchants WHERE id = $1', merchantId)
  if (row === undefined) throw new Error('a mail has no merchant')
  return { label: text(row, 'label'), settings: settingsFromRow(row) }
}

/** Reads several shops; the map is by merchant id. */
export const readShops = async (
  sql: Sql,
  merchantIds: readonly string[],
  onUnreadable: OnUnreadable,
): Promise<ReadonlyMap<string, Shop>> => {
  const ids = padToFixedSizes([...new Set(merchantIds)])
  const marks = ids.map((_id, at) => `$${at + 1}`).join(', ')
  const rows = await sql.rows(`SELECT id, label, settings FROM merchants WHERE id IN (${marks})`, ...ids)
  const read = (row: Row) => [text(row, 'id'), { label: text(row, 'label'), settings: settingsFromRow(row) }] as const
  return new Map(readEach(rows, read, onUnreadable))
}

/** A merchant as the operator reads it. */
export interface ListedMerchant extends Merchant {
  readonly createdAt: Instant
}

const LISTED_COLUMNS = `${MERCHANT_COLUMNS}, merchants.created_at`

const listedFromRow = (row: Row): ListedMerchant => ({ ...merchantFromRow(row), createdAt: integer(row, 'created_at') })

/** All merchants, by label. Who leaves out one whose settings cannot be read must say so. */
export const listMerchants = async (sql: Sql, onUnreadable: OnUnreadable): Promise<ListedMerchant[]> => {
  const rows = await sql.rows(`SELECT ${LISTED_COLUMNS} FROM merchants`)
  // Not sorted by the database: PostgreSQL sorts text by its locale.
  return readEach(rows, listedFromRow, onUnreadable).toSorted((one, other) => (one.label < other.label ? -1 : 1))
}

/** Of all merchants, whatever their settings hold. */
export const merchantIds = async (sql: Sql): Promise<string[]> =>
  (await sql.rows('SELECT id FROM merchants ORDER BY id')).map((row) => text(row, 'id'))

/** As an operator reads it in a list. */
export interface ListedShop extends Pick<ListedMerchant, 'label' | 'createdAt' | 'closedAt'> {
  /** Its label, where its settings cannot be read. */
  readonly name: string
}

const shopFromRow = (row: Row): ListedShop => {
  const [settings] = readEach([row], settingsFromRow, () => undefined)
  const label = text(row, 'label')
  return {
    label,
    name: settings?.receipt.shopName ?? label,
    createdAt: integer(row, 'created_at'),
    closedAt: integerOrNull(row, 'closed_at'),
  }
}

/** Those behind a label, in the order of the index: a page of a list. Returns one more than `limit` where there are more. */
export const merchantsAfter = async (sql: Sql, label: string, limit: number): Promise<ListedShop[]> => {
  const rows = await sql.rows(
    `SELECT ${LISTED_COLUMNS} FROM merchants WHERE label > $1 ORDER BY label LIMIT $2`,
    label,
    limit + 1,
  )
  return rows.map(shopFromRow)
}

export const findListedMerchant = async (sql: Sql, label: string): Promise<ListedMerchant | null> => {
  const [row] = await sql.rows(`SELECT ${LISTED_COLUMNS} FROM merchants WHERE label = $1`, label)
  return row === undefined ? null : listedFromRow(row)
}

export const hasMerchants = async (sql: Sql): Promise<boolean> =>
  (await sql.rows('SELECT id FROM merchants LIMIT 1')).length > 0

export type NewMerchant = Pick<Merchant, 'id' | 'label' | 'settings'>

/** Stores a new merchant; null, and nothing is changed, where the label is taken. */
export const insertMerchant = async (sql: Sql, merchant: NewMerchant, now: Instant): Promise<Merchant | null> => {
  const [row] = await sql.rows(
    `INSERT INTO merchants (id, label, settings, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (label) DO NOTHING RETURNING ${MERCHANT_COLUMNS}`,
    merchant.id,
    merchant.label,
    JSON.stringify(merchant.settings),
    now,
  )
  return row === undefined ? null : merchantFromRow(row)
}

/** A merchant that was closed before keeps that time. */
export const closeMerchant = async (sql: Sql, id: string, now: Instant): Promise<void> => {
  await sql.rows('UPDATE merchants SET closed_at = $1 WHERE id = $2 AND closed_at IS NULL', now, id)
}

/** Its keys work again, unless they have expired or were revoked. */
export const reopenMerchant = async (sql: Sql, id: string): Promise<void> => {
  await sql.rows('UPDATE merchants SET closed_at = NULL WHERE id = $1', id)
}

/** The first UPDATE takes the row lock, so of two changes the second starts from what the first has stored. A refusal changes nothing. */
export const changeSettings = async <Changed extends MerchantSettings | Refusal>(
  sql: Sql,
  merchantId: string,
  change: (settings: MerchantSettings) => Changed,
): Promise<Changed> => {
  const [row] = await sql.rows('UPDATE merchants SET settings = settings WHERE id = $1 RETURNING settings', merchantId)
  if (row === undefined) throw new Error('a merchant is gone while its settings are changed')
  const settings = change(settingsFromRow(row))
  if (isRefusal(settings)) return settings
  await sql.rows('UPDATE merchants SET settings = $2 WHERE id = $1', merchantId, JSON.stringify(settings))
  return settings
}
