/** Card testing in the database: questions of an address, of a card and of a merchant, and the merchant's brake. */
import type { MerchantMode } from '#contract/merchant.ts'
import {
  ADDRESS_QUESTIONS_READ,
  ADDRESS_WINDOW_MS,
  ASKED_AHEAD_MAX_MS,
  CARD_WINDOW_MS,
  cardQuestionTime,
  MERCHANT_QUESTIONS_READ,
  MERCHANT_WINDOW_MS,
  QUESTION_OUTCOMES,
  type Question,
  type QuestionOutcome,
} from '#payment/card-testing.ts'
import { changeBatch, type Batch } from './batches.ts'
import { integer, oneOf, text, type Row, type Sql, type Write } from './database.ts'

const isOutcome = (word: string): word is QuestionOutcome => QUESTION_OUTCOMES.some((outcome) => outcome === word)

/** What was asked before a start: the newest questions of its network, and when its card was asked about and not paid with. */
export interface EarlierQuestions {
  readonly ofNetwork: readonly Question[]
  readonly ofCard: readonly number[]
}

const OF_CARD = 'of card'

/** Call it under `lockNames`, else two starts at once both take the last place. Without a fingerprint there is no card. */
export const earlierQuestions = async (
  sql: Sql,
  {
    network,
    mode,
    fingerprint,
  }: { readonly network: string; readonly mode: MerchantMode; readonly fingerprint: string | null },
  now: number,
): Promise<EarlierQuestions> => {
  const rows = await sql.rows(
    `SELECT asked_at, question FROM (
       SELECT started_at AS asked_at, question FROM attempts WHERE client_network = $1 AND mode = $2
         AND started_at > $3 AND started_at <= $4 ORDER BY started_at DESC LIMIT $5) AS of_network
     UNION ALL SELECT asked_at, '${OF_CARD}' FROM card_questions WHERE fingerprint = $6 AND asked_at > $7`,
    network,
    mode,
    now - ADDRESS_WINDOW_MS,
    now + ASKED_AHEAD_MAX_MS,
    ADDRESS_QUESTIONS_READ,
    fingerprint,
    now - CARD_WINDOW_MS,
  )
  const isOfCard = (row: Row): boolean => row['question'] === OF_CARD
  return {
    ofNetwork: rows
      .filter((row) => !isOfCard(row))
      .map((row) => ({ askedAt: integer(row, 'asked_at'), outcome: oneOf(row, 'question', isOutcome) })),
    ofCard: rows.filter(isOfCard).map((row) => integer(row, 'asked_at')),
  }
}

/** How the newest questions at a merchant ended. */
export const countQuestionsOfMerchant = async (
  sql: Sql,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: MerchantMode },
  now: number,
): Promise<{ readonly paid: number; readonly unpaid: number }> => {
  const rows = await sql.rows(
    `SELECT question, count(*) AS total FROM (
       SELECT question FROM attempts WHERE merchant_id = $1 AND mode = $2 AND started_at > $3 AND started_at <= $4
       ORDER BY started_at DESC LIMIT $5
     ) AS newest GROUP BY question`,
    merchantId,
    mode,
    now - MERCHANT_WINDOW_MS,
    now + ASKED_AHEAD_MAX_MS,
    MERCHANT_QUESTIONS_READ,
  )
  const totals = new Map(rows.map((row) => [text(row, 'question'), integer(row, 'total')]))
  return { paid: totals.get('paid') ?? 0, unpaid: totals.get('unpaid') ?? 0 }
}

const BRAKE_COLUMN: Readonly<Record<MerchantMode, string>> = { test: 'test_braked_until', live: 'live_braked_until' }

/** True where this call moved the brake: of two at once, one does. */
export const brakeMerchant = async (
  sql: Sql,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: MerchantMode },
  { from, until }: { readonly from: number; readonly until: number },
): Promise<boolean> => {
  const column = BRAKE_COLUMN[mode]
  const rows = await sql.rows(
    `UPDATE merchants SET ${column} = $3 WHERE id = $1 AND ${column} = $2 RETURNING id`,
    merchantId,
    from,
    until,
  )
  return rows.length > 0
}

export const readBrake = async (
  sql: Sql,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: MerchantMode },
): Promise<number> => {
  const [row = {}] = await sql.rows(`SELECT ${BRAKE_COLUMN[mode]} AS until FROM merchants WHERE id = $1`, merchantId)
  return integer(row, 'until')
}

export const countBrakedMerchants = async (sql: Sql, now: number): Promise<number> => {
  const [row = {}] = await sql.rows(
    'SELECT count(*) AS total FROM merchants WHERE test_braked_until > $1 OR live_braked_until > $1',
    now,
  )
  return integer(row, 'total')
}

export const cardQuestionWrite = (fingerprint: string, id: string, now: number): Write => ({
  text: 'INSERT INTO card_questions (fingerprint, id, asked_at) VALUES ($1, $2, $3)',
  values: [fingerprint, id, cardQuestionTime(now)],
})

/** A payment gives the card all its questions back. */
export const forgetCardWrite = (fingerprint: string): Write => ({
  text: 'DELETE FROM card_questions WHERE fingerprint = $1',
  values: [fingerprint],
})

/** A question that nobody answered is given back. */
export const forgetNewestCardQuestion = async (sql: Sql, fingerprint: string): Promise<void> => {
  await sql.rows(
    `DELETE FROM card_questions WHERE fingerprint = $1 AND id = (
       SELECT id FROM card_questions WHERE fingerprint = $1 ORDER BY asked_at DESC, id LIMIT 1)`,
    fingerprint,
  )
}

const FORGOTTEN_AT_ONCE = 100

const OLD_CARD_QUESTIONS: Batch = {
  table: 'card_questions',
  key: ['fingerprint', 'id'],
  where: 'asked_at <= $1',
  order: 'asked_at',
  change: 'DELETE',
}

/** Cards and networks of more than a day ago. True when there may be more of them. */
export const forgetOldQuestions = async (sql: Sql, now: number): Promise<boolean> => {
  const before = now - CARD_WINDOW_MS
  const areCardsLeft = await changeBatch(sql, OLD_CARD_QUESTIONS, [before])
  const forgotten = await sql.rows(
    `UPDATE attempts SET client_network = NULL WHERE (merchant_id, order_code) IN (
       SELECT merchant_id, order_code FROM attempts
       WHERE client_network IS NOT NULL AND started_at <= $1 ORDER BY started_at LIMIT $2
     ) RETURNING order_code`,
    before,
    FORGOTTEN_AT_ONCE,
  )
  return forgotten.length === FORGOTTEN_AT_ONCE || areCardsLeft
}
