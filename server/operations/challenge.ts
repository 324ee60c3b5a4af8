/** Challenge: monitor, result read server to server, error reports. */
import { refuse, type Refusal } from '#contract/errors.ts'
import { decideReport, decideMonitor, type ErrorReport } from '#payment/attempt-authentication.ts'
import { judge } from '#payment/verdict.ts'
import type { OrderRef } from '#payment/references.ts'
import { recordJudgement } from './authenticate.ts'
import { policyNow } from './card-testing.ts'
import type { Parts } from '../parts.ts'
import { findAttempt } from '../store/attempts.ts'
import { findAuthentication } from '../store/authentications.ts'
import type { Merchant } from '../store/merchants.ts'
import { readCheckoutSnapshot } from '../store/transitions.ts'
import { attemptOf, mustExist, withLockedCheckout } from './locked-checkout.ts'
import { readNow } from './read-checkout.ts'

/** Reads from the 3-D Secure server how a challenge ended, and writes it down. Nothing else ends a challenge. */
const readResult = async (
  parts: Parts,
  merchant: Merchant,
  orderCode: string,
): Promise<'no challenge' | 'pending' | 'recorded'> => {
  const attempt = await findAttempt(parts.database, merchant.id, orderCode)
  if (attempt === null || attempt.state.name !== 'challenged') return 'no challenge'
  const record = await findAuthentication(parts.database, merchant.id, orderCode)
  if (record === null) throw new Error('a challenge without its 3-D Secure session')
  const result = await parts.threeDSServer.result(record.session)
  if (result.outcome === 'unavailable') parts.log.warn('a challenge result was not answered', { why: result.why })
  if (result.outcome !== 'decided') return 'pending'
  const policy = policyNow(merchant, attempt.mode, parts.clock.now())
  const judgement = judge(result.verdict, { policy, afterChallenge: true })
  await recordJudgement(parts, attempt, judgement, { why: 'challenge result' })
  return 'recorded'
}

const RESULT_TIMEOUT_MS = 5000
const RESULT_POLL_INTERVAL_MS = 500

/** Before a payment: that the browser calls the challenge over is a hint, and the result may come a moment later. */
export const waitForChallengeResult = async (
  parts: Parts,
  merchant: Merchant,
  { checkoutId, orderCode }: Omit<OrderRef, 'merchantId'>,
): Promise<void> => {
  // Whatever the card holder says now, a checkout that is closed is not paid any more.
  const snapshot = await readCheckoutSnapshot(parts.database, { merchantId: merchant.id, checkoutId })
  if (snapshot?.checkout.state.status !== 'open') return
  const deadline = parts.elapsed() + RESULT_TIMEOUT_MS
  while ((await readResult(parts, merchant, orderCode)) === 'pending') {
    if (parts.elapsed() >= deadline) return
    await parts.clock.sleep(RESULT_POLL_INTERVAL_MS)
  }
}

export type MonitorReading = { readonly event: 'AuthResultReady' | 'AuthResultNotReady' }

/** Whether a page that shows a challenge has anything left to wait for. */
export const monitor = async (
  parts: Parts,
  merchant: Merchant,
  orderCode: string,
): Promise<MonitorReading | Refusal> => {
  const attempt = await findAttempt(parts.database, merchant.id, orderCode)
  const reading = attempt === null ? null : await readNow(parts, attempt)
  const monitored = decideMonitor(reading, attempt)
  if (monitored.decision === 'refuse') return monitored.refusal
  const isPending = monitored.decision === 'read result' && (await readResult(parts, merchant, orderCode)) === 'pending'
  return { event: isPending ? 'AuthResultNotReady' : 'AuthResultReady' }
}

/** Not waited for: the shopper goes on, and the server finds out by itself in the end. */
export const abandonChallenge = async (parts: Parts, merchantId: string, orderCode: string): Promise<void> => {
  const record = await findAuthentication(parts.database, merchantId, orderCode)
  if (record === null) return
  const wasShown = record.answer?.kind === 'challenge' && record.answer.wasShown
  void parts.threeDSServer.abandon(record.session, wasShown ? 'shown' : 'not shown')
}

/** The page could not go on with this attempt, which is given up unless money may be moving or the issuer has refused it. */
export const reportError = async (
  parts: Parts,
  merchant: Merchant,
  orderCode: string,
  report: ErrorReport,
): Promise<object | Refusal> => {
  if (report === 'challenge error') await readResult(parts, merchant, orderCode)
  const known = await findAttempt(parts.database, merchant.id, orderCode)
  if (known === null) return refuse('order_not_found')
  const decided = await withLockedCheckout(parts, known, async ({ locked, save }) => {
    const decision = decideReport(report, mustExist(attemptOf(locked, orderCode), 'an attempt that was started'))
    if (decision.decision === 'abandon')
      await save({ attempts: [decision.attempt] }, { actor: 'shopper', why: decision.why })
    return decision
  })
  const decision = mustExist(decided, 'a checkout that was started')
  if (decision.decision === 'refuse') return decision.refusal
  if (decision.decision === 'abandon' && decision.wasChallenged) await abandonChallenge(parts, merchant.id, orderCode)
  return {}
}
