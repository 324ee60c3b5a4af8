/** 3-D Secure sessions in the database: what the provider, the bridge and the issuer said of an attempt. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '#contract/jst.ts'
import { BEFORE_ISSUER_ANSWER } from '#payment/attempt.ts'
import type { BrowserFacts } from '#payment/verdict.ts'
import type { ThreeDSSession } from '#payment/ports.ts'
import { changeBatch, type Batch } from '../engine/change-in-batches.ts'
import type { Database, Row, Sql, Write } from '../engine/database.ts'
import { integer, json, text, textOrNull, wordList } from '../engine/columns.ts'
import { insertRows } from '../engine/write.ts'

/** What the issuer answered: with it alone, or by asking the card holder. */
export type IssuerAnswer =
  | { readonly kind: 'frictionless'; readonly checkCode: string }
  | { readonly kind: 'challenge'; readonly checkCode: string; readonly url: string; readonly wasShown: boolean }

/** The 3-D Secure side of one attempt: how its server, its pages and its answer are known. */
export interface AuthenticationRecord {
  readonly merchantId: string
  readonly orderCode: string
  /** Names the attempt in the addresses of the bridge. */
  readonly ticket: string
  /** The one origin that is told about this attempt by the bridge. */
  readonly pageOrigin: string
  readonly session: ThreeDSSession
  readonly collectUrl: string | null
  readonly watchUrl: string | null
  readonly browser: BrowserFacts | null
  readonly collected: string | null
  /** Null until the issuer has been asked. */
  readonly answer: IssuerAnswer | null
}

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

const Session = Compile(
  Type.Object({
    requestorTransId: Type.String(),
    serverTransId: Type.String(),
    authUrl: Type.String(),
    challenge: orNull(
      Type.Object({
        monitorUrl: orNull(Type.String()),
        dsTransId: orNull(Type.String()),
        messageVersion: orNull(Type.String()),
      }),
    ),
  }),
)

const Browser = Compile(
  Type.Object({
    acceptHeader: Type.String(),
    userAgent: Type.String(),
    ip: Type.String(),
    language: Type.String(),
    screen: orNull(
      Type.Object({
        javaEnabled: Type.Boolean(),
        colorDepth: Type.Integer(),
        height: Type.Integer(),
        width: Type.Integer(),
        timeZoneOffset: Type.Integer(),
      }),
    ),
  }),
)

const answerFromRow = (row: Row, prefix: string): IssuerAnswer | null => {
  const checkCode = textOrNull(row, `${prefix}check_code`)
  const url = textOrNull(row, `${prefix}challenge_url`)
  if (checkCode === null) return null
  return url === null
    ? { kind: 'frictionless', checkCode }
    : { kind: 'challenge', checkCode, url, wasShown: row[`${prefix}challenge_shown_at`] !== null }
}

const READ_COLUMNS = [
  'merchant_id',
  'order_code',
  'ticket',
  'page_origin',
  'session',
  'collect_url',
  'watch_url',
  'browser',
  'collected',
  'check_code',
  'challenge_url',
  'challenge_shown_at',
] as const

/** The columns of an authentication beside those of other tables; `authenticationFromRow` reads them under the same prefix. */
export const authenticationColumns = (prefix: string): string =>
  READ_COLUMNS.map((column) => `authentications.${column} AS ${prefix}${column}`).join(', ')

export const authenticationFromRow = (row: Row, prefix = ''): AuthenticationRecord => ({
  merchantId: text(row, `${prefix}merchant_id`),
  orderCode: text(row, `${prefix}order_code`),
  ticket: text(row, `${prefix}ticket`),
  pageOrigin: text(row, `${prefix}page_origin`),
  session: json(row, `${prefix}session`, Session),
  collectUrl: textOrNull(row, `${prefix}collect_url`),
  watchUrl: textOrNull(row, `${prefix}watch_url`),
  browser: row[`${prefix}browser`] === null ? null : json(row, `${prefix}browser`, Browser),
  collected: textOrNull(row, `${prefix}collected`),
  answer: answerFromRow(row, prefix),
})

export type NewAuthentication = Pick<
  AuthenticationRecord,
  'merchantId' | 'orderCode' | 'ticket' | 'pageOrigin' | 'session' | 'collectUrl' | 'watchUrl'
>

const NEW_COLUMNS = ['merchant_id', 'order_code', 'ticket', 'page_origin', 'session', 'collect_url', 'watch_url']

/** Stores a new authentication. */
export const newAuthenticationWrite = (record: NewAuthentication): Write[] =>
  insertRows('authentications', NEW_COLUMNS, [
    [
      record.merchantId,
      record.orderCode,
      record.ticket,
      record.pageOrigin,
      JSON.stringify(record.session),
      record.collectUrl,
      record.watchUrl,
    ],
  ])

