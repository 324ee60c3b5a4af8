/** Merchants and API keys in the database. */
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { MerchantSetting, ReceiptFacts } from '#contract/checkout.ts'
import type { Instant } from '#contract/jst.ts'
import { isMerchantMode, type MerchantMode } from '#contract/merchant.ts'
import { integer, json, oneOf, text, type Row, type Sql } from './database.ts'

const StoredSettings = Type.Object({
  setting: MerchantSetting,
  receipt: ReceiptFacts,
  /** Whether a card outside 3-D Secure may be charged; its merchant then bears the chargebacks. */
  allowExemption: Type.Boolean(),
  /** Whether an authentication that was only attempted, without a word of the card holder, is refused. */
  requireFullAuthentication: Type.Optional(Type.Boolean()),
})
const settingsShape = Compile(StoredSettings)
export type MerchantSettings = Required<Static<typeof StoredSettings>>

export interface Merchant {
  readonly id: string
  readonly label: string
  readonly settings: MerchantSettings
  /** Card testing: until when only card holders who have passed a challenge may pay. */
  readonly brakedUntil: Readonly<Record<MerchantMode, Instant>>
}

export interface KeyHolder {
  readonly merchant: Merchant
  readonly mode: MerchantMode
}

const settingsIn = (row: Row): MerchantSettings => ({
  // Merchants stored before this could be demanded did not demand it.
  requireFullAuthentication: false,
  ...json(row, 'settings', settingsShape),
})

const fromRow = (row: Row): Merchant => ({
  id: text(row, 'id'),
  label: text(row, 'label'),
  settings: settingsIn(row),
  brakedUntil: { test: integer(row, 'test_braked_until'), live: integer(row, 'live_braked_until') },
})

const COLUMNS = ['id', 'label', 'settings', 'test_braked_until', 'live_braked_until']
  .map((column) => `merchants.${column}`)
  .join(', ')

export const findMerchant = async (sql: Sql, label: string): Promise<Merchant | null> => {
  const [row] = await sql.rows(`SELECT ${COLUMNS} FROM merchants WHERE label = $1`, label)
  return row === undefined ? null : fromRow(row)
}

/** Creates the merchant or brings its settings up to date, and answers it as it is now stored. */
export const saveMerchant = async (
  sql: Sql,
  merchant: Omit<Merchant, 'brakedUntil'>,
  now: number,
): Promise<Merchant> => {
  const [row] = await sql.rows(
    `INSERT INTO merchants (id, label, settings, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (label) DO UPDATE SET settings = excluded.settings
     RETURNING ${COLUMNS}`,
    merchant.id,
    merchant.label,
    JSON.stringify(merchant.settings),
    now,
  )
  if (row === undefined) throw new Error('a saved merchant came back empty')
  return fromRow(row)
}

/** Writing takes the lock of the row: of two changes at once, the second one begins with what the first has written. */
export const changeSettings = async (
  sql: Sql,
  merchantId: string,
  change: (settings: MerchantSettings) => MerchantSettings,
): Promise<MerchantSettings> => {
  const [row] = await sql.rows('UPDATE merchants SET settings = settings WHERE id = $1 RETURNING settings', merchantId)
  if (row === undefined) throw new Error('a merchant is gone while its settings are changed')
  const settings = change(settingsIn(row))
  await sql.rows('UPDATE merchants SET settings = $2 WHERE id = $1', merchantId, JSON.stringify(settings))
  return settings
}

export const findKeyHolder = async (sql: Sql, keyHash: string): Promise<KeyHolder | null> => {
  const [row] = await sql.rows(
    `SELECT ${COLUMNS}, api_keys.mode
     FROM api_keys JOIN merchants ON merchants.id = api_keys.merchant_id
     WHERE api_keys.hash = $1`,
    keyHash,
  )
  return row === undefined ? null : { merchant: fromRow(row), mode: oneOf(row, 'mode', isMerchantMode) }
}

export const saveKey = async (
  sql: Sql,
  key: { readonly hash: string; readonly merchantId: string; readonly mode: MerchantMode },
  now: number,
): Promise<void> => {
  await sql.rows(
    'INSERT INTO api_keys (hash, merchant_id, mode, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (hash) DO NOTHING',
    key.hash,
    key.merchantId,
    key.mode,
    now,
  )
}
