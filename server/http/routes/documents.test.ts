import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { gatewayNotConfigured } from '../../gateways/not-configured.ts'
import { readPageBuild } from '../page-build.ts'
import { countedDatabase, type CountedDatabase } from '../../../proof/harness/counted-database.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { API_KEYS } from '../../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'

const HOST = 'tea.localhost:3000'
const MINUTE_MS = 60_000

/** A document without what differs from one drawing to the next: the nonce and the time. */
const repeatable = (html: string): string => html.replaceAll(/nonce="[^"]*"|"now":\d+/g, '')

describe('the addresses of a shopper’s page', () => {
  let server: TestServer
  let database: CountedDatabase
  before(async () => {
    database = countedDatabase(await openSqliteInMemory())
    server = await openTestServer({ gateway: gatewayNotConfigured, database, build: await readPageBuild() })
  })

  const get = (url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
    server.app.inject({ method: 'GET', url, headers: { host: HOST, ...headers } })

  const leadsTo = async (url: string): Promise<string> => {
    const { statusCode, headers } = await get(url)
    return statusCode === 303 ? (headers.location ?? '') : String(statusCode)
  }

  const cancelled = async (): Promise<string> => {
    const id = await server.createCheckout()
    const answer = await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${id}` })
    assert.equal(answer.statusCode, 200)
    return id
  }

  const expired = async (): Promise<string> => {
    const soon = new Date(server.clock.now() + MINUTE_MS).toISOString()
    const id = await server.createCheckout({ validUntil: soon })
    server.clock.advance(2 * MINUTE_MS)
    return id
  }

  test('a page is compressed as its browser accepts it, brotli first, and is the same page', async () => {
    const id = await server.createCheckout()
    const plain = await get(`/${id}/creditcard`)
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(plain.headers.vary, 'accept-encoding')
    const accepted = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [encoding, decompress] of Object.entries(accepted)) {
      const { headers, rawPayload } = await get(`/${id}/creditcard`, { 'accept-encoding': encoding })
      assert.equal(headers['content-encoding'], encoding)
      assert.equal(headers.vary, 'accept-encoding')
      assert.ok(rawPayload.length < plain.rawPayload.length / 2)
      assert.equal(repeatable(decompress(rawPayload).toString('utf8')), repeatable(plain.body))
    }
    for (const address of ['/404', '/500', '/preview']) {
      const { headers } = await get(address, { 'accept-encoding': 'br' })
      assert.equal(headers['content-encoding'], 'br', address)
    }
  })

  test('nothing that a stranger chooses is in the page of a checkout, so that its length tells nothing of its data', async () => {
    const id = await server.createCheckout()
    const page = repeatable((await get(`/${id}/creditcard`)).body)
    const chosen = `?mode=live&x=canary&canary=${id}#canary`
    const headers = {
      referer: 'http://canary.example/',
      cookie: 'canary=1',
      'user-agent': 'canary',
      'x-canary': 'canary',
    }
    assert.equal(repeatable((await get(`/${id}/creditcard${chosen}`, headers)).body), page)
  })

  test('an open checkout leads to its card page, from the root and from the screens it is not at', async () => {
    const id = await server.createCheckout()
    assert.equal(await leadsTo(`/${id}`), `/${id}/creditcard`)
    assert.equal(await leadsTo(`/${id}/`), `/${id}/creditcard`)
    assert.equal(await leadsTo(`/${id}/complete`), `/${id}`)
    assert.equal(await leadsTo(`/${id}/error`), `/${id}`)
    assert.equal(await leadsTo(`/${id}/creditcard`), '200')
  })

  test('a cancelled and an expired checkout lead to their error page, from the root and from the other screens', async () => {
    for (const id of [await cancelled(), await expired()]) {
      assert.equal(await leadsTo(`/${id}`), `/${id}/error`)
      assert.equal(await leadsTo(`/${id}/creditcard`), `/${id}`)
      assert.equal(await leadsTo(`/${id}/complete`), `/${id}`)
      assert.equal(await leadsTo(`/${id}/error`), '200')
    }
  })

  test('a redirect keeps the query, so that the test mode and the language last for the whole visit', async () => {
    const id = await server.createCheckout()
    assert.equal(await leadsTo(`/${id}?mode=test&locale=ko`), `/${id}/creditcard?mode=test&locale=ko`)
    assert.equal(await leadsTo(`/${id}/error?mode=test`), `/${id}?mode=test`)
  })

  test('the not found page answers 404 at its own address and at every unknown one, the server error page 500', async () => {
    const id = await server.createCheckout()
    for (const url of ['/404', `/${id}/invoice`, `/${id}/creditcard/x`, '/a/b/c', '/'])
      assert.equal(await leadsTo(url), '404', url)
    assert.equal(await leadsTo(`/${'a'.repeat(32)}`), '/404')
    assert.equal(await leadsTo('/500'), '500')
  })

  test('an error page shows the shop of its host where that was just read, without a reading of its own; any other is neutral', async () => {
    const errorPage = async (host: string, path = '/404'): Promise<LightMyRequestResponse> =>
      server.app.inject({ method: 'GET', url: `${path}?locale=ko`, headers: { host } })
    const isNeutral = ({ body }: LightMyRequestResponse): boolean => !body.includes('<address')
    server.clock.advance(60 * MINUTE_MS)
    assert.ok(isNeutral(await errorPage(HOST)))
    // An unknown link: the reading that did not find it has found its shop.
    assert.equal(await leadsTo(`/${'a'.repeat(32)}`), '/404')
    database.takeCost()
    for (const path of ['/404', '/500', '/no/such/page']) {
      const { body, headers } = await errorPage(HOST, path)
      assert.match(body, /<address.*shop@example\.com/s, path)
      // A browser that knows the allowlist follows no other link.
      assert.match(String(headers['connection-allowlist']), /"https:\/\/shop\.example\.com"/, path)
    }
    assert.equal(database.takeCost().statements, 0)
    for (const host of ['nobody.localhost:3000', 'localhost:3000', '3ds.localhost:3000', 'books.localhost:3000'])
      assert.ok(isNeutral(await errorPage(host)), host)
  })

  test('an address of no call is refused as a call, and not drawn as the page of a checkout named api or merchant', async () => {
    const shopper = await server.sendRequest({ method: 'GET', url: '/api/v1/checkouts' })
    const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
    const merchant = await server.app.inject({ method: 'GET', url: '/merchant/v1/nothing', headers })
    for (const answer of [shopper, merchant]) {
      assert.equal(answer.statusCode, 405)
      assert.equal(answer.json<{ code: string }>().code, 'method_not_allowed')
    }
    assert.equal((await get('/merchant/v1/nothing', { host: 'localhost:3000' })).statusCode, 401)
  })

  test('a trailing slash after a screen is redirected away, and the query is kept', async () => {
    const id = await server.createCheckout()
    for (const path of [`/${id}/creditcard`, `/${id}/complete`, `/${id}/error`, '/404', '/500'])
      assert.equal(await leadsTo(`${path}/?mode=test&locale=ko`), `${path}?mode=test&locale=ko`, path)
    for (const path of [`/${id}/creditcard//`, `/${id}//creditcard`, `/${id}/invoice/`, '/500//'])
      assert.equal(await leadsTo(path), '404', path)
  })

  test('what cannot be a checkout’s id is not found where it stands, and every document names the screen it shows', async () => {
    const id = await server.createCheckout()
    const placeOf = async (url: string): Promise<unknown> => {
      const { body } = await get(url)
      const [, inlined = '{}'] = /id="inlined">(.*?)<\/script>/s.exec(body) ?? []
      return (JSON.parse(inlined) as { drawnPath?: string }).drawnPath
    }
    for (const url of [
      '/foo',
      '/robots.txt',
      `/${id.toUpperCase()}`,
      '/foo/creditcard',
      `/${id.toUpperCase()}/error`,
    ]) {
      assert.equal(await leadsTo(url), '404', url)
      assert.equal(await placeOf(url), '/404', url)
    }
    assert.equal(await placeOf(`/${id}/%63reditcard`), `/${id}/creditcard`)
    assert.equal(await placeOf('/500'), '/500')
  })

  test('no page may be indexed: the document says so and its header does', async () => {
    const id = await server.createCheckout()
    for (const url of [`/${id}/creditcard`, `/${await cancelled()}/error`, '/404', '/500', '/preview']) {
      const { headers, body } = await get(url)
      assert.equal(headers['x-robots-tag'], 'noindex, nofollow', url)
      assert.match(body, /<meta name="robots" content="noindex, nofollow">/, url)
    }
    assert.equal((await get(`/${id}`)).headers['x-robots-tag'], 'noindex, nofollow')
  })

  test('the language is the one asked for, else the checkout’s, else the browser’s, else English', async () => {
    const plain = await server.createCheckout()
    const thai = await server.createCheckout({ locale: 'th_TH' })
    const languageOf = async (url: string, browser?: string): Promise<string | undefined> => {
      const { body } = await get(url, browser === undefined ? {} : { 'accept-language': browser })
      return /<html lang="(.*?)">/.exec(body)?.[1]
    }
    assert.equal(await languageOf(`/${thai}/creditcard?locale=ko`, 'ja'), 'ko')
    assert.equal(await languageOf(`/${thai}/creditcard`, 'ja'), 'th')
    assert.equal(await languageOf(`/${plain}/creditcard`, 'ja'), 'ja')
    assert.equal(await languageOf(`/${plain}/creditcard`, 'zh-TW,zh;q=0.9'), 'zh-Hant')
    assert.equal(await languageOf(`/${plain}/creditcard`, 'fr'), 'en-US')
    assert.equal(await languageOf(`/${plain}/creditcard`), 'en-US')
    assert.equal(await languageOf(`/${thai}/creditcard?locale=fr`, 'ja'), 'th')
  })
})
