import { isRefusal } from '#contract/errors.ts'
import type { ChargeOutcome, RefundOutcome } from '#payment/ports.ts'
import { newCheckout } from '#payment/new-checkout.ts'
import { NOW } from '#payment/testing/records.ts'
import { authenticate } from '../../server/operations/authenticate.ts'
import { cancel } from '../../server/operations/cancel.ts'
import type { Dependencies } from '../../server/dependencies.ts'
import { pay } from '../../server/operations/pay.ts'
import { refund } from '../../server/operations/refund.ts'
import { start } from '../../server/operations/start.ts'
import { chargedOutcome, runUntilUnanswered, type ScriptedAnswers, type TestProcess } from './run-until-unanswered.ts'
import { CARD, TEA_MERCHANT } from './test-server.ts'
import { CHALLENGE_URL, decidedOutcome } from './fake-three-ds-servers.ts'
import { CLIENT_NETWORK } from './card-testing-parts.ts'
import { insertCheckout } from './save-records.ts'

const SECOND_MS = 1000
export const BROWSER_FACTS = { acceptHeader: '*/*', userAgent: 'x', ip: '127.0.0.1', language: 'ja', screen: null }
export const RECEIPT = { email: 'taro@example.com', locale: 'ja_JP' }

const SESSION = { requestorTransId: 'r', serverTransId: 's', authUrl: 'https://x.example/a', challenge: null }
const ENROLLED = { outcome: 'started', session: SESSION, collectUrl: null, watchUrl: null } as const
const CHALLENGE = { outcome: 'challenge', session: SESSION, challengeUrl: CHALLENGE_URL } as const
const UNKNOWN = { outcome: 'unknown', why: 'no answer in time' } as const
const DECLINED = { outcome: 'declined', reason: 'no' } as const

/** Prepared checkout: brought to some state by real operations, with the calls to the acquirer that have no answer yet. */
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
  payLatest(charge: ChargeOutcome): Promise<unknown>
  requestRefund(refunded: RefundOutcome, amountYen: number | null): Promise<unknown>
  advanceTime(ms: number): void
}

const payLatestOrder = (deps: Dependencies, { checkoutId, orderCodes }: PreparedCheckout): Promise<unknown> =>
  pay(deps, TEA_MERCHANT, { checkoutId, orderCode: orderCodes.at(-1) ?? '' }, { cvc: '737', receipt: RECEIPT })

/** A call to the acquirer that is answered when the test says so. */
const unansweredCall = <T>(): { readonly requested: Promise<void>; answer(outcome: T): void; call(): Promise<T> } => {
  const { promise: requested, resolve: markRequested } = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<T>()
  const call = (): Promise<T> => {
    markRequested()
    return promise
  }
  return { requested, answer: resolve, call }
}

const leaveChargeUnanswered = async (preparation: Preparation): Promise<void> => {
  const { requested, answer, call } = unansweredCall<ChargeOutcome>()
  const paying = preparation.runOperation({ charge: call }, (deps) => payLatestOrder(deps, preparation))
  preparation.answerCharge = (outcome) => {
    answer(outcome)
    return paying
  }
  await requested
}

const leaveRefundUnanswered = async (preparation: Preparation): Promise<void> => {
  const { requested, answer, call } = unansweredCall<RefundOutcome>()
  const request = { refundId: 'r1', amountYen: 980, taxes: null, mode: 'test' } as const
  const refunding = preparation.runOperation({ refund: call }, (deps) =>
    refund(deps, { merchantId: TEA_MERCHANT.id, checkoutId: preparation.checkoutId }, request),
  )
  preparation.answerRefund = (outcome) => {
    answer(outcome)
    return refunding
  }
  await requested
}

const paid = async (preparation: Preparation): Promise<void> => {
  await preparation.startAttempt()
  await preparation.payLatest(chargedOutcome(1980))
}
const refunded = (amountYen: number): RefundOutcome => ({ outcome: 'refunded', amountYen, refundedAt: 1 })

