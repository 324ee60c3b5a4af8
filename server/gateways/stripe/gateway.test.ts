import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import type { ChargeOrder, Gateway, Remember } from '#payment/ports.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { createStripeGateway } from './gateway.ts'
import {
  AMOUNT_YEN,
  CHARGE,
  CREATED,
  INTENT,
  ORDER,
  cardError,
  chargeAnswer,
  disputeAnswer,
  chargeOrder,
  idempotencyError,
  intentAnswer,
  listOf,
  paidIntent,
  paymentMethodAnswer,
  refundAnswer,
  refundOrder,
  requestError,
  sentOrder,
  unexpectedState,
} from './testing/answers.ts'
import {
  startScriptedStripe,
  type ReceivedRequest,
  type ScriptedAnswer,
  type ScriptedStripe,
} from './testing/scripted-stripe.ts'

const OPEN = 'POST /v1/payment_intents'
const TOKENIZE = 'POST /v1/payment_methods'
const CONFIRM = `POST /v1/payment_intents/${INTENT}/confirm`
const CANCEL = `POST /v1/payment_intents/${INTENT}/cancel`
const INQUIRE = `GET /v1/payment_intents/${INTENT}`
const LIST_REFUNDS = 'GET /v1/refunds'
const REFUND = 'POST /v1/refunds'
const CHARGES = 'GET /v1/charges'
const DISPUTES = 'GET /v1/disputes'

type Script = Readonly<Record<string, ScriptedAnswer | ((request: ReceivedRequest) => ScriptedAnswer)>>

const ok = (body: unknown): ScriptedAnswer => ({ status: 200, body })
const callOf = ({ method, path }: ReceivedRequest): string => `${method} ${path}`

/** A Stripe on which everything succeeds. */
const SUCCEEDS: Script = {
  [OPEN]: ok(intentAnswer()),
  [TOKENIZE]: ok(paymentMethodAnswer),
  [CONFIRM]: ok(paidIntent()),
  [INQUIRE]: ok(paidIntent()),
  [CANCEL]: ok(intentAnswer({ status: 'canceled' })),
  [LIST_REFUNDS]: ok(listOf([])),
  [REFUND]: ok(refundAnswer()),
  [CHARGES]: ok(listOf([])),
}

interface Opened {
  readonly gateway: Gateway
  readonly stripe: ScriptedStripe
  /** The calls that Stripe has received. */
  calls(): string[]
  /** What ends the time of every call of the gateway. */
  endTime(): void
}

/** Nothing in these tests waits for time to pass: a silent Stripe ends the time limit itself. */
const open = async (t: TestContext, changes: Script = {}): Promise<Opened> => {
  const script: Script = { ...SUCCEEDS, ...changes }
  const limit = new AbortController()
  const endTime = (): void => limit.abort(new DOMException('', 'TimeoutError'))
  const stripe = await startScriptedStripe(t, (request) => {
    const scripted = script[callOf(request)] ?? assert.fail(`nobody expected ${callOf(request)}`)
    const answer = typeof scripted === 'function' ? scripted(request) : scripted
    if (answer === 'silence') endTime()
    return answer
  })
  const gateway = createStripeGateway(stripe.account, 20_000, {
    clock: virtualClock(),
    timeLimit: () => limit.signal,
  })
  return { gateway, stripe, calls: () => stripe.received.map(callOf), endTime }
}

const always: Remember = async () => true
const notCharged = { outcome: 'not_charged' }
const silence = { outcome: 'unknown', isSilence: true }

