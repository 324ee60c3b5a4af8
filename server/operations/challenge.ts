/** Challenge: the page's monitor, the result read server to server, and error reports of the page. */
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { decideReport, decideMonitor, type ErrorReport } from '#payment/attempt-authentication.ts'
import { judge } from '#payment/authentication-verdict.ts'
import type { AccountRef } from '#payment/references.ts'
import { recordJudgement } from './authenticate.ts'
import { policyNow } from './card-testing/velocity.ts'
import type { Dependencies } from '../dependencies.ts'
import { findAuthentication } from '../store/checkout/authentications.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import { readAttempt, type AttemptReading } from '../store/checkout/checkout-reads.ts'
import { attemptOf, mustExist, withLockedCheckout } from './locked-checkout.ts'

/** Reads from the 3-D Secure server how a challenge ended, and records it. Nothing else ends a challenge. */
const readResult = async (
  deps: Dependencies,
  merchant: Merchant,
  { attempt, authentication }: AttemptReading,
): Promise<'no challenge' | 'pending' | 'recorded'> => {
  if (attempt.state.name !== 'challenged') return 'no challenge'
  if (authentication === null) throw new Error('a challenge without its 3-D Secure session')
  const result = await deps.threeDSServer.result(authentication.session, attempt)
  if (result.outcome === 'unavailable') deps.log.warn('a challenge result was not answered', { why: result.why })
  if (result.outcome !== 'decided') return 'pending'
  const policy = policyNow(merchant, attempt, deps.clock.now())
  const judgement = judge(result.verdict, { policy, afterChallenge: true })
  await recordJudgement(deps, attempt, judgement, { why: 'challenge result' })
  return 'recorded'
}

const RESULT_TIMEOUT_MS = 5000
const RESULT_POLL_INTERVAL_MS = 500

/**
 * Before a charge: the browser's word that the challenge is over is only a hint, and the result may come a moment later. Returns
 * the attempt as it is after the wait.
 */
export const waitForChallengeResult = async (
  deps: Dependencies,
  merchant: Merchant,
  order: AttemptReading,
): Promise<AttemptReading> => {
  // A closed checkout is not paid, whatever the result of the challenge.
  if (order.checkout.state.status !== 'open') return order
  const readAgain = async (): Promise<AttemptReading> =>
    mustExist(await readAttempt(deps.database, merchant.id, order.attempt.orderCode), 'an attempt that was started')
  const deadline = deps.elapsed() + RESULT_TIMEOUT_MS
  for (let reading = order; ; reading = await readAgain()) {
    const result = await readResult(deps, merchant, reading)
    if (result === 'no challenge') return reading
    if (result === 'recorded' || deps.elapsed() >= deadline) return readAgain()
    await deps.clock.sleep(RESULT_POLL_INTERVAL_MS)
  }
}

export type MonitorReading = { readonly event: 'AuthResultReady' | 'AuthResultNotReady' }

/** Whether a page that shows a challenge must still wait. */
export const monitor = async (
  deps: Dependencies,
  merchant: Merchant,
  orderCode: string,
): Promise<MonitorReading | Refusal> => {
  const now = deps.clock.now()
  const order = await readAttempt(deps.database, merchant.id, orderCode)
  if (order === null) return refuse('order_not_found')
  const monitored = decideMonitor({ ...order, now }, order.attempt)
  if (isRefusal(monitored)) return monitored
  const isPending = monitored.decision === 'read result' && (await readResult(deps, merchant, order)) === 'pending'
  return { event: isPending ? 'AuthResultNotReady' : 'AuthResultReady' }
}

/** Does not wait for the answer: the shopper goes on, and the 3-D Secure server ends the challenge by its own timeout. */
export const abandonChallenge = async (deps: Dependencies, account: AccountRef, orderCode: string): Promise<void> => {
  const record = await findAuthentication(deps.database, account.merchantId, orderCode)
  if (record === null) return
  const wasShown = record.answer?.kind === 'challenge' && record.answer.wasShown
  void deps.threeDSServer.abandon(record.session, wasShown ? 'shown' : 'not shown', account)
}

/** The page could not go on with this attempt: it is abandoned, unless money may be moving or the issuer has refused it. */
export const reportError = async (
  deps: Dependencies,
  merchant: Merchant,
  orderCode: string,
  report: ErrorReport,
): Promise<object | Refusal> => {
  const order = await readAttempt(deps.database, merchant.id, orderCode)
  if (order === null) return refuse('order_not_found')
  if (report === 'challenge error') await readResult(deps, merchant, order)
  const decided = await withLockedCheckout(deps, order.attempt, async ({ locked, save }) => {
    const decision = decideReport(report, mustExist(attemptOf(locked, orderCode), 'an attempt that was started'))
    if (!isRefusal(decision) && decision.decision === 'abandon')
      await save({ attempts: [decision.attempt] }, { actor: 'shopper', why: decision.why })
    return decision
  })
  const decision = mustExist(decided, 'a checkout that was started')
  if (isRefusal(decision)) return decision
  if (decision.decision === 'abandon' && decision.wasChallenged) await abandonChallenge(deps, order.attempt, orderCode)
  return {}
}
