/** Challenge: monitor, result read server to server, error reports. */
import { refuse, type Refusal } from '#contract/errors.ts'
import { decideReport, decideMonitor, type ErrorReport } from '#payment/attempt-authentication.ts'
import { judge } from '#payment/verdict.ts'
import { recordJudgement } from './authenticate.ts'
import { policyNow } from './card-testing/velocity.ts'
import type { Dependencies } from '../dependencies.ts'
import { findAuthentication } from '../store/checkout/authentications.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import { readAttempt, type AttemptReading } from '../store/checkout/readings.ts'
import { attemptOf, mustExist, withLockedCheckout } from './locked-checkout.ts'

/** Reads from the 3-D Secure server how a challenge ended, and writes it down. Nothing else ends a challenge. */
const readResult = async (
  deps: Dependencies,
  merchant: Merchant,
  { attempt, authentication }: AttemptReading,
): Promise<'no challenge' | 'pending' | 'recorded'> => {
  if (attempt.state.name !== 'challenged') return 'no challenge'
  if (authentication === null) throw new Error('a challenge without its 3-D Secure session')
  const result = await deps.threeDSServer.result(authentication.session)
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
 * Before a payment: that the browser calls the challenge over is a hint, and the result may come a moment later. Answers the
 * order as it then is.
 */
export const waitForChallengeResult = async (
  deps: Dependencies,
  merchant: Merchant,
  order: AttemptReading,
): Promise<AttemptReading> => {
  // Whatever the card holder says now, a checkout that is closed is not paid any more.
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

/** Whether a page that shows a challenge has anything left to wait for. */
export const monitor = async (
  deps: Dependencies,
  merchant: Merchant,
  orderCode: string,
): Promise<MonitorReading | Refusal> => {
  const now = deps.clock.now()
  const order = await readAttempt(deps.database, merchant.id, orderCode)
  if (order === null) return refuse('order_not_found')
  const monitored = decideMonitor({ ...order, now }, order.attempt)
  if (monitored.decision === 'refuse') return monitored.refusal
  const isPending = monitored.decision === 'read result' && (await readResult(deps, merchant, order)) === 'pending'
  return { event: isPending ? 'AuthResultNotReady' : 'AuthResultReady' }
}

/** Not waited for: the shopper goes on, and the server finds out by itself in the end. */
export const abandonChallenge = async (deps: Dependencies, merchantId: string, orderCode: string): Promise<void> => {
  const record = await findAuthentication(deps.database, merchantId, orderCode)
  if (record === null) return
  const wasShown = record.answer?.kind === 'challenge' && record.answer.wasShown
  void deps.threeDSServer.abandon(record.session, wasShown ? 'shown' : 'not shown')
}

/** The page could not go on with this attempt, which is given up unless money may be moving or the issuer has refused it. */
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
    if (decision.decision === 'abandon')
      await save({ attempts: [decision.attempt] }, { actor: 'shopper', why: decision.why })
    return decision
  })
  const decision = mustExist(decided, 'a checkout that was started')
  if (decision.decision === 'refuse') return decision.refusal
  if (decision.decision === 'abandon' && decision.wasChallenged) await abandonChallenge(deps, merchant.id, orderCode)
  return {}
}
