/** Authenticate: asks the issuer once, records its verdict, and gives every later caller the same answer. */
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { SHOPPER_PATHS, shopperAddress } from '#contract/paths.ts'
import type { AuthenticateAnswer } from '#contract/three-ds.ts'
import { transitionAttempt, type Attempt } from '#payment/attempt.ts'
import {
  applyJudgement,
  decideAuthenticate,
  decideByState,
  abandonUnavailable,
  refuseUnavailable,
  AUTHENTICATION_UNAVAILABLE,
  type AuthenticateDecision,
} from '#payment/attempt-authentication.ts'
import { judge, type BrowserFacts, type Judgement } from '#payment/authentication-verdict.ts'
import type { Card } from '#payment/ports.ts'
import type { ThreeDSAnswer } from '#payment/three-ds-port.ts'
import type { OrderRef } from '#payment/references.ts'
import { bridgeOrigin, merchantOrigin } from '../origins.ts'
import { findHeldCard } from './find-held-card.ts'
import { countAskedCard, policyNow, uncountUnansweredAttempt } from './card-testing/velocity.ts'
import type { Dependencies } from '../dependencies.ts'
import { OUTCOME_POLL_INTERVAL_MS, WAIT_FOR_OUTCOME_TIMEOUT_MS } from './timeouts.ts'
import {
  findAuthentication,
  type AuthenticationRecord,
  type IssuerAnswer,
  type RecordedAnswer,
} from '../store/checkout/authentications.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import { readAttempt, type AttemptReading } from '../store/checkout/checkout-reads.ts'
import type { LockedCheckout, Transitions } from '../store/checkout/transitions.ts'
import { attemptOf, mustExist, withLockedCheckout } from './locked-checkout.ts'

interface AttemptTransition {
  readonly why: string
  decide(locked: LockedCheckout, attempt: Attempt, now: number): Transitions
}

/** Stores the next state of one attempt, and returns the attempt as stored. */
const saveAttemptTransition = async (
  deps: Dependencies,
  order: OrderRef,
  { why, decide }: AttemptTransition,
): Promise<Attempt> => {
  const saved = await withLockedCheckout(deps, order, async ({ locked, now, save }) => {
    const attempt = mustExist(attemptOf(locked, order.orderCode), 'an attempt that was started')
    const transitions = decide(locked, attempt, now)
    await save(transitions, { actor: 'shopper', why })
    return transitions.attempts?.[0] ?? attempt
  })
  return mustExist(saved, 'a checkout that was started')
}

/** Records the judgement on an authentication for attempt and checkout, with the answer that was judged. */
export const recordJudgement = async (
  deps: Dependencies,
  order: OrderRef,
  judgement: Judgement,
  { why, answer }: { readonly why: string; readonly answer?: RecordedAnswer },
): Promise<Attempt> => {
  const attempt = await saveAttemptTransition(deps, order, {
    why,
    decide: (locked, found, now) => {
      const judged = applyJudgement(locked, found, judgement, now)
      const moved = { checkout: judged.checkout, attempts: [judged.attempt] }
      return answer === undefined ? moved : { ...moved, answer }
    },
  })
  if (attempt.state.name === 'refused') deps.log.info('an authentication was refused', { why: attempt.state.reason })
  return attempt
}

/** Abandons an attempt because the 3-D Secure server is unavailable, and refuses. An attempt that has ended stays as it is. */
export const recordUnavailable = async (deps: Dependencies, order: Attempt, { number }: Card): Promise<Refusal> => {
  await uncountUnansweredAttempt(deps, order.mode, number)
  const decide: AttemptTransition['decide'] = (_locked, found) => {
    const abandoned = abandonUnavailable(found)
    return { attempts: abandoned === null ? [] : [abandoned] }
  }
  return refuseUnavailable(await saveAttemptTransition(deps, order, { why: AUTHENTICATION_UNAVAILABLE, decide }))
}

interface AuthenticationClaim {
  readonly decision: 'ask'
  readonly attempt: Attempt
  readonly card: Card
  readonly record: AuthenticationRecord
}

/** First transaction: stores who asks the issuer before it is asked. */
const claimAuthentication = async (
  deps: Dependencies,
  merchant: Merchant,
  { attempt: known, authentication: record }: AttemptReading,
): Promise<AuthenticationClaim | Exclude<AuthenticateDecision, { decision: 'ask' }>> => {
  const card = await findHeldCard(deps, known)
  if (card !== null && isRefusal(card)) return card
  const claim = await withLockedCheckout(deps, known, async ({ locked, sql, now, save }) => {
    const attempt = mustExist(attemptOf(locked, known.orderCode), 'an attempt that was started')
    const decision = decideAuthenticate(locked, attempt, { cardHeld: card !== null, now })
    if (isRefusal(decision) || decision.decision !== 'ask') return decision
    if (card === null || record === null) throw new Error('an authentication began without its card or session')
    const isChallengeDemanded =
      policyNow(merchant, attempt, now).requireChallenge || !(await countAskedCard(deps, sql, attempt, now))
    const asking = { ...decision.attempt, challengeDemanded: isChallengeDemanded }
    await save({ attempts: [asking] }, { actor: 'shopper', why: 'authenticate' })
    return { ...decision, attempt: asking, card, record }
  })
  return mustExist(claim, 'a checkout that was started')
}

/** The first browser report wins: once it is complete, it need not be read again. */
const isBrowserKnown = ({ browser, collected }: AuthenticationRecord): boolean => browser !== null && collected !== null

