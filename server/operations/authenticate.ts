/** Authenticate: asks the issuer once, records the verdict, replays the answer. */
import { refuse, type Refusal } from '#contract/errors.ts'
import { SHOPPER_PATHS, shopperAddress } from '#contract/paths.ts'
import type { AuthenticateAnswer } from '#contract/three-ds.ts'
import { transitionAttempt, type Attempt } from '#payment/attempt.ts'
import {
  applyJudgement,
  decideAuthenticate,
  abandonUnavailable,
  isAuthenticationUnderWay,
  refuseUnavailable,
  AUTHENTICATION_UNAVAILABLE,
  type AuthenticateDecision,
} from '#payment/attempt-authentication.ts'
import { judge, type BrowserFacts, type Judgement } from '#payment/verdict.ts'
import type { Card, ThreeDSAnswer } from '#payment/ports.ts'
import type { OrderRef } from '#payment/references.ts'
import { bridgeOrigin, merchantOrigin } from '../origins.ts'
import { policyNow, returnUnansweredQuestion } from './card-testing.ts'
import type { Parts } from '../parts.ts'
import { OUTCOME_POLL_INTERVAL_MS, WAIT_FOR_OUTCOME_TIMEOUT_MS } from './timeouts.ts'
import { findAttempt } from '../store/attempts.ts'
import {
  findAuthentication,
  saveAnswer,
  type RecordedAnswer,
  type AuthenticationRecord,
} from '../store/authentications.ts'
import type { Sql } from '../store/database.ts'
import type { Merchant } from '../store/merchants.ts'
import type { LockedCheckout, Transitions } from '../store/transitions.ts'
import { attemptOf, mustExist, withLockedCheckout } from './locked-checkout.ts'

interface AttemptTransition {
  readonly why: string
  decide(locked: LockedCheckout, attempt: Attempt, now: number): Transitions
  /** What belongs to the transition and is stored with it. */
  saveAlso?(sql: Sql): Promise<void>
}

/** Stores the next state of one attempt, and answers the attempt as it then is. */
const saveAttemptTransition = async (
  parts: Parts,
  order: OrderRef,
  { why, decide, saveAlso = async () => {} }: AttemptTransition,
): Promise<Attempt> => {
  const saved = await withLockedCheckout(parts, order, async ({ locked, sql, now, save }) => {
    const attempt = mustExist(attemptOf(locked, order.orderCode), 'an attempt that was started')
    const transitions = decide(locked, attempt, now)
    await save(transitions, { actor: 'shopper', why })
    await saveAlso(sql)
    return transitions.attempts?.[0] ?? attempt
  })
  return mustExist(saved, 'a checkout that was started')
}

/** Records what the judgement on an authentication means for attempt and checkout. */
export const recordJudgement = async (
  parts: Parts,
  order: OrderRef,
  judgement: Judgement,
  { why, saveAlso }: Omit<AttemptTransition, 'decide'>,
): Promise<Attempt> => {
  const attempt = await saveAttemptTransition(parts, order, {
    why,
    decide: (locked, found, now) => {
      const judged = applyJudgement(locked, found, judgement, now)
      return { checkout: judged.checkout, attempts: [judged.attempt] }
    },
    ...(saveAlso === undefined ? {} : { saveAlso }),
  })
  if (attempt.state.name === 'refused') parts.log.info('an authentication was refused', { why: attempt.state.reason })
  return attempt
}

/** Abandons an attempt whose 3-D Secure server is unavailable, and refuses; one that ended meanwhile stays as it ended. */
export const recordUnavailable = async (parts: Parts, order: Attempt, { number }: Card): Promise<Refusal> => {
  await returnUnansweredQuestion(parts, order.mode, number)
  const decide: AttemptTransition['decide'] = (_locked, found) => {
    const abandoned = abandonUnavailable(found)
    return { attempts: abandoned === null ? [] : [abandoned] }
  }
  return refuseUnavailable(await saveAttemptTransition(parts, order, { why: AUTHENTICATION_UNAVAILABLE, decide }))
}

interface AuthenticationClaim {
  readonly decision: 'ask'
  readonly attempt: Attempt
  readonly card: Card
  readonly record: AuthenticationRecord
}

