import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { STARTS_MAX } from '#payment/start-payment.ts'
import type { StartAnswer } from '#contract/three-ds.ts'
import { createSandboxGateway } from '../gateways/sandbox/gateway.ts'
import { assertInvalidField, statusAndCode, type ErrorBody } from '../../proof/harness/error-answers.ts'
import { startSandbox, type SandboxProcess } from '../../proof/harness/sandbox-process.ts'
import { longTimeoutGateway } from '../../proof/harness/long-timeout-gateway.ts'
import { CARD, openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { API_KEYS } from '../../proof/harness/test-merchants.ts'

const DECLINED = '{"type":"card","code":"card_declined","message":"This card is not accepted.","params":{}}'
/** Right by its check digit, and of no test list: it could be somebody's. */
const REAL_NUMBER = '4539578763621486'
const CLOSED_PORT = 'http://127.0.0.1:65533'

describe('starting a payment', { concurrency: true }, () => {
  let acquirer: SandboxProcess
  let server: TestServer
  before(async () => {
    acquirer = await startSandbox()
    server = await openTestServer({ gateway: longTimeoutGateway(acquirer.origin) })
  })
  after(() => acquirer.stop())

  test('a card is read inside `card` and by itself', async () => {
    const checkout = await server.createCheckout()
    const post = (payload: object): Promise<LightMyRequestResponse> =>
      server.sendRequest({ method: 'POST', url: `/api/v1/checkouts/${checkout}/3ds`, payload })
    for (const body of [{ card: CARD }, CARD]) {
      const { orderCode } = (await post(body)).json<StartAnswer>()
      assert.match(orderCode, /^[a-z2-7]{32}$/)
    }
    assert.equal(await server.countAttempts(checkout), 2)
    assertInvalidField(await post({ card: CARD, number: CARD.number }), 'number', CARD.number)
    assertInvalidField(await post({ ...CARD, pin: '1234' }), 'card.pin', '1234')
    assertInvalidField(await post({}), 'card', '')
  })

  test('every card that is refused gets one and the same answer, and one that 3-D Secure was not asked about leaves no attempt', async () => {
    const visaOnly = await server.createCheckout({ acceptedCardBrands: ['visa'] })
    const ofBooks = await server.createCheckout({}, API_KEYS.books)
    const refusals = [
      await server.submitCard(visaOnly, { number: '5555555555554444' }),
      await server.submitCard(visaOnly, { number: '6200000000000005' }),
      await server.submitCard(visaOnly, { number: '4242424242424241' }),
      await server.submitCard(ofBooks, {}, 'books'),
    ]
    for (const [place, { statusCode, body }] of refusals.entries()) {
      assert.deepEqual([statusCode, body], [402, DECLINED], String(place))
    }
    assert.deepEqual(new Set(refusals.map(({ headers }) => headers['content-length'])).size, 1)
    // The 3-D Secure server was asked about the card of books: that start counts.
    assert.deepEqual([await server.countAttempts(visaOnly), await server.countAttempts(ofBooks)], [0, 1])
    const declined = await server.pay(visaOnly, await server.startAttempt(visaOnly, '4100000000750001'))
    assert.deepEqual([declined.statusCode, declined.body], [402, DECLINED])
  })

  test('a real card on a test checkout is refused by name, which tells nothing of the card, and leaves no attempt', async () => {
    const id = await server.createCheckout()
    assert.deepEqual(statusAndCode(await server.submitCard(id, { number: REAL_NUMBER })), [400, 'not_a_test_card'])
    assert.equal(await server.countAttempts(id), 0)
  })

  const wrongCards: readonly (readonly [string, unknown])[] = [
    ['number', '4242 4242 4242 4242'],
    ['number', '4242424242424'],
    ['number', '42424242424242424'],
    ['number', 4_242_424_242_424_242],
    ['expiryMonth', 0],
    ['expiryMonth', 13],
    ['expiryMonth', 1.5],
    ['expiryMonth', '12'],
    ['expiryYear', 1999],
    ['expiryYear', 2101],
    ['expiryYear', 2020],
    ['cvc', '12'],
    ['cvc', '98765'],
    ['cvc', '73a'],
    ['name', 'T'],
    ['name', 'TARO_YAMADA'],
    ['name', '山田太郎'],
    ['name', 'T'.repeat(46)],
    ['email', 'no-address-at-all'],
    ['email', 'taro@example'],
    ['email', 'taro@@example.com'],
    ['email', `${'a'.repeat(65)}@example.com`],
    ['email', null],
  ]
  for (const [field, value] of wrongCards) {
    test(`a card whose ${field} is ${JSON.stringify(value)} is refused by the name of the field alone`, async () => {
      const checkout = await server.createCheckout()
      assertInvalidField(await server.submitCard(checkout, { [field]: value }), `card.${field}`, value)
      assert.equal(await server.countAttempts(checkout), 0)
    })
  }

  test('a card is good to the end of its month in Japan', async () => {
    const checkout = await server.createCheckout()
    const today = new Date(server.clock.now() + 9 * 3_600_000)
    const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + 1]
    assert.equal((await server.submitCard(checkout, { expiryYear: year, expiryMonth: month })).statusCode, 200)
    const before =
      month === 1 ? { expiryYear: year - 1, expiryMonth: 12 } : { expiryYear: year, expiryMonth: month - 1 }
    assertInvalidField(await server.submitCard(checkout, before), 'card.expiryYear', before.expiryYear)
  })

  test('twenty starts are accepted, and the next is refused with 429', async () => {
    const checkout = await server.createCheckout()
    for (let starts = 0; starts < STARTS_MAX; starts += 1)
      assert.equal((await server.submitCard(checkout)).statusCode, 200)
    assert.deepEqual(statusAndCode(await server.submitCard(checkout)), [429, 'too_many_starts'])
    assert.equal(await server.countAttempts(checkout), 20)
    assert.equal((await server.readCheckout(checkout)).json<CheckoutAnswer>().status, 'open')
  })

  test('while the acquirer cannot be reached no payment is started and nothing is stored', async () => {
    const down = await openTestServer({ gateway: createSandboxGateway(CLOSED_PORT, 1000) })
    const checkout = await down.createCheckout()
    assert.deepEqual(statusAndCode(await down.submitCard(checkout)), [503, 'gateway_unavailable'])
    assert.equal(await down.countAttempts(checkout), 0)
    assert.equal(down.deps.cardHold.size, 0)
    assert.equal((await down.readCheckout(checkout)).json<CheckoutAnswer>().paymentPending, false)
  })

  test('a closed checkout says at start what closed it', async () => {
    const checkout = await server.createCheckout()
    await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })
    const answer = await server.submitCard(checkout)
    assert.deepEqual(statusAndCode(answer), [404, 'checkout_closed'])
    assert.equal(answer.json<ErrorBody>().params.status, 'cancelled')
  })
})
