import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import {
  MERCHANT_ROUTES,
  KEY_ACCESSES,
  mayCall,
  type KeyAccess,
  MERCHANT_MODES,
  type MerchantMode,
} from '#contract/access.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { SummaryAnswer } from '#contract/merchant/reports.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { createKey } from '../../server/operations/api-keys.ts'
import {
  closeMerchant,
  insertMerchant,
  reopenMerchant,
  type MerchantSettings,
} from '../../server/store/merchant/merchants.ts'
import { EMPTY_TALLY } from '#payment/reconciliation-tally.ts'
import { hashedId } from '../../server/ids.ts'
import { reconciliationWrite } from '../../server/store/reports/reconciliations.ts'
import { text } from '../../server/store/engine/columns.ts'
import { fanOut } from '../../server/store/outbox/fan-out.ts'
import { endpointWrite, type WebhookEndpoint } from '../../server/store/merchant/webhook-endpoints.ts'
import type { Role } from '#contract/console/roles.ts'
import { deleteSession } from '../../server/store/people/sessions.ts'
import { hashToken, type Person } from '../../server/store/people/people.ts'
import { onDatabase } from '../harness/databases.ts'
import { statusAndCode } from '../harness/error-answers.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import {
  consoleHeaders,
  FORGED_HEADERS,
  headersSent,
  openSession,
  savePersonWithPasskey,
} from '../harness/test-people.ts'
import { CARD, openTestServer, type TestServer } from '../harness/test-server.ts'
import { MERCHANT_SETTINGS } from '../harness/test-merchants.ts'
import { routesIn } from '../fuzz/route-table.ts'
import { FUZZED_WEBHOOK } from '../fuzz/merchant-calls.ts'
import { FUZZED_ROUTES } from '../fuzz/routes.ts'

/** Merchant isolation: every route of the merchant API, called with every kind of key about everybody's checkouts. */
const LABELS = ['ichi', 'ni', 'san'] as const
const UNKNOWN_ID = 'a'.repeat(32)
/** After these there are more webhooks or fewer. */
const CHANGES_WEBHOOKS = ['POST /merchant/v1/webhooks', 'DELETE /merchant/v1/webhooks/:webhookId']
const REFUNDED_YEN = 1

/** What a key needs for each route. A route that is not named here fails the test; `public` needs no key. */
const NEEDED: Readonly<Record<string, KeyAccess | 'public'>> = {
  'GET /merchant/v1/*': 'read',
  'GET /merchant/v1/attention': 'read',
  'GET /merchant/v1/checkouts': 'read',
  'GET /merchant/v1/checkouts/:checkoutId': 'read',
  'GET /merchant/v1/checkouts/:checkoutId/qr.svg': 'read',
  'GET /merchant/v1/checkouts/:checkoutId/refunds': 'read',
  'GET /merchant/v1/checkouts/:checkoutId/refunds/:refundId': 'read',
  'GET /merchant/v1/checkouts/:checkoutId/timeline': 'read',
  'GET /merchant/v1/exports/checkouts.csv': 'read',
  'GET /merchant/v1/exports/figures.csv': 'read',
  'GET /merchant/v1/exports/movements.csv': 'read',
  'GET /merchant/v1/figures': 'read',
  'GET /merchant/v1/links': 'read',
  'POST /merchant/v1/links': 'sales',
  'GET /merchant/v1/links/:linkId': 'read',
  'PATCH /merchant/v1/links/:linkId': 'sales',
  'GET /merchant/v1/links/:linkId/qr.svg': 'read',
  'GET /merchant/v1/me': 'read',
  'GET /merchant/v1/openapi.json': 'public',
  'GET /merchant/v1/reference': 'public',
  'GET /merchant/v1/reconciliations': 'read',
  'GET /merchant/v1/reconciliations/:reconciliationId': 'read',
  'GET /merchant/v1/refunds': 'read',
  'GET /merchant/v1/summary': 'read',
  'GET /merchant/v1/settings': 'read',
  'PATCH /merchant/v1/settings': 'full',
  'DELETE /merchant/v1/settings/:picture': 'full',
  'PUT /merchant/v1/settings/:picture': 'full',
  'GET /merchant/v1/events': 'full',
  'POST /merchant/v1/events/:eventId/redeliver': 'full',
  'GET /merchant/v1/webhooks': 'full',
  'POST /merchant/v1/webhooks': 'full',
  'GET /merchant/v1/webhooks/:webhookId': 'full',
  'PATCH /merchant/v1/webhooks/:webhookId': 'full',
  'DELETE /merchant/v1/webhooks/:webhookId': 'full',
  'GET /merchant/v1/webhooks/:webhookId/deliveries': 'full',
  'POST /merchant/v1/webhooks/:webhookId/ping': 'full',
  'POST /merchant/v1/webhooks/:webhookId/replay': 'full',
  'POST /merchant/v1/webhooks/:webhookId/roll': 'full',
  'POST /merchant/v1/checkouts': 'sales',
  'POST /merchant/v1/checkouts/:checkoutId/cancel': 'sales',
  'POST /merchant/v1/checkouts/:checkoutId/receipt': 'sales',
  'POST /merchant/v1/checkouts/:checkoutId/refunds': 'full',
}

