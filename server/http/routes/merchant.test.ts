import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Check } from 'typebox/value'
import { DAY_MS } from '#contract/jst.ts'
import { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { gatewayNotConfigured } from '../../gateways/not-configured.ts'
import { assertInvalidField, statusAndCode, type ErrorBody } from '../../../proof/harness/error-answers.ts'
import { saveCheckedAccount } from '../../../proof/harness/test-accounts.ts'
import { API_KEYS, TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'

const JSON_TYPE = 'application/json'

describe('the merchant’s own calls', () => {
  let server: TestServer
  before(async () => {
    server = await openTestServer({ gateway: gatewayNotConfigured })
  })

  const post = (payload: string | object, type = JSON_TYPE, key = API_KEYS.tea): Promise<LightMyRequestResponse> =>
    server.app.inject({
      method: 'POST',
      url: '/merchant/v1/checkouts',
      headers: { host: 'localhost:3000', authorization: `Bearer ${key}`, 'content-type': type },
      payload,
    })

  const get = (path: string, authorization?: string): Promise<LightMyRequestResponse> =>
    server.app.inject({
      method: 'GET',
      url: `/merchant/v1${path}`,
      headers: { host: 'localhost:3000', ...(authorization === undefined ? {} : { authorization }) },
    })

  const checkoutsStored = async (): Promise<unknown> =>
    (await server.deps.database.rows('SELECT count(*) AS n FROM checkouts'))[0]?.['n']

  test('a checkout is created with everything that was asked, and read back the same', async () => {
    const body = {
      amount: 9_999_999,
      subject: '煎茶'.repeat(100),
      remarks: 'A-1024\n贈答用',
      acceptedCardBrands: ['jcb', 'visa'],
      links: { cancelUrl: 'https://shop.example.com/cart', redirectUrl: 'https://shop.example.com/thanks' },
      locale: 'ko_KR',
      metadata: { order: 'A-1024', 'a\nb': 'c' },
      taxes: [
        { rate: 8, amount: 9_999_998 },
        { rate: 10, amount: 1 },
        { rate: 0, amount: 0 },
      ],
    }
    const created = await post(body)
    assert.equal(created.statusCode, 201)
    const answer = created.json<MerchantCheckoutAnswer>()
    assert.ok(Check(MerchantCheckoutAnswer, answer))
    assert.equal(answer.url, `http://tea.localhost:3000/${answer.id}`)
    assert.match(answer.id, /^[a-z2-7]{32}$/)
    const { amount, subject, remarks, links, locale, metadata, taxes } = answer
    assert.deepEqual(
      { ...body, acceptedCardBrands: [] },
      { amount, subject, remarks, acceptedCardBrands: [], links, locale, metadata, taxes },
    )
    assert.deepEqual([answer.acceptedCardBrands, answer.mode, answer.status], [['visa', 'jcb'], 'test', 'open'])
    const read = await get(`/checkouts/${answer.id}`, `Bearer ${API_KEYS.tea}`)
    assert.deepEqual([read.statusCode, read.json()], [200, answer])
  })

  test('the smallest checkout is one yen and nothing else', async () => {
    const answer = (await post({ amount: 1 })).json<MerchantCheckoutAnswer>()
    assert.ok(Check(MerchantCheckoutAnswer, answer))
    assert.deepEqual([answer.amount, answer.links, answer.metadata], [1, {}, {}])
  })

  test('another merchant’s checkout, an unknown one and no id at all are the same 404', async () => {
    const { id } = (await post({ amount: 1 })).json<MerchantCheckoutAnswer>()
    const answers = [
      await get(`/checkouts/${id}`, `Bearer ${API_KEYS.books}`),
      await get(`/checkouts/${'a'.repeat(32)}`, `Bearer ${API_KEYS.tea}`),
      await get('/checkouts/%00', `Bearer ${API_KEYS.tea}`),
      await get(`/checkouts/${'a'.repeat(500)}`, `Bearer ${API_KEYS.tea}`),
    ]
    assert.equal(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size, 1)
    assert.deepEqual(statusAndCode(answers[0] ?? assert.fail()), [404, 'checkout_not_found'])
  })

  test('without a known key nothing is disclosed and nothing is created', async () => {
    const stored = await checkoutsStored()
    const wrong = [
      undefined,
      '',
      `Bearer sk_test_${'x'.repeat(32)}`,
      'Bearer sk_test_short',
      `Bearer ${API_KEYS.tea}x`,
      `bearer ${API_KEYS.tea}`,
      `Basic ${API_KEYS.tea}`,
      API_KEYS.tea,
      `Bearer ${API_KEYS.tea}, Bearer ${API_KEYS.books}`,
      `Bearer ' OR '1'='1`,
    ]
    const answers: string[] = []
    for (const authorization of wrong) {
      const answer = await get('/checkouts/x', authorization)
      assert.deepEqual(statusAndCode(answer), [401, 'invalid_api_key'], authorization ?? 'no header')
      answers.push(answer.body)
    }
    assert.equal(new Set(answers).size, 1)
    assert.deepEqual(statusAndCode(await post({ amount: 1 }, JSON_TYPE, `sk_test_${'x'.repeat(32)}`)), [
      401,
      'invalid_api_key',
    ])
    assert.equal(await checkoutsStored(), stored)
  })

  test('a live key is refused with the reason: its shop has no account at an acquirer', async () => {
    const answer = await post({ amount: 1 }, JSON_TYPE, API_KEYS.live)
    assert.deepEqual(statusAndCode(answer), [401, 'invalid_api_key'])
    assert.match(answer.json<ErrorBody>().message, /no account at an acquirer.*acquirer set --merchant tea --mode live/)
    assert.equal((await get('/checkouts/x', `Bearer ${API_KEYS.live}`)).statusCode, 401)
  })

  test('a live checkout that the acquirer of the shop could not charge is refused when it is created, by name', async () => {
    await saveCheckedAccount(server.deps.database, { merchantId: TEA_MERCHANT.id, mode: 'live' })
    const stored = await checkoutsStored()
    const answer = await post({ amount: 49 }, JSON_TYPE, API_KEYS.live)
    assert.deepEqual(statusAndCode(answer), [400, 'invalid_field'])
    assert.match(answer.json<ErrorBody>().message, /^amount is 49 yen, and Stripe, .* takes 50 to 99,999,999 yen/)
    assert.equal(await checkoutsStored(), stored)
    const created = (await post({ amount: 50 }, JSON_TYPE, API_KEYS.live)).json<MerchantCheckoutAnswer>()
    assert.deepEqual([created.mode, created.amount], ['live', 50])
    assert.equal((await post({ amount: 1 })).statusCode, 201, 'a test at the sandbox has no limits')
  })

  const refused: readonly (readonly [string, object])[] = [
    ['amount', {}],
    ['amount', { amount: 0 }],
    ['amount', { amount: -1 }],
    ['amount', { amount: 10_000_000 }],
    ['amount', { amount: 19.8 }],
    ['amount', { amount: '1980' }],
    ['amount', { amount: null }],
    ['amount', { amount: [1980] }],
    ['amount', { amount: 1e21 }],
    ['discount', { amount: 1, discount: 5 }],
    ['subject', { amount: 1, subject: 'x'.repeat(201) }],
    ['subject', { amount: 1, subject: 5 }],
    ['subject', { amount: 1, subject: 'a\0b' }],
    ['remarks', { amount: 1, remarks: 'x'.repeat(2001) }],
    ['remarks', { amount: 1, remarks: '\0' }],
    ['links.other', { amount: 1, links: { other: 'https://shop.example.com' } }],
    ['links.cancelUrl', { amount: 1, links: { cancelUrl: 'javascript:alert(1)' } }],
    ['links.cancelUrl', { amount: 1, links: { cancelUrl: 'http://shop.example.com' } }],
    ['links.redirectUrl', { amount: 1, links: { redirectUrl: 'data:text/html,x' } }],
    ['links.redirectUrl', { amount: 1, links: { redirectUrl: `https://a.example/${'x'.repeat(2000)}` } }],
    ['links', { amount: 1, links: 'https://shop.example.com' }],
    ['reference', { amount: 1, reference: 'x'.repeat(101) }],
    ['reference', { amount: 1, reference: '' }],
    ['subject', { amount: 1, taxes: [{ rate: 10, amount: 1 }] }],
    ['taxes', { amount: 2, subject: 'Tea', taxes: [{ rate: 10, amount: 1 }] }],
    ['taxes', { amount: 1, subject: 'Tea', taxes: [] }],
    ['taxes.0.rate', { amount: 1, subject: 'Tea', taxes: [{ rate: 5, amount: 1 }] }],
    ['taxes.0.tax', { amount: 1, subject: 'Tea', taxes: [{ rate: 10, amount: 1, tax: 0 }] }],
    ['acceptedCardBrands', { amount: 1, acceptedCardBrands: [] }],
    ['acceptedCardBrands', { amount: 1, acceptedCardBrands: ['visa', 'visa'] }],
    ['acceptedCardBrands.1', { amount: 1, acceptedCardBrands: ['visa', 'unionpay'] }],
    ['locale', { amount: 1, locale: 'fr_FR' }],
    ['locale', { amount: 1, locale: 'ja' }],
    ['validUntil', { amount: 1, validUntil: '2020-01-01' }],
    ['validUntil', { amount: 1, validUntil: '2999-02-29' }],
    ['validUntil', { amount: 1, validUntil: new Date(Date.now() + 182 * DAY_MS).toISOString() }],
    ['validUntil', { amount: 1, validUntil: 1_900_000_000_000 }],
    ['metadata', { amount: 1, metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'v'])) }],
    ['metadata', { amount: 1, metadata: { ['k'.repeat(41)]: 'v' } }],
    ['metadata.k', { amount: 1, metadata: { k: 'v'.repeat(501) } }],
    ['metadata.k', { amount: 1, metadata: { k: 5 } }],
    ['taxes', { amount: 1, subject: 'x', taxes: [] }],
    ['taxes', { amount: 1, subject: 'x', taxes: { rate: 8, amount: 1 } }],
    ['taxes', { amount: 1, subject: 'x', taxes: [10, 8, 0, 10].map((rate) => ({ rate, amount: 1 })) }],
    ['taxes', { amount: 2, subject: 'x', taxes: [10, 10].map((rate) => ({ rate, amount: 1 })) }],
    ['taxes', { amount: 2, subject: 'x', taxes: [{ rate: 8, amount: 1 }] }],
    ['taxes.0.rate', { amount: 1, subject: 'x', taxes: [{ rate: 5, amount: 1 }] }],
    ['taxes.0.rate', { amount: 1, subject: 'x', taxes: [{ rate: '8', amount: 1 }] }],
    ['taxes.0.rate', { amount: 1, subject: 'x', taxes: [{ amount: 1 }] }],
    [
      'taxes.1.amount',
      {
        amount: 1,
        subject: 'x',
        taxes: [
          { rate: 8, amount: 1 },
          { rate: 10, amount: -1 },
        ],
      },
    ],
    ['taxes.0.amount', { amount: 1, subject: 'x', taxes: [{ rate: 8, amount: 0.5 }] }],
    ['taxes.0.tax', { amount: 1, subject: 'x', taxes: [{ rate: 8, amount: 1, tax: 0 }] }],
    ['subject', { amount: 1, taxes: [{ rate: 8, amount: 1 }] }],
    ['body', []],
  ]
  for (const [place, [field, body]] of refused.entries()) {
    test(`a checkout with a wrong ${field} (${place}) is refused by the name of the field`, async () => {
      assertInvalidField(await post(body), field)
    })
  }

  test('a value at the end of its range is accepted', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}`.padEnd(40, 'k'), 'v'.repeat(500)]))
    const bodies = [
      { amount: 9_999_999, subject: 'x'.repeat(200), remarks: 'x'.repeat(2000) },
      { amount: 1, metadata },
      { amount: 1, validUntil: new Date(Date.now() + 180 * DAY_MS).toISOString() },
    ]
    for (const body of bodies) assert.equal((await post(body)).statusCode, 201)
  })

  test('a body that is no JSON, of another type, or too large is refused with an error of its own', async () => {
    const stored = await checkoutsStored()
    const bodies: readonly (readonly [string, string, number, string])[] = [
      [JSON_TYPE, '{"amount":1980', 400, 'invalid_json'],
      [JSON_TYPE, "{'amount':1980}", 400, 'invalid_json'],
      [JSON_TYPE, '{"amount":1980,"__proto__":{"x":1}}', 400, 'invalid_json'],
      [JSON_TYPE, '{"amount":NaN}', 400, 'invalid_json'],
      [JSON_TYPE, '', 400, 'invalid_field'],
      [JSON_TYPE, 'null', 400, 'invalid_field'],
      [JSON_TYPE, '1980', 400, 'invalid_field'],
      ['text/plain', '{"amount":1980}', 415, 'unsupported_media_type'],
      ['application/x-www-form-urlencoded', 'amount=1980', 415, 'unsupported_media_type'],
      ['', '{"amount":1980}', 415, 'unsupported_media_type'],
      [JSON_TYPE, `{"amount":1,"remarks":"${'x'.repeat(64 * 1024)}"}`, 413, 'body_too_large'],
    ]
    for (const [type, payload, status, code] of bodies) {
      assert.deepEqual(statusAndCode(await post(payload, type)), [status, code], payload.slice(0, 40))
    }
    assert.equal(await checkoutsStored(), stored)
  })

  test('of a field that is sent twice the last value counts, as in JSON', async () => {
    const answer = await post('{"amount":1,"amount":2}')
    assert.deepEqual([answer.statusCode, answer.json<MerchantCheckoutAnswer>().amount], [201, 2])
    assertInvalidField(await post('{"amount":1,"amount":"2"}'), 'amount')
  })
})
