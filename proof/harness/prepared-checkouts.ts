/** Prepared checkouts: each brought to some state by real operations, with the calls to the acquirer that have no answer yet. */
import { isRefusal } from '#contract/errors.ts'
import type { ChargeOutcome, RefundOutcome } from '#payment/ports.ts'
import { newCheckout } from '#payment/new-checkout.ts'
import { NOW } from '#payment/testing/records.ts'
import { authenticate } from '../../server/operations/authenticate.ts'
import { cancel } from '../../server/operations/cancel.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import { pay } from '../../server/operations/pay.ts'
import { refund } from '../../server/operations/refund.ts'
import { start as startPayment } from '../../server/operations/start-payment.ts'
import { chargedOutcome, runUntilUnanswered, type ScriptedAnswers, type TestProcess } from './run-until-unanswered.ts'
import { CARD } from './test-server.ts'
import { TEA_MERCHANT } from './test-merchants.ts'
import { CHALLENGE_URL, decidedOutcome } from './fake-three-ds-servers.ts'
import { CLIENT_NETWORK } from './card-testing-parts.ts'
import { insertCheckout } from './save-records.ts'
import { UNCOUNTED } from './no-limits.ts'

const SECOND_MS = 1000
export const BROWSER_FACTS = { acceptHeader: '*/*', userAgent: 'x', ip: '127.0.0.1', language: 'ja', screen: null }
export const RECEIPT = { email: 'taro@example.com', locale: 'ja_JP' }

const SESSION = { requestorTransId: 'r', serverTransId: 's', authUrl: 'https://x.example/a', challenge: null }
const ENROLLED = { outcome: 'started', session: SESSION, collectUrl: null, watchUrl: null } as const
const CHALLENGE = { outcome: 'challenge', session: SESSION, challengeUrl: CHALLENGE_URL } as const
const UNKNOWN = { outcome: 'unknown', why: 'no answer in time' } as const
const DECLINED = { outcome: 'declined', reason: 'no' } as const

const REFUND_OF_A_PART = { refundId: 'r1', amountYen: 980, taxes: null, mode: 'test' } as const

export interface PreparedCheckout {
  readonly checkoutId: string
  /** Its order codes, the latest last. */
  readonly orderCodes: string[]
  answerCharge?: (outcome: ChargeOutcome) => Promise<unknown>
  answerRefund?: (outcome: RefundOutcome) => Promise<unknown>
}

interface Preparation extends PreparedCheckout {
  runOperation(answers: ScriptedAnswers, operation: (deps: Dependencies) => Promise<unknown>): Promise<unknown>
  startAttempt(answers?: ScriptedAnswers): Promise<void>
  readonly payLatest: (charge: NonNullable<ScriptedAnswers['charge']>) => Promise<unknown>
  readonly requestRefund: (refund: NonNullable<ScriptedAnswers['refund']>) => Promise<unknown>
  advanceTime(ms: number): void
}

/** Sends a call to the acquirer that has no answer until the test gives one. */
const leaveUnanswered = async <T>(
  send: (call: () => Promise<T>) => Promise<unknown>,
): Promise<(outcome: T) => Promise<unknown>> => {
  const { promise: requested, resolve: markRequested } = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<T>()
  const ended = send(() => {
    markRequested()
    return promise
  })
  await requested
  return (outcome) => {
    resolve(outcome)
    return ended
  }
}

type Step = (preparation: Preparation) => Promise<unknown> | void

const leaveChargeUnanswered: Step = async (preparation) => {
  preparation.answerCharge = await leaveUnanswered<ChargeOutcome>(preparation.payLatest)
}
const leaveRefundUnanswered: Step = async (preparation) => {
  preparation.answerRefund = await leaveUnanswered<RefundOutcome>(preparation.requestRefund)
}

const refunded = (amountYen: number): RefundOutcome => ({ outcome: 'refunded', amountYen, refundedAt: 1 })

const start: Step = (preparation) => preparation.startAttempt()
const startEnrolled: Step = (preparation) => preparation.startAttempt({ start: ENROLLED })
const authenticateAs =
  (answer: NonNullable<ScriptedAnswers['authenticate']>): Step =>
  ({ runOperation, orderCodes }) =>
    runOperation({ authenticate: answer }, (deps) =>
      authenticate(deps, TEA_MERCHANT, orderCodes.at(-1) ?? '', BROWSER_FACTS),
    )
const payAs =
  (charge: ChargeOutcome): Step =>
  (preparation) =>
    preparation.payLatest(() => charge)
