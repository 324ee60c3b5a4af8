import { refuse, type Refusal } from '#contract/errors.ts'
import { SHOPPER_BASE } from '#contract/calls.ts'
import type { AuthenticateAnswer } from '#contract/three-ds.ts'
import { moveAttempt, type Attempt } from '#payment/attempt.ts'
import {
  applyJudgement,
  decideAsk,
  giveUpUnanswered,
  isBeingAsked,
  refuseUnanswered,
  UNANSWERED,
  type AskDecision,
} from '#payment/attempt-authentication.ts'
import { judge, type BrowserFacts, type Judgement } from '#payment/verdict.ts'
import type { Card, ThreeDSAnswer } from '#payment/ports.ts'
import type { OrderRef } from '#payment/refs.ts'
import { bridgeOrigin, merchantOrigin } from '../origins.ts'
import type { Parts } from '../parts.ts'
import { LOOK_AGAIN_MS, PATIENCE_MS } from './timeouts.ts'
import { findAttempt } from '../store/attempts.ts'
import { findAuthentication, saveAsked, type Asked, type AuthenticationRecord } from '../store/authentications.ts'
import type { Sql } from '../store/database.ts'
import type { Merchant } from '../store/merchants.ts'
import type { LockedCheckout, Moves } from '../store/transitions.ts'
import { attemptOf, standing, underLock } from './locked-checkout.ts'

interface Step {
  readonly why: string
  decide(locked: LockedCheckout, attempt: Attempt, now: number): Moves
  /** What belongs to the move and is stored with it. */
  saveBeside?(sql: Sql): Promise<void>
}

/** Takes an attempt one step on, and answers it as it then is. */
const takeStep = async (
  parts: Parts,
  order: OrderRef,
  { why, decide, saveBeside = async () => {} }: Step,
): Promise<Attempt> => {
  const stepped = await underLock(parts, order, async ({ locked, sql, now, save }) => {
    const attempt = standing(attemptOf(locked, order.orderCode), 'an attempt that was started')
    const moves = decide(locked, attempt, now)
    await save(moves, { actor: 'shopper', why })
    await saveBeside(sql)
    return moves.attempts?.[0] ?? attempt
  })
  return standing(stepped, 'a checkout that was started')
}

/** Writes down what the judgement on an authentication means. */
export const recordJudgement = async (
  parts: Parts,
  order: OrderRef,
  judgement: Judgement,
  { why, saveBeside }: Omit<Step, 'decide'>,
): Promise<Attempt> => {
  const attempt = await takeStep(parts, order, {
    why,
    decide: (locked, found, now) => {
      const judged = applyJudgement(locked, found, judgement, now)
      return { checkout: judged.checkout, attempts: [judged.attempt] }
    },
    ...(saveBeside === undefined ? {} : { saveBeside }),
  })
  if (attempt.state.name === 'refused') parts.log.info('an authentication was refused', { why: attempt.state.reason })
  return attempt
}

/** Gives up an attempt that nobody will answer for, and says so; one that had ended meanwhile stays as it ended. */
export const recordUnanswered = async (parts: Parts, order: OrderRef): Promise<Refusal> => {
  const decide: Step['decide'] = (_locked, found) => {
    const givenUp = giveUpUnanswered(found)
    return { attempts: givenUp === null ? [] : [givenUp] }
  }
  return refuseUnanswered(await takeStep(parts, order, { why: UNANSWERED, decide }))
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
  if (isBeingAsked(known.state, parts.clock.now())) return { decision: 'wait' }
  const record = await findAuthentication(parts.database, merchantId, orderCode)
  const taken = await underLock(parts, known, async ({ locked, now, save }) => {
    const attempt = standing(attemptOf(locked, orderCode), 'an attempt that was started')
    const card = parts.cardHold.find(attempt)
    const decision = decideAsk(locked, attempt, { cardHeld: card !== undefined, now })
    if (decision.decision !== 'ask') return decision
    if (card === undefined || record === null) throw new Error('an authentication began without its card or session')
    await save({ attempts: [decision.attempt] }, { actor: 'shopper', why: 'authenticate' })
    return { ...decision, card, record }
  })
  return standing(taken, 'a checkout that was started')
}

/** Outside any transaction: issuers take their time. */
const ask = async (
  parts: Parts,
  merchant: Merchant,
  { attempt, card, record }: Question,
  browser: BrowserFacts,
): Promise<ThreeDSAnswer> => {
  // Read again: the facts may have come while the question was being taken.
  const latest = (await findAuthentication(parts.database, merchant.id, attempt.orderCode)) ?? record
  if (card.number.isWiped) return { outcome: 'unavailable', why: 'given up meanwhile' }
  return parts.threeDSServer.authenticate({
    session: latest.session,
    card,
    amountYen: attempt.amountYen,
    merchantName: merchant.settings.receipt.shopName,
    purchasedAt: attempt.startedAt,
    collected: latest.collected,
    browser: latest.browser ?? browser,
  })
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
    const judgement = judge(answer.verdict, merchant.settings)
    await recordJudgement(parts, attempt, judgement, { why: 'authenticate', saveBeside })
    return
  }
  const decide: Step['decide'] = (_locked, found) =>
    found.state.name === 'authenticating'
      ? { attempts: [moveAttempt(found, { name: 'challenged' })] }
      : { attempts: [] }
  await takeStep(parts, attempt, { why: 'challenge', decide, saveBeside })
}

/** Refused or not, an answer without a challenge is told as one: what it means is said by pay. */
const replay = async (parts: Parts, merchant: Merchant, orderCode: string): Promise<AuthenticateAnswer | Refusal> => {
  const record = await findAuthentication(parts.database, merchant.id, orderCode)
  if (record === null || record.answer === null) return refuse('order_over')
  const { answer, ticket } = record
  const { checkCode } = answer
  if (answer.kind === 'frictionless') return { threeDSType: 'frictionless', checkCode, orderCode }
  return {
    threeDSType: 'challenge',
    checkCode,
    orderCode,
    challengeUrl: `${bridgeOrigin(parts.publicBase)}/challenge/${ticket}`,
    monitoringUrl: `${merchantOrigin(parts.publicBase, merchant.label)}${SHOPPER_BASE}/3ds/${orderCode}/monitor`,
  }
}

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