describe('a charge at Stripe', () => {
  test('is an intent, its reference remembered, a payment method and one confirmation', async (t) => {
    const { gateway, calls } = await open(t)
    const outcome = await gateway.charge(chargeOrder(), async (reference) => {
      assert.equal(reference, INTENT)
      assert.deepEqual(calls(), [OPEN], 'the reference is remembered before a card is sent')
      return true
    })
    assert.deepEqual(outcome, {
      outcome: 'charged',
      transactionId: CHARGE,
      approvedAt: CREATED * 1000,
      amountYen: AMOUNT_YEN,
      card: { brand: 'visa', lastFour: '4242' },
    })
    assert.deepEqual(calls(), [OPEN, TOKENIZE, CONFIRM])
  })

  test('without an authentication is declined before anything is sent', async (t) => {
    const { gateway, calls } = await open(t)
    const order: ChargeOrder = { ...chargeOrder(), clearance: { by: 'exemption', reason: 'not_enrolled' } }
    const remember = async () => assert.fail('nothing is to be remembered')
    assert.deepEqual(await gateway.charge(order, remember), { outcome: 'declined', reason: 'not_authenticated' })
    assert.deepEqual(calls(), [])
  })

  test('whose intent is not answered is not charged: no card was sent', async (t) => {
    for (const answer of ['silence', 'connection lost', { status: 500, body: '' }] as const) {
      const { gateway, calls } = await open(t, { [OPEN]: answer })
      const remember = async () => assert.fail('nothing is to be remembered')
      assert.deepEqual(await gateway.charge(chargeOrder(), remember), { ...notCharged, isSilence: true })
      assert.deepEqual(calls(), [OPEN])
    }
  })

  test('whose reference may not be remembered ends there, and its intent is cancelled', async (t) => {
    for (const answer of [ok(intentAnswer({ status: 'canceled' })), 'silence', 'connection lost'] as const) {
      const { gateway, calls } = await open(t, { [CANCEL]: answer })
      assert.deepEqual(await gateway.charge(chargeOrder(), async () => false), notCharged)
      assert.deepEqual(calls(), [OPEN, CANCEL])
    }
  })

  test('whose time ends while its reference is remembered sends no card', async (t) => {
    const { gateway, calls, endTime } = await open(t)
    const outcome = await gateway.charge(chargeOrder(), async () => {
      endTime()
      return true
    })
    assert.deepEqual(outcome, notCharged)
    assert.deepEqual(calls(), [OPEN])
  })

  test('whose card was wiped meanwhile sends no card', async (t) => {
    const { gateway, calls } = await open(t)
    const order = chargeOrder()
    const outcome = await gateway.charge(order, async () => {
      order.card.number.wipe()
      return true
    })
    assert.deepEqual(outcome, notCharged)
    assert.deepEqual(calls(), [OPEN])
  })

  test('whose payment method is not answered is not charged, and never confirmed', async (t) => {
    for (const answer of ['silence', 'connection lost', { status: 500, body: '' }] as const) {
      const { gateway, calls } = await open(t, { [TOKENIZE]: answer })
      assert.deepEqual(await gateway.charge(chargeOrder(), always), { ...notCharged, isSilence: true })
      assert.deepEqual(calls(), [OPEN, TOKENIZE])
    }
  })

  test('whose time ends with the answer about its payment method is never confirmed', async (t) => {
    const opened = await open(t)
    const gateway = createStripeGateway(opened.stripe.account, 20_000, {
      timeLimit: () => abortedAfter(opened, TOKENIZE),
    })
    assert.deepEqual(await gateway.charge(chargeOrder(), always), notCharged)
    assert.deepEqual(opened.calls(), [OPEN, TOKENIZE])
  })

  test('whose payment method Stripe refuses is declined', async (t) => {
    const { gateway, calls } = await open(t, { [TOKENIZE]: { status: 402, body: cardError() } })
    assert.deepEqual(await gateway.charge(chargeOrder(), always), { outcome: 'declined', reason: 'insufficient_funds' })
    assert.deepEqual(calls(), [OPEN, TOKENIZE])
  })

  test('whose confirmation is not answered is in doubt, and is not sent again', async (t) => {
    for (const answer of [
      'silence',
      'connection lost',
      { status: 500, body: '' },
      { status: 503, body: {} },
    ] as const) {
      const { gateway, calls } = await open(t, { [CONFIRM]: answer })
      assert.partialDeepStrictEqual(await gateway.charge(chargeOrder(), always), silence)
      assert.deepEqual(calls(), [OPEN, TOKENIZE, CONFIRM])
    }
  })

  test('that the issuer declines is declined', async (t) => {
    const { gateway } = await open(t, { [CONFIRM]: { status: 402, body: cardError() } })
    assert.deepEqual(await gateway.charge(chargeOrder(), always), { outcome: 'declined', reason: 'insufficient_funds' })
  })

  test('whose intent was fenced meanwhile is not charged', async (t) => {
    const body = unexpectedState(intentAnswer({ status: 'canceled' }))
    const { gateway } = await open(t, { [CONFIRM]: { status: 400, body } })
    assert.deepEqual(await gateway.charge(chargeOrder(), always), notCharged)
  })

  test('whose confirmation meets a conflict reads the intent once', async (t) => {
    const conflicts = [
      { status: 409, body: requestError({ code: 'idempotency_key_in_use' }) },
      { status: 429, body: requestError({ code: 'lock_timeout' }) },
      { status: 400, body: idempotencyError },
    ]
    for (const conflict of conflicts) {
      const charged = await open(t, { [CONFIRM]: conflict })
      assert.equal((await charged.gateway.charge(chargeOrder(), always)).outcome, 'charged')
      assert.deepEqual(charged.calls(), [OPEN, TOKENIZE, CONFIRM, INQUIRE])
      const inDoubt = [ok(intentAnswer()), ok(intentAnswer({ status: 'processing' })), { status: 429, body: {} }]
      for (const answer of inDoubt) {
        const opened = await open(t, { [CONFIRM]: conflict, [INQUIRE]: answer })
        assert.equal((await opened.gateway.charge(chargeOrder(), always)).outcome, 'unknown')
        assert.deepEqual(opened.calls(), [OPEN, TOKENIZE, CONFIRM, INQUIRE])
      }
    }
  })

  test('is never sent on to another address', async (t) => {
    const elsewhere: Script = { 'POST /elsewhere': ok(paidIntent()), 'GET /elsewhere': ok(paidIntent()) }
    const steps = [
      [OPEN, notCharged],
      [TOKENIZE, notCharged],
      [CONFIRM, silence],
    ] as const
    for (const status of [301, 302, 307, 308])
      for (const [call, expected] of steps) {
        const away = { status, body: '', headers: { location: '/elsewhere' } }
        const { gateway, calls } = await open(t, { ...elsewhere, [call]: away })
        assert.partialDeepStrictEqual(await gateway.charge(chargeOrder(), always), expected, `${status} ${call}`)
        assert.equal(calls().at(-1), call)
      }
  })

  test('whose answer is larger than any answer of Stripe is in doubt', async (t) => {
    const huge = ok(JSON.stringify({ ...paidIntent(), description: 'x'.repeat(1_048_576) }))
    const { gateway } = await open(t, { [CONFIRM]: huge })
    assert.deepEqual(await gateway.charge(chargeOrder(), always), {
      outcome: 'unknown',
      why: 'an answer that cannot be read',
    })
  })

  test('tells neither the key nor the card in any outcome', async (t) => {
    const repeated = { message: 'rk_test_12345678 4242424242424242 737', code: '4242424242424242', decline_code: '737' }
    const answers: ScriptedAnswer[] = ['silence', 'connection lost']
    for (const status of [200, 400, 402, 404, 409, 500]) answers.push({ status, body: cardError(repeated) })
    for (const call of [OPEN, TOKENIZE, CONFIRM])
      for (const answer of answers) {
        const { gateway } = await open(t, { [call]: answer })
        const text = JSON.stringify(await gateway.charge(chargeOrder(), always))
        assert.ok(!/rk_test|4242424242424242|737/.test(text), text)
      }
  })
})

