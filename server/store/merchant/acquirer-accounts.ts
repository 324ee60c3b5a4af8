/** Acquirer accounts: one for each merchant and mode, with its credentials sealed. */
import { isMerchantMode } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import { isAcquirerKind, type AcquirerKind } from '#payment/acquirer-limits.ts'
import type { AccountRef } from '#payment/references.ts'
import type { SealedPlace, Sealing } from '../../config/sealed.ts'
import type { Database, Row, Sql } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, readEach, text, textOrNull } from '../engine/columns.ts'

export interface StoredAccount extends AccountRef {
  /** The label of its merchant. */
  readonly label: string
  readonly kind: AcquirerKind
  /** Null: the acquirer's own address. */
  readonly apiBase: string | null
  /** Sealed, as is `threeDSToken`. */
  readonly credentials: string
  /** Of the secret key that opens both. */
  readonly secretKeyId: string
  /** At the 3-D Secure server. */
  readonly threeDSMerchantId: string | null
  readonly threeDSToken: string | null
  readonly setAt: Instant
  /** When these credentials last passed the check. */
  readonly checkedAt: Instant | null
  /** What the last check found; null: it passed, or there was none. */
  readonly checkProblems: string | null
}

/** What is sealed in the row of an account. */
type SealedField = 'credentials' | '3-D Secure token'

/**
 * The address belongs to the place: whoever can write to the database could else have credentials, and with them card numbers,
 * sent to an address of their own.
 */
const sealedPlace = (
  { merchantId, mode, kind, apiBase }: Pick<StoredAccount, 'merchantId' | 'mode' | 'kind' | 'apiBase'>,
  field: SealedField,
): SealedPlace => [merchantId, mode, kind, apiBase ?? '', field]

/** The plain texts of an account; null: they do not open with the keys at hand. */
export const openSealed = (
  sealing: Sealing,
  account: StoredAccount,
): { readonly credentials: string; readonly threeDSToken: string | null } | null => {
  const open = (sealed: string, field: SealedField): string | null =>
    sealing.open({ keyId: account.secretKeyId, text: sealed }, sealedPlace(account, field))
  const credentials = open(account.credentials, 'credentials')
  const threeDSToken = account.threeDSToken === null ? null : open(account.threeDSToken, '3-D Secure token')
  return credentials === null || (threeDSToken === null && account.threeDSToken !== null)
    ? null
    : { credentials, threeDSToken }
}

const COLUMNS = [
  'merchant_id',
  'mode',
  'kind',
  'api_base',
  'credentials',
  'secret_key_id',
  'three_ds_merchant_id',
  'three_ds_token',
  'set_at',
  'checked_at',
  'check_problems',
].map((column) => `acquirer_accounts.${column}`)

export const ACCOUNT_SELECT = `SELECT merchants.label, ${COLUMNS.join(', ')}
  FROM acquirer_accounts JOIN merchants ON merchants.id = acquirer_accounts.merchant_id`

export const accountFromRow = (row: Row): StoredAccount => ({
  label: text(row, 'label'),
  merchantId: text(row, 'merchant_id'),
  mode: oneOf(row, 'mode', isMerchantMode),
  kind: oneOf(row, 'kind', isAcquirerKind),
  apiBase: textOrNull(row, 'api_base'),
  credentials: text(row, 'credentials'),
  secretKeyId: text(row, 'secret_key_id'),
  threeDSMerchantId: textOrNull(row, 'three_ds_merchant_id'),
  threeDSToken: textOrNull(row, 'three_ds_token'),
  setAt: integer(row, 'set_at'),
  checkedAt: integerOrNull(row, 'checked_at'),
  checkProblems: textOrNull(row, 'check_problems'),
})

export const findAccount = async (sql: Sql, { merchantId, mode }: AccountRef): Promise<StoredAccount | null> => {
  const [row] = await sql.rows(
    `${ACCOUNT_SELECT} WHERE acquirer_accounts.merchant_id = $1 AND acquirer_accounts.mode = $2`,
    merchantId,
    mode,
  )
  return row === undefined ? null : accountFromRow(row)
}

/** The row of an account that this release cannot read: money moves there, and nobody here knows which. */
export interface UnreadableAccount extends Pick<StoredAccount, 'label' | 'merchantId' | 'mode'> {
  readonly why: string
  /** Null: that cannot be read either. */
  readonly secretKeyId: string | null
}

interface Accounts {
  readonly accounts: readonly StoredAccount[]
  /** Whoever reports about all accounts must name them. */
  readonly unreadable: readonly UnreadableAccount[]
}

const unreadableFrom = (row: Row, why: string): UnreadableAccount => {
  const keyId = row['secret_key_id']
  return {
    label: text(row, 'label'),
    merchantId: text(row, 'merchant_id'),
    mode: oneOf(row, 'mode', isMerchantMode),
    why,
    secretKeyId: typeof keyId === 'string' ? keyId : null,
  }
}