/** First transaction: says who asks the issuer, before it is asked. */
const claimAuthentication = async (
  parts: Parts,
  merchantId: string,
  orderCode: string,
): Promise<AuthenticationClaim | Exclude<AuthenticateDecision, { decision: 'ask' }>> => {
  const known = await findAttempt(parts.database, merchantId, orderCode)
  if (known === null) return { decision: 'refuse', refusal: refuse('order_not_found') }
  // Polled without the lock: a lock for every poll would keep other payments from being written down.
  if (isAuthenticationUnderWay(known.state, parts.clock.now())) return { decision: 'wait' }
  const record = await findAuthentication(parts.database, merchantId, orderCode)
  const claim = await withLockedCheckout(parts, known, async ({ locked, now, save }) => {
    const attempt = mustExist(attemptOf(locked, orderCode), 'an attempt that was started')
    const card = parts.cardHold.find(attempt)
    const decision = decideAuthenticate(locked, attempt, { cardHeld: card !== undefined, now })
    if (decision.decision !== 'ask') return decision
    if (card === undefined || record === null) throw new Error('an authentication began without its card or session')
    await save({ attempts: [decision.attempt] }, { actor: 'shopper', why: 'authenticate' })
    return { ...decision, card, record }
  })
  return mustExist(claim, 'a checkout that was started')
}

/** Outside any transaction: issuers take their time. */
const callThreeDSServer = async (
  parts: Parts,
  merchant: Merchant,
  { attempt, card, record }: AuthenticationClaim,
  browser: BrowserFacts,
): Promise<ThreeDSAnswer> => {
  // Read again: the browser facts may have come meanwhile.
  const latest = (await findAuthentication(parts.database, merchant.id, attempt.orderCode)) ?? record
  if (card.number.isWiped) return { outcome: 'unavailable', why: 'given up meanwhile' }
  return parts.threeDSServer.authenticate({
    session: latest.session,
    card,
    amountYen: attempt.amountYen,
    merchantName: merchant.settings.receipt.shopName,
    purchasedAt: attempt.startedAt,
    isChallengeMandatory: policyNow(merchant, attempt.mode, parts.clock.now()).requireChallenge,
    collected: latest.collected,
    browser: latest.browser ?? browser,
  })
}

const recordAnswer = async (
  parts: Parts,
  merchant: Merchant,
  { attempt, record }: AuthenticationClaim,
  answer: Exclude<ThreeDSAnswer, { outcome: 'unavailable' }>,
): Promise<void> => {
  const { orderCode } = attempt
  const checkCode = parts.random.id()
  const recorded: RecordedAnswer =
    answer.outcome === 'challenge'
      ? { checkCode, session: answer.session, challengeUrl: answer.challengeUrl }
      : { checkCode, session: record.session, challengeUrl: null }
  const saveAlso = (sql: Sql): Promise<void> => saveAnswer(sql, merchant.id, orderCode, recorded)
  if (answer.outcome === 'decided') {
    const policy = policyNow(merchant, attempt.mode, parts.clock.now())
    const judgement = judge(answer.verdict, { policy, afterChallenge: false })
    await recordJudgement(parts, attempt, judgement, { why: 'authenticate', saveAlso })
    return
  }
  const decide: AttemptTransition['decide'] = (_locked, found) =>
    found.state.name === 'authenticating'
      ? { attempts: [transitionAttempt(found, { name: 'challenged' })] }
      : { attempts: [] }
  await saveAttemptTransition(parts, attempt, { why: 'challenge', decide, saveAlso })
}

/** Refused or not, an answer without a challenge is frictionless: pay says what it means. */
const replayAnswer = async (
  parts: Parts,
  merchant: Merchant,
  orderCode: string,
): Promise<AuthenticateAnswer | Refusal> => {
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
    monitoringUrl: `${merchantOrigin(parts.publicBase, merchant.label)}${shopperAddress(SHOPPER_PATHS.monitorChallenge, { orderCode })}`,
  }
}

/** Asks the issuer about the card holder, once; a second caller waits for the same answer. */
export const authenticate = async (
  parts: Parts,
  merchant: Merchant,
  orderCode: string,
  browser: BrowserFacts,
): Promise<AuthenticateAnswer | Refusal> => {
  const deadline = parts.elapsed() + WAIT_FOR_OUTCOME_TIMEOUT_MS
  for (;;) {
    const taken = await claimAuthentication(parts, merchant.id, orderCode)
    switch (taken.decision) {
      case 'refuse':
        return taken.refusal
      case 'replay':
        return replayAnswer(parts, merchant, orderCode)
      case 'wait':
        if (parts.elapsed() >= deadline) return refuse('authentication_unfinished')
        await parts.clock.sleep(OUTCOME_POLL_INTERVAL_MS)
        break
      case 'ask': {
        const answer = await callThreeDSServer(parts, merchant, taken, browser)
        if (answer.outcome === 'unavailable') {
          parts.log.warn('an authentication was not answered', { why: answer.why })
          return recordUnavailable(parts, taken.attempt, taken.card)
        }
        // Answered by the next round, as to any later caller: meanwhile another start may have superseded this attempt.
        await recordAnswer(parts, merchant, taken, answer)
        break
      }
    }
  }
}