/** Outside any transaction: issuers may be slow. */
const callThreeDSServer = async (
  deps: Dependencies,
  merchant: Merchant,
  { attempt, card, record }: AuthenticationClaim,
  browser: BrowserFacts,
): Promise<ThreeDSAnswer> => {
  // Read again: the browser facts may have arrived meanwhile.
  const latest = isBrowserKnown(record)
    ? record
    : ((await findAuthentication(deps.database, merchant.id, attempt.orderCode)) ?? record)
  if (card.number.isWiped) return { outcome: 'unavailable', why: 'given up meanwhile' }
  return deps.threeDSServer.authenticate({
    merchantId: attempt.merchantId,
    mode: attempt.mode,
    session: latest.session,
    card,
    amountYen: attempt.amountYen,
    merchantName: merchant.settings.receipt.shopName,
    purchasedAt: attempt.startedAt,
    isChallengeMandatory: policyNow(merchant, attempt, deps.clock.now()).requireChallenge,
    collected: latest.collected,
    browser: latest.browser ?? browser,
  })
}

/** Second transaction: returns the attempt as stored. Another start may have superseded it meanwhile. */
const recordAnswer = (
  deps: Dependencies,
  merchant: Merchant,
  attempt: Attempt,
  given: Exclude<ThreeDSAnswer, { outcome: 'unavailable' }>,
  answer: RecordedAnswer,
): Promise<Attempt> => {
  if (given.outcome === 'decided') {
    const policy = policyNow(merchant, attempt, deps.clock.now())
    const judgement = judge(given.verdict, { policy, afterChallenge: false })
    return recordJudgement(deps, attempt, judgement, { why: 'authenticate', answer })
  }
  const decide: AttemptTransition['decide'] = (_locked, found) => {
    const isWaiting = found.state.name === 'authenticating'
    return { attempts: isWaiting ? [transitionAttempt(found, { name: 'challenged' })] : [], answer }
  }
  return saveAttemptTransition(deps, attempt, { why: 'challenge', decide })
}

/** An answer without a challenge is frictionless, also a refusal: the pay call tells the shopper. */
const presentAnswer = (
  deps: Dependencies,
  merchant: Merchant,
  { orderCode, ticket }: AuthenticationRecord,
  { kind, checkCode }: Pick<IssuerAnswer, 'kind' | 'checkCode'>,
): AuthenticateAnswer => {
  if (kind === 'frictionless') return { threeDSType: 'frictionless', checkCode, orderCode }
  return {
    threeDSType: 'challenge',
    checkCode,
    orderCode,
    challengeUrl: `${bridgeOrigin(deps.publicBase)}/challenge/${ticket}`,
    monitoringUrl: `${merchantOrigin(deps.publicBase, merchant.label)}${shopperAddress(SHOPPER_PATHS.monitorChallenge, { orderCode })}`,
  }
}

/** Null: the attempt had ended when the answer came. The caller then gets the answer of any later caller. */
const askIssuer = async (
  deps: Dependencies,
  merchant: Merchant,
  claim: AuthenticationClaim,
  browser: BrowserFacts,
): Promise<AuthenticateAnswer | Refusal | null> => {
  const { attempt, card, record } = claim
  const given = await callThreeDSServer(deps, merchant, claim, browser)
  if (given.outcome === 'unavailable') {
    deps.log.warn('an authentication was not answered', { why: given.why })
    return recordUnavailable(deps, attempt, card)
  }
  const checkCode = deps.random.id()
  const kind = given.outcome === 'challenge' ? 'challenge' : 'frictionless'
  const { session, challengeUrl } =
    given.outcome === 'challenge' ? given : { session: record.session, challengeUrl: null }
  const answer = { orderCode: attempt.orderCode, checkCode, session, challengeUrl }
  const { state } = await recordAnswer(deps, merchant, attempt, given, answer)
  const decided = decideByState(state, deps.clock.now())
  const isReplayed = decided !== undefined && !isRefusal(decided) && decided.decision === 'replay'
  return isReplayed ? presentAnswer(deps, merchant, record, { kind, checkCode }) : null
}

/** Asks the issuer about the card holder once. A second caller waits for the same answer. */
export const authenticate = async (
  deps: Dependencies,
  merchant: Merchant,
  orderCode: string,
  browser: BrowserFacts,
): Promise<AuthenticateAnswer | Refusal> => {
  const deadline = deps.elapsed() + WAIT_FOR_OUTCOME_TIMEOUT_MS
  for (;;) {
    const order = await readAttempt(deps.database, merchant.id, orderCode)
    if (order === null) return refuse('order_not_found')
    // Decided without the lock where possible: a lock for every poll would delay the writes of other payments.
    const decided = decideByState(order.attempt.state, deps.clock.now())
    const taken = decided ?? (await claimAuthentication(deps, merchant, order))
    if (isRefusal(taken)) return taken
    switch (taken.decision) {
      case 'replay': {
        // The issuer has answered since the reading: the next round reads the answer.
        if (decided === undefined) break
        const { authentication } = order
        if (authentication === null || authentication.answer === null) return refuse('order_over')
        return presentAnswer(deps, merchant, authentication, authentication.answer)
      }
      case 'wait':
        if (deps.elapsed() >= deadline) return refuse('authentication_unfinished')
        await deps.clock.sleep(OUTCOME_POLL_INTERVAL_MS)
        break
      case 'ask': {
        const answer = await askIssuer(deps, merchant, taken, browser)
        if (answer !== null) return answer
        break
      }
    }
  }
}
