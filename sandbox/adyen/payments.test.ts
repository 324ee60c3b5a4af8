import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import Schema from 'typebox/schema'
import { sandboxCards } from '../cards/card-table.ts'
import { field, pollUntil } from '../testing/acquirer.ts'
import { MERCHANT_ACCOUNT, paymentBody, pspReferenceOf, serveAdyen, withCard } from '../testing/adyen.ts'

const components: unknown = field(
  JSON.parse(readFileSync(join(import.meta.dirname, 'vendor', 'checkout-v72.json'), 'utf8')),
  'components',
)
const assertAnswer = (name: string, body: unknown): void => {
  const [isValid, errors] = Schema.Errors({ $ref: `#/components/schemas/${name}`, components }, body)
  assert.ok(isValid, `${name}: ${JSON.stringify(errors)}`)
}

const LATE = withCard('4100000000753005')
const NEVER_ANSWERED = withCard('4100000000754003')
const DROPPED = withCard('4100000000755000')
const BOOKED_THEN_500 = withCard('4100000000756008')
const ONLY_500 = withCard('4100000000757006')
const QUEUED = withCard('4100000000758004')

describe('a payment at the double of Adyen', { concurrency: true }, () => {
  test('a card is authorised, and no money moves before the capture', async (t) => {
    const adyen = await serveAdyen(t)
    const answer = await adyen.pay('order-1')
    assert.equal(answer.status, 200)
    assertAnswer('PaymentResponse', answer.body)
    assert.equal(field(answer.body, 'resultCode'), 'Authorised')
    assert.equal(field(answer.body, 'merchantReference'), 'order-1')
    assert.deepEqual(field(answer.body, 'amount'), { currency: 'JPY', value: 1980 })
    assert.deepEqual(field(answer.body, 'paymentMethod'), { brand: 'visa', type: 'scheme' })
    assert.match(pspReferenceOf(answer), /^[A-Z][A-Z0-9]{15}$/)
    assert.equal(field(await adyen.order('order-1'), 'status'), 'authorised')
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 0)

    const captured = await adyen.capture(pspReferenceOf(answer))
    assert.equal(captured.status, 201)
    assertAnswer('PaymentCaptureResponse', captured.body)
    assert.deepEqual(captured.body, {
      merchantAccount: MERCHANT_ACCOUNT,
      paymentPspReference: pspReferenceOf(answer),
      pspReference: pspReferenceOf(captured),
      reference: 'capture-1',
      status: 'received',
      amount: { currency: 'JPY', value: 1980 },
    })
    assert.notEqual(pspReferenceOf(captured), pspReferenceOf(answer))
    assert.equal(field(await adyen.order('order-1'), 'status'), 'captured')
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 1980)
    assert.deepEqual(await adyen.events(), ['AUTHORISATION true', 'CAPTURE true'])
  })

  test('without manual capture an authorised payment is captured at once', async (t) => {
    const adyen = await serveAdyen(t)
    await adyen.pay('order-1', { additionalData: { manualCaptur: 'true' } })
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 1980)
    assert.deepEqual(await adyen.events(), ['AUTHORISATION true', 'CAPTURE true'])
  })

  test('two payments with one reference are two payments', async (t) => {
    const adyen = await serveAdyen(t)
    for (const psp of [await adyen.authorised('order-1'), await adyen.authorised('order-1')]) await adyen.capture(psp)
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 3960)
  })

  test('a declined card is refused with Adyen’s reason and code, and cannot be captured', async (t) => {
    const adyen = await serveAdyen(t)
    for (const [number, reason, code] of [
      ['4100000000750001', 'Refused', '2'],
      ['4100000000751009', 'Expired Card', '6'],
      ['4100000000752007', 'Not supported', '10'],
    ] as const) {
      const answer = await adyen.pay(number.slice(-4), withCard(number))
      assert.equal(answer.status, 200)
      assertAnswer('PaymentResponse', answer.body)
      assert.deepEqual(answer.body, {
        pspReference: pspReferenceOf(answer),
        resultCode: 'Refused',
        refusalReason: reason,
        refusalReasonCode: code,
        merchantReference: number.slice(-4),
      })
      await adyen.capture(pspReferenceOf(answer))
      const order = await adyen.order(number.slice(-4))
      assert.deepEqual([field(order, 'status'), field(order, 'chargedYen')], ['refused', 0])
    }
    assert.deepEqual((await adyen.events()).slice(0, 2), ['AUTHORISATION false', 'CAPTURE false'])
  })

  test('a number that the sandbox does not publish is refused', async (t) => {
    const adyen = await serveAdyen(t)
    assert.ok(!sandboxCards.some(({ number }) => number === '4000000000000002'))
    const answer = await adyen.pay('order-1', withCard('4000000000000002'))
    assert.equal(field(answer.body, 'refusalReason'), 'Not supported')
    assert.equal(field(await adyen.order('order-1'), 'status'), 'refused')
  })

  test('a payment ends as Error or Cancelled, or is undecided until it is decided, where a test asks for it', async (t) => {
    const adyen = await serveAdyen(t)
    for (const resultCode of ['Error', 'Cancelled', 'Pending', 'Received'] as const) {
      await adyen.control('next-payment', { merchantAccount: MERCHANT_ACCOUNT, resultCode })
      const answer = await adyen.pay(resultCode)
      assertAnswer('PaymentResponse', answer.body)
      assert.equal(field(answer.body, 'resultCode'), resultCode)
    }
    assert.equal(field((await adyen.pay('order-5')).body, 'resultCode'), 'Authorised')
    assert.equal(field(await adyen.order('Error'), 'status'), 'error')
    assert.equal(field(await adyen.order('Cancelled'), 'status'), 'cancelled')
    assert.equal(field(await adyen.order('Pending'), 'status'), 'pending')
    const [pending] = [field(await adyen.order('Pending'), 'payments')].flat()
    const pspReference = String(field(pending, 'pspReference'))
    assert.equal((await adyen.control('decide', { pspReference, resultCode: 'Authorised' })).status, 200)
    assert.equal((await adyen.control('decide', { pspReference, resultCode: 'Refused' })).status, 404)
    assert.equal(field(await adyen.order('Pending'), 'status'), 'authorised')
  })

  test('an unanswered capture is booked once, under way while it is held, and found by its key afterwards', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1', NEVER_ANSWERED)
    const giveUp = new AbortController()
    const held = adyen.capture(psp, 1980, { key: 'order-1.capture', signal: giveUp.signal })
    held.catch(() => undefined)
    await pollUntil(
      () => adyen.order('order-1'),
      (order) => field(order, 'chargedYen') === 1980,
    )
    const meanwhile = await adyen.capture(psp, 1980, { key: 'order-1.capture' })
    assert.equal(meanwhile.status, 409)
    assert.equal(meanwhile.headers.get('transient-error'), 'true')
    assert.deepEqual(meanwhile.body, {
      status: 409,
      errorCode: '704',
      message: 'request already processed or in progress',
      errorType: 'validation',
    })
    giveUp.abort()
    await assert.rejects(held, { name: 'AbortError' })
    const replayed = await pollUntil(
      () => adyen.capture(psp, 1980, { key: 'order-1.capture' }),
      ({ status }) => status !== 409,
    )
    assert.equal(replayed.status, 201)
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 1980)
  })

  test('a capture that is answered with 500 is booked, and its key finds the answer', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1', BOOKED_THEN_500)
    const answer = await adyen.capture(psp, 1980, { key: 'order-1.capture' })
    assert.equal(answer.status, 500)
    assertAnswer('ServiceError', answer.body)
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 1980)
    assert.equal((await adyen.capture(psp, 1980, { key: 'order-1.capture' })).status, 201)
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 1980)
  })

  test('a payment that is dropped or answered with 500 alone is not booked', async (t) => {
    const adyen = await serveAdyen(t)
    await assert.rejects(adyen.pay('order-1', DROPPED, { key: 'order-1' }), { message: 'fetch failed' })
    assert.equal((await adyen.pay('order-2', ONLY_500, { key: 'order-2' })).status, 500)
    assert.equal(field(await adyen.order('order-1'), 'status'), 'none')
    assert.equal(field(await adyen.order('order-2'), 'status'), 'none')
    assert.deepEqual(await adyen.events(), [])
  })

  test('a late capture is received at once and moves money when its time has come', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1', LATE)
    assert.equal((await adyen.capture(psp)).status, 201)
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 0)
    await adyen.cancel(psp)
    assert.deepEqual(await adyen.events(), ['AUTHORISATION true', 'CANCELLATION false'])
    await adyen.control('clock', { advanceMs: 30_000 })
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 1980)
    assert.equal((await adyen.events()).at(-1), 'CAPTURE true')
  })

  test('a queued payment is authorised later, although its reference was cancelled before, and is not captured', async (t) => {
    const adyen = await serveAdyen(t)
    await assert.rejects(adyen.pay('order-1', QUEUED, { key: 'order-1' }), { message: 'fetch failed' })
    assert.equal(field(await adyen.order('order-1'), 'status'), 'none')
    assert.equal((await adyen.pay('order-1', QUEUED, { key: 'order-1' })).status, 409)
    assert.equal((await adyen.cancelByReference('order-1')).status, 201)
    await adyen.control('clock', { advanceMs: 5_000 })
    const order = await adyen.order('order-1')
    assert.deepEqual([field(order, 'status'), field(order, 'chargedYen')], ['authorised', 0])
    assert.deepEqual(await adyen.events(), ['TECHNICAL_CANCEL false', 'AUTHORISATION true'])
    assert.equal(field((await adyen.pay('order-1', QUEUED, { key: 'order-1' })).body, 'resultCode'), 'Authorised')
    assert.equal([field(await adyen.order('order-1'), 'payments')].flat().length, 1)
  })

  test('a capture beyond the authorised amount, a second one, and one of a cancelled payment are received and fail', async (t) => {
    const adyen = await serveAdyen(t)
    const first = await adyen.authorised('order-1')
    assert.equal(field((await adyen.capture(first, 1981)).body, 'status'), 'received')
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 0)
    await adyen.capture(first, 1000)
    await adyen.capture(first, 980)
    assert.equal(field(await adyen.order('order-1'), 'chargedYen'), 1000)
    const second = await adyen.authorised('order-2')
    assert.equal(field((await adyen.cancel(second)).body, 'status'), 'received')
    assert.equal(field((await adyen.capture(second)).body, 'status'), 'received')
    const order = await adyen.order('order-2')
    assert.deepEqual([field(order, 'status'), field(order, 'chargedYen')], ['cancelled', 0])
    assert.deepEqual(await adyen.events(), [
      'AUTHORISATION true',
      'CAPTURE false',
      'CAPTURE true',
      'CAPTURE false',
      'AUTHORISATION true',
      'CANCELLATION true',
      'CAPTURE false',
    ])
  })

  test('a cancel by reference ends what was authorised, and has no effect after a capture', async (t) => {
    const adyen = await serveAdyen(t)
    await adyen.authorised('order-1')
    const answer = await adyen.cancelByReference('order-1')
    assert.equal(answer.status, 201)
    assertAnswer('StandalonePaymentCancelResponse', answer.body)
    assert.deepEqual(answer.body, {
      merchantAccount: MERCHANT_ACCOUNT,
      paymentReference: 'order-1',
      pspReference: pspReferenceOf(answer),
      status: 'received',
    })
    assert.equal(field(await adyen.order('order-1'), 'status'), 'cancelled')
    const captured = await adyen.authorised('order-2')
    await adyen.capture(captured)
    await adyen.cancelByReference('order-2')
    assertAnswer('PaymentCancelResponse', (await adyen.cancel(captured)).body)
    assert.equal(field(await adyen.order('order-2'), 'chargedYen'), 1980)
    assert.equal((await adyen.cancelByReference('order-3')).status, 201)
    assert.deepEqual(
      (await adyen.events()).filter((event) => /CANCEL/.test(event)),
      ['TECHNICAL_CANCEL true', 'TECHNICAL_CANCEL false', 'CANCELLATION false', 'TECHNICAL_CANCEL false'],
    )
  })

  test('refunds give back in parts what was captured, and no more', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1')
    await adyen.refund(psp, 100)
    await adyen.capture(psp)
    const answer = await adyen.refund(psp, 1000)
    assert.equal(answer.status, 201)
    assertAnswer('PaymentRefundResponse', answer.body)
    assert.equal(field(answer.body, 'status'), 'received')
    await adyen.refund(psp, 981)
    assert.equal(field(await adyen.order('order-1'), 'refundedYen'), 1000)
    await adyen.refund(psp, 980)
    assert.equal(field(await adyen.order('order-1'), 'refundedYen'), 1980)
    assert.deepEqual(
      (await adyen.events()).filter((event) => /REFUND/.test(event)),
      ['REFUND false', 'REFUND true', 'REFUND false', 'REFUND true'],
    )
  })

  test('a modification needs the reference of a payment of its account, not of a capture', async (t) => {
    const adyen = await serveAdyen(t)
    const psp = await adyen.authorised('order-1')
    const capture = pspReferenceOf(await adyen.capture(psp))
    for (const wrong of [capture, 'QFQTPCQ8HXSKGK82']) {
      const answer = await adyen.refund(wrong, 1)
      assert.equal(answer.status, 422)
      assert.equal(field(answer.body, 'errorCode'), '167')
      assertAnswer('ServiceError', answer.body)
    }
    assert.equal(field(await adyen.order('order-1'), 'refundedYen'), 0)
  })

  test('the request of the tests is one of Adyen’s own fields alone', () => {
    assertAnswer('PaymentRequest', paymentBody('order-1'))
  })
})
