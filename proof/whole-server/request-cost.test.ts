import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { CONSOLE_BASE, CONSOLE_ROUTES } from '#contract/console/paths.ts'
import { jstDate } from '#contract/jst.ts'
import { createApp } from '../../server/http/app.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { PICTURE_BYTES_MAX } from '#contract/merchant/pictures.ts'
import { END, fixture, png, pngHeader, pngPixels } from '../../server/pictures/testing/fixtures.ts'
import { verifyCreated } from '../../server/operations/people/webauthn.ts'
import { readMigrations } from '../../server/store/engine/migrate.ts'
import { openEmbedded } from '../../server/store/engine/sqlite.ts'
import { copyCheckout } from '../filled-database/copy-checkout.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { HOSTILE_CBOR } from '../harness/hostile-cbor.ts'
import { sleepersClock } from '../harness/test-clocks.ts'
import { API_KEYS, PAGE_FACTS, TEA_MERCHANT } from '../harness/test-merchants.ts'
import { NO_KEY_LIMITS } from '../harness/no-limits.ts'
import { consoleHeaders as consoleCallHeaders, openSession, savePersonWithPasskey } from '../harness/test-people.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'
import { signInUnderFuzz } from '../fuzz/fuzz-person.ts'
import { routesIn } from '../fuzz/route-table.ts'
import { FUZZED_ROUTES } from '../fuzz/routes.ts'
import { CHARACTERS, compressed, generatedRequests, textOf, toInject } from './request-cost/generated-requests.ts'
import { cpuTimeMs, leastOfSome, longestPieceMs } from './request-cost/measure.ts'

/** What one request may cost, whatever its bytes: a few connections of dearer ones would stop all payments. */
const CPU_LIMIT_MS = 20
/** How many times each route is called with a long text. */
const TEXTS_PER_ROUTE = 4
const SEED = 7
const TEXT_MAX = 16_384
/** Node takes no longer address with its headers, and we no longer body. */
const HEAD_MAX = 30 * 1024
const BODY_MAX = 63 * 1024

const fill = (piece: string, length: number): string => piece.repeat(Math.floor(length / piece.length))

const HOST = { host: 'tea.localhost:3000' }
const SHOPPER = { ...HOST, merchant: 'tea', 'content-type': 'application/json' }
const UNKNOWN = 'a'.repeat(32)
const merchant = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }

const inQuery: Readonly<Record<string, string>> = {
  'many parameters': fill('a&', HEAD_MAX),
  'many named parameters': fill('a=1&', HEAD_MAX),
  'one long text': fill('a', HEAD_MAX),
  'digits in groups': fill('4242-', HEAD_MAX),
  'digits one by one': fill('4.', HEAD_MAX),
  'digits without a gap': fill('4', HEAD_MAX),
  'encoded digits of another script': fill('%EF%BC%94', HEAD_MAX),
  'broken encoding': fill('%E3%81', HEAD_MAX),
  'a language asked for many times': fill('locale=x&', HEAD_MAX),
}

/** The longest text that its compressed form can stand for. */
const bomb = compressed('a'.repeat(2_000_000)).slice(0, 4000)

const inPreview: Readonly<Record<string, string>> = {
  'compressed texts': ['subject', 'shopName', 'remarks'].map((name) => `${name}=${bomb}`).join('&'),
  'long texts': `remarks=${fill('あ', 1300)}&subject=${fill('%E3%81%82', 3000)}&shopName=${fill('<', 3000)}`,
  'many brands': `brands=${fill('a,', 15_000)}`,
  'a picture in the address': `logoUrl=data:image/png;base64,${fill('A', 15_000)}`,
  'many parameters': fill('a&', 16_000),
}