/** A signal that reads as aborted once this call was received, and interrupts no request. */
const abortedAfter = ({ calls }: Opened, call: string): AbortSignal => {
  const { signal } = new AbortController()
  Object.defineProperty(signal, 'aborted', { get: () => calls().includes(call) })
  return signal
}

describe('an inquiry at Stripe', () => {
  test('about an order without a reference asks nobody: nothing chargeable was sent', async (t) => {
    const { gateway, calls } = await open(t)
    assert.deepEqual(await gateway.inquire({ ...sentOrder, reference: null }), { outcome: 'not_found' })
    assert.deepEqual(calls(), [])
  })

  test('reads the intent with its latest charge', async (t) => {
    const { gateway, stripe, calls } = await open(t)
    assert.equal((await gateway.inquire(sentOrder)).outcome, 'charged')
    assert.deepEqual(calls(), [INQUIRE])
    assert.equal(stripe.received[0]?.query, 'expand[0]=latest_charge')
  })

  test('that is not answered is in doubt', async (t) => {
    for (const answer of ['silence', 'connection lost', { status: 500, body: '' }] as const) {
      const { gateway } = await open(t, { [INQUIRE]: answer, [CANCEL]: answer })
      assert.partialDeepStrictEqual(await gateway.inquire(sentOrder), silence)
    }
  })

  test('about an order of an older release needs a person: it was never sent to Stripe', async (t) => {
    const { gateway, calls } = await open(t)
    const needsPerson = { outcome: 'unknown', needsPerson: true }
    const older = { ...sentOrder, reference: ORDER }
    assert.partialDeepStrictEqual(await gateway.inquire(older), needsPerson)
    assert.partialDeepStrictEqual(await gateway.fence(older), needsPerson)
    assert.partialDeepStrictEqual(await gateway.refund({ ...refundOrder, reference: ORDER }), needsPerson)
    assert.partialDeepStrictEqual(await gateway.inquireRefund({ ...refundOrder, reference: ORDER }), needsPerson)
    assert.deepEqual(calls(), [])
  })
})

