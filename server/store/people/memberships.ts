/** Memberships: what a person may do at which shops. */
import type { Instant } from '#contract/jst.ts'
import { isRole, type Role } from '#contract/console/roles.ts'
import { integer, oneOf, text } from '../engine/columns.ts'
import type { Sql } from '../engine/database.ts'
import { PERSON_COLUMNS, personFromRow, type Person } from './people.ts'

/** What a person may do at a shop; null: nothing. Read for each call: a person who was removed loses access with the next call. */
export const findMembership = async (sql: Sql, merchantId: string, personId: string): Promise<Role | null> => {
  const [row] = await sql.rows(
    'SELECT role FROM memberships WHERE merchant_id = $1 AND person_id = $2',
    merchantId,
    personId,
  )
  return row === undefined ? null : oneOf(row, 'role', isRole)
}

export interface Membership {
  readonly merchantId: string
  readonly label: string
  readonly role: Role
  /** Whether it has an account for real money that passed its check. */
  readonly isLive: boolean
  readonly isClosed: boolean
}

/** The shops of a person, by label. */
export const membershipsOf = async (sql: Sql, personId: string): Promise<Membership[]> => {
  const rows = await sql.rows(
    `SELECT memberships.merchant_id AS merchant_id, role, merchants.label AS label, merchants.closed_at AS closed_at,
       acquirer_accounts.checked_at AS checked_at
     FROM memberships JOIN merchants ON merchants.id = memberships.merchant_id
       LEFT JOIN acquirer_accounts ON acquirer_accounts.merchant_id = memberships.merchant_id
         AND acquirer_accounts.mode = 'live'
     WHERE memberships.person_id = $1`,
    personId,
  )
  const shops = rows.map((row) => ({
    merchantId: text(row, 'merchant_id'),
    label: text(row, 'label'),
    role: oneOf(row, 'role', isRole),
    isLive: row['checked_at'] !== null,
    isClosed: row['closed_at'] !== null,
  }))
  return shops.toSorted((one, other) => (one.label < other.label ? -1 : 1))
}

export interface MemberOfShop {
  readonly person: Person
  readonly role: Role
  readonly joinedAt: Instant
}

/** The people of a shop, the first to join first. */
export const membersOf = async (sql: Sql, merchantId: string): Promise<MemberOfShop[]> => {
  const rows = await sql.rows(
    `SELECT ${PERSON_COLUMNS}, role, memberships.created_at AS joined_at
     FROM memberships JOIN people ON people.id = memberships.person_id
     WHERE memberships.merchant_id = $1 ORDER BY memberships.created_at, memberships.person_id`,
    merchantId,
  )
  return rows.map((row) => ({
    person: personFromRow(row),
    role: oneOf(row, 'role', isRole),
    joinedAt: integer(row, 'joined_at'),
  }))
}

/** Every owner of every shop of a person, each once. */
export const ownersOfShopsOf = async (sql: Sql, personId: string): Promise<Person[]> => {
  const rows = await sql.rows(
    `SELECT DISTINCT ${PERSON_COLUMNS}
     FROM memberships AS own JOIN memberships AS theirs ON theirs.merchant_id = own.merchant_id AND theirs.role = 'owner'
       JOIN people ON people.id = theirs.person_id
     WHERE own.person_id = $1`,
    personId,
  )
  return rows.map(personFromRow)
}

/** A person of the shop gets this role instead of the one before. */
export const saveMembership = async (
  sql: Sql,
  { merchantId, personId, role }: { readonly merchantId: string; readonly personId: string; readonly role: Role },
  now: Instant,
): Promise<void> => {
  await sql.rows(
    `INSERT INTO memberships (merchant_id, person_id, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (merchant_id, person_id) DO UPDATE SET role = excluded.role`,
    merchantId,
    personId,
    role,
    now,
  )
}

export const deleteMembership = async (sql: Sql, merchantId: string, personId: string): Promise<void> => {
  await sql.rows('DELETE FROM memberships WHERE merchant_id = $1 AND person_id = $2', merchantId, personId)
}