const inBody: Readonly<Record<string, string>> = {
  'deep arrays': `{"card":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  'many fields': `{${Array.from({ length: 5000 }, (_, place) => `"f${place}":1`).join()}}`,
  'a long name of digits': JSON.stringify({ card: { name: fill('4 ', BODY_MAX) } }),
  'no JSON': fill('{', BODY_MAX),
  'a long number': `{"card":${fill('9', BODY_MAX)}}`,
  'escaped characters': `{"card":"${fill('\\u0034', BODY_MAX)}"}`,
}

/** As long as the schema lets them be. */
const LONG_BASE64 = fill('A', 16_000)
const longPasskey = (response: object): string =>
  JSON.stringify({ passkey: { id: 'YQ', rawId: 'YQ', type: 'public-key', response }, name: 'x' })
const longPasskeys: Readonly<Record<string, string>> = {
  'a long answer of an authenticator': longPasskey({
    clientDataJSON: LONG_BASE64,
    authenticatorData: LONG_BASE64,
    signature: LONG_BASE64,
  }),
  'a long new passkey': longPasskey({ clientDataJSON: LONG_BASE64, attestationObject: LONG_BASE64 }),
  'data of a browser that is deep': longPasskey({
    clientDataJSON: Buffer.from('['.repeat(11_000)).toString('base64url'),
    attestationObject: 'YQ',
  }),
  'an address of many signs': JSON.stringify({ email: `${fill('a.', 120)}@${fill('a.', 120)}`, locale: 'ja' }),
}

const LONG_HEADERS = [
  'user-agent',
  'accept',
  'accept-language',
  'authorization',
  'cookie',
  'referer',
  'origin',
] as const

describe(`a request costs at most ${CPU_LIMIT_MS} ms of CPU time, whatever it holds`, () => {
  let folder: string
  let server: TestServer
  let app: FastifyInstance
  let asset: string
  let open: string
  before(async () => {
    const build = await readPageBuild()
    ;[asset = ''] = build.assets.keys()
    // A file, as a server has it: in memory every reading stands in the queue of the one connection.
    folder = await mkdtemp(join(tmpdir(), 'kaikei-request-cost-'))
    const database = await openEmbedded(folder)
    await database.migrate(await readMigrations(), 0)
    server = await openTestServer({ gateway: fakeGateway(), database })
    app = await createApp({
      ...PAGE_FACTS,
      deps: server.deps,
      build,
      trustedProxies: [],
      hsts: 'host',
      keyLimits: NO_KEY_LIMITS,
      drawsReferenceFirst: true,
    })
    open = await server.createCheckout()
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`m${n}`, '"'.repeat(500)]))
    for (let n = 0; n < 30; n += 1) await server.createCheckout({ remarks: '"'.repeat(2000), metadata })
  })
  after(async () => {
    await app.close()
    await server.deps.database.close()
    await rm(folder, { recursive: true, force: true })
  })

  const costOf = (request: InjectOptions): Promise<number> =>
    leastOfSome(() => cpuTimeMs(() => app.inject(request)), CPU_LIMIT_MS)

  const assertCheap = (name: string, requestOf: () => InjectOptions): void => {
    test(name, async () => {
      const leastMs = await costOf(requestOf())
      assert.ok(leastMs <= CPU_LIMIT_MS, `${leastMs.toFixed(1)} ms`)
    })
  }

  test('the reference, when it is asked for the first time', async () => {
    await app.inject({ url: '/', headers: { host: 'localhost:3000' } })
    const headers = { host: 'localhost:3000', 'accept-encoding': 'br' }
    const ms = await cpuTimeMs(() => app.inject({ url: '/merchant/v1/reference', headers }))
    assert.ok(ms <= CPU_LIMIT_MS, `${ms.toFixed(1)} ms`)
  })

  /** The dearest first: all of them, for who mends one. */
  const assertAllCheap = (dear: Map<string, number>): void => {
    const named = [...dear].toSorted(([, a], [, b]) => b - a).map(([name, ms]) => `${ms.toFixed(1)} ms: ${name}`)
    assert.deepEqual(named, [])
  }

  test(`every route, ${TEXTS_PER_ROUTE} times, with a long text of any characters in one of its places`, async () => {
    const routes = Object.keys(FUZZED_ROUTES)
    // A route that is missing there would be missing here.
    assert.deepEqual(routesIn(app.printRoutes()), routes.toSorted())
    const console = await signInUnderFuzz(server.deps.database, 'tea-id', { now: server.clock.now(), sessions: 50 })
    const site = { port: 0, base: 'localhost:3000', merchant: 'tea', key: API_KEYS.tea, asset, console }
    const ids = {
      checkoutId: '',
      orderCode: '',
      ticket: UNKNOWN + UNKNOWN,
      refundId: 'r-1',
      linkId: '',
      webhookId: '',
      eventId: `evt_${UNKNOWN}`,
    }
    const dear = new Map<string, number>()
    let count = 0
    for (const { route, request } of generatedRequests(site, ids, SEED, routes.length * TEXTS_PER_ROUTE)) {
      const leastMs = await costOf(toInject(request))
      if (leastMs > CPU_LIMIT_MS) dear.set(`${count}: ${route} ${request.target.slice(0, 60)}`, leastMs)
      // What a round of all routes has cancelled or removed is there again for the next one.
      if (count % routes.length === 0) {
        ids.checkoutId = await server.createCheckout()
        ids.orderCode = await server.startAttempt(await server.createCheckout())
        const link = await app.inject({
          method: 'POST',
          url: '/merchant/v1/links',
          headers: merchant,
          payload: { amountRange: { min: 1, max: 9_999_999 } },
        })
        ids.linkId = link.json<{ id: string }>().id
        const url = 'https://shop.example.com/hook'
        const hook = await app.inject({
          method: 'POST',
          url: '/merchant/v1/webhooks',
          headers: merchant,
          payload: { url },
        })
        ids.webhookId = hook.json<{ id?: string }>().id ?? ids.webhookId
      }
      count += 1
    }
    assertAllCheap(dear)
  })

  test('a preview with the longest texts of each kind of characters, plain and compressed', async () => {
    const dear = new Map<string, number>()
    for (const [kind, piece] of Object.entries(CHARACTERS))
      for (const [how, encode] of [
        ['compressed', compressed],
        ['plain', (text: string) => encodeURIComponent(text.toWellFormed())],
      ] as const) {
        const value = encode(textOf(piece, TEXT_MAX)).slice(0, 5000)
        const url = `/preview?${['subject', 'shopName', 'remarks'].map((name) => `${name}=${value}`).join('&')}`
        const leastMs = await costOf({ url, headers: HOST })
        if (leastMs > CPU_LIMIT_MS) dear.set(`${kind}, ${how}`, leastMs)
      }
    assertAllCheap(dear)
  })

  for (const [what, query] of Object.entries(inQuery)) {
    assertCheap(`an unknown link with ${what}`, () => ({ method: 'GET', url: `/${UNKNOWN}?${query}`, headers: HOST }))
    assertCheap(`an open link with ${what}`, () => ({ method: 'GET', url: `/${open}?${query}`, headers: HOST }))
    assertCheap(`an unknown address with ${what}`, () => ({ method: 'GET', url: `/x/y?${query}`, headers: HOST }))
    assertCheap(`a reading with ${what}`, () => ({
      method: 'GET',
      url: `/api/v1/checkouts/${open}?${query}`,
      headers: SHOPPER,
    }))
  }
  const merchantCalls: Readonly<Record<string, string>> = {
    'a list of checkouts': '/checkouts?limit=100',
    'a list with a long filter': `/checkouts?email=${fill('4.', 1000)}`,
    'a list with many parameters': `/checkouts?${inQuery['many named parameters']}`,
    'a list from a place that is none': `/checkouts?after=${fill('a', HEAD_MAX)}`,
    'a QR code': '/checkouts/OPEN/qr.svg',
    'a summary of a year': '/summary?from=2025-11-16&to=2026-11-15',
    'a search for a long text': `/checkouts?search=${encodeURIComponent(fill('\uFDFA', 300))}`,
    'a search for a long amount': `/checkouts?search=${fill('1,000', 300)}`,
    'what needs a person': '/attention',
    'an export of checkouts': '/exports/checkouts.csv',
    'an export of a year': '/exports/movements.csv?from=2025-11-16&to=2026-11-15',
    'figures of a year': '/figures?from=2025-11-16&to=2026-11-15',
  }
  for (const [what, path] of Object.entries(merchantCalls))
    assertCheap(what, () => ({ url: `/merchant/v1${path.replace('OPEN', open)}`, headers: merchant }))

  assertCheap('an address of many parts', () => ({ method: 'GET', url: fill('/a', HEAD_MAX), headers: HOST }))
  assertCheap('an address of one long part', () => ({ method: 'GET', url: `/${fill('a', HEAD_MAX)}`, headers: HOST }))
  assertCheap('an address that cannot be decoded', () => ({
    method: 'GET',
    url: `/${fill('%zz', HEAD_MAX)}`,
    headers: HOST,
  }))

  for (const [what, query] of Object.entries(inPreview))
    assertCheap(`a preview with ${what}`, () => ({ method: 'GET', url: `/preview?${query}`, headers: HOST }))

  for (const [what, payload] of Object.entries(inBody)) {
    assertCheap(`a start with ${what}`, () => ({
      method: 'POST',
      url: `/api/v1/checkouts/${open}/3ds`,
      headers: SHOPPER,
      payload,
    }))
    assertCheap(`a merchant’s call without a key and with ${what}`, () => ({
      method: 'POST',
      url: '/merchant/v1/checkouts',
      headers: { host: 'localhost:3000', 'content-type': 'application/json' },
      payload,
    }))
    assertCheap(`a merchant’s call with ${what}`, () => ({
      method: 'POST',
      url: '/merchant/v1/checkouts',
      headers: { host: 'localhost:3000', 'content-type': 'application/json', authorization: `Bearer ${API_KEYS.tea}` },
      payload,
    }))
    assertCheap(`a report of a browser with ${what}`, () => ({
      method: 'POST',
      url: '/csp-report',
      headers: { ...HOST, 'content-type': 'application/csp-report' },
      payload: payload.slice(0, 16 * 1024),
    }))
    assertCheap(`an event of the bridge with ${what}`, () => ({
      method: 'POST',
      url: `/events/${UNKNOWN}`,
      headers: { host: '3ds.localhost:3000', 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    }))
  }
  test('every call of the console with the longest bodies, of a stranger and of an owner who is operator', async () => {
    const now = server.clock.now()
    const person = { name: 'dear', isOperator: true, member: { merchantId: 'tea-id', role: 'owner' } } as const
    const owner = await savePersonWithPasskey(server.deps.database, person, now)
    const dear = new Map<string, number>()
    for (const [name, { method, path }] of Object.entries(CONSOLE_ROUTES))
      for (const [what, payload] of Object.entries({ ...inBody, ...longPasskeys }))
        for (const who of ['stranger', 'owner'] as const) {
          // So that no limit answers in place of the call.
          server.clock.advance(5000)
          const session = who === 'owner' ? await openSession(server.deps.database, owner, server.clock.now()) : UNKNOWN
          const request = {
            method,
            url: CONSOLE_BASE + path.replaceAll(/:\w+/g, UNKNOWN),
            headers: { ...consoleCallHeaders(session, { merchant: 'tea' }), 'content-type': 'application/json' },
            ...(method === 'GET' ? {} : { payload }),
          }
          const leastMs = await costOf(request)
          if (leastMs > CPU_LIMIT_MS) dear.set(`${name} of a ${who} with ${what}`, leastMs)
        }
    assertAllCheap(dear)
  })

  test('a new passkey whose attestation was made to be decoded for long', async () => {
    const dear = new Map<string, number>()
    for (const [what, bytes] of Object.entries(HOSTILE_CBOR)) {
      const clientDataJSON = Buffer.from('{"type":"webauthn.create"}').toString('base64url')
      const response = { clientDataJSON, attestationObject: bytes.toString('base64url') }
      const created = { id: 'YQ', rawId: 'YQ', type: 'public-key', response } as const
      const verify = () => verifyCreated(server.deps.publicBase, created, 'challenge')
      assert.equal(await verify(), null, what)
      const leastMs = await leastOfSome(() => cpuTimeMs(verify), CPU_LIMIT_MS)
      if (leastMs > CPU_LIMIT_MS) dear.set(what, leastMs)
    }
    assertAllCheap(dear)
  })

  for (const method of ['GET', 'POST'] as const)
    for (const [what, query] of Object.entries(inQuery))
      assertCheap(`${method} of the link of a mail with ${what}`, () => ({
        method,
        url: `/mail-address/${UNKNOWN}?${query}`,
        headers: { ...HOST, 'content-type': 'application/x-www-form-urlencoded' },
        payload: method === 'GET' ? '' : fill('a&', 1024),
      }))
  assertCheap('an event of the bridge with many fields', () => ({
    method: 'POST',
    url: `/events/${UNKNOWN}`,
    headers: { host: '3ds.localhost:3000', 'content-type': 'application/x-www-form-urlencoded' },
    payload: fill('a&', BODY_MAX),
  }))

  for (const name of LONG_HEADERS)
    for (const [what, text] of Object.entries({ digits: '4 ', words: 'a,' })) {
      assertCheap(`an authentication with ${what} in ${name}`, () => ({
        method: 'PATCH',
        url: `/api/v1/3ds/${UNKNOWN}/authenticate`,
        headers: { ...SHOPPER, [name]: fill(text, 15_000) },
        payload: '',
      }))
      assertCheap(`a page with ${what} in ${name}`, () => ({
        method: 'GET',
        url: `/${open}/creditcard`,
        headers: { ...HOST, [name]: fill(text, 15_000) },
      }))
    }
})

describe(`pictures and exports are worked on in pieces of at most ${CPU_LIMIT_MS} ms of the main thread`, () => {
  let server: TestServer
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway(), keyLimits: NO_KEY_LIMITS })
  })
  after(() => server.app.close())

  const assertInPieces = async (request: InjectOptions, status: number): Promise<void> => {
    assert.equal((await server.app.inject(request)).statusCode, status)
    const leastMs = await leastOfSome(() => longestPieceMs(() => server.app.inject(request)), CPU_LIMIT_MS)
    assert.ok(leastMs <= CPU_LIMIT_MS, `${leastMs.toFixed(1)} ms`)
  }

  const gray = fixture('gray.jpg')
  const filled = (at: number, ...bytes: number[]): Buffer => {
    const fillBytes = Buffer.alloc(PICTURE_BYTES_MAX - gray.length, Buffer.from(bytes))
    return Buffer.concat([gray.subarray(0, at), fillBytes, gray.subarray(at)])
  }
  const pictures: Readonly<Record<string, Buffer>> = {
    'a PNG of 4096 × 4096 pixels of 16 bits': png(pngHeader(4096, 4096, 16, 6), pngPixels((1 + 4096 * 8) * 4096), END),
    'a JPEG of 2 MiB of fill bytes': filled(2, 0xff),
    'a JPEG of 2 MiB of stuffed bytes': filled(gray.length - 2, 0xff, 0),
    'a JPEG of 2 MiB of restart marks': filled(gray.length - 2, 0xff, 0xd0),
  }
  for (const [what, payload] of Object.entries(pictures))
    test(what, () =>
      assertInPieces(
        {
          method: 'PUT',
          url: '/merchant/v1/settings/cover',
          headers: { ...merchant, 'content-type': 'image/png' },
          payload,
        },
        200,
      ),
    )

  test('the exports, figures and summary of a day with 5,000 payments, each a checkout of its own', async () => {
    const clock = sleepersClock()
    const busy = await openTestServer({ gateway: fakeGateway(clock.now), clock, keyLimits: NO_KEY_LIMITS })
    const checkoutId = await busy.createCheckout()
    await busy.pay(checkoutId, await busy.startAttempt(checkoutId))
    const copying = { merchantId: TEA_MERCHANT.id, checkoutId, copies: 4999 }
    await copyCheckout(busy.deps.database, 'SQLite', copying)
    const today = jstDate(clock.now())
    const paths = ['summary', 'figures', 'exports/figures.csv', 'exports/movements.csv'].map(
      (path) => `${path}?from=${today}&to=${today}`,
    )
    const { body } = await busy.app.inject({ url: `/merchant/v1/${paths[2]}`, headers: merchant })
    assert.ok(body.includes(`${today},5000,9900000,`), body)
    for (const path of [...paths, 'exports/checkouts.csv']) {
      const leastMs = await leastOfSome(() => {
        // A minute later nothing is kept of the count.
        clock.advance(60_000)
        return longestPieceMs(() => busy.app.inject({ url: `/merchant/v1/${path}`, headers: merchant }))
      }, CPU_LIMIT_MS)
      assert.ok(leastMs <= CPU_LIMIT_MS, `${path}: ${leastMs.toFixed(1)} ms`)
    }
    await busy.app.close()
  })

  test('an export of 5,000 movements whose texts are all quotation marks, and the summary of their year', async () => {
    const id = await server.createCheckout({ subject: '"'.repeat(200), reference: '"'.repeat(100) })
    await server.pay(id, await server.startAttempt(id))
    await server.deps.database.rows(
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000)
      INSERT INTO ledger_lines (merchant_id, entry, account, checkout_id, amount_yen, booked_at, mode)
      SELECT merchant_id, entry || n, account, checkout_id, amount_yen, booked_at, mode FROM ledger_lines, numbers`,
    )
    // The time of a payment is that of this acquirer: the very first.
    const year = 'from=1970-01-01&to=1970-12-31'
    const url = `/merchant/v1/exports/movements.csv?${year}`
    const { body } = await server.app.inject({ url, headers: merchant })
    assert.equal(body.split('\r\n').length, 5001 + 2)
    await assertInPieces({ url, headers: merchant }, 200)
    await assertInPieces({ url: `/merchant/v1/summary?${year}`, headers: merchant }, 200)
    await assertInPieces({ url: `/merchant/v1/figures?${year}`, headers: merchant }, 200)
  })
})
