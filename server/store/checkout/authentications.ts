/** Authentications: the 3-D Secure session of an attempt, the facts of its browser, and the answer of the issuer. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '#contract/jst.ts'
import { BEFORE_ISSUER_ANSWER } from '#payment/attempt.ts'
import type { BrowserFacts } from '#payment/authentication-verdict.ts'
import type { ThreeDSSession } from '#payment/three-ds-port.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Database, Row, Sql, Write } from '../engine/database.ts'
import { integer, json, prefixedColumns, text, textOrNull, wordList } from '../engine/columns.ts'
import { insertRecords } from '../engine/write.ts'
import type { TicketRef } from '../../ids.ts'

/** The answer of the issuer: frictionless, or a challenge for the card holder. */
export type IssuerAnswer =
  | { readonly kind: 'frictionless'; readonly checkCode: string }
  | { readonly kind: 'challenge'; readonly checkCode: string; readonly url: string; readonly wasShown: boolean }

/** The 3-D Secure part of one attempt. */
export interface AuthenticationRecord {
  readonly merchantId: string
  readonly orderCode: string
  /** Names the attempt in the URLs of the 3-D Secure bridge; it begins with the id of the merchant (`ticketOf`). */
  readonly ticket: string
  /** The only origin to which the bridge posts messages about this attempt. */
  readonly pageOrigin: string
  readonly session: ThreeDSSession
  readonly collectUrl: string | null
  readonly watchUrl: string | null
  readonly browser: BrowserFacts | null
  readonly collected: string | null
  /** Null until the issuer has been asked. */
  readonly answer: IssuerAnswer | null
}

export type AuthenticationRef = Pick<AuthenticationRecord, 'merchantId' | 'orderCode'>

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

const READ_COLUMNS = `merchant_id, order_code, ticket, page_origin, session, collect_url, watch_url, browser, collected,
  check_code, challenge_url, challenge_shown_at`

export const authenticationColumns = (prefix: string): string =>
  prefixedColumns(READ_COLUMNS, 'authentications', prefix)

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

/** Stores a new authentication. */
export const newAuthenticationWrite = (
  record: Omit<AuthenticationRecord, 'browser' | 'collected' | 'answer'>,
): Write[] =>
  insertRecords('authentications', [
    {
      merchant_id: record.merchantId,
      order_code: record.orderCode,
      ticket: record.ticket,
      page_origin: record.pageOrigin,
      session: JSON.stringify(record.session),
      collect_url: record.collectUrl,
      watch_url: record.watchUrl,
    },
  ])

export const findAuthentication = async (
  sql: Sql,
  merchantId: string,
  orderCode: string,
): Promise<AuthenticationRecord | null> => {
  const [row] = await sql.rows(
    `SELECT ${READ_COLUMNS} FROM authentications WHERE merchant_id = $1 AND order_code = $2`,
    merchantId,
    orderCode,
  )
  return row === undefined ? null : authenticationFromRow(row)
}

export const findByTicket = async (
  sql: Sql,
  { merchantId, ticket }: TicketRef,
): Promise<AuthenticationRecord | null> => {
  const [row] = await sql.rows(
    `SELECT ${READ_COLUMNS} FROM authentications WHERE merchant_id = $1 AND ticket = $2`,
    merchantId,
    ticket,
  )
  return row === undefined ? null : authenticationFromRow(row)
}

/**
 * Facts about a browser are kept only until the issuer has answered or will not be asked any more. The first UPDATE changes
 * nothing and locks the attempt. A condition in the second UPDATE would not see a transition that commits at the same time:
 * the facts would be stored after its `forgetBrowsers`, and never deleted.
 */
const saveWhileWanted = async (
  database: Pick<Database, 'transact'>,
  { merchantId, orderCode }: AuthenticationRef,
  column: 'browser' | 'collected',
  value: string,
): Promise<void> => {
  await database.transact(async (sql) => {
    const wanted = await sql.rows(
      `UPDATE attempts SET state = state
       WHERE merchant_id = $1 AND order_code = $2 AND state IN (${wordList(BEFORE_ISSUER_ANSWER)}) RETURNING started_at`,
      merchantId,
      orderCode,
    )
    // The first browser report wins.
    for (const attempt of wanted)
      await sql.rows(
        `UPDATE authentications SET ${column} = $3, browser_since = $4
         WHERE merchant_id = $1 AND order_code = $2 AND ${column} IS NULL`,
        merchantId,
        orderCode,
        value,
        integer(attempt, 'started_at'),
      )
  })
}

export const saveBrowserFacts = (
  database: Pick<Database, 'transact'>,
  ref: AuthenticationRef,
  facts: BrowserFacts,
): Promise<void> => saveWhileWanted(database, ref, 'browser', JSON.stringify(facts))

export const saveCollected = (
  database: Pick<Database, 'transact'>,
  ref: AuthenticationRef,
  collected: string,
): Promise<void> => saveWhileWanted(database, ref, 'collected', collected)

export const markChallengeShown = async (
  sql: Sql,
  { merchantId, orderCode }: AuthenticationRef,
  now: number,
): Promise<void> => {
  await sql.rows(
    `UPDATE authentications SET challenge_shown_at = $3
     WHERE merchant_id = $1 AND order_code = $2 AND challenge_shown_at IS NULL`,
    merchantId,
    orderCode,
    now,
  )
}

/** The answer of the issuer to the authentication request of one attempt. */
export interface RecordedAnswer {
  readonly orderCode: string
  readonly checkCode: string
  readonly session: ThreeDSSession
  readonly challengeUrl: string | null
}

/** Deletes the browser facts of attempts whose issuer has answered or will not be asked any more. */
export const forgetBrowsers = async (sql: Sql, merchantId: string, orderCodes: readonly string[]): Promise<void> => {
  if (orderCodes.length === 0) return
  const marks = orderCodes.map((_code, at) => `$${at + 2}`).join(', ')
  await sql.rows(
    `UPDATE authentications SET browser = NULL, collected = NULL WHERE merchant_id = $1 AND order_code IN (${marks})`,
    merchantId,
    ...orderCodes,
  )
}

const OLD_BROWSERS: BatchedChange = {
  table: 'authentications',
  key: ['merchant_id', 'order_code'],
  where: '(browser IS NOT NULL OR collected IS NOT NULL) AND browser_since < $1',
  order: 'browser_since',
  change: 'SET browser = NULL, collected = NULL',
  skipsLocked: true,
}

/**
 * Deletes the browser facts of attempts that were started before this time: an abandoned attempt ends only with its link,
 * or never. True when there may be more.
 */
export const forgetOldBrowsers = (sql: Sql, before: Instant): Promise<boolean> =>
  changeNextBatch(sql, OLD_BROWSERS, [before])

/** Stores the answer and deletes the browser facts. */
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
