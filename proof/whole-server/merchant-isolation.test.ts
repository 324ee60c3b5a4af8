import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { KEY_ACCESSES, type KeyAccess } from '#contract/api-key.ts'
import { MERCHANT_MODES, type MerchantMode } from '#contract/merchant.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { createKey } from '../../server/operations/api-keys.ts'
import { insertMerchant } from '../../server/store/merchants.ts'
import { onBothDatabases } from '../harness/databases.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import { MERCHANT_SETTINGS, openTestServer, type TestServer } from '../harness/test-server.ts'
import { routesIn } from './fuzz/route-table.ts'
import { FUZZED_ROUTES } from './fuzz/routes.ts'

/** Merchant isolation: every route of the merchant API, called with every kind of key about everybody's checkouts. */
const LABELS = ['ichi', 'ni', 'san'] as const
const UNKNOWN_ID = 'a'.repeat(32)

interface Key {
  readonly label: string
  readonly mode: MerchantMode
  readonly access: KeyAccess
  readonly key: string
}

/** One paid, partly refunded checkout with words that stand in no other. */
interface Owned {
  readonly label: string
  readonly mode: MerchantMode
  readonly id: string
  /** Texts that nobody else may be sent. */
  readonly marks: readonly string[]
}

const isOf = (key: Key, { label, mode }: Pick<Owned, 'label' | 'mode'>): boolean =>
  key.label === label && key.mode === mode