describe('a fence at Stripe', () => {
  test('cancels the intent, without an idempotency key that would repeat an old answer', async (t) => {
    const { gateway, stripe, calls } = await open(t)
    assert.deepEqual(await gateway.fence(sentOrder), { outcome: 'fenced' })
    assert.deepEqual(calls(), [CANCEL])
    assert.equal(stripe.received[0]?.headers['idempotency-key'], undefined)
  })

  test('that is not answered is in doubt', async (t) => {
    const { gateway } = await open(t, { [CANCEL]: 'silence' })
    assert.partialDeepStrictEqual(await gateway.fence(sentOrder), silence)
  })

  test('of an order without a reference asks for its charges first', async (t) => {
    const without = { ...sentOrder, reference: null }
    const none = await open(t)
    assert.deepEqual(await none.gateway.fence(without), { outcome: 'fenced' })
    assert.deepEqual(none.calls(), [CHARGES])
    assert.equal(none.stripe.received[0]?.query, `transfer_group=${ORDER}&limit=100`)
    const charged = await open(t, { [CHARGES]: ok(listOf([chargeAnswer()])) })
    assert.deepEqual(await charged.gateway.fence(without), { outcome: 'exists' })
    const silent = await open(t, { [CHARGES]: 'silence' })
    assert.partialDeepStrictEqual(await silent.gateway.fence(without), silence)
  })
})

