/** Links of people: setup, sign-in and invitation. Each is consumed once; only the hash of its token is stored. */
import { isLinkKind, type LinkKind } from '#contract/console/sign-in.ts'
import { isRole, type Role } from '#contract/console/roles.ts'
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { SERVERS_DIFFER_MAX_MS } from '#payment/clock.ts'
import { integer, oneOf, text, textOrNull } from '../engine/columns.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { insertRecords } from '../engine/write.ts'

export interface PersonLink {
  readonly hash: string
  readonly kind: LinkKind
  /** In lower case; empty: of a setup, whose person names it. */
  readonly email: string
  /** The hash of the browser that asked for it; null: any browser may use it. */
  readonly browserHash: string | null
  /** Of a setup and an invitation; null: as an operator of the installation. */
  readonly shop: { readonly merchantId: string; readonly role: Role } | null
  /** The person whose invitation it is; null: the operator's, or no invitation. */
  readonly invitedBy: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** That asked for it; left out: nobody has asked. */
  readonly network?: string
  /** When the mail of an invitation goes; left out: none does. */
  readonly mailAt?: Instant
}

const ID_LENGTH = 16

/** The id of an invitation for those who withdraw it: the beginning of its hash. It gives no access. */
export const invitationIdOf = ({ hash }: Pick<PersonLink, 'hash'>): string => hash.slice(0, ID_LENGTH)

const COLUMNS = 'hash, kind, email, browser_hash, merchant_id, role, invited_by, created_at, expires_at'

const fromRow = (row: Row): PersonLink => {
  const merchantId = textOrNull(row, 'merchant_id')
  return {
    hash: text(row, 'hash'),
    kind: oneOf(row, 'kind', isLinkKind),
    email: text(row, 'email'),
    browserHash: textOrNull(row, 'browser_hash'),
    shop: merchantId === null ? null : { merchantId, role: oneOf(row, 'role', isRole) },
    invitedBy: textOrNull(row, 'invited_by'),
    createdAt: integer(row, 'created_at'),
    expiresAt: integer(row, 'expires_at'),
  }
}

export const linkWrite = ({
  hash,
  kind,
  email,
  browserHash,
  shop,
  invitedBy,
  createdAt,
  expiresAt,
  network,
  mailAt,
}: PersonLink): Write[] =>
  insertRecords('person_links', [
    {
      hash,
      kind,
      email,
      browser_hash: browserHash,
      merchant_id: shop?.merchantId ?? null,
      role: shop?.role ?? null,
      invited_by: invitedBy,
      created_at: createdAt,
      expires_at: expiresAt,
      network: network ?? null,
      mail_at: mailAt ?? null,
    },
  ])

/**
 * Stores the hash of the token of a link that is mailed now. False: the link has ended, and there is nothing to mail. The token
 * itself is never in the database: who reads its files signs in as nobody.
 */
export const saveMailedToken = async (
  sql: Sql,
  { hash, tokenHash }: { readonly hash: string; readonly tokenHash: string },
  now: Instant,
): Promise<boolean> => {
  const rows = await sql.rows(
    'UPDATE person_links SET mail_hash = $2 WHERE hash = $1 AND used_at IS NULL AND expires_at > $3 RETURNING hash',
    hash,
    tokenHash,
    now,
  )
  return rows.length > 0
}

/** One that can still be used. Also null before it was made, but for the clock of another server: the clock was set back, and nobody knows how old it is. */
export const findOpenLink = async (sql: Sql, hash: string, now: Instant): Promise<PersonLink | null> => {
  const [row] = await sql.rows(
    `SELECT ${COLUMNS} FROM person_links WHERE (hash = $1 OR mail_hash = $1) AND used_at IS NULL AND expires_at > $2
     AND created_at <= $3`,
    hash,
    now,
    now + SERVERS_DIFFER_MAX_MS,
  )
  return row === undefined ? null : fromRow(row)
}

