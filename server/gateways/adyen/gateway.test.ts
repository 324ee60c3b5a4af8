import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { ChargeOutcome, Gateway } from '#payment/ports.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { createAdyenGateway, type AdyenInbox } from './gateway.ts'
import type { ReportNotice } from './statement.ts'
import {
  accountAt,
  CAPTURE_PSP,
  CHALLENGED,
  chargeOrder,
  inboxWith,
  notice,
  ORDER,
  PSP,
  refundOrder,
  sentOrder,
  startScript,
  STARTED_AT,
  type ReceivedCall,
  type Script,
} from './testing/adyen-fixtures.ts'

const DAY_MS = 86_400_000
const yen = (value: number) => ({ value, currency: 'JPY' })
const AUTHORISED = { resultCode: 'Authorised', pspReference: PSP, merchantReference: ORDER, amount: yen(1980) }
const received = (amount: number, more: object = {}) => ({
  status: 'received',
  paymentPspReference: PSP,
  pspReference: CAPTURE_PSP,
  amount: yen(amount),
  ...more,
})
const CANCELLED = { status: 'received', paymentReference: ORDER }
const CHARGED = { outcome: 'charged', transactionId: PSP, amountYen: 1980 }
const REQUEST_FAILED = { status: 500, errorCode: '000', errorType: 'internal' }

/** Answers by the last part of the path. */
const byStep =
  (steps: Readonly<Record<string, ReturnType<Script>>>): Script =>
  (call) =>
    steps[call.path.split('/').at(-1) ?? ''] ?? { status: 404 }

interface Opened {
  readonly origin: string
  readonly gateway: Gateway
  readonly calls: readonly ReceivedCall[]
  readonly clock: ReturnType<typeof virtualClock>
  readonly remembered: string[]
  charge(isRemembered?: boolean): Promise<ChargeOutcome>
}

const open = async (t: TestContext, script: Script, inbox: AdyenInbox = inboxWith()): Promise<Opened> => {
  const { origin, calls } = await startScript(t, script)
  const clock = virtualClock(STARTED_AT)
  const remembered: string[] = []
  const gateway = createAdyenGateway({
    account: accountAt(origin),
    returnUrl: 'https://tea.example.com/',
    inbox,
    timeoutMs: 20_000,
    clock,
  })
  const charge = (isRemembered = true): Promise<ChargeOutcome> =>
    gateway.charge(chargeOrder(), async (reference) => {
      remembered.push(`${reference} after ${calls.length} calls`)
      return isRemembered
    })
  return { origin, gateway, calls, clock, remembered, charge }
}

const stepsOf = (calls: readonly ReceivedCall[]): string[] => calls.map(({ path }) => path.replace('/adyen/v72', ''))

