/** Callers: the shop that an API key or a member of it calls for, with the account of the mode that the call is about. */
import type { MerchantMode } from '#contract/access.ts'
import { isRole, type Role } from '#contract/console/roles.ts'
import type { Instant } from '#contract/jst.ts'
import { isAcquirerKind, type AcquirerKind } from '#payment/acquirer-limits.ts'
import { integerOrNull, oneOf } from '../engine/columns.ts'
import type { Row, Sql } from '../engine/database.ts'
import { KEY_COLUMNS, keyFromRow, type ApiKey } from './keys.ts'
import { MERCHANT_COLUMNS, merchantFromRow, type Merchant } from './merchants.ts'

export interface CalledShop {
  readonly merchant: Merchant
  readonly mode: MerchantMode
  /** The account at the acquirer in this mode; null: none was set, so that test payments go to the sandbox. */
  readonly account: CalledAccount | null
}

export interface CalledAccount {
  readonly kind: AcquirerKind
  /** When it last passed its check. */
  readonly checkedAt: Instant | null
}

export interface KeyHolder extends CalledShop {
  readonly key: ApiKey
}

export interface MemberShop extends CalledShop {
  readonly role: Role
}

const ACCOUNT_COLUMNS = 'acquirer_accounts.kind AS account_kind, acquirer_accounts.checked_at'

const accountFromRow = (row: Row): CalledAccount | null =>
  row['account_kind'] === null
    ? null
    : { kind: oneOf(row, 'account_kind', isAcquirerKind), checkedAt: integerOrNull(row, 'checked_at') }

/** The merchant of a key; null: the key is unknown. The caller checks whether it has expired or was revoked. */
export const findKeyHolder = async (sql: Sql, keyHash: string): Promise<KeyHolder | null> => {
  const [row] = await sql.rows(
    `SELECT ${MERCHANT_COLUMNS}, ${KEY_COLUMNS}, ${ACCOUNT_COLUMNS}
     FROM api_keys JOIN merchants ON merchants.id = api_keys.merchant_id
       LEFT JOIN acquirer_accounts ON acquirer_accounts.merchant_id = api_keys.merchant_id
         AND acquirer_accounts.mode = api_keys.mode
     WHERE api_keys.hash = $1`,
    keyHash,
  )
  if (row === undefined) return null
  const key = keyFromRow(row)
  return { merchant: merchantFromRow(row), mode: key.mode, key, account: accountFromRow(row) }
}

/** The shop of this label, where the person is a member of it. Null does not tell whether there is such a shop. */
export const findMemberShop = async (
  sql: Sql,
  { label, mode, personId }: { readonly label: string; readonly mode: MerchantMode; readonly personId: string },
): Promise<MemberShop | null> => {
  const [row] = await sql.rows(
    `SELECT ${MERCHANT_COLUMNS}, memberships.role AS member_role, ${ACCOUNT_COLUMNS}
     FROM merchants JOIN memberships ON memberships.merchant_id = merchants.id AND memberships.person_id = $2
       LEFT JOIN acquirer_accounts ON acquirer_accounts.merchant_id = merchants.id AND acquirer_accounts.mode = $3
     WHERE merchants.label = $1`,
    label,
    personId,
    mode,
  )
  if (row === undefined) return null
  return { merchant: merchantFromRow(row), mode, account: accountFromRow(row), role: oneOf(row, 'member_role', isRole) }
}
