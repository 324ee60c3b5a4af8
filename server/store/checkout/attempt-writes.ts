/** Attempt writes: new attempts, and the next states of those that stand. */
import type { Instant } from '#contract/jst.ts'
import type { Attempt, AttemptState } from '#payment/attempt.ts'
import { velocityOutcome, shopOutcome } from '#payment/card-testing.ts'
import { siteOf } from '#payment/network-limits.ts'
import { asStored } from './attempts.ts'
import type { SqlValue, Write } from '../engine/database.ts'
import { insertRows } from '../engine/write.ts'

const dueAt = (state: AttemptState): number | null => {
  if (state.name === 'charging') return state.leaseUntil
  return state.name === 'unknown' ? state.nextInquiryAt : null
}

const WRITTEN_COLUMNS = [
  'merchant_id',
  'order_code',
  'checkout_id',
  'amount_yen',
  'card_brand',
  'card_last_four',
  'started_at',
  'consent_version',
  'state',
  'details',
  'due_at',
  'mode',
  'question',
  'client_network',
  'authentication',
  'client_site',
  'card_mark',
  'challenge_demanded',
  'shop_outcome',
  'answered_at',
]

/**
 * What the bank said, which later states no longer hold. Not the authentication value: it proves the authentication to the
 * acquirer, and nobody needs it after the charge.
 */
const authenticationText = (state: AttemptState): string | null => {
  if (!('clearance' in state) || state.clearance === null) return null
  const { clearance } = state
  if (clearance.by === 'exemption') return JSON.stringify({ challenged: false, exemption: clearance.reason })
  const { authenticationValue: _left, ...facts } = clearance.authentication
  return JSON.stringify({ ...facts, challenged: clearance.challenged === true })
}

/** What is known of the question at its shop, and since when; both stay as they are where this says nothing. */
const shopColumns = (attempt: Attempt, now: Instant): [outcome: string | null, answeredAt: number | null] => {
  const outcome = shopOutcome(attempt)
  if (outcome === null) return [null, null]
  // Not among those that are read: by questions that count for nothing nobody drives out the ones that do.
  return [outcome, outcome === 'challenged' || outcome === 'uncounted' ? 0 : now]
}

const rowOf = (attempt: Attempt, now: Instant): SqlValue[] => [
  attempt.merchantId,
  attempt.orderCode,
  attempt.checkoutId,
  attempt.amountYen,
  attempt.card.brand,
  attempt.card.lastFour,
  attempt.startedAt,
  attempt.consentVersion,
  attempt.state.name,
  JSON.stringify(asStored(attempt.state)),
  dueAt(attempt.state),
  attempt.mode,
  velocityOutcome(attempt.state),
  attempt.clientNetwork,
  authenticationText(attempt.state),
  attempt.clientNetwork === null ? null : siteOf(attempt.clientNetwork),
  attempt.cardMark,
  Number(attempt.challengeDemanded),
  ...shopColumns(attempt, now),
]

/** The next state of an attempt that stands. An INSERT would look through every unique index and for its checkout first. */
const nextStateWrite = (attempt: Attempt, now: Instant): Write => {
  const { merchantId, orderCode, state } = attempt
  return {
    text: `UPDATE attempts SET state = $3, details = $4, due_at = $5, question = $6,
      authentication = COALESCE($7, authentication), challenge_demanded = $8,
      shop_outcome = COALESCE($9, shop_outcome), answered_at = COALESCE($10, answered_at) WHERE merchant_id = $1 AND order_code = $2`,
    values: [
      merchantId,
      orderCode,
      state.name,
      JSON.stringify(asStored(state)),
      dueAt(state),
      velocityOutcome(state),
      authenticationText(state),
      Number(attempt.challengeDemanded),
      ...shopColumns(attempt, now),
    ],
  }
}

/** Stores attempts as they are now: new ones, and the next states of those that stand, as they were read under the lock. */
export const attemptsWrite = (
  attempts: readonly Attempt[],
  now: Instant,
  standing: readonly Attempt[] = [],
): Write[] => {
  const [first, ...others] = attempts
  if (first !== undefined && others.length === 0 && standing.some(({ orderCode }) => orderCode === first.orderCode))
    return [nextStateWrite(first, now)]
  return insertRows(
    'attempts',
    WRITTEN_COLUMNS,
    attempts.map((attempt) => rowOf(attempt, now)),
    `ON CONFLICT (merchant_id, order_code) DO UPDATE SET
       state = excluded.state, details = excluded.details, due_at = excluded.due_at, question = excluded.question,
       authentication = COALESCE(excluded.authentication, attempts.authentication),
       challenge_demanded = excluded.challenge_demanded,
       shop_outcome = COALESCE(excluded.shop_outcome, attempts.shop_outcome),
       answered_at = COALESCE(excluded.answered_at, attempts.answered_at)`,
  )
}