describe('a charge', () => {
  test('is authorised, remembered, and only then captured, each under its own idempotency key', async (t) => {
    const { charge, calls, remembered, clock } = await open(
      t,
      byStep({ payments: AUTHORISED, captures: received(1980) }),
    )
    assert.deepEqual(await charge(), { ...CHARGED, approvedAt: clock.now() })
    assert.deepEqual(stepsOf(calls), ['/payments', `/payments/${PSP}/captures`])
    assert.deepEqual(remembered, [`${PSP} after 1 calls`])
    assert.deepEqual(
      calls.map(({ headers }) => [headers['idempotency-key'], headers['x-api-key']]),
      [
        [`${ORDER}.authorise`, 'AQEtest_key'],
        [`${ORDER}.capture`, 'AQEtest_key'],
      ],
    )
  })

  for (const [resultCode, code, reason] of [
    ['Refused', '12', 'not_enough_balance'],
    ['Refused', '999', 'other'],
    ['Error', undefined, 'other'],
    ['Cancelled', '15', 'cancelled'],
  ] as const)
    test(`that Adyen answers ${resultCode} (${code ?? 'no code'}) is declined, and nothing is captured or remembered`, async (t) => {
      const answer = { resultCode, pspReference: PSP, merchantReference: ORDER, refusalReasonCode: code }
      const { charge, calls, remembered } = await open(t, byStep({ payments: answer }))
      assert.deepEqual(await charge(), { outcome: 'declined', reason })
      assert.deepEqual([stepsOf(calls), remembered], [['/payments'], []])
    })

  test('with a card outside 3-D Secure is declined before anything is sent', async (t) => {
    const { gateway, calls } = await open(t, () => 'silent')
    const order = chargeOrder({ clearance: { by: 'exemption', reason: 'not_enrolled' } })
    const outcome = await gateway.charge(order, async () => assert.fail('nothing is remembered'))
    assert.deepEqual(outcome, { outcome: 'declined', reason: 'authentication_required' })
    assert.deepEqual(calls, [])
  })

  const USELESS: Readonly<Record<string, ReturnType<Script>>> = {
    'is silent': 'silent',
    'fails with 500': REQUEST_FAILED,
    'is undecided': { resultCode: 'Pending', pspReference: PSP, merchantReference: ORDER },
    'is taken and not decided': { resultCode: 'Received', pspReference: PSP, merchantReference: ORDER },
    'authorises a part': { resultCode: 'PartiallyAuthorised', pspReference: PSP, amount: yen(500) },
    'authorises another amount': { ...AUTHORISED, amount: yen(198_000) },
    'authorises in another currency': { ...AUTHORISED, amount: { value: 1980, currency: 'EUR' } },
    'is about another order': { ...AUTHORISED, merchantReference: 'another' },
    'has no reference': { resultCode: 'Authorised', merchantReference: ORDER },
    'has a reference that reads as a card number': { ...AUTHORISED, pspReference: '4111111111111111' },
    'cannot be read': ['a list'],
  }
  for (const [what, answer] of Object.entries(USELESS))
    test(`whose authorisation ${what} is cancelled and not charged: nothing is remembered, nothing captured`, async (t) => {
      const { charge, calls, remembered } = await open(t, byStep({ payments: answer, cancels: CANCELLED }))
      const isSilence = answer === 'silent' || answer === REQUEST_FAILED
      assert.deepEqual(await charge(), { outcome: 'not_charged', ...(isSilence ? { isSilence } : {}) })
      assert.deepEqual([stepsOf(calls), remembered], [['/payments', '/cancels'], []])
      assert.deepEqual(calls[1]?.body, { merchantAccount: 'TeaShopJP', paymentReference: ORDER, reference: ORDER })
      assert.equal(calls[1].headers['idempotency-key'], undefined)
    })

  test('is not charged also when the cancel of a silent authorisation is silent', async (t) => {
    const { charge } = await open(t, () => 'silent')
    assert.deepEqual(await charge(), { outcome: 'not_charged', isSilence: true })
  })

  test('for which Adyen wants an authentication of its own is declined and cancelled', async (t) => {
    const { charge, calls } = await open(
      t,
      byStep({ payments: { resultCode: 'RedirectShopper', merchantReference: ORDER }, cancels: CANCELLED }),
    )
    assert.deepEqual(await charge(), { outcome: 'declined', reason: 'acquirer_wants_authentication' })
    assert.deepEqual(stepsOf(calls), ['/payments', '/cancels'])
  })

  test('that is refused by Adyen’s configuration is declined: it is no silence, which would stop all payments', async (t) => {
    const answer = { status: 500, errorCode: '905', errorType: 'configuration' }
    const { charge, calls } = await open(t, byStep({ payments: answer, cancels: CANCELLED }))
    assert.deepEqual(await charge(), { outcome: 'declined', reason: 'payment_details_not_supported' })
    assert.deepEqual(stepsOf(calls), ['/payments', '/cancels'])
  })

  test('beside another one of the same order cancels nothing, or the capture of the other would fail', async (t) => {
    const { charge, calls } = await open(t, () => ({ status: 409, errorCode: '704', errorType: 'validation' }))
    assert.deepEqual(await charge(), { outcome: 'unknown', why: 'another charge of this order is under way' })
    assert.deepEqual(stepsOf(calls), ['/payments'])
  })

  test('whose reference may not be remembered is cancelled by it and never captured', async (t) => {
    const { charge, calls } = await open(t, byStep({ payments: AUTHORISED, cancels: received(1980) }))
    assert.deepEqual(await charge(false), { outcome: 'not_charged' })
    assert.deepEqual(stepsOf(calls), ['/payments', `/payments/${PSP}/cancels`])
  })

  const UNDECIDED: readonly (readonly [what: string, answer: ReturnType<Script>, isSilence: boolean])[] = [
    ['is silent', 'silent', true],
    ['fails with 500', REQUEST_FAILED, true],
    ['is refused with 422', { status: 422, errorCode: '167', errorType: 'validation' }, false],
    ['is in progress', { status: 409, errorCode: '704', errorType: 'validation' }, false],
    ['is about another payment', received(1980, { paymentPspReference: 'ABCDEFGH12345678' }), false],
    ['is of another amount', received(1), false],
    ['cannot be read', ['a list'], false],
  ]
  for (const [what, answer, isSilence] of UNDECIDED)
    test(`whose capture ${what} is in doubt: money may have moved`, async (t) => {
      const { charge, calls } = await open(t, byStep({ payments: AUTHORISED, captures: answer }))
      const outcome = await charge()
      assert.deepEqual([outcome.outcome, 'isSilence' in outcome], ['unknown', isSilence])
      assert.deepEqual(stepsOf(calls), ['/payments', `/payments/${PSP}/captures`], 'nothing is cancelled')
    })

  for (const step of ['payments', 'captures'])
    test(`never follows a redirect of its ${step} call, which would take the card or the key elsewhere`, async (t) => {
      const elsewhere = await startScript(t, () => AUTHORISED)
      const { charge } = await open(t, (call, response) => {
        const last = call.path.split('/').at(-1) ?? ''
        if (last !== step) return byStep({ payments: AUTHORISED, cancels: CANCELLED })(call, response)
        response.writeHead(307, { location: elsewhere.origin }).end()
        return 'handled'
      })
      const outcome = await charge()
      assert.equal(outcome.outcome, step === 'payments' ? 'not_charged' : 'unknown')
      assert.deepEqual(elsewhere.calls, [])
    })

  test('whose answers never end is given up without filling the memory', async (t) => {
    const { charge } = await open(t, (call, response) => {
      if (call.path.endsWith('cancels')) return CANCELLED
      response.writeHead(200)
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      }
      response.on('drain', write)
      write()
      return 'handled'
    })
    assert.deepEqual(await charge(), { outcome: 'not_charged' })
  })

  test('that Adyen keeps waiting is cancelled within its own time: the authorisation gets a part of it', async (t) => {
    const { origin, calls } = await startScript(t, (call) => (call.path.endsWith('/cancels') ? CANCELLED : 'handled'))
    const limits: { readonly ms: number; readonly abort: () => void }[] = []
    const gateway = createAdyenGateway({
      account: accountAt(origin),
      returnUrl: 'https://tea.example.com/',
      inbox: inboxWith(),
      timeoutMs: 20_000,
      clock: virtualClock(STARTED_AT),
      timeLimit: (ms) => {
        const controller = new AbortController()
        limits.push({ ms, abort: () => controller.abort(new DOMException('late', 'TimeoutError')) })
        return controller.signal
      },
    })
    const charging = gateway.charge(chargeOrder({ clearance: CHALLENGED }), async () => true)
    while (calls.length === 0) await new Promise(setImmediate)
    assert.deepEqual(
      limits.map(({ ms }) => ms),
      [20_000, 16_000],
    )
    limits[1]?.abort()
    assert.deepEqual(await charging, { outcome: 'not_charged', isSilence: true })
    assert.deepEqual(stepsOf(calls), ['/payments', '/cancels'])
  })
})