const refundAs =
  (outcome: RefundOutcome): Step =>
  (preparation) =>
    preparation.requestRefund(() => outcome)
const wait =
  (seconds: number): Step =>
  (preparation) =>
    preparation.advanceTime(seconds * SECOND_MS)
const cancelIt: Step = ({ runOperation, checkoutId }) =>
  runOperation({}, (deps) => cancel(deps, { merchantId: TEA_MERCHANT.id, checkoutId }))

const PAID: readonly Step[] = [start, payAs(chargedOutcome(1980))]
const IN_DOUBT: readonly Step[] = [start, payAs(UNKNOWN)]
const FOUR_DECLINES = Array.from({ length: 4 }, () => [start, payAs(DECLINED)]).flat()

/** The states in which two concurrent operations can find a checkout, and the operations that lead there. */
export const PREPARED_STATES: Readonly<Record<string, readonly Step[]>> = {
  open: [],
  started: [start],
  'started anew': [start, startEnrolled],
  'waiting for the issuer': [startEnrolled],
  authenticated: [startEnrolled, authenticateAs(decidedOutcome('Y'))],
  'started beside a challenge': [startEnrolled, authenticateAs(CHALLENGE), start],
  'four declines and a start': [...FOUR_DECLINES, start],
  'charging after four declines': [...FOUR_DECLINES, start, leaveChargeUnanswered],
  charging: [start, leaveChargeUnanswered],
  'charging past its lease': [start, leaveChargeUnanswered, wait(60)],
  'in doubt': IN_DOUBT,
  'in doubt, and an inquiry is due': [...IN_DOUBT, wait(60)],
  'past its deadline': [start, wait(700)],
  'in doubt past its deadline': [...IN_DOUBT, wait(700)],
  paid: PAID,
  'partly refunded': [...PAID, refundAs(refunded(980))],
  'being refunded': [...PAID, leaveRefundUnanswered],
  'a refund in doubt, and an inquiry is due': [...PAID, refundAs(UNKNOWN), wait(60)],
  cancelled: [cancelIt],
}

/** Brings a new checkout to the named state. The same seed gives the same ids, times and rows. */
export const prepareCheckout = async (process: TestProcess, seed: number, name: string): Promise<PreparedCheckout> => {
  process.now = NOW
  let calls = 0
  const runOperation: Preparation['runOperation'] = (answers, operation) => {
    calls += 1
    return runUntilUnanswered(process, seed * 1000 + calls, answers, operation)
  }
  const orderCodes: string[] = []
  let checkoutId = ''
  await runOperation({}, async ({ database, random, clock }) => {
    const validUntil = new Date(NOW + 600 * SECOND_MS).toISOString()
    const facts = {
      merchantId: TEA_MERCHANT.id,
      id: random.id(),
      mode: 'test',
      linkId: null,
      now: clock.now(),
    } as const
    const checkout = newCheckout(
      { amount: 1980, validUntil },
      { ...facts, settings: TEA_MERCHANT.settings, acquirer: null, unicodeHost: (host) => host },
    )
    if (isRefusal(checkout)) throw new Error('a checkout was not created')
    checkoutId = checkout.id
    await database.transact((sql) => insertCheckout(sql, checkout))
  })
  const preparation: Preparation = {
    checkoutId,
    orderCodes,
    runOperation,
    startAttempt: async (answers = { start: { outcome: 'not_enrolled' } }) => {
      await runOperation(answers, async (deps) => {
        const answer = await startPayment(deps, TEA_MERCHANT, checkoutId, {
          payload: CARD,
          clientNetwork: CLIENT_NETWORK,
          countFirstCard: () => UNCOUNTED,
        })
        if (isRefusal(answer)) throw new Error('an attempt was not started')
        orderCodes.push(answer.orderCode)
      })
    },
    payLatest: (charge) =>
      runOperation({ charge }, (deps) =>
        pay(deps, TEA_MERCHANT, { checkoutId, orderCode: orderCodes.at(-1) ?? '' }, { cvc: '737', receipt: RECEIPT }),
      ),
    requestRefund: (outcome) =>
      runOperation({ refund: outcome }, (deps) =>
        refund(deps, { merchantId: TEA_MERCHANT.id, checkoutId }, REFUND_OF_A_PART),
      ),
    advanceTime: (ms) => {
      process.now += ms
    },
  }
  for (const step of PREPARED_STATES[name] ?? []) await step(preparation)
  return preparation
}