/** What people may do at their shop, in the words of the table above. */
const ALLOWED: Readonly<Record<Role, readonly string[]>> = {
  owner: ['read', 'sales', 'full'],
  staff: ['read', 'sales'],
  viewer: ['read'],
}
/** The least role for what a route needs. */
const LEAST: Readonly<Record<KeyAccess, Role>> = { read: 'viewer', sales: 'staff', full: 'owner' }
const FIRST = LABELS[0]

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
  /** Filters that find it, and nothing of anybody else. */
  readonly filters: Readonly<Record<'reference' | 'email' | 'transactionId', string>>
  readonly refundId: string
  readonly webhook: WebhookEndpoint
  readonly eventId: string
  readonly linkId: string
  readonly amount: number
  /** Texts that nobody else may be sent. */
  readonly marks: readonly string[]
}

/** Texts of a shop's settings that no other shop may be sent. Both modes of a merchant are one shop. */
const settingsMarks = (label: string): string[] =>
  ['name', 'address', 'email', 'site'].map((fact) => `${label}-shop-${fact}`)

const settingsWithMarks = (label: string): MerchantSettings => {
  const [shopName = '', shopAddress = '', email = '', site = ''] = settingsMarks(label)
  return {
    ...MERCHANT_SETTINGS,
    receipt: {
      ...MERCHANT_SETTINGS.receipt,
      shopName,
      shopAddress,
      shopEmail: `${email}@example.com`,
      shopUrl: `https://${site}.example.com/`,
    },
  }
}

const webhookOf = (label: string, mode: MerchantMode): WebhookEndpoint => ({
  merchantId: `${label}-id`,
  id: `we_${hashedId(label, mode)}`,
  mode,
  url: `https://shop.example.com/${label}-${mode}-mark`,
  types: null,
  generation: 1,
  previousUntil: null,
  createdAt: 0,
  disabled: null,
  failingSince: null,
})

/** What a route answers about something that is not there; undefined for a route that is about nothing of the kind. */
const notFoundOf = (route: string): string | undefined => {
  if (route.includes(':checkoutId')) return 'checkout_not_found'
  if (route.includes(':webhookId')) return 'webhook_not_found'
  if (route.includes(':reconciliationId')) return 'reconciliation_not_found'
  if (route.includes(':linkId')) return 'link_not_found'
  return route.includes(':eventId') ? 'event_not_found' : undefined
}

const isOf = (key: Key, { label, mode }: Pick<Owned, 'label' | 'mode'>): boolean =>
  key.label === label && key.mode === mode

