import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { parseTicket, ticketOf } from '../../ids.ts'
import { findByTicket } from '../../store/checkout/authentications.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import {
  CHALLENGE_URL,
  scriptedThreeDSServer,
  type ScriptedThreeDSServer,
} from '../../../proof/harness/fake-three-ds-servers.ts'

const BRIDGE = '3ds.localhost:3000'
const FACTS = { language: 'ja-JP', javaEnabled: false, colorDepth: 30, height: 844, width: 390, timeZoneOffset: -540 }

describe('the bridge between the card page and the card issuers', () => {
  let threeDS: ScriptedThreeDSServer
  let server: TestServer
  before(async () => {
    threeDS = scriptedThreeDSServer()
    server = await openTestServer({ gateway: fakeGateway(), threeDSServer: threeDS })
  })

  const started = async (): Promise<{ order: string; ticket: string }> => {
    const order = await server.startAttempt(await server.createCheckout())
    const sql = 'SELECT ticket FROM authentications WHERE order_code = $1'
    const [row] = await server.deps.database.rows(sql, order)
    return { order, ticket: String(row?.['ticket']) }
  }
  const authenticate = (order: string): Promise<LightMyRequestResponse> =>
    server.sendRequest({
      method: 'PATCH',
      url: `/api/v1/3ds/${order}/authenticate`,
      headers: { 'user-agent': 'Test/1', accept: 'text/x', 'accept-language': 'ko-KR,ko;q=0.9' },
    })
  const get = (url: string, host = BRIDGE): Promise<LightMyRequestResponse> =>
    server.app.inject({ method: 'GET', url, headers: { host } })
  const post = (ticket: string, form: Record<string, string>, host = BRIDGE): Promise<LightMyRequestResponse> =>
    server.app.inject({
      method: 'POST',
      url: `/events/${ticket}`,
      headers: { host, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://bank.example' },
      payload: new URLSearchParams(form).toString(),
    })
  const sendFacts = (ticket: string, facts: unknown): Promise<LightMyRequestResponse> =>
    server.app.inject({
      method: 'POST',
      url: `/collect/${ticket}/browser`,
      headers: { host: BRIDGE, 'user-agent': 'Phone/1', accept: 'text/html' },
      payload: Object(facts),
    })
  const framed = (html: string): string | undefined => /<iframe data-src="([^"]*)"/.exec(html)?.[1]
  const setupOf = (html: string): unknown => JSON.parse(/\}\)\((\{.*\})\)<\/script>/s.exec(html)?.[1] ?? 'null')

  test('its pages frame the provider, send messages to one origin, are framed by that origin alone, and set no cookie', async () => {
    const { order, ticket } = await started()
    threeDS.answers.authenticate = 'challenge'
    await authenticate(order)
    const pages = [
      ['collect', 'https://3ds-server.example/collect'],
      ['watch', 'https://3ds-server.example/watch'],
      ['challenge', CHALLENGE_URL],
    ] as const
    for (const [name, url] of pages) {
      const { statusCode, headers, body } = await get(`/${name}/${ticket}`)
      assert.equal(statusCode, 200, name)
      assert.equal(framed(body), url)
      const policy = String(headers['content-security-policy'])
      const [, nonce = ''] = /script-src 'nonce-([^']+)'/.exec(policy) ?? []
      assert.equal(
        policy,
        (name === 'challenge'
          ? "img-src 'none'; font-src 'none'; media-src 'none'; object-src 'none'; worker-src 'none'; manifest-src 'none'; "
          : "default-src 'none'; frame-src https: http:; ") +
          `script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; ` +
          "form-action 'none'; base-uri 'none'; frame-ancestors http://tea.localhost:3000",
      )
      assert.ok(body.includes(`<script nonce="${nonce}">`))
      assert.ok(body.includes('allow="publickey-credentials-get *; payment *"'))
      assert.equal(headers['x-frame-options'], undefined)
      assert.equal(headers['set-cookie'], undefined)
      assert.equal(headers['cache-control'], 'no-store')
      const collects = name === 'collect'
      assert.deepEqual(setupOf(body), {
        factsPath: collects ? `/collect/${ticket}/browser` : null,
        announcesItself: false,
        pageOrigin: 'http://tea.localhost:3000',
        orderCode: order,
      })
    }
  })

  test('where the provider collects nothing the bridge announces the next step itself', async () => {
    threeDS.answers.start = {
      outcome: 'started',
      session: { requestorTransId: 'r', serverTransId: 's', authUrl: 'https://x/', challenge: null },
      collectUrl: null,
      watchUrl: null,
    }
    const { ticket } = await started()
    threeDS.answers.start = 'started'
    const { body } = await get(`/collect/${ticket}`)
    assert.equal(framed(body), undefined)
    assert.equal((setupOf(body) as { announcesItself: boolean }).announcesItself, true)
  })

  test('an address with quotes and tags in it cannot break out of its attribute', async () => {
    threeDS.answers.start = {
      outcome: 'started',
      session: { requestorTransId: 'r', serverTransId: 's', authUrl: 'https://x/', challenge: null },
      collectUrl: 'https://x/?a="><script>alert(1)</script>&b',
      watchUrl: null,
    }
    const { ticket } = await started()
    threeDS.answers.start = 'started'
    const { body } = await get(`/collect/${ticket}`)
    assert.equal(framed(body), 'https://x/?a=&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;b')
  })

  test('provider events become the two messages of the page, an unknown one keeps its name, an error is dropped', async () => {
    const { ticket } = await started()
    const rows = [
      ['collected', { event: '3DS_DO_AUTH' }],
      ['ready', { event: '3DS_AUTH_RESULT_READY' }],
      ['SomethingElse', { event: 'SomethingElse' }],
    ] as const
    for (const [event, message] of rows) {
      const { statusCode, body, headers } = await post(ticket, { event })
      assert.equal(statusCode, 200)
      assert.deepEqual(setupOf(body), message)
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'self' http:\/\/tea\.localhost:3000$/)
      assert.match(String(headers['content-security-policy']), /frame-src 'none'/)
    }
    const swallowed = await post(ticket, { event: 'swallowed' })
    assert.deepEqual([swallowed.statusCode, swallowed.body], [204, ''])
  })

  test('an event with a script for a name stays data', async () => {
    const { ticket } = await started()
    const { body } = await post(ticket, { event: '</script><script>alert(1)</script>' })
    assert.equal(body.match(/<script/g)?.length, 1)
  })

  test('what a browser says was collected is not stored when it may hold a card number', async () => {
    const { ticket } = await started()
    for (const param of ['4242424242424242', 'facts 4242 4242-4242,4242 facts', '４２４２４２４２４２４２４２４２'])
      await post(ticket, { event: 'collected', param })
    const [row] = await server.deps.database.rows('SELECT collected FROM authentications WHERE ticket = $1', ticket)
    assert.deepEqual({ ...row }, { collected: null })
  })

  test('an event of a provider has at most 8 KiB, of which at most 4 KiB are kept', async () => {
    const { ticket } = await started()
    assert.equal((await post(ticket, { event: 'collected', param: 'x'.repeat(8 * 1024) })).statusCode, 413)
    assert.equal((await post(ticket, { event: 'collected', param: 'x'.repeat(4 * 1024) })).statusCode, 200)
  })

  test('what the provider collected is passed on, and otherwise what the bridge’s own script saw', async () => {
    const [both, ours, neither] = [await started(), await started(), await started()]
    for (const { ticket } of [both, ours]) assert.equal((await sendFacts(ticket, FACTS)).statusCode, 204)
    await post(both.ticket, { event: 'collected', param: 'opaque' })
    const { language, ...screen } = FACTS
    const seen = { acceptHeader: 'text/html', userAgent: 'Phone/1', ip: '127.0.0.1', language, screen }
    const headersOnly = {
      acceptHeader: 'text/x',
      userAgent: 'Test/1',
      ip: '127.0.0.1',
      language: 'ko-KR',
      screen: null,
    }
    for (const [{ order }, collected, browser] of [
      [both, 'opaque', seen],
      [ours, null, seen],
      [neither, null, headersOnly],
    ] as const) {
      await authenticate(order)
      const request = threeDS.received.authentications.at(-1)
      assert.deepEqual([request?.collected, request?.browser], [collected, browser])
    }
  })

  test('the first facts that a browser sends count, and none of them is kept once the issuer has been asked', async () => {
    const { order, ticket } = await started()
    await sendFacts(ticket, FACTS)
    await sendFacts(ticket, { ...FACTS, language: 'th' })
    await post(ticket, { event: 'collected', param: 'first' })
    await post(ticket, { event: 'collected', param: 'second' })
    await authenticate(order)
    const request = threeDS.received.authentications.at(-1)
    assert.deepEqual([request?.collected, request?.browser.language], ['first', 'ja-JP'])
    await sendFacts(ticket, FACTS)
    await post(ticket, { event: 'collected', param: 'third' })
    const sql = 'SELECT browser, collected FROM authentications WHERE ticket = $1'
    const [row] = await server.deps.database.rows(sql, ticket)
    assert.deepEqual({ ...row }, { browser: null, collected: null })
  })

  test('browser facts are accepted at both ends of each range and refused one step outside', async () => {
    const { ticket } = await started()
    const good = [
      { ...FACTS, colorDepth: 1, height: 0, width: 0, timeZoneOffset: -1440, language: 'x' },
      { ...FACTS, colorDepth: 64, height: 999_999, width: 999_999, timeZoneOffset: 1440, language: 'x'.repeat(35) },
    ]
    const bad: unknown[] = [
      { ...FACTS, colorDepth: 0 },
      { ...FACTS, colorDepth: 65 },
      { ...FACTS, height: -1 },
      { ...FACTS, width: 1_000_000 },
      { ...FACTS, timeZoneOffset: -1441 },
      { ...FACTS, timeZoneOffset: 1441 },
      { ...FACTS, language: '' },
      { ...FACTS, language: 'x'.repeat(36) },
      { ...FACTS, javaEnabled: 'no' },
      { ...FACTS, more: 1 },
      [],
    ]
    for (const facts of good) assert.equal((await sendFacts(ticket, facts)).statusCode, 204)
    for (const facts of bad) assert.equal((await sendFacts(ticket, facts)).statusCode, 400, JSON.stringify(facts))
  })

  test('it answers on its own host alone, and 404 to a wrong ticket', async () => {
    const { ticket } = await started()
    for (const name of ['collect', 'watch', 'challenge']) {
      for (const host of ['tea.localhost:3000', 'localhost:3000', 'evil.test'])
        assert.equal((await get(`/${name}/${ticket}`, host)).statusCode, 404, `${host} ${name}`)
      for (const wrong of ['x', 'a'.repeat(32), `tea-id${'a'.repeat(32)}`, `${'a'.repeat(65)}`, '%00'])
        assert.equal((await get(`/${name}/${wrong}`)).statusCode, 404, `${name} ${wrong}`)
    }
    assert.equal((await get(`/challenge/${ticket}`)).statusCode, 404)
    assert.equal((await post(ticket, { event: 'ready' }, 'tea.localhost:3000')).statusCode, 404)
    assert.equal((await post('a'.repeat(32), { event: 'ready' })).statusCode, 404)
  })

  test('a ticket opens nothing under the name of another merchant, and what cannot be a ticket is not looked up', async () => {
    const { order, ticket } = await started()
    assert.match(ticket, /^tea-id[a-z2-7]{32}$/)
    const random = ticket.slice(-32)
    const { database } = server.deps
    const find = (merchantId: string, text = ticketOf(merchantId, random)) =>
      findByTicket(database, { merchantId, ticket: text })
    assert.equal((await find('tea-id'))?.orderCode, order)
    assert.equal(await find('books-id'), null)
    assert.equal(await find('books-id', ticket), null)
    for (const wrong of [`books-id${random}`, random, `tea-id.${random}`, `Tea-id${random}`, `${ticket}a`])
      for (const name of ['collect', 'watch']) assert.equal((await get(`/${name}/${wrong}`)).statusCode, 404, wrong)
    for (const wrong of ['', random, `%${random}`, `${'a'.repeat(33)}${random}`, 'a'.repeat(10_000)])
      assert.equal(parseTicket(wrong), null, wrong)
    assert.deepEqual(parseTicket(ticket), { merchantId: 'tea-id', ticket })
  })

  test('a forged event charges nothing and ends nothing: it is a hint', async () => {
    const { order, ticket } = await started()
    threeDS.answers.authenticate = 'challenge'
    threeDS.answers.result = { outcome: 'pending' }
    await authenticate(order)
    await post(ticket, { event: 'ready' })
    const [row] = await server.deps.database.rows('SELECT state FROM attempts WHERE order_code = $1', order)
    assert.equal(row?.['state'], 'challenged')
  })
})