describe('an inquiry', () => {
  test('about an order whose reference was never remembered finds nothing, and sends nothing', async (t) => {
    const { gateway, calls } = await open(t, () => 'silent')
    assert.deepEqual(await gateway.inquire(sentOrder({ reference: null })), { outcome: 'not_found' })
    assert.deepEqual(calls, [])
  })

  test('sends the same capture again, under the same key and with the same body', async (t) => {
    const { gateway, charge, calls, clock } = await open(t, byStep({ payments: AUTHORISED, captures: received(1980) }))
    await charge()
    clock.advance(1000)
    assert.deepEqual(await gateway.inquire(sentOrder()), { ...CHARGED, approvedAt: clock.now() })
    const [, first, second] = calls
    assert.deepEqual(second?.body, first?.body)
    assert.equal(second?.headers['idempotency-key'], first?.headers['idempotency-key'])
  })

  test('sends no capture after six days, when Adyen may have forgotten the key: a person must look', async (t) => {
    const { gateway, calls, clock } = await open(t, byStep({ captures: received(1980) }))
    clock.advance(6 * DAY_MS - 1)
    assert.equal((await gateway.inquire(sentOrder())).outcome, 'charged')
    clock.advance(1)
    const late = await gateway.inquire(sentOrder())
    assert.deepEqual([late.outcome, 'needsPerson' in late], ['unknown', true])
    assert.equal(calls.length, 1)
  })

  test('about an attempt of an older release, which has its order code as reference, sends nothing to Adyen', async (t) => {
    const { gateway, calls } = await open(t, () => 'silent')
    const outcomes = [
      await gateway.inquire(sentOrder({ reference: ORDER })),
      await gateway.refund(refundOrder({ reference: ORDER })),
      await gateway.inquireRefund(refundOrder({ reference: ORDER })),
    ]
    for (const outcome of outcomes) assert.deepEqual([outcome.outcome, 'needsPerson' in outcome], ['unknown', true])
    assert.deepEqual(calls, [])
  })

  test('that a notification answers sends nothing: captured is charged, also after six days', async (t) => {
    const told = notice({ event: 'CAPTURE' })
    const { gateway, calls, clock } = await open(t, () => 'silent', inboxWith([told]))
    clock.advance(30 * DAY_MS)
    assert.deepEqual(await gateway.inquire(sentOrder()), { ...CHARGED, approvedAt: told.occurredAt })
    assert.deepEqual(calls, [])
  })

  for (const notices of [
    [notice({ event: 'CAPTURE', success: false })],
    [notice({ event: 'CAPTURE_FAILED' })],
    [notice({ event: 'CAPTURE' }), notice({ event: 'CAPTURE_FAILED' })],
  ])
    test(`about a capture that failed (${notices.map(({ event, success }) => `${event} ${success}`).join(', ')}) sends none again: nothing was charged`, async (t) => {
      const { gateway, calls } = await open(t, () => 'silent', inboxWith(notices))
      assert.deepEqual(await gateway.inquire(sentOrder()), { outcome: 'not_charged' })
      assert.deepEqual(calls, [])
    })

  test('is not misled by another capture of the payment that failed, nor by one under another reference', async (t) => {
    const failedAgain = notice({ event: 'CAPTURE', success: false, pspReference: 'ABCDEFGH12345678' })
    const made = await open(t, () => 'silent', inboxWith([failedAgain, notice({})]))
    assert.equal((await made.gateway.inquire(sentOrder())).outcome, 'charged')
    const other = await open(t, byStep({ captures: received(1980) }), inboxWith([{ ...failedAgain, orderCode: null }]))
    assert.equal((await other.gateway.inquire(sentOrder())).outcome, 'charged')
  })
})

