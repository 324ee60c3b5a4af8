import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Check } from 'typebox/value'
import { BinCodesAnswer } from '#contract/calls.ts'
import { CheckoutAnswer } from '#contract/checkout.ts'
import { StartAnswer } from '#contract/three-ds.ts'
import { assertNames, codeOf } from '../../../proof/harness/refusals.ts'
import { startAcquirer, type Acquirer } from '../../../proof/harness/acquirer-process.ts'
import { patientGateway } from '../../../proof/harness/patient-gateway.ts'
import { CARD, KEYS, openShop, type Shop } from '../../../proof/harness/shop.ts'

describe('the calls of the shopper’s page', { concurrency: true }, () => {
  let acquirer: Acquirer
  let shop: Shop
  before(async () => {
    acquirer = await startAcquirer()
    shop = await openShop({ gateway: patientGateway(acquirer.origin) })
  })
  after(() => acquirer.stop())

  const payWith = (url: string, payload: object, merchant = 'tea'): Promise<LightMyRequestResponse> =>
    shop.call({ method: 'PATCH', url: `/api/v1/checkouts/${url}`, payload, merchant })

  test('a checkout is read, started, paid and read again, each answer as agreed', async () => {
    const checkout = await shop.create({ subject: 'Tea', links: { redirectUrl: 'https://shop.example.com/thanks' } })
    const read = await shop.read(checkout)
    assert.equal(read.statusCode, 200)
    assert.ok(Check(CheckoutAnswer, read.json()))
    const started = await shop.submit(checkout)
    assert.equal(started.statusCode, 200)
    assert.ok(Check(StartAnswer, started.json()))
    const { orderCode, threeDSRequired } = started.json<StartAnswer>()
    assert.match(orderCode, /^[a-z2-7]{32}$/)
    assert.equal(threeDSRequired, false)
    const paid = await shop.pay(checkout, orderCode)
    assert.equal(paid.statusCode, 200)
    const answer = paid.json<CheckoutAnswer>()
    assert.ok(Check(CheckoutAnswer, answer))
    assert.deepEqual([answer.status, answer.links.redirectUrl], ['paid', 'https://shop.example.com/thanks'])
    assert.deepEqual((await shop.read(checkout)).json(), answer)
  })

  test('the brands’ number prefixes are listed', async () => {
    const answer = await shop.call({ method: 'GET', url: '/api/v1/bincodes' })
    assert.equal(answer.statusCode, 200)
    const codes = answer.json<BinCodesList>()
    assert.ok(Check(BinCodesAnswer, codes))
    assert.ok(codes.some(({ prefix, brand }) => prefix === '4' && brand === 'visa'))
  })

  const JSON_TYPE = { 'content-type': 'application/json' }
  const nothings = [
    {},
    { headers: JSON_TYPE, payload: '' },
    { headers: JSON_TYPE, payload: ' \n' },
    { headers: JSON_TYPE, payload: '{}' },
    { headers: JSON_TYPE, payload: 'null' },
    { headers: { 'content-type': 'application/json; charset=utf-8' }, payload: '{}' },
  ]
  for (const nothing of nothings) {
    test(`a checkout is cancelled by a call that sends ${JSON.stringify(nothing.payload ?? 'no body')}`, async () => {
      const checkout = await shop.create()
      const answer = await shop.call({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}`, ...nothing })
      assert.ok(Check(CheckoutAnswer, answer.json()))
      assert.equal(answer.json<CheckoutAnswer>().status, 'cancelled')
    })
  }

  test('a cancel that sends something is refused and cancels nothing', async () => {
    const checkout = await shop.create()
    for (const payload of ['{"why":"x"}', '[]', '"x"', '1', 'true']) {
      const sent = { headers: JSON_TYPE, payload }
      const answer = await shop.call({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}`, ...sent })
      assert.deepEqual(codeOf(answer), [400, 'invalid_field'], payload)
    }
    assert.equal((await shop.read(checkout)).json<CheckoutAnswer>().status, 'open')
  })

  test('a pay without a code or an address for the receipt is refused by the name of the field', async () => {
    const checkout = await shop.create()
    const order = await shop.start(checkout)
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
      assertNames(await payWith(`${checkout}/3ds/${order}/pay`, { ...good, [field]: value }), field, value)
    }
    assert.equal((await payWith(`${checkout}/3ds/${order}/pay`, { ...good, locale: 'xx' })).statusCode, 200)
  })

  test('an order code pays its own checkout and no other', async () => {
    const [mine, other] = [await shop.create(), await shop.create()]
    const ofBooks = await shop.create({}, KEYS.books)
    const order = await shop.start(mine)
    const body = { cvc: '737', receiptEmail: CARD.email }
    for (const unknown of ['a'.repeat(32), 'x', '%00', '__proto__', order.toUpperCase(), 'a'.repeat(200)]) {
      const answer = await payWith(`${mine}/3ds/${unknown}/pay`, body)
      assert.deepEqual(codeOf(answer), [409, 'order_not_found'], unknown)
    }
    assert.deepEqual(codeOf(await payWith(`${other}/3ds/${order}/pay`, body)), [409, 'order_not_found'])
    assert.deepEqual(codeOf(await payWith(`${ofBooks}/3ds/${order}/pay`, body, 'books')), [409, 'order_not_found'])
    assert.equal(
      (await acquirer.orders()).some(({ orderId }) => orderId === order),
      false,
    )
    assert.equal((await payWith(`${mine}/3ds/${order}/pay`, body)).json<CheckoutAnswer>().status, 'paid')
  })

  test('a body that is no JSON, of another type, too large or poisoned is refused and not quoted', async () => {
    const checkout = await shop.create()
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
      const answer = await shop.call({ method: 'POST', url: `/api/v1/checkouts/${checkout}/3ds`, ...sent })
      assert.deepEqual(codeOf(answer), [status, code], type)
      assert.doesNotMatch(answer.body, /4242|4444/)
    }
    assert.equal(await shop.countAttempts(checkout), 0)
    assert.doesNotMatch(shop.logged.join(''), /4242424242424242|TARO|example\.com/)
  })
})

type BinCodesList = readonly { readonly prefix: string; readonly brand: string }[]
