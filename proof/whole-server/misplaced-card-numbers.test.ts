import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { readPageBuild } from '../../server/http/page-build.ts'
import { fakeGateway, type FakeGateway } from '../harness/fake-gateway.ts'
import { CARD, openTestServer, type TestServer } from '../harness/test-server.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { scriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'

/** Misplaced card numbers: in a field where they do not belong they are refused or left out, never stored or repeated. */
const NUMBER = '4012888888881881'
const GROUPED_NUMBER = '4012 8888 8888 1881'

describe('a card number in the wrong place', () => {
  let server: TestServer
  let gateway: FakeGateway
  before(async () => {
    gateway = fakeGateway()
    server = await openTestServer({ gateway, threeDSServer: scriptedThreeDSServer(), build: await readPageBuild() })
  })

  const startWithFields = async (fields: object): Promise<LightMyRequestResponse> =>
    server.submitCard(await server.createCheckout(), fields)

  const assertRefused = (answer: LightMyRequestResponse, field: string, words: RegExp): void => {
    const { code, message, params } = answer.json<{ code: string; message: string; params: { field: string } }>()
    assert.deepEqual([answer.statusCode, code, params.field], [400, 'invalid_field', field])
    assert.match(message, words)
    assert.doesNotMatch(answer.body, /8888/)
  }

  test('is refused as a name and as an address, and nothing is held', async () => {
    for (const name of [NUMBER, GROUPED_NUMBER, `TARO ${GROUPED_NUMBER}`])
      assertRefused(
        await startWithFields({ name }),
        'card.name',
        /^card\.name holds a card number\. Send the name alone\.$/,
      )
    for (const email of [`${NUMBER}@example.com`, '4012.8888.8888.1881@example.com'])
      assertRefused(
        await startWithFields({ email }),
        'card.email',
        /^card\.email holds a card number\. Send another address\.$/,
      )
    assert.equal(server.deps.cardHold.size, 0)
    assert.equal((await startWithFields({ name: 'TARO 2', email: 'taro.1980@example.com' })).statusCode, 200)
  })

  test('is refused as the receipt’s address before anything is charged or stored', async () => {
    const checkout = await server.createCheckout()
    const order = await server.startAttempt(checkout)
    await server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${order}/authenticate` })
    const payWith = (receiptEmail: string) =>
      server.sendRequest({
        method: 'PATCH',
        url: `/api/v1/checkouts/${checkout}/3ds/${order}/pay`,
        payload: { cvc: CARD.cvc, receiptEmail },
      })
    assertRefused(await payWith(`${NUMBER}@example.com`), 'receiptEmail', /holds a card number/)
    assert.equal(gateway.charges.length, 0)
    assert.equal((await payWith(CARD.email)).statusCode, 200)
  })

  test('is refused in what a shop writes to its customers, and its own ids are left alone', async () => {
    const create = (payload: object) =>
      server.app.inject({
        method: 'POST',
        url: '/merchant/v1/checkouts',
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
        payload: { amount: 1, ...payload },
      })
    assertRefused(
      await create({ subject: GROUPED_NUMBER }),
      'subject',
      /^subject holds a card number\. Leave it out; the shopper/,
    )
    assertRefused(await create({ subject: '4012-8888-8888-1881' }), 'subject', /holds a card number/)
    assertRefused(await create({ remarks: `by telephone: ${GROUPED_NUMBER}, 12/99` }), 'remarks', /holds a card number/)
    for (const text of ['Order 2611160127110806', '261115-134025-9272', '¥4,012\n¥8,888\n¥8,888\n¥1,881', NUMBER])
      assert.equal((await create({ subject: text.split('\n')[0], remarks: text })).statusCode, 201, text)
    assert.equal((await create({ metadata: { order: NUMBER } })).statusCode, 201)
  })

  test('is refused in every text of a shop’s settings, bare and grouped, and nothing is stored', async () => {
    const { database } = server.deps
    const stored = () => database.rows('SELECT settings FROM merchants')
    const change = (payload: object) =>
      server.app.inject({
        method: 'PATCH',
        url: '/merchant/v1/settings',
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}`, 'if-match': '*' },
        payload,
      })
    const before = await stored()
    for (const number of [NUMBER, GROUPED_NUMBER])
      for (const field of ['shopName', 'shopAddress', 'shopPhoneNumber'])
        assertRefused(await change({ [field]: `Tea ${number}` }), field, /holds a card number\. Leave it out\.$/)
    assertRefused(await change({ shopEmail: `${NUMBER}@example.com` }), 'shopEmail', /holds a card number/)
    assertRefused(await change({ shopUrl: `https://example.com/${NUMBER}` }), 'shopUrl', /holds a card number/)
    assertRefused(
      await change({ notifications: { address: `${NUMBER}@example.com` } }),
      'notifications.address',
      /holds a card number/,
    )
    assertRefused(await change({ linkHosts: [`${NUMBER}.example.com`] }), 'linkHosts.0', /holds a card number/)
    assertRefused(
      await change({ registrationNumber: NUMBER }),
      'registrationNumber',
      /must be the letter T and 13 digits/,
    )
    assert.deepEqual(await stored(), before)
  })

  test('is not repeated in an error when it is the name of a field, nor is a security code', async () => {
    for (const name of [
      NUMBER,
      GROUPED_NUMBER,
      '737',
      '0207',
      '７３７',
      '40-12-88-88-88-88-18-81',
      '4012888888888',
      'n٤٠١٢٨٨٨٨٨٨٨٨١',
    ])
      assertRefused(
        await startWithFields({ [name]: 1 }),
        'card.(not shown)',
        /^card\.\(not shown\) is not a field of this call/,
      )
    for (const name of ['pan', 'sku_1001', '73', '73777', '401288888888', 'x737'])
      assert.equal(
        (await startWithFields({ [name]: 1 })).json<{ params: { field: string } }>().params.field,
        `card.${name}`,
        'a name that can hold neither is repeated',
      )
  })

  test('is removed from the query of a redirect; everything else in the query is kept', async () => {
    const id = await server.createCheckout()
    const redirectOf = async (search: string): Promise<unknown> =>
      (await server.app.inject({ method: 'GET', url: `/${id}${search}`, headers: { host: 'tea.localhost:3000' } }))
        .headers.location
    assert.equal(
      await redirectOf(`?locale=ja&number=${NUMBER}&cvc=737&mode=test&note=a%20b+c`),
      `/${id}/creditcard?locale=ja&mode=test&note=a%20b+c`,
    )
    assert.equal(await redirectOf(`?mode=test&${NUMBER}=1&4012%208888%208888%201881`), `/${id}/creditcard?mode=test`)
    assert.equal(await redirectOf(`?number=${encodeURIComponent(GROUPED_NUMBER)}`), `/${id}/creditcard`)
    assert.equal(await redirectOf('?mode=test&number=4012'), `/${id}/creditcard?mode=test&number=4012`)
  })

  test('is not kept as a fact about a browser', async () => {
    const order = await server.startAttempt(await server.createCheckout())
    const find = async () =>
      (await server.deps.database.rows('SELECT ticket, browser FROM authentications WHERE order_code = $1', order))[0]
    const ticket = String((await find())?.['ticket'])
    const screen = { language: 'ja', javaEnabled: false, colorDepth: 24, height: 844, width: 390, timeZoneOffset: -540 }
    const sendBrowserFacts = (payload: object) =>
      server.app.inject({
        method: 'POST',
        url: `/collect/${ticket}/browser`,
        // The end of what is kept of a header cuts the number.
        headers: { host: '3ds.localhost:3000', 'user-agent': `${'x'.repeat(2035)} ${NUMBER}`, accept: NUMBER },
        payload,
      })
    assert.equal((await sendBrowserFacts({ ...screen, language: NUMBER })).statusCode, 400)
    assert.equal((await find())?.['browser'], null)
    assert.equal((await sendBrowserFacts(screen)).statusCode, 204)
    assert.match(String((await find())?.['browser']), /"acceptHeader":"\*\/\*","userAgent":""/)
  })
})