describe('a fence', () => {
  test('of an order without a reference cancels it by its order code', async (t) => {
    const { gateway, calls } = await open(t, byStep({ cancels: CANCELLED }))
    assert.deepEqual(await gateway.fence(sentOrder({ reference: null })), { outcome: 'fenced' })
    assert.deepEqual(stepsOf(calls), ['/cancels'])
  })

  for (const answer of [
    'silent',
    REQUEST_FAILED,
    { status: 401 },
    { ...CANCELLED, paymentReference: 'x' },
    [],
  ] as const)
    test(`whose cancel is answered ${JSON.stringify(answer)} is unknown`, async (t) => {
      const { gateway } = await open(t, () => answer)
      assert.equal((await gateway.fence(sentOrder({ reference: null }))).outcome, 'unknown')
    })

  test('of an order with a reference is left to the inquiry: a capture may be under way', async (t) => {
    const { gateway, calls } = await open(t, () => 'silent')
    assert.deepEqual(await gateway.fence(sentOrder()), { outcome: 'exists' })
    assert.deepEqual(calls, [])
  })
})

describe('a refund', () => {
  const REFUND = { event: 'REFUND', amountYen: 500, refundId: 'r1', orderCode: ORDER.slice(0, 15) } as const
  const refundedAt = STARTED_AT + 60_000

  test('that Adyen has received waits for its notification', async (t) => {
    const { gateway, calls } = await open(t, byStep({ refunds: received(500) }))
    const waits = { outcome: 'unknown', why: 'received, waits for the notification' }
    assert.deepEqual(await gateway.refund(refundOrder()), waits)
    assert.deepEqual(await gateway.inquireRefund(refundOrder()), { outcome: 'not_found' })
    assert.deepEqual(calls[0]?.body, {
      merchantAccount: 'TeaShopJP',
      amount: yen(500),
      reference: `r1.${ORDER.slice(0, 15)}`,
    })
    assert.equal(calls[0].headers['idempotency-key'], `${ORDER}.refund.r1`)
  })

  for (const [what, notices, outcome] of [
    ['was made', [notice(REFUND)], { outcome: 'refunded', amountYen: 500, refundedAt }],
    [
      'was refused',
      [notice({ ...REFUND, success: false, reason: 'insufficient_balance' })],
      { outcome: 'refused', reason: 'insufficient_balance' },
    ],
    [
      'was made and failed later',
      [notice(REFUND), notice({ ...REFUND, event: 'REFUND_FAILED' })],
      { outcome: 'refused', reason: 'other' },
    ],
    ['is of another id', [notice({ ...REFUND, refundId: 'r2' })], { outcome: 'not_found' }],
    [
      'is of another order with the same id',
      [notice({ ...REFUND, orderCode: 'abcdefghijklmno' })],
      { outcome: 'not_found' },
    ],
  ] as const)
    test(`about which a notification says that it ${what} is ${outcome.outcome}`, async (t) => {
      const { gateway, calls } = await open(t, () => 'silent', inboxWith(notices))
      assert.deepEqual(await gateway.inquireRefund(refundOrder()), outcome)
      assert.deepEqual(calls, [])
    })

  test('whose notification names it by Adyen’s id alone is recognised by the answer to the repeated request', async (t) => {
    const told = notice({
      event: 'REFUND',
      amountYen: 500,
      refundId: null,
      orderCode: ORDER,
      pspReference: CAPTURE_PSP,
    })
    const { gateway } = await open(t, byStep({ refunds: received(500) }), inboxWith([told]))
    assert.deepEqual(await gateway.inquireRefund(refundOrder()), { outcome: 'not_found' })
    assert.deepEqual(await gateway.refund(refundOrder()), { outcome: 'refunded', amountYen: 500, refundedAt })
  })

  test('that was never told about is requested no more after six days: a person must look', async (t) => {
    const { gateway, calls, clock } = await open(t, byStep({ refunds: received(500) }))
    clock.advance(6 * DAY_MS)
    for (const outcome of [await gateway.inquireRefund(refundOrder()), await gateway.refund(refundOrder())])
      assert.deepEqual([outcome.outcome, 'needsPerson' in outcome], ['unknown', true])
    assert.deepEqual(calls, [])
  })

  for (const answer of [
    'silent',
    REQUEST_FAILED,
    { status: 422, errorCode: '137', errorType: 'validation' },
    received(400),
    [],
  ] as const)
    test(`that is answered ${JSON.stringify(answer)} is in doubt, not refused: a refusal frees its amount for another`, async (t) => {
      const { gateway } = await open(t, () => answer)
      assert.equal((await gateway.refund(refundOrder())).outcome, 'unknown')
    })
})