/** Of two calls at once one alone ends it. */
export const endLink = async (sql: Sql, hash: string, now: Instant): Promise<boolean> => {
  const rows = await sql.rows(
    'UPDATE person_links SET used_at = $2 WHERE hash = $1 AND used_at IS NULL RETURNING hash',
    hash,
    now,
  )
  return rows.length > 0
}

/** The networks that asked for the sign-in links of an address since a time, one for each link; null: not known. */
export const networksThatAsked = async (sql: Sql, email: string, since: Instant): Promise<(string | null)[]> => {
  const rows = await sql.rows(
    "SELECT network FROM person_links WHERE email = $1 AND created_at > $2 AND kind = 'sign_in'",
    email,
    since,
  )
  return rows.map((row) => textOrNull(row, 'network'))
}

/** How many invitations an address was given since a time by one shop; null: to operate the installation. */
export const countInvitationsTo = async (
  sql: Sql,
  { email, merchantId }: { readonly email: string; readonly merchantId: string | null },
  since: Instant,
): Promise<number> => {
  const rows = await sql.rows(
    `SELECT kind FROM person_links WHERE email = $1 AND created_at > $2 AND kind = 'invitation'
     AND coalesce(merchant_id, '') = $3`,
    email,
    since,
    merchantId ?? '',
  )
  return rows.length
}

/** When the mails of invitations to an address go or went, the newest first, so many of them. None is planned for more than a day later: what is was stored before the clock was set back. */
export const plannedInvitationMails = async (
  sql: Sql,
  { email, limit }: { readonly email: string; readonly limit: number },
  now: Instant,
): Promise<Instant[]> => {
  const rows = await sql.rows(
    `SELECT mail_at FROM person_links WHERE email = $1 AND kind = 'invitation' AND mail_at < $3
     ORDER BY mail_at DESC LIMIT $2`,
    email,
    limit,
    now + DAY_MS,
  )
  return rows.map((row) => integer(row, 'mail_at'))
}

/** How many invitations a shop has made since a time, whatever became of them. */
export const countInvitations = async (sql: Sql, merchantId: string, since: Instant): Promise<number> => {
  const rows = await sql.rows(
    "SELECT kind FROM person_links WHERE merchant_id = $1 AND created_at > $2 AND kind = 'invitation'",
    merchantId,
    since,
  )
  return rows.length
}

/** The invitations of a shop that can still be used, the newest first. */
export const openInvitations = async (sql: Sql, merchantId: string, now: Instant): Promise<PersonLink[]> => {
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM person_links WHERE merchant_id = $1 AND kind = 'invitation' AND used_at IS NULL
     AND expires_at > $2 ORDER BY created_at DESC, hash`,
    merchantId,
    now,
  )
  return rows.map(fromRow)
}

/** Invitations to a shop of a person who may invite nobody any more. */
export const endInvitationsBy = async (sql: Sql, merchantId: string, personId: string, now: Instant): Promise<void> => {
  await sql.rows(
    'UPDATE person_links SET used_at = $3 WHERE merchant_id = $1 AND invited_by = $2 AND used_at IS NULL',
    merchantId,
    personId,
    now,
  )
}

/** The links that an address can still use end now. */
export const endLinksTo = async (sql: Sql, email: string, kind: LinkKind, now: Instant): Promise<void> => {
  await sql.rows(
    'UPDATE person_links SET used_at = $3 WHERE email = $1 AND kind = $2 AND used_at IS NULL',
    email,
    kind,
    now,
  )
}

const OLD_LINKS: BatchedChange = {
  table: 'person_links',
  key: ['hash'],
  where: 'expires_at <= $1',
  order: 'expires_at',
  change: 'DELETE',
}

/** Deletes links a day after they have ended: until then they are counted. True when there may be more. */
export const deleteOldLinks = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, OLD_LINKS, [now - DAY_MS])