describe('a refund at Stripe', () => {
  const refunded = { outcome: 'refunded', amountYen: 980, refundedAt: CREATED * 1000 }

  test('is made only when none of its id is found', async (t) => {
    const fresh = await open(t)
    assert.deepEqual(await fresh.gateway.refund(refundOrder), refunded)
    assert.deepEqual(fresh.calls(), [LIST_REFUNDS, REFUND])
    const before = await open(t, { [LIST_REFUNDS]: ok(listOf([refundAnswer()])) })
    assert.deepEqual(await before.gateway.refund(refundOrder), refunded)
    assert.deepEqual(before.calls(), [LIST_REFUNDS])
  })

  test('is not made when the list cannot be read', async (t) => {
    const answers: readonly ScriptedAnswer[] = ['silence', 'connection lost', ok({}), { status: 429, body: {} }]
    for (const answer of answers) {
      const { gateway, calls } = await open(t, { [LIST_REFUNDS]: answer })
      assert.equal((await gateway.refund(refundOrder)).outcome, 'unknown')
      assert.equal((await gateway.inquireRefund(refundOrder)).outcome, 'unknown')
      assert.ok(!calls().includes(REFUND))
    }
  })

  test('whose id was used for another amount is in doubt, for money has moved', async (t) => {
    const { gateway, calls } = await open(t, { [LIST_REFUNDS]: ok(listOf([refundAnswer({ amount: 9 })])) })
    assert.equal((await gateway.refund(refundOrder)).outcome, 'unknown')
    assert.deepEqual(await gateway.inquireRefund(refundOrder), { ...refunded, amountYen: 9 })
    assert.ok(!calls().includes(REFUND))
  })

  test('that meets a conflict reads the list once', async (t) => {
    for (const status of [409, 429]) {
      const conflict = { status, body: requestError({ code: 'idempotency_key_in_use' }) }
      const none = await open(t, { [REFUND]: conflict })
      assert.equal((await none.gateway.refund(refundOrder)).outcome, 'unknown')
      assert.deepEqual(none.calls(), [LIST_REFUNDS, REFUND, LIST_REFUNDS])
      const opened: Opened = await open(t, {
        [REFUND]: conflict,
        [LIST_REFUNDS]: () => ok(listOf(opened.calls().includes(REFUND) ? [refundAnswer()] : [])),
      })
      assert.deepEqual(await opened.gateway.refund(refundOrder), refunded)
    }
  })

  test('is found behind any number of others', async (t) => {
    const pages: Readonly<Record<string, object>> = {
      '': listOf([refundAnswer({ id: 're_3', metadata: {} })], true),
      re_3: listOf([refundAnswer({ id: 're_2', metadata: { refund: 'refund-2' } })], true),
      re_2: listOf([refundAnswer({ id: 're_1' })]),
    }
    const { gateway, calls } = await open(t, {
      [LIST_REFUNDS]: ({ query }) => ok(pages[new URLSearchParams(query).get('starting_after') ?? '']),
    })
    assert.deepEqual(await gateway.inquireRefund(refundOrder), refunded)
    assert.deepEqual(calls(), [LIST_REFUNDS, LIST_REFUNDS, LIST_REFUNDS])
  })

  test('that is not answered is in doubt, and an inquiry that finds none makes none', async (t) => {
    const { gateway } = await open(t, { [REFUND]: 'silence' })
    assert.partialDeepStrictEqual(await gateway.refund(refundOrder), silence)
    const none = await open(t)
    assert.deepEqual(await none.gateway.inquireRefund(refundOrder), { outcome: 'not_found' })
    assert.deepEqual(none.calls(), [LIST_REFUNDS])
  })
})

test('the statement reads all charges, then all refunds, then the disputes, page by page', async (t) => {
  const { gateway, calls } = await open(t, {
    [CHARGES]: ({ query }) =>
      new URLSearchParams(query).has('starting_after')
        ? ok(listOf([chargeAnswer({ id: 'ch_1' })]))
        : ok(listOf([chargeAnswer({ id: 'ch_2' })], true)),
    [LIST_REFUNDS]: ok(listOf([refundAnswer({ payment_intent: intentAnswer() })])),
    [DISPUTES]: ok(listOf([disputeAnswer()])),
  })
  const kinds: string[] = []
  let after: string | null = null
  do {
    const page = await gateway.statement({ from: 0, to: CREATED * 2000 }, after)
    if (page.outcome === 'unknown') assert.fail(page.why)
    kinds.push(...page.lines.map(({ kind }) => kind))
    ;({ after } = page)
  } while (after !== null)
  assert.deepEqual(kinds, ['charge', 'charge', 'refund', 'chargeback'])
  assert.deepEqual(calls(), [CHARGES, CHARGES, LIST_REFUNDS, DISPUTES])
  assert.equal((await gateway.statement({ from: 0, to: 1 }, 'payouts:')).outcome, 'unknown')
})

