import { refuse, type Refusal } from '#contract/errors.ts'
import { SHOPPER_BASE } from '#contract/calls.ts'
import type { AuthenticateAnswer } from '#contract/three-ds.ts'
import { moveAttempt, type Attempt } from '#payment/attempt.ts'
import {
  applyJudgement,
  ASKING_LIMIT_MS,
  decideAsk,
  giveUpUnanswered,
  refuseUnanswered,
  UNANSWERED,
  type AskDecision,
} from '#payment/authenticating.ts'
import { judge, type BrowserFacts, type Judgement } from '#payment/authentication.ts'
import { countedDeclines } from '#payment/checkout.ts'
import type { Card, ThreeDSAnswer } from '#payment/ports.ts'
import { errorFacts } from './log.ts'
import { bridgeOrigin, merchantOrigin } from './origins.ts'
import type { Parts } from './parts.ts'
import type { OrderRef } from './settle.ts'
import { findAttempt } from './store/attempts.ts'
import { findAuthentication, saveAsked, type Asked, type AuthenticationRecord } from './store/authentications.ts'
import { type Sql } from './store/database.ts'
import type { Merchant } from './store/merchants.ts'
import { lockCheckout, saveMoves, type LockedCheckout, type Moves } from './store/moves.ts'

/** Moves one attempt under the lock of its checkout, together with what belongs to the move. */
const moveUnderLock = async (
  parts: Parts,
  order: OrderRef,
  why: string,
  decide: (locked: LockedCheckout, attempt: Attempt, now: number) => Moves,
  saveBeside: (sql: Sql) => Promise<void> = async () => {},
): Promise<Attempt> =>
  await parts.database.transact(async (sql) => {
    const locked = await lockCheckout(sql, order.merchantId, order.checkoutId)
    const attempt = locked?.attempts.find(({ orderCode }) => orderCode === order.orderCode)
    if (locked === null || attempt === undefined) throw new Error('an attempt that was started is not in the store')
    const now = parts.clock.now()
    const moves = decide(locked, attempt, now)
    await saveMoves(sql, locked, moves, { actor: 'shopper', why, now })
    await saveBeside(sql)
    return moves.attempts?.[0] ?? attempt
  })

/** Writes down what the judgement on an authentication means, and forgets the card where it cannot be charged. */
export const recordJudgement = async (
  parts: Parts,
  order: OrderRef,
  judgement: Judgement,
  why: string,
  saveBeside?: (sql: Sql) => Promise<void>,
): Promise<Attempt> => {
  const decide = (locked: LockedCheckout, found: Attempt, now: number): Moves => {
    const judged = applyJudgement(locked, found, judgement, countedDeclines(locked.attempts), now)
    if (judged.checkout.state.status !== 'open')
      for (const { orderCode } of locked.attempts) parts.cardHold.wipe(orderCode)
    return { checkout: judged.checkout, attempts: [judged.attempt] }
  }
  const attempt = await moveUnderLock(parts, order, why, decide, saveBeside)
  if (attempt.state.name === 'refused') {
    parts.log.info('an authentication was refused', { why: attempt.state.reason })
    parts.cardHold.wipe(attempt.orderCode)
  }
  return attempt
}

/** Gives up an attempt that nobody will answer for, and says so; one that had ended meanwhile stays as it ended. */
export const recordUnanswered = async (parts: Parts, order: OrderRef): Promise<Refusal> => {
  const attempt = await moveUnderLock(parts, order, UNANSWERED, (_locked, found) => {
    const givenUp = giveUpUnanswered(found)
    return { attempts: givenUp === null ? [] : [givenUp] }
  })
  parts.cardHold.wipe(order.orderCode)
  return refuseUnanswered(attempt)
}

interface Question {
  readonly decision: 'ask'
  readonly attempt: Attempt
  readonly card: Card
  readonly record: AuthenticationRecord
}

/** First transaction: says who asks the issuer, before it is asked. */
const takeQuestion = async (
  parts: Parts,
  merchantId: string,
  orderCode: string,
): Promise<Question | Exclude<AskDecision, { decision: 'ask' }>> => {
  const known = await findAttempt(parts.database, merchantId, orderCode)
  if (known === null) return { decision: 'refuse', refusal: refuse('order_not_found') }
  // Waited for by reading: a lock for every look would keep other payments from being written down.
  if (known.state.name === 'authenticating' && parts.clock.now() - known.state.since <= ASKING_LIMIT_MS)
    return { decision: 'wait' }
  const record = await findAuthentication(parts.database, merchantId, orderCode)
  return await parts.database.transact(async (sql) => {
    const locked = await lockCheckout(sql, merchantId, known.checkoutId)
    const attempt = locked?.attempts.find((candidate) => candidate.orderCode === orderCode)
    if (locked === null || attempt === undefined) throw new Error('an attempt is gone from the store')
    const now = parts.clock.now()
    const card = parts.cardHold.find(attempt)
    const decision = decideAsk(locked, attempt, { cardHeld: card !== undefined, now })
    if (decision.decision !== 'ask') return decision
    if (card === undefined || record === null) throw new Error('an authentication began without its card or session')
    await saveMoves(sql, locked, { attempts: [decision.attempt] }, { actor: 'shopper', why: 'authenticate', now })
    return { ...decision, card, record }
  })
}