describe('every route of the merchant API, with the keys of three merchants, two modes and three accesses', () => {
  onBothDatabases(({ open }) => {
    let server: TestServer
    let routes: string[]
    const keys: Key[] = []
    const owned: Owned[] = []

    const paidCheckout = async (key: string, label: string, mode: MerchantMode): Promise<Owned> => {
      const mark = `${label}-${mode}-mark`
      const id = await server.createCheckout(
        { subject: `subject ${mark}`, remarks: `remarks ${mark}`, metadata: { order: `metadata ${mark}` } },
        key,
      )
      const started = await server.submitCard(id, {}, label)
      const { orderCode } = started.json<{ orderCode: string }>()
      assert.equal((await server.pay(id, orderCode, label)).statusCode, 200)
      const answer = await server.app.inject({
        method: 'POST',
        url: `${MERCHANT_BASE}/checkouts/${id}/refunds`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${key}` },
        payload: { refundId: `refund-${mark}`, amount: 1 },
      })
      assert.equal(answer.statusCode, 201)
      // The API makes none for real money yet: a live one is made of a test one.
      if (mode === 'live') {
        await server.parts.database.rows("UPDATE checkouts SET mode = 'live' WHERE id = $1", id)
        for (const table of ['attempts', 'refunds', 'ledger_lines'])
          await server.parts.database.rows(`UPDATE ${table} SET mode = 'live' WHERE checkout_id = $1`, id)
      }
      return { label, mode, id, marks: [mark, id, orderCode] }
    }

    before(async () => {
      keys.length = 0
      owned.length = 0
      const gateway = fakeGateway()
      gateway.refund = async ({ amountYen }) => ({ outcome: 'refunded', amountYen, refundedAt: 1 })
      server = await openTestServer({ database: await open(), gateway, clock: virtualClock() })
      for (const label of LABELS) {
        const merchantId = `${label}-id`
        await insertMerchant(server.parts.database, { id: merchantId, label, settings: MERCHANT_SETTINGS }, 0)
        for (const mode of MERCHANT_MODES)
          for (const access of KEY_ACCESSES) {
            const made = await createKey(server.parts, { merchantId, mode, access, name: null, expiresAt: null })
            keys.push({ label, mode, access, ...made })
          }
        const { key } =
          keys.find((each) => isOf(each, { label, mode: 'test' }) && each.access === 'full') ?? assert.fail()
        for (const mode of MERCHANT_MODES) owned.push(await paidCheckout(key, label, mode))
      }
      routes = routesIn(server.app.printRoutes()).filter((route) => route.split(' ')[1]?.startsWith(MERCHANT_BASE))
    })

    /** A valid call of the route about this checkout: the fuzz test demands one for every route of the app. */
    const send = async (route: string, { key, label }: Key, checkoutId: string): Promise<LightMyRequestResponse> => {
      const fuzzed = FUZZED_ROUTES[route] ?? assert.fail(`${route} is not in proof/whole-server/fuzz/routes.ts`)
      const site = { port: 0, base: 'localhost:3000', merchant: label, key, asset: '' }
      const ids = { checkoutId, orderCode: UNKNOWN_ID, ticket: UNKNOWN_ID }
      const { method, target, headers, body } = fuzzed.valid(site, ids, seededRandom(1))
      // So that no call is refused by the limits of its key, which would look alike for everybody.
      server.clock.advance(1000)
      const payload = body === null ? {} : { payload: body }
      const answer = await server.app.inject({ method: method as 'GET', url: target, headers, ...payload })
      assert.notEqual(answer.statusCode, 429, route)
      return answer
    }
    const seenIn = ({ statusCode, body }: LightMyRequestResponse): string => `${statusCode} ${body}`
    const isAboutCheckout = (route: string): boolean => route.includes(':checkoutId')
    /** Open to everybody: it describes the calls and holds no merchant's words. */
    const isPublic = (route: string): boolean => route.endsWith('/openapi.json')

    test('answers no byte of another merchant or another mode', async () => {
      assert.equal(keys.length, LABELS.length * MERCHANT_MODES.length * KEY_ACCESSES.length)
      assert.ok(routes.length >= 5 && routes.some(isAboutCheckout), routes.join())
      const leaks: string[] = []
      for (const route of routes)
        for (const key of keys)
          for (const checkout of owned) {
            const { body, headers } = await send(route, key, checkout.id)
            const text = body + JSON.stringify(headers)
            const foreign = owned.filter((each) => !isOf(key, each)).flatMap(({ marks }) => marks)
            leaks.push(
              ...foreign
                .filter((mark) => text.includes(mark))
                .map((mark) => `${route} with ${key.access} of ${key.label}, ${key.mode}: ${mark}`),
            )
          }
      assert.deepEqual(leaks, [])
    })

    test('answers about somebody else’s checkout as about one that does not exist, whatever the key may do', async () => {
      const differing: string[] = []
      const statuses = new Set<number>()
      for (const route of routes.filter(isAboutCheckout))
        for (const key of keys) {
          const unknown = await send(route, key, UNKNOWN_ID)
          statuses.add(unknown.statusCode)
          for (const checkout of owned.filter((each) => !isOf(key, each)))
            if (seenIn(await send(route, key, checkout.id)) !== seenIn(unknown))
              differing.push(`${route} with ${key.access} of ${key.label}, ${key.mode}, about ${checkout.marks[0]}`)
        }
      assert.deepEqual(differing, [])
      assert.deepEqual(statuses, new Set([401, 403, 404]))
    })

    test('answers about its own checkout, so that the silence about others means something', async () => {
      for (const route of routes.filter(isAboutCheckout))
        for (const key of keys.filter(({ mode, access }) => mode === 'test' && access === 'full')) {
          const own = owned.find((each) => isOf(key, each)) ?? assert.fail()
          const answer = await send(route, key, own.id)
          assert.notEqual(seenIn(answer), seenIn(await send(route, key, UNKNOWN_ID)), route)
        }
    })

    test('is closed to live keys, and to a key with too little access before anything is looked up', async () => {
      for (const route of routes.filter((each) => !isPublic(each)))
        for (const key of keys) {
          const { statusCode } = await send(route, key, UNKNOWN_ID)
          if (key.mode === 'live') assert.equal(statusCode, 401, `${route} with a live key`)
          else assert.notEqual(statusCode, 401, route)
          if (key.mode === 'test' && key.access === 'full') assert.notEqual(statusCode, 403, route)
          // A reading key changes nothing, whichever calls there are.
          if (key.mode === 'test' && key.access === 'read' && !route.startsWith('GET'))
            assert.equal(statusCode, 403, route)
        }
    })
  })
})
