import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Check } from 'typebox/value'
import { BinCodesAnswer } from '#contract/shopper-calls.ts'
import { CheckoutAnswer } from '#contract/checkout.ts'
import { StartAnswer } from '#contract/three-ds.ts'
import { assertInvalidField, statusAndCode } from '../../../proof/harness/error-answers.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { startSandbox, type SandboxProcess } from '../../../proof/harness/sandbox-process.ts'
import { longTimeoutGateway } from '../../../proof/harness/long-timeout-gateway.ts'
import { CARD, openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { API_KEYS } from '../../../proof/harness/test-merchants.ts'

describe('the calls of the shopper’s page', { concurrency: true }, () => {
  let acquirer: SandboxProcess
  let server: TestServer
  before(async () => {
    acquirer = await startSandbox()
    server = await openTestServer({ gateway: longTimeoutGateway(acquirer.origin) })
  })
  after(() => acquirer.stop())

  const payWith = (url: string, payload: object, merchant = 'tea'): Promise<LightMyRequestResponse> =>
    server.sendRequest({ method: 'PATCH', url: `/api/v1/checkouts/${url}`, payload, merchant })

  test('a checkout is read, started, paid and read again, each answer as the contract says', async () => {
    const checkout = await server.createCheckout({
      subject: 'Tea',
      links: { redirectUrl: 'https://shop.example.com/thanks' },
    })
    const read = await server.readCheckout(checkout)
    assert.equal(read.statusCode, 200)
    assert.ok(Check(CheckoutAnswer, read.json()))
    const started = await server.submitCard(checkout)
    assert.equal(started.statusCode, 200)
    assert.ok(Check(StartAnswer, started.json()))
    const { orderCode, threeDSRequired } = started.json<StartAnswer>()
    assert.match(orderCode, /^[a-z2-7]{32}$/)
    assert.equal(threeDSRequired, false)
    const paid = await server.pay(checkout, orderCode)
    assert.equal(paid.statusCode, 200)
    const answer = paid.json<CheckoutAnswer>()
    assert.ok(Check(CheckoutAnswer, answer))
    assert.deepEqual([answer.status, answer.links.redirectUrl], ['paid', 'https://shop.example.com/thanks'])
    assert.deepEqual((await server.readCheckout(checkout)).json(), answer)
  })

  test('the brands’ number prefixes are listed', async () => {
    const answer = await server.sendRequest({ method: 'GET', url: '/api/v1/bincodes' })
    assert.equal(answer.statusCode, 200)
    const codes = answer.json<BinCodesList>()
    assert.ok(Check(BinCodesAnswer, codes))
    assert.ok(codes.some(({ prefix, brand }) => prefix === '4' && brand === 'visa'))
  })

  const JSON_TYPE = { 'content-type': 'application/json' }
  const emptyBodies = [
    {},
    { headers: JSON_TYPE, payload: '' },
    { headers: JSON_TYPE, payload: ' \n' },
    { headers: JSON_TYPE, payload: '{}' },
    { headers: JSON_TYPE, payload: 'null' },
    { headers: { 'content-type': 'application/json; charset=utf-8' }, payload: '{}' },
  ]
  for (const emptyBody of emptyBodies) {
    test(`a checkout is cancelled by a call that sends ${JSON.stringify(emptyBody.payload ?? 'no body')}`, async () => {
      const checkout = await server.createCheckout()
      const answer = await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}`, ...emptyBody })
      assert.ok(Check(CheckoutAnswer, answer.json()))
      assert.equal(answer.json<CheckoutAnswer>().status, 'cancelled')
    })
  }

  test('a cancel with something in its body is refused and cancels nothing', async () => {
    const checkout = await server.createCheckout()
    for (const payload of ['{"why":"x"}', '[]', '"x"', '1', 'true']) {
      const sent = { headers: JSON_TYPE, payload }
      const answer = await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}`, ...sent })
      assert.deepEqual(statusAndCode(answer), [400, 'invalid_field'], payload)
    }
    assert.equal((await server.readCheckout(checkout)).json<CheckoutAnswer>().status, 'open')
  })

  test('a pay without a code or an address for the receipt is refused by the name of the field', async () => {
    const checkout = await server.createCheckout()
    const order = await server.startAttempt(checkout)
    const good = { cvc: '737', receiptEmail: CARD.email }
    const wrong: readonly (readonly [string, unknown])[] = [
      ['cvc', '73'],
      ['cvc', '98765'],
      ['receiptEmail', 'not-an-address'],
      ['receiptEmail', 'a@'],
      ['locale', 'x'.repeat(36)],
      ['number', CARD.number],
    ]
    for (const [field, value] of wrong) {
      assertInvalidField(await payWith(`${checkout}/3ds/${order}/pay`, { ...good, [field]: value }), field, value)
    }
    assert.equal((await payWith(`${checkout}/3ds/${order}/pay`, { ...good, locale: 'xx' })).statusCode, 200)
  })

  test('an order code pays its own checkout and no other', async () => {
    const [mine, other] = [await server.createCheckout(), await server.createCheckout()]
    const ofBooks = await server.createCheckout({}, API_KEYS.books)
    const order = await server.startAttempt(mine)
    const body = { cvc: '737', receiptEmail: CARD.email }
    for (const unknown of ['a'.repeat(32), 'x', '%00', '__proto__', order.toUpperCase(), 'a'.repeat(200)]) {
      const answer = await payWith(`${mine}/3ds/${unknown}/pay`, body)
      assert.deepEqual(statusAndCode(answer), [409, 'order_not_found'], unknown)
    }
    assert.deepEqual(statusAndCode(await payWith(`${other}/3ds/${order}/pay`, body)), [409, 'order_not_found'])
    assert.deepEqual(statusAndCode(await payWith(`${ofBooks}/3ds/${order}/pay`, body, 'books')), [
      409,
      'order_not_found',
    ])
    assert.equal(
      (await acquirer.listOrders()).some(({ orderId }) => orderId === order),
      false,
    )
    assert.equal((await payWith(`${mine}/3ds/${order}/pay`, body)).json<CheckoutAnswer>().status, 'paid')
  })

  test('a body that is no JSON, of another type, too large or poisoned is refused and not quoted', async () => {
    const checkout = await server.createCheckout()
    const number = '"4242424242424242"'
    const bodies: readonly (readonly [string, string, number, string])[] = [
      ['application/json', `{"card":{"number":${number}`, 400, 'invalid_json'],
      ['application/json', 'card', 400, 'invalid_json'],
      ['application/json', `{"__proto__":{"card":${number}}}`, 400, 'invalid_json'],
      ['application/json', `{"card":{"constructor":{"prototype":{"x":${number}}}}}`, 400, 'invalid_json'],
      ['text/plain', JSON.stringify({ card: CARD }), 415, 'unsupported_media_type'],
      ['application/x-www-form-urlencoded', `number=${CARD.number}`, 415, 'unsupported_media_type'],
      ['multipart/form-data; boundary=x', number, 415, 'unsupported_media_type'],
      ['nonsense', number, 415, 'unsupported_media_type'],
      ['application/json', `{"card":"${'4'.repeat(64 * 1024)}"}`, 413, 'body_too_large'],
    ]
    for (const [type, payload, status, code] of bodies) {
      const sent = { headers: { 'content-type': type }, payload }
      const answer = await server.sendRequest({ method: 'POST', url: `/api/v1/checkouts/${checkout}/3ds`, ...sent })
      assert.deepEqual(statusAndCode(answer), [status, code], type)
      assert.doesNotMatch(answer.body, /4242|4444/)
    }
    assert.equal(await server.countAttempts(checkout), 0)
    assert.doesNotMatch(server.logLines.join(''), /4242424242424242|TARO|example\.com/)
  })
})

test('the body of a paying call has at most 8 KiB, and one byte more is refused by a message that says so', async () => {
  const server = await openTestServer({ gateway: fakeGateway() })
  const checkout = await server.createCheckout()
  const send = (bytes: number) => {
    const payload = JSON.stringify({ card: CARD }).padEnd(bytes)
    return server.sendRequest({
      method: 'POST',
      url: `/api/v1/checkouts/${checkout}/3ds`,
      headers: { 'content-type': 'application/json' },
      payload,
    })
  }
  const tooLarge = await send(8 * 1024 + 1)
  assert.deepEqual(statusAndCode(tooLarge), [413, 'body_too_large'])
  assert.match(tooLarge.body, /Send at most 8 KiB\./)
  assert.equal((await send(8 * 1024)).statusCode, 200)
})

type BinCodesList = readonly { readonly prefix: string; readonly brand: string }[]