export const findAuthentication = async (
  sql: Sql,
  merchantId: string,
  orderCode: string,
): Promise<AuthenticationRecord | null> => {
  const [row] = await sql.rows(
    'SELECT * FROM authentications WHERE merchant_id = $1 AND order_code = $2',
    merchantId,
    orderCode,
  )
  return row === undefined ? null : authenticationFromRow(row)
}

/** The bridge has no merchant of its own: a ticket of 160 random bits names one attempt among all of them. */
export const findByTicket = async (sql: Sql, ticket: string): Promise<AuthenticationRecord | null> => {
  const [row] = await sql.rows('SELECT * FROM authentications WHERE ticket = $1', ticket)
  return row === undefined ? null : authenticationFromRow(row)
}

/**
 * Facts about a browser are kept only until the issuer has been asked, or nobody will ask it any more. An UPDATE that
 * changes nothing locks the attempt: a condition inside the second UPDATE would see what was so before a transition that is being
 * committed, and the facts would be written behind that transition's `forgetBrowsers` and never deleted.
 */
const saveWhileWanted = async (
  database: Pick<Database, 'transact'>,
  ticket: string,
  column: 'browser' | 'collected',
  value: string,
): Promise<void> => {
  await database.transact(async (sql) => {
    const wanted = await sql.rows(
      `UPDATE attempts SET state = state WHERE state IN (${wordList(BEFORE_ISSUER_ANSWER)}) AND (merchant_id, order_code) IN
           (SELECT merchant_id, order_code FROM authentications WHERE ticket = $1) RETURNING started_at`,
      ticket,
    )
    // What a browser said first stands.
    for (const attempt of wanted)
      await sql.rows(
        `UPDATE authentications SET ${column} = $2, browser_since = $3 WHERE ticket = $1 AND ${column} IS NULL`,
        ticket,
        value,
        integer(attempt, 'started_at'),
      )
  })
}

export const saveBrowserFacts = (
  database: Pick<Database, 'transact'>,
  ticket: string,
  facts: BrowserFacts,
): Promise<void> => saveWhileWanted(database, ticket, 'browser', JSON.stringify(facts))

export const saveCollected = (database: Pick<Database, 'transact'>, ticket: string, collected: string): Promise<void> =>
  saveWhileWanted(database, ticket, 'collected', collected)

export const markChallengeShown = async (sql: Sql, ticket: string, now: number): Promise<void> => {
  await sql.rows(
    'UPDATE authentications SET challenge_shown_at = $2 WHERE ticket = $1 AND challenge_shown_at IS NULL',
    ticket,
    now,
  )
}

/** What the issuer answered to the question about this order. */
export interface RecordedAnswer {
  readonly orderCode: string
  readonly checkCode: string
  readonly session: ThreeDSSession
  readonly challengeUrl: string | null
}

/** Of attempts about which the issuer has been asked, or will not be asked any more. */
export const forgetBrowsers = async (sql: Sql, merchantId: string, orderCodes: readonly string[]): Promise<void> => {
  if (orderCodes.length === 0) return
  const marks = orderCodes.map((_code, at) => `$${at + 2}`).join(', ')
  await sql.rows(
    `UPDATE authentications SET browser = NULL, collected = NULL WHERE merchant_id = $1 AND order_code IN (${marks})`,
    merchantId,
    ...orderCodes,
  )
}

const OLD_BROWSERS: Batch = {
  table: 'authentications',
  key: ['merchant_id', 'order_code'],
  where: '(browser IS NOT NULL OR collected IS NOT NULL) AND browser_since < $1',
  order: 'browser_since',
  change: 'SET browser = NULL, collected = NULL',
  passesOverHeld: true,
}

/**
 * Of attempts that were started before this time: one that was left alone, in any tab, ends only with its link, or never.
 * True when there may be more of them.
 */
export const forgetOldBrowsers = (sql: Sql, before: Instant): Promise<boolean> =>
  changeBatch(sql, OLD_BROWSERS, [before])

/** The answer stands, and what the issuer was told about the browser is not kept. */
export const saveAnswer = async (sql: Sql, merchantId: string, answer: RecordedAnswer): Promise<void> => {
  await sql.rows(
    `UPDATE authentications SET check_code = $3, session = $4, challenge_url = $5, browser = NULL, collected = NULL
     WHERE merchant_id = $1 AND order_code = $2`,
    merchantId,
    answer.orderCode,
    answer.checkCode,
    JSON.stringify(answer.session),
    answer.challengeUrl,
  )
}