describe('a statement', () => {
  const period = { from: STARTED_AT, to: STARTED_AT + DAY_MS }
  const fileName = 'settlement_detail_report_batch_1.csv'
  const openReport = async (t: TestContext, script: Script): Promise<Opened> => {
    const reports: ReportNotice[] = []
    const opened = await open(t, script, { ...inboxWith(), reports: async () => reports })
    reports.push({ fileName, address: `${opened.origin}/reports/${fileName}`, toldAt: period.to })
    return opened
  }

  test('fetches a report with the report user’s key, and never with the key that charges', async (t) => {
    const { gateway, calls } = await openReport(t, (_call, response) => {
      response.writeHead(200).end('Company Account\n')
      return 'handled'
    })
    const page = await gateway.statement(period, null)
    assert.match(page.outcome === 'unknown' ? page.why : '', /has no column Merchant Account/)
    assert.deepEqual(
      calls.map(({ path, headers }) => [path, headers['x-api-key']]),
      [[`/reports/${fileName}`, 'AQEreport_key']],
    )
  })

  test('never follows a redirect of a report, which would take the key elsewhere', async (t) => {
    const elsewhere = await startScript(t, () => ({}))
    const { gateway } = await openReport(t, (_call, response) => {
      response.writeHead(302, { location: elsewhere.origin }).end()
      return 'handled'
    })
    const page = await gateway.statement(period, null)
    assert.deepEqual([page.outcome, 'isSilence' in page], ['unknown', true])
    assert.deepEqual(elsewhere.calls, [])
  })
})

test('Adyen is always ready: it has no cheap call, and the circuit breaker counts silent charges', async (t) => {
  const { gateway, calls } = await open(t, () => 'silent')
  assert.equal(await gateway.ready(), 'ready')
  assert.deepEqual(calls, [])
})