/** All accounts, by the labels of their merchants. */
export const listAccounts = async (sql: Sql): Promise<Accounts> => {
  const unreadable: UnreadableAccount[] = []
  const accounts = readEach(await sql.rows(ACCOUNT_SELECT), accountFromRow, (row, { message }) => {
    unreadable.push(unreadableFrom(row, message))
  })
  // Not sorted by the database: PostgreSQL sorts text by its locale.
  return {
    accounts: accounts.toSorted((one, other) => (`${one.label} ${one.mode}` < `${other.label} ${other.mode}` ? -1 : 1)),
    unreadable,
  }
}

export const hasAccounts = async (sql: Sql): Promise<boolean> =>
  (await sql.rows('SELECT mode FROM acquirer_accounts LIMIT 1')).length > 0

/** The plain texts of an account as it is set, and when. */
export interface NewAccount extends Pick<
  StoredAccount,
  'merchantId' | 'mode' | 'kind' | 'apiBase' | 'credentials' | 'threeDSMerchantId' | 'threeDSToken' | 'setAt'
> {}

/**
 * Stores the account in place of the one before, unchecked. `set_at` always becomes a later one, though the clock may have been
 * set back: by it a running server tells that it must open the account anew.
 */
export const saveAccount = async (sql: Sql, sealing: Sealing, account: NewAccount): Promise<void> => {
  const credentials = sealing.seal(account.credentials, sealedPlace(account, 'credentials'))
  const { threeDSToken } = account
  const token = threeDSToken === null ? null : sealing.seal(threeDSToken, sealedPlace(account, '3-D Secure token')).text
  await sql.rows(
    `INSERT INTO acquirer_accounts (merchant_id, mode, kind, api_base, credentials, secret_key_id, three_ds_merchant_id, three_ds_token, set_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (merchant_id, mode) DO UPDATE SET kind = excluded.kind, api_base = excluded.api_base,
       credentials = excluded.credentials, secret_key_id = excluded.secret_key_id,
       three_ds_merchant_id = excluded.three_ds_merchant_id, three_ds_token = excluded.three_ds_token,
       set_at = CASE WHEN excluded.set_at > acquirer_accounts.set_at THEN excluded.set_at
         ELSE acquirer_accounts.set_at + 1 END,
       checked_at = NULL, check_problems = NULL`,
    account.merchantId,
    account.mode,
    account.kind,
    account.apiBase,
    credentials.text,
    credentials.keyId,
    account.threeDSMerchantId,
    token,
    account.setAt,
  )
}

/**
 * Stores what a check found. False, and nothing is stored: the account was set anew while it was checked. One that does not pass
 * keeps the time of an earlier pass: an acquirer that does not answer for a minute must not end a shop's live keys.
 */
export const saveCheck = async (
  sql: Sql,
  { merchantId, mode, setAt }: Pick<StoredAccount, 'merchantId' | 'mode' | 'setAt'>,
  found: { readonly checkedAt: Instant } | { readonly problems: string },
): Promise<boolean> => {
  const isPassed = 'checkedAt' in found
  const rows = await sql.rows(
    `UPDATE acquirer_accounts SET checked_at = COALESCE($4, checked_at), check_problems = $5
     WHERE merchant_id = $1 AND mode = $2 AND set_at = $3 RETURNING mode`,
    merchantId,
    mode,
    setAt,
    isPassed ? found.checkedAt : null,
    isPassed ? null : found.problems,
  )
  return rows.length > 0
}

/**
 * After a rotation of the secret key: seals with the current one what an earlier one has sealed. What does not open, or cannot be
 * read, stays as it is, and `secret retire` names it. Only over the text that was read: the account may be set anew meanwhile.
 */
export const sealAccountsAnew = async (database: Database, sealing: Sealing): Promise<void> => {
  const { currentKeyId } = sealing
  if (currentKeyId === null) return
  for (const account of (await listAccounts(database)).accounts) {
    const opened = account.secretKeyId === currentKeyId ? null : openSealed(sealing, account)
    if (opened === null) continue
    const credentials = sealing.seal(opened.credentials, sealedPlace(account, 'credentials'))
    const token =
      opened.threeDSToken === null ? null : sealing.seal(opened.threeDSToken, sealedPlace(account, '3-D Secure token'))
    await database.rows(
      `UPDATE acquirer_accounts SET credentials = $1, three_ds_token = $2, secret_key_id = $3
       WHERE merchant_id = $4 AND mode = $5 AND credentials = $6`,
      credentials.text,
      token?.text ?? null,
      credentials.keyId,
      account.merchantId,
      account.mode,
      account.credentials,
    )
  }
}