/** The states in which two concurrent operations can find a checkout. */
export const PREPARED_STATES: Readonly<Record<string, (preparation: Preparation) => Promise<void> | void>> = {
  open: () => undefined,
  started: (preparation) => preparation.startAttempt(),
  'started anew': async (preparation) => {
    await preparation.startAttempt()
    await preparation.startAttempt({ start: ENROLLED })
  },
  'waiting for the issuer': (preparation) => preparation.startAttempt({ start: ENROLLED }),
  authenticated: async (preparation) => {
    await preparation.startAttempt({ start: ENROLLED })
    await preparation.runOperation({ authenticate: decidedOutcome('Y') }, (deps) =>
      authenticate(deps, TEA_MERCHANT, preparation.orderCodes.at(-1) ?? '', BROWSER_FACTS),
    )
  },
  'started beside a challenge': async (preparation) => {
    await preparation.startAttempt({ start: ENROLLED })
    await preparation.runOperation({ authenticate: CHALLENGE }, (deps) =>
      authenticate(deps, TEA_MERCHANT, preparation.orderCodes.at(-1) ?? '', BROWSER_FACTS),
    )
    await preparation.startAttempt()
  },
  'four declines and a start': async (preparation) => {
    for (let each = 0; each < 4; each += 1) {
      await preparation.startAttempt()
      await preparation.payLatest(DECLINED)
    }
    await preparation.startAttempt()
  },
  'charging after four declines': async (preparation) => {
    for (let each = 0; each < 4; each += 1) {
      await preparation.startAttempt()
      await preparation.payLatest(DECLINED)
    }
    await preparation.startAttempt()
    await leaveChargeUnanswered(preparation)
  },
  charging: async (preparation) => {
    await preparation.startAttempt()
    await leaveChargeUnanswered(preparation)
  },
  'charging past its lease': async (preparation) => {
    await preparation.startAttempt()
    await leaveChargeUnanswered(preparation)
    preparation.advanceTime(60 * SECOND_MS)
  },
  'in doubt': async (preparation) => {
    await preparation.startAttempt()
    await preparation.payLatest(UNKNOWN)
  },
  'in doubt, and an inquiry is due': async (preparation) => {
    await preparation.startAttempt()
    await preparation.payLatest(UNKNOWN)
    preparation.advanceTime(60 * SECOND_MS)
  },
  'past its deadline': async (preparation) => {
    await preparation.startAttempt()
    preparation.advanceTime(700 * SECOND_MS)
  },
  'in doubt past its deadline': async (preparation) => {
    await preparation.startAttempt()
    await preparation.payLatest(UNKNOWN)
    preparation.advanceTime(700 * SECOND_MS)
  },
  paid,
  'partly refunded': async (preparation) => {
    await paid(preparation)
    await preparation.requestRefund(refunded(980), 980)
  },
  'being refunded': async (preparation) => {
    await paid(preparation)
    await leaveRefundUnanswered(preparation)
  },
  'a refund in doubt, and an inquiry is due': async (preparation) => {
    await paid(preparation)
    await preparation.requestRefund(UNKNOWN, 980)
    preparation.advanceTime(60 * SECOND_MS)
  },
  cancelled: async (preparation) => {
    await preparation.runOperation({}, (deps) =>
      cancel(deps, { merchantId: TEA_MERCHANT.id, checkoutId: preparation.checkoutId }),
    )
  },
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
    const facts = { merchantId: TEA_MERCHANT.id, id: random.id(), mode: 'test', now: clock.now() } as const
    const checkout = newCheckout(
      { amount: 1980, validUntil },
      { ...facts, settings: TEA_MERCHANT.settings, unicodeHost: (host) => host },
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
        const answer = await start(deps, TEA_MERCHANT, checkoutId, { payload: CARD, clientNetwork: CLIENT_NETWORK })
        if (isRefusal(answer)) throw new Error('an attempt was not started')
        orderCodes.push(answer.orderCode)
      })
    },
    payLatest: (charge) => runOperation({ charge: () => charge }, (deps) => payLatestOrder(deps, preparation)),
    requestRefund: (outcome, amountYen) =>
      runOperation({ refund: () => outcome }, (deps) =>
        refund(
          deps,
          { merchantId: TEA_MERCHANT.id, checkoutId },
          { refundId: 'r1', amountYen, taxes: null, mode: 'test' },
        ),
      ),
    advanceTime: (ms) => {
      process.now += ms
    },
  }
  await PREPARED_STATES[name]?.(preparation)
  return preparation
}
