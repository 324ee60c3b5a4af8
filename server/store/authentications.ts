/** 3-D Secure sessions in the database: what the provider, the bridge and the issuer said of an attempt. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { BEFORE_ISSUER_ANSWER } from '#payment/attempt.ts'
import type { BrowserFacts } from '#payment/verdict.ts'
import type { ThreeDSSession } from '#payment/ports.ts'
import { json, text, textOrNull, wordList, type Database, type Row, type Sql } from './database.ts'

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

const answerFromRow = (row: Row): IssuerAnswer | null => {
  const checkCode = textOrNull(row, 'check_code')
  const url = textOrNull(row, 'challenge_url')
  if (checkCode === null) return null
  return url === null
    ? { kind: 'frictionless', checkCode }
    : { kind: 'challenge', checkCode, url, wasShown: row['challenge_shown_at'] !== null }
}

const fromRow = (row: Row): AuthenticationRecord => ({
  merchantId: text(row, 'merchant_id'),
  orderCode: text(row, 'order_code'),
  ticket: text(row, 'ticket'),
  pageOrigin: text(row, 'page_origin'),
  session: json(row, 'session', Session),
  collectUrl: textOrNull(row, 'collect_url'),
  watchUrl: textOrNull(row, 'watch_url'),
  browser: row['browser'] === null ? null : json(row, 'browser', Browser),
  collected: textOrNull(row, 'collected'),
  answer: answerFromRow(row),
})

export type NewAuthentication = Pick<
  AuthenticationRecord,
  'merchantId' | 'orderCode' | 'ticket' | 'pageOrigin' | 'session' | 'collectUrl' | 'watchUrl'
>

export const insertAuthentication = async (sql: Sql, record: NewAuthentication): Promise<void> => {
  await sql.rows(
    `INSERT INTO authentications (merchant_id, order_code, ticket, page_origin, session, collect_url, watch_url)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    record.merchantId,
    record.orderCode,
    record.ticket,
    record.pageOrigin,
    JSON.stringify(record.session),
    record.collectUrl,
    record.watchUrl,
  )
}

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
  return row === undefined ? null : fromRow(row)
}

/** The bridge has no merchant of its own: a ticket of 160 random bits names one attempt among all of them. */
export const findByTicket = async (sql: Sql, ticket: string): Promise<AuthenticationRecord | null> => {
  const [row] = await sql.rows('SELECT * FROM authentications WHERE ticket = $1', ticket)
  return row === undefined ? null : fromRow(row)
}

/**
 * Facts about a browser are kept only until the issuer has been asked, or nobody will ask it any more. An UPDATE that
 * changes nothing locks the attempt: a condition inside the second UPDATE would see what was so before a transition that is being
 * committed, and the facts would be written behind that transition's `forgetBrowser` and never deleted.
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
           (SELECT merchant_id, order_code FROM authentications WHERE ticket = $1) RETURNING order_code`,
      ticket,
    )
    // What a browser said first stands.
    if (wanted.length > 0)
      await sql.rows(`UPDATE authentications SET ${column} = $2 WHERE ticket = $1 AND ${column} IS NULL`, ticket, value)
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

export interface RecordedAnswer {
  readonly checkCode: string
  readonly session: ThreeDSSession
  readonly challengeUrl: string | null
}

export const forgetBrowser = async (sql: Sql, merchantId: string, orderCode: string): Promise<void> => {
  await sql.rows(
    'UPDATE authentications SET browser = NULL, collected = NULL WHERE merchant_id = $1 AND order_code = $2',
    merchantId,
    orderCode,
  )
}

export const saveAnswer = async (
  sql: Sql,
  merchantId: string,
  orderCode: string,
  asked: RecordedAnswer,
): Promise<void> => {
  await sql.rows(
    `UPDATE authentications SET check_code = $3, session = $4, challenge_url = $5
     WHERE merchant_id = $1 AND order_code = $2`,
    merchantId,
    orderCode,
    asked.checkCode,
    JSON.stringify(asked.session),
    asked.challengeUrl,
  )
}