/** Outside any transaction. An adapter that throws has told us nothing, and nothing was charged. */
const ask = async (
  parts: Parts,
  merchant: Merchant,
  { attempt, card, record }: Question,
  browser: BrowserFacts,
): Promise<ThreeDSAnswer> => {
  // Read again: the facts may have come while the question was being taken.
  const latest = (await findAuthentication(parts.database, merchant.id, attempt.orderCode)) ?? record
  if (card.number.isWiped) return { outcome: 'unavailable', why: 'given up meanwhile' }
  try {
    return await parts.threeDSServer.authenticate({
      session: latest.session,
      card,
      amountYen: attempt.amountYen,
      merchantName: merchant.settings.receipt.shopName,
      purchasedAt: attempt.startedAt,
      collected: latest.collected,
      browser: latest.browser ?? browser,
    })
  } catch (error) {
    parts.log.error('the 3-D Secure adapter failed', errorFacts(error))
    return { outcome: 'unavailable', why: 'the adapter failed' }
  }
}

const recordAnswer = async (
  parts: Parts,
  merchant: Merchant,
  { attempt, record }: Question,
  answer: Exclude<ThreeDSAnswer, { outcome: 'unavailable' }>,
): Promise<void> => {
  const { orderCode } = attempt
  const checkCode = parts.random.id()
  const asked: Asked =
    answer.outcome === 'challenge'
      ? { checkCode, session: answer.session, challengeUrl: answer.challengeUrl }
      : { checkCode, session: record.session, challengeUrl: null }
  const saveBeside = (sql: Sql): Promise<void> => saveAsked(sql, merchant.id, orderCode, asked)
  if (answer.outcome === 'decided') {
    await recordJudgement(parts, attempt, judge(answer.verdict, merchant.settings), 'authenticate', saveBeside)
    return
  }
  const toChallenge = (_locked: LockedCheckout, found: Attempt): Moves =>
    found.state.name === 'authenticating'
      ? { attempts: [moveAttempt(found, { name: 'challenged' })] }
      : { attempts: [] }
  await moveUnderLock(parts, attempt, 'challenge', toChallenge, saveBeside)
}

/** Refused or not, an answer without a challenge is told as one: what it means is said by pay. */
const replay = async (parts: Parts, merchant: Merchant, orderCode: string): Promise<AuthenticateAnswer | Refusal> => {
  const record = await findAuthentication(parts.database, merchant.id, orderCode)
  if (record === null || record.checkCode === null) return refuse('order_over')
  const { checkCode, challengeUrl, ticket } = record
  if (challengeUrl === null) return { threeDSType: 'frictionless', checkCode, orderCode }
  return {
    threeDSType: 'challenge',
    checkCode,
    orderCode,
    challengeUrl: `${bridgeOrigin(parts.publicBase)}/challenge/${ticket}`,
    monitoringUrl: `${merchantOrigin(parts.publicBase, merchant.label)}${SHOPPER_BASE}/3ds/${orderCode}/monitor`,
  }
}

const LOOK_AGAIN_MS = 150
const PATIENCE_MS = 30_000

/** Asks the issuer about the card holder, once; a second caller waits for the same answer and is told it. */
export const authenticate = async (
  parts: Parts,
  merchant: Merchant,
  orderCode: string,
  browser: BrowserFacts,
): Promise<AuthenticateAnswer | Refusal> => {
  const deadline = parts.clock.now() + PATIENCE_MS
  for (;;) {
    const taken = await takeQuestion(parts, merchant.id, orderCode)
    switch (taken.decision) {
      case 'refuse':
        return taken.refusal
      case 'replay':
        return replay(parts, merchant, orderCode)
      case 'wait':
        if (parts.clock.now() >= deadline) return refuse('authentication_unfinished')
        await parts.clock.sleep(LOOK_AGAIN_MS)
        break
      case 'ask': {
        const answer = await ask(parts, merchant, taken, browser)
        if (answer.outcome === 'unavailable') {
          parts.log.warn('an authentication was not answered', { why: answer.why })
          return recordUnanswered(parts, taken.attempt)
        }
        // Told by the next turn, as to any later caller: meanwhile another start may have superseded this attempt.
        await recordAnswer(parts, merchant, taken, answer)
        break
      }
    }
  }
}