describe('every route of the merchant API, with the keys of three merchants, two modes and three accesses', () => {
  // Who may read what stands in the text of the statements, which both engines are given: one of them shows it.
  onDatabase('PostgreSQL', ({ open }) => {
    let server: TestServer
    let routes: string[]
    const keys: Key[] = []
    const owned: Owned[] = []

    const paidCheckout = async (key: string, label: string, mode: MerchantMode): Promise<Owned> => {
      const mark = `${label}-${mode}-mark`
      const refundId = `refund-${mark}`
      // No two have the same, and no sum of some is that of one.
      const amount = 1000 + 2 ** owned.length
      const filters = {
        reference: `reference-${mark}`,
        email: `${mark}@example.com`,
        transactionId: `txn_${amount}`,
      }
      const id = await server.createCheckout(
        {
          amount,
          reference: filters.reference,
          subject: `subject ${mark}`,
          remarks: `remarks ${mark}`,
          metadata: { order: `metadata ${mark}` },
        },
        key,
      )
      const started = await server.submitCard(id, {}, label)
      const { orderCode } = started.json<{ orderCode: string }>()
      const paid = await server.sendRequest({
        method: 'PATCH',
        url: `/api/v1/checkouts/${id}/3ds/${orderCode}/pay`,
        payload: { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: filters.email },
        merchant: label,
      })
      assert.equal(paid.statusCode, 200)
      const answer = await server.app.inject({
        method: 'POST',
        url: `${MERCHANT_BASE}/checkouts/${id}/refunds`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${key}` },
        payload: { refundId, amount: REFUNDED_YEN },
      })
      assert.equal(answer.statusCode, 201)
      // The API makes none for real money yet: a live one is made of a test one.
      if (mode === 'live') {
        await server.deps.database.rows("UPDATE checkouts SET mode = 'live' WHERE id = $1", id)
        for (const table of ['attempts', 'refunds', 'ledger_lines', 'events'])
          await server.deps.database.rows(`UPDATE ${table} SET mode = 'live' WHERE checkout_id = $1`, id)
      }
      const [event] = await server.deps.database.rows('SELECT id FROM events WHERE checkout_id = $1', id)
      const eventId = text(event ?? {}, 'id')
      const webhook = webhookOf(label, mode)
      const made = { id: `rc_${id}`, madeAt: 0, period: { from: 0, to: 1 }, isComplete: true, problem: null }
      const scope = { merchantId: `${label}-id`, mode }
      await server.deps.database.writeAll(reconciliationWrite(scope, { ...EMPTY_TALLY, ...made }))
      const link = await server.app.inject({
        method: 'POST',
        url: `${MERCHANT_BASE}/links`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${key}` },
        payload: { amount, subject: `link ${mark}` },
      })
      const { id: linkId } = link.json<{ id: string }>()
      if (mode === 'live')
        await server.deps.database.rows("UPDATE reusable_links SET mode = 'live' WHERE id = $1", linkId)
      const marks = [mark, id, orderCode, filters.transactionId, eventId, webhook.id, linkId]
      return { label, mode, id, filters, refundId, webhook, eventId, linkId, amount, marks }
    }

    before(async () => {
      keys.length = 0
      owned.length = 0
      const clock = virtualClock()
      const gateway = fakeGateway()
      gateway.charge = async ({ orderCode, amountYen }, remember) => {
        assert.ok(await remember(orderCode))
        return { outcome: 'charged', transactionId: `txn_${amountYen}`, approvedAt: clock.now(), amountYen }
      }
      gateway.refund = async ({ amountYen }) => ({ outcome: 'refunded', amountYen, refundedAt: clock.now() })
      server = await openTestServer({ database: await open(), gateway, clock })
      for (const label of LABELS) {
        const merchantId = `${label}-id`
        await insertMerchant(server.deps.database, { id: merchantId, label, settings: settingsWithMarks(label) }, 0)
        for (const mode of MERCHANT_MODES)
          for (const access of KEY_ACCESSES) {
            const made = await createKey(server.deps.database, server.deps, {
              merchantId,
              mode,
              access,
              name: null,
              expiresAt: null,
            })
            keys.push({ label, mode, access, ...made })
          }
        const { key } =
          keys.find((each) => isOf(each, { label, mode: 'test' }) && each.access === 'full') ?? assert.fail()
        for (const mode of MERCHANT_MODES) owned.push(await paidCheckout(key, label, mode))
      }
      // A list of events shows those that were fanned out.
      await fanOut(server.deps.database, clock.now())
      await restoreWebhooks()
      routes = routesIn(server.app.printRoutes()).filter((route) => route.split(' ')[1]?.startsWith(MERCHANT_BASE))
    })

    /** As many as each had at first: one call removes one, another one makes more than there may be. */
    const restoreWebhooks = async (): Promise<void> => {
      const { database } = server.deps
      const fuzzed = 'SELECT id FROM webhook_endpoints WHERE url = $1'
      await database.rows(`DELETE FROM deliveries WHERE endpoint_id IN (${fuzzed})`, FUZZED_WEBHOOK)
      await database.rows('DELETE FROM webhook_endpoints WHERE url = $1', FUZZED_WEBHOOK)
      for (const { webhook } of owned) await database.writeAll(endpointWrite(webhook))
    }

    /** A valid call of the route about this checkout: the fuzz test demands one for every route of the app. */
    const send = async (
      route: string,
      { key, label }: Key,
      {
        id: checkoutId,
        refundId,
        webhook,
        eventId,
        linkId,
      }: Pick<Owned, 'id' | 'refundId' | 'webhook' | 'eventId' | 'linkId'>,
      /** Of a call with a session instead of the key. */
      sessionHeaders?: Readonly<Record<string, string | undefined>>,
    ): Promise<LightMyRequestResponse> => {
      const fuzzed = FUZZED_ROUTES[route] ?? assert.fail(`${route} is not in proof/fuzz/routes.ts`)
      const site = { port: 0, base: 'localhost:3000', merchant: label, key, asset: '' }
      const orders = { orderCode: UNKNOWN_ID, ticket: UNKNOWN_ID }
      const ids = { checkoutId, refundId, ...orders, linkId, webhookId: webhook.id, eventId }
      const { method, target, headers, body } = fuzzed.valid(site, ids, seededRandom(1))
      // So that no call is refused by the limits of its key, which would look alike for everybody.
      server.clock.advance(1000)
      const payload = body === null ? {} : { payload: body }
      const { authorization, ...others } = headers
      const sent = sessionHeaders === undefined ? { ...others, authorization } : { ...others, ...sessionHeaders }
      const answer = await server.app.inject({
        method: method as 'GET',
        url: target,
        headers: headersSent(sent),
        ...payload,
      })
      assert.notEqual(answer.statusCode, 429, route)
      if (CHANGES_WEBHOOKS.includes(route) && answer.statusCode < 300) await restoreWebhooks()
      return answer
    }
    const UNKNOWN = {
      id: UNKNOWN_ID,
      refundId: 'r-1',
      webhook: { ...webhookOf('nobody', 'test'), id: `we_${UNKNOWN_ID}` },
      eventId: `evt_${UNKNOWN_ID}`,
      linkId: UNKNOWN_ID,
    }
    const seenIn = ({ statusCode, body }: LightMyRequestResponse): string => `${statusCode} ${body}`
    const isAboutCheckout = (route: string): boolean => notFoundOf(route) !== undefined
    const nameOf = ({ label, mode, access }: Key): string => `${access} of ${label}, ${mode}`
    const testKeys = (access: KeyAccess): Key[] => keys.filter((key) => key.mode === 'test' && key.access === access)
    const ownOf = (key: Key): Owned => owned.find((each) => isOf(key, each)) ?? assert.fail()

    const get = async <T>({ key }: Key, path: string): Promise<T> => {
      server.clock.advance(1000)
      const headers = { host: 'localhost:3000', authorization: `Bearer ${key}` }
      const answer = await server.app.inject({ url: MERCHANT_BASE + path, headers })
      assert.equal(answer.statusCode, 200, `${path} ${answer.body}`)
      return (path.includes('.csv') ? answer.body : answer.json()) as T
    }
    const listed = async (key: Key, path: string): Promise<string[]> =>
      (await get<{ items: MerchantCheckoutAnswer[] }>(key, path)).items.map(({ id }) => id)

    test('is in the table of what each route needs, and no other', () => {
      assert.deepEqual(routes, Object.keys(NEEDED).toSorted())
      // The reference and the OpenAPI document are drawn from the contract: a route beside it would be in neither.
      const calls = Object.values(MERCHANT_ROUTES).map(({ method, path }) => `${method} ${MERCHANT_BASE}${path}`)
      const kept = routes.filter((route) => NEEDED[route] !== 'public' && !route.endsWith('*'))
      assert.deepEqual(kept, calls.toSorted())
    })

    test('lists, adds up and exports its own, and nothing else', async () => {
      for (const key of KEY_ACCESSES.flatMap(testKeys)) {
        const own = ownOf(key)
        assert.deepEqual(await listed(key, '/checkouts'), [own.id])
        const { items } = await get<{ items: { refundId: string }[] }>(key, '/refunds')
        assert.deepEqual(
          items.map(({ refundId }) => refundId),
          [own.refundId],
        )
        const { total } = await get<SummaryAnswer>(key, '/summary')
        assert.deepEqual([total.chargedAmount, total.refundedAmount], [own.amount, REFUNDED_YEN])
        const [, ...exported] = (await get<string>(key, '/exports/checkouts.csv')).trimEnd().split('\r\n')
        assert.deepEqual(
          exported.map((line) => line.includes(own.id)),
          [true],
        )
        const { items: reconciled } = await get<{ items: { id: string }[] }>(key, '/reconciliations')
        assert.deepEqual(
          reconciled.map(({ id }) => id),
          [`rc_${own.id}`],
        )
        const lines = (await get<string>(key, '/exports/movements.csv')).trimEnd().split('\r\n')
        assert.deepEqual(
          lines.slice(1).map((line) => line.includes(own.id)),
          [true, true],
        )
      }
    })

    test('finds nothing by what it knows of somebody else, nor from the place of somebody else in a list', async () => {
      for (const key of testKeys('full'))
        for (const other of owned)
          for (const [name, value] of Object.entries(other.filters))
            assert.deepEqual(
              await listed(key, `/checkouts?${name}=${encodeURIComponent(value)}`),
              isOf(key, other) ? [other.id] : [],
            )
      const [first, second] = testKeys('full')
      if (first === undefined || second === undefined) assert.fail()
      // Its cursor says the newest of all: whoever goes on from there sees all that is its own, and no more.
      await server.createCheckout({}, second.key)
      const { after } = await get<{ after: string | null }>(second, '/checkouts?limit=1')
      assert.notEqual(after, null)
      assert.deepEqual(await listed(first, `/checkouts?after=${after}`), [ownOf(first).id])
    })

    test('answers no byte of another merchant or another mode', async () => {
      assert.equal(keys.length, LABELS.length * MERCHANT_MODES.length * KEY_ACCESSES.length)
      const leaks: string[] = []
      for (const route of routes)
        for (const key of keys)
          // A route that is about nobody's checkout, webhook or event is the same call whoever is meant.
          for (const checkout of isAboutCheckout(route) ? owned : [ownOf(key)]) {
            const { body, headers } = await send(route, key, checkout)
            const text = body + JSON.stringify(headers)
            const foreign = [
              ...owned.filter((each) => !isOf(key, each)).flatMap(({ marks }) => marks),
              ...LABELS.filter((label) => label !== key.label).flatMap(settingsMarks),
            ]
            leaks.push(
              ...foreign.filter((mark) => text.includes(mark)).map((mark) => `${route} with ${nameOf(key)}: ${mark}`),
            )
          }
      assert.deepEqual(leaks, [])
    })

    test('answers about somebody else’s checkout as about one that does not exist, whatever the key may do', async () => {
      const differing: string[] = []
      for (const route of routes.filter(isAboutCheckout))
        for (const key of keys) {
          const unknown = seenIn(await send(route, key, UNKNOWN))
          for (const checkout of owned.filter((each) => !isOf(key, each)))
            if (seenIn(await send(route, key, checkout)) !== unknown)
              differing.push(`${route} with ${nameOf(key)}, about ${checkout.marks[0]}`)
        }
      assert.deepEqual(differing, [])
    })

    test('reads and changes its own settings, so that the silence about those of others means something', async () => {
      const route = 'PATCH /merchant/v1/settings'
      for (const key of testKeys('full')) {
        const body = JSON.stringify(await get<object>(key, '/settings'))
        assert.deepEqual(
          settingsMarks(key.label).filter((mark) => !body.includes(mark)),
          [],
        )
        const others = testKeys('full').filter(({ label }) => label !== key.label)
        const before = await Promise.all(others.map((other) => get<object>(other, '/settings')))
        assert.equal((await send(route, key, UNKNOWN)).statusCode, 200)
        assert.deepEqual(await Promise.all(others.map((other) => get<object>(other, '/settings'))), before)
      }
    })

    test('answers about its own checkout, so that the silence about others means something', async () => {
      for (const route of routes.filter(isAboutCheckout))
        for (const key of testKeys('full')) {
          const { statusCode } = await send(route, key, ownOf(key))
          assert.ok(statusCode < 300, `${route} ${statusCode}`)
        }
    })

    test('is closed to live keys, and to a key with too little access before anything is looked up', async () => {
      for (const route of routes) {
        const needed = NEEDED[route] ?? assert.fail()
        for (const key of keys) {
          const answer = await send(route, key, UNKNOWN)
          const what = `${route} with ${nameOf(key)}`
          const isRefused = needed !== 'public' && (key.mode === 'live' || !mayCall(key.access, needed))
          if (!isRefused) {
            const notFound = notFoundOf(route)
            if (notFound !== undefined) assert.deepEqual(statusAndCode(answer), [404, notFound], what)
            else assert.ok([200, 201, 405].includes(answer.statusCode), what)
          } else if (key.mode === 'live') assert.deepEqual(statusAndCode(answer), [401, 'invalid_api_key'], what)
          else {
            assert.deepEqual(statusAndCode(answer), [403, 'key_not_allowed'], what)
            assert.deepEqual(answer.json<{ params: object }>().params, { needed }, what)
          }
        }
      }
    })

    describe('with a session at the console’s host', () => {
      /** Everybody who can sign in; null: no role at the first shop. */
      const people: { readonly who: string; readonly role: Role | null; readonly person: Person }[] = []

      before(async () => {
        people.length = 0
        const { database } = server.deps
        const now = server.clock.now()
        const save = async (who: string, role: Role | null, more: object): Promise<void> => {
          people.push({ who, role, person: await savePersonWithPasskey(database, { name: who, ...more }, now) })
        }
        for (const role of ['owner', 'staff', 'viewer'] as const)
          await save(role, role, { member: { merchantId: `${FIRST}-id`, role } })
        await save('operator', null, { isOperator: true })
        await save('nobody', null, {})
        await save('owner of another shop', null, { member: { merchantId: `${LABELS[1]}-id`, role: 'owner' } })
      })

      const firstKey = (): Key => keys.find((key) => isOf(key, { label: FIRST, mode: 'test' })) ?? assert.fail()
      const needed = (route: string): KeyAccess => {
        const access = NEEDED[route] ?? assert.fail()
        return access === 'public' ? assert.fail() : access
      }
      const checked = (): string[] => routes.filter((route) => NEEDED[route] !== 'public')
      const session = (person: Person, beganBy?: 'link'): Promise<string> =>
        openSession(server.deps.database, person, server.clock.now(), beganBy)

      test('a role makes the calls of its table, with a new session each, and nobody else makes any', async () => {
        for (const route of checked())
          for (const { who, role, person } of people) {
            const headers = consoleHeaders(await session(person), { merchant: FIRST })
            const answer = await send(route, firstKey(), ownOf(firstKey()), headers)
            const what = `${route} by ${who}: ${answer.statusCode} ${answer.body.slice(0, 200)}`
            if (role !== null && ALLOWED[role].includes(needed(route)))
              assert.ok(answer.statusCode < 300 || answer.statusCode === 405, what)
            else {
              assert.deepEqual(statusAndCode(answer), [403, 'role_not_allowed'], what)
              assert.deepEqual(answer.json<{ params: object }>().params, { needed: LEAST[needed(route)] }, what)
            }
          }
      })

      test('an unknown shop is answered as one the person does not belong to', async () => {
        const [{ person } = assert.fail()] = people
        for (const route of checked()) {
          const token = await session(person)
          const about = (merchant: string) => send(route, firstKey(), UNKNOWN, consoleHeaders(token, { merchant }))
          assert.equal(seenIn(await about('nowhere')), seenIn(await about(LABELS[1])), route)
        }
      })

      test('is refused where the call was forged, or the person has signed out', async () => {
        const [{ person } = assert.fail()] = people
        const accepted: string[] = []
        for (const route of checked()) {
          const token = await session(person)
          const headers = consoleHeaders(token, { merchant: FIRST })
          const tryAs = async (how: string, changed: object): Promise<void> => {
            const { statusCode } = await send(route, firstKey(), ownOf(firstKey()), { ...headers, ...changed })
            if (statusCode !== 401 && statusCode !== 403) accepted.push(`${route} ${how}: ${statusCode}`)
          }
          for (const [how, changed] of Object.entries(FORGED_HEADERS)) await tryAs(how, changed)
          await deleteSession(server.deps.database, hashToken(token))
          await tryAs('after signing out', {})
        }
        assert.deepEqual(accepted, [])
      })

      test('is refused in live mode until an account has passed its check, and at a closed shop', async () => {
        const [{ person } = assert.fail()] = people
        for (const route of checked()) {
          const headers = consoleHeaders(await session(person), { merchant: FIRST, mode: 'live' })
          assert.deepEqual(
            statusAndCode(await send(route, firstKey(), UNKNOWN, headers)),
            [403, 'shop_not_live'],
            route,
          )
        }
        const { database, clock } = server.deps
        await closeMerchant(database, `${FIRST}-id`, clock.now())
        for (const route of checked()) {
          const headers = consoleHeaders(await session(person), { merchant: FIRST })
          assert.deepEqual(statusAndCode(await send(route, firstKey(), UNKNOWN, headers)), [403, 'shop_closed'], route)
        }
        await reopenMerchant(database, `${FIRST}-id`)
      })
    })
  })
})
