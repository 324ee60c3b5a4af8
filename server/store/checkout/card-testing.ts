/** Card testing: earlier attempts of a network and of a card, for the velocity limits, and how they are deleted. */
import type { MerchantMode } from '#contract/access.ts'
import {
  AHEAD_MAX_MS,
  CARD_WINDOW_MS,
  velocityTime,
  VELOCITY_OUTCOMES,
  type VelocityOutcome,
} from '#payment/card-testing.ts'
import {
  NETWORK_ATTEMPTS_READ,
  NETWORK_WINDOW_MS,
  siteOf,
  type NetworkAttempt,
  type NetworkAttempts,
} from '#payment/client-network-limits.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { integer, oneOf, text } from '../engine/columns.ts'

const isOutcome = (word: string): word is VelocityOutcome => VELOCITY_OUTCOMES.some((outcome) => outcome === word)

/** Read before a payment starts: the newest attempts of its network, and the times at which its card was tried without a payment. */
export interface EarlierAttempts extends NetworkAttempts {
  readonly ofCard: readonly number[]
}

/** The same value for the same card at one shop. Test cards have no mark: their checkout stands for them. */
export const CARD = 'COALESCE(card_mark, checkout_id)'

const newestOf = (kind: string, column: string, mark: string): string =>
  `SELECT * FROM (SELECT '${kind}' AS kind, started_at AS asked_at, question, merchant_id, ${CARD} AS card, client_network
     FROM attempts WHERE ${column} = ${mark} AND mode = $2 AND started_at > $3 AND started_at <= $4
     ORDER BY started_at DESC LIMIT $5) AS of_${kind}`

const EARLIER = `${newestOf('network', 'client_network', '$1')}
  UNION ALL ${newestOf('site', 'client_site', '$6')}
  UNION ALL SELECT 'card', asked_at, '', '', '', '' FROM card_questions WHERE fingerprint = $7 AND asked_at > $8`

const attemptFromRow = (row: Row): NetworkAttempt => ({
  startedAt: integer(row, 'asked_at'),
  outcome: oneOf(row, 'question', isOutcome),
  merchantId: text(row, 'merchant_id'),
  card: text(row, 'card'),
  network: text(row, 'client_network'),
})

/** Call it under `lockNames`, or two starts at the same time both pass the limit. A null fingerprint reads no card. */
export const earlierAttempts = async (
  sql: Sql,
  {
    network,
    mode,
    fingerprint,
  }: { readonly network: string; readonly mode: MerchantMode; readonly fingerprint: string | null },
  now: number,
): Promise<EarlierAttempts> => {
  const rows = await sql.rows(
    EARLIER,
    network,
    mode,
    now - NETWORK_WINDOW_MS,
    now + AHEAD_MAX_MS,
    NETWORK_ATTEMPTS_READ,
    siteOf(network),
    fingerprint,
    now - CARD_WINDOW_MS,
  )
  const of = (kind: string): Row[] => rows.filter((row) => row['kind'] === kind)
  return {
    ofNetwork: of('network').map(attemptFromRow),
    ofSite: of('site').map(attemptFromRow),
    ofCard: of('card').map((row) => integer(row, 'asked_at')),
  }
}

export const cardVelocityWrite = (fingerprint: string, id: string, now: number): Write => ({
  text: 'INSERT INTO card_questions (fingerprint, id, asked_at) VALUES ($1, $2, $3)',
  values: [fingerprint, id, velocityTime(now)],
})

/** A payment clears the count of its card. */
export const forgetCardVelocityWrite = (fingerprint: string): Write => ({
  text: 'DELETE FROM card_questions WHERE fingerprint = $1',
  values: [fingerprint],
})

/** An authentication without an answer is not counted. */
export const forgetNewestCardVelocity = async (sql: Sql, fingerprint: string): Promise<void> => {
  await sql.rows(
    `DELETE FROM card_questions WHERE fingerprint = $1 AND id = (
       SELECT id FROM card_questions WHERE fingerprint = $1 ORDER BY asked_at DESC, id LIMIT 1)`,
    fingerprint,
  )
}

const OLD_CARD_QUESTIONS: BatchedChange = {
  table: 'card_questions',
  key: ['fingerprint', 'id'],
  where: 'asked_at <= $1',
  order: 'asked_at',
  change: 'DELETE',
}

const OLD_NETWORKS: BatchedChange = {
  table: 'attempts',
  key: ['merchant_id', 'order_code'],
  where: 'client_network IS NOT NULL AND started_at <= $1',
  order: 'started_at',
  change: 'SET client_network = NULL, client_site = NULL, card_mark = NULL, answered_at = NULL',
}

/** Deletes cards and networks of more than a day ago. True when there may be more. */
export const forgetOldVelocity = async (sql: Sql, now: number): Promise<boolean> => {
  const before = now - CARD_WINDOW_MS
  const areCardsLeft = await changeNextBatch(sql, OLD_CARD_QUESTIONS, [before])
  return (await changeNextBatch(sql, OLD_NETWORKS, [before])) || areCardsLeft
}