test('disputes are listed page by page, and silence is unknown', async (t) => {
  const { gateway } = await open(t, {
    [DISPUTES]: ({ query }) =>
      new URLSearchParams(query).has('starting_after') ? 'connection lost' : ok(listOf([disputeAnswer()], true)),
  })
  const period = { from: 0, to: CREATED * 2000 }
  const first = await gateway.disputes(period, null)
  assert.partialDeepStrictEqual(first, { outcome: 'page', disputes: [{ disputeId: 'du_1' }], after: 'du_1' })
  assert.partialDeepStrictEqual(await gateway.disputes(period, 'du_1'), { outcome: 'unknown', isSilence: true })
  assert.equal((await gateway.disputes(period, 'du_1&limit=1')).outcome, 'unknown')
})

test('Stripe is ready when it tells the balance, forbids a wrong key, and is silent otherwise', async (t) => {
  const readyWith = async (answer: ScriptedAnswer) => (await open(t, { 'GET /v1/balance': answer })).gateway.ready()
  assert.equal(await readyWith(ok({})), 'ready')
  for (const status of [401, 403]) assert.equal(await readyWith({ status, body: {} }), 'forbidden')
  for (const status of [404, 429, 500]) assert.equal(await readyWith({ status, body: {} }), 'silent')
  assert.equal(await readyWith('silence'), 'silent')
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const address = gone.address()
  if (address === null || typeof address === 'string') assert.fail()
  gone.close()
  await once(gone, 'close')
  const account = { apiBase: `http://127.0.0.1:${address.port}`, secretKey: 'rk_test_12345678' }
  assert.equal(await createStripeGateway(account, 1000).ready(), 'refused')
})

test('an account without an API base is one at Stripe’s own address', async (t) => {
  const asked: unknown[] = []
  t.mock.method(globalThis, 'fetch', async (url: unknown) => {
    asked.push(url)
    return new Response('{}')
  })
  assert.equal(await createStripeGateway({ apiBase: null, secretKey: 'rk_test_12345678' }, 1000).ready(), 'ready')
  assert.deepEqual(asked, ['https://api.stripe.com/v1/balance'])
})

test('a charge and a refund each have one time limit for all their requests, other calls a shorter one', async (t) => {
  const { stripe } = await open(t, { 'GET /v1/balance': ok({}), [DISPUTES]: ok(listOf([])) })
  const limits: number[] = []
  const { signal } = new AbortController()
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    limits.push(ms)
    return signal
  })
  const limitsOf = async (timeoutMs: number, call: (gateway: Gateway) => Promise<unknown>) => {
    limits.length = 0
    await call(createStripeGateway(stripe.account, timeoutMs))
    return [...limits]
  }
  assert.deepEqual(await limitsOf(20_000, (gateway) => gateway.charge(chargeOrder(), always)), [20_000])
  assert.deepEqual(await limitsOf(20_000, (gateway) => gateway.refund(refundOrder)), [20_000])
  assert.deepEqual(await limitsOf(20_000, (gateway) => gateway.statement({ from: 0, to: 1 }, null)), [20_000])
  assert.deepEqual(await limitsOf(20_000, (gateway) => gateway.disputes({ from: 0, to: 1 }, null)), [20_000])
  for (const call of [
    (gateway: Gateway) => gateway.inquire(sentOrder),
    (gateway: Gateway) => gateway.fence(sentOrder),
    (gateway: Gateway) => gateway.inquireRefund(refundOrder),
  ]) {
    assert.deepEqual(await limitsOf(20_000, call), [5000])
    assert.deepEqual(await limitsOf(1000, call), [1000])
  }
  assert.deepEqual(await limitsOf(20_000, (gateway) => gateway.ready()), [2000])
})
