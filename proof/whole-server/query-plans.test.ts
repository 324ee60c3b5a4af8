import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Mailer } from '../../server/background/mail/mailer.ts'
import { NOTIFICATION_CAPS } from '#payment/notification-mails.ts'
import { sendWebhooksOnce } from '../../server/background/webhooks/webhook-worker.ts'
import { workOnce } from '../../server/background/worker.ts'
import { countHeldCheckouts } from '../../server/store/backup/held-checkouts.ts'
import { findCheckoutsOfOrders } from '../../server/store/backup/restore-marker.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { reconcileAndRecord } from '../../server/operations/record-reconciliation.ts'
import { registerMailAddress } from '../../server/operations/mail-addresses.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { text } from '../../server/store/engine/columns.ts'
import { listMailAddresses, removeRegistration, unmarkAsked } from '../../server/store/outbox/mail-addresses.ts'
import { countedMail, keepBack } from '../../server/store/outbox/mail-counts.ts'
import { readOutboxCounts } from '../../server/store/outbox/outbox-counts.ts'
import type { Place } from '../../server/store/engine/list-page.ts'
import { listOutbox } from '../../server/store/outbox/outbox-list.ts'
import { fanOut } from '../../server/store/outbox/fan-out.ts'
import { MANY_CHECKOUTS } from '../../server/store/checkout/checkout-reads.ts'
import { createAssetHmac } from '../../server/store/page/page-asset-hmac.ts'
import { readAssets, storeAssets } from '../../server/store/page/page-assets.ts'
import { onBothDatabases, type TestEngine } from '../harness/databases.ts'
import { decidedOutcome } from '../harness/fake-three-ds-servers.ts'
import { API_KEYS, TEA_MERCHANT } from '../harness/test-merchants.ts'
import type { TestServer } from '../harness/test-server.ts'
import { runConsole } from './console-statements.ts'
import { openCountedServer, TAXED, type CountedServer } from './counted-server.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const UNKNOWN = { outcome: 'unknown', why: 'no answer in time' } as const

const FILTERS = [
  'status=paid',
  'pending=true',
  'pending=false',
  'reference=A',
  'email=taro@example.com',
  'lastFour=4242',
  `linkId=${'a'.repeat(32)}`,
  'transactionId=txn_1',
  'createdFrom=2026-11-01&createdTo=2026-11-30',
  'paidFrom=2026-11-01',
  'paidTo=2026-11-30',
]

/** With each of the others by itself: one amount has an index, the rest is looked at in rows that another one finds. */
const MORE_FILTERS = ['amountFrom=1980&amountTo=1980', 'amountTo=100', 'cardBrand=visa']

/** One index finds, and every other filter is looked at by itself: what three together do not show, more do not either. */
const TOGETHER_MAX = 3

interface Listed {
  readonly after?: string | null
  readonly items?: readonly { readonly id: string }[]
}

/** Every combination of up to three filters, of the first page and of a later one, and all other lists and reports. */
const runLists = async ({ app, createCheckout, deps, clock }: TestServer): Promise<void> => {
  const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
  const get = async (url: string): Promise<Listed> => {
    const answer = await app.inject({ url: `/merchant/v1${url}`, headers })
    assert.equal(answer.statusCode, 200, `${url} ${answer.body}`)
    return url.includes('.csv') ? {} : answer.json<Listed>()
  }
  const id = await createCheckout({ reference: 'A' })
  const { after } = await get('/checkouts?limit=1')
  for (let chosen = 0; chosen < 2 ** FILTERS.length; chosen += 1) {
    const query = FILTERS.filter((_filter, place) => Math.floor(chosen / 2 ** place) % 2 === 1)
    if (query.length > TOGETHER_MAX) continue
    // A name may be given once.
    if (query.includes('pending=true') && query.includes('pending=false')) continue
    await get(`/checkouts?${query.join('&')}`)
    await get(`/checkouts?${[...query, `after=${after}`].join('&')}`)
  }
  for (const more of MORE_FILTERS)
    for (const filter of ['limit=9', ...FILTERS]) await get(`/checkouts?${more}&${filter}&after=${after}`)
  for (const search of ['4242', '1,980', 'taro@example.com', id]) {
    await get(`/checkouts?search=${search}`)
    await get(`/checkouts?search=${search}&status=paid`)
    await get(`/checkouts?search=${search}&status=paid&after=${after}`)
  }
  const { after: afterRefund } = await get('/refunds?limit=1')
  await get(`/refunds?after=${afterRefund}`)
  const { after: afterLine } = await get(`/checkouts/${id}/timeline?limit=1`)
  assert.equal(afterLine, null)
  await get('/summary?from=2026-11-01&to=2026-11-02')
  await get('/figures?from=2026-11-01&to=2026-11-30')
  await fanOut(deps.database, clock.now())
  const { after: afterEvent } = await get('/events?limit=1')
  await get(`/events?after=${afterEvent}`)
  await get('/events?createdFrom=2026-11-01&createdTo=2026-11-30')
  const { items = [] } = await get('/events?limit=2')
  await get(`/events?newerThan=${items.at(-1)?.id}`)
  await get('/exports/movements.csv')
  await get('/exports/checkouts.csv')
  await get('/attention')
}

/** A reconciliation that is kept, listed and read. */
const runReconciliations = async ({ app, deps, clock }: TestServer): Promise<void> => {
  const recording = { database: deps.database, random: deps.random, now: clock.now() }
  const told = { onDiscrepancy: () => undefined, onUnresolved: () => undefined }
  for (let round = 0; round < 2; round += 1)
    await reconcileAndRecord(recording, await deps.gateways.accounts(), ALL_TIME, told)
  const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
  const get = async (path: string): Promise<Listed> =>
    (await app.inject({ url: `/merchant/v1${path}`, headers })).json<Listed>()
  const { after, items } = await get('/reconciliations?limit=1')
  await get(`/reconciliations?after=${after}`)
  await get(`/reconciliations/${items?.[0]?.id}`)
}

/** Every call about reusable links, and a payment by one. */
const runLinks = async ({ server: { app, clock }, callsOf, openByLink }: CountedServer): Promise<void> => {
  const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
  const calls = callsOf(await openByLink({ amount: 1980, maxPayments: 3 }), 'test')
  for (const name of ['start', 'browser', 'collected', 'authenticate', 'pay'])
    await (calls[name] ?? assert.fail(name))()
  const list = async (more: string) => {
    const answer = await app.inject({ url: `/merchant/v1/links?limit=1${more}`, headers })
    return answer.json<{ after: string; items: readonly { id: string; payments: number }[] }>()
  }
  clock.advance(1000)
  await openByLink({ amount: 1980 })
  const { after } = await list('')
  const [link] = (await list(`&after=${after}`)).items
  assert.equal(link?.payments, 1)
  const changed = await app.inject({
    method: 'PATCH',
    url: `/merchant/v1/links/${link.id}`,
    headers,
    payload: { enabled: false },
  })
  assert.equal(changed.statusCode, 200)
  await app.inject({ url: `/links/${link.id}`, headers: { host: 'tea.localhost:3000' } })
}

/** Every call about webhooks, and their worker. */
const runWebhooks = async ({ app, deps, clock }: TestServer): Promise<void> => {
  const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const answer = await app.inject({
      method,
      url: `/merchant/v1${url}`,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    assert.ok(answer.statusCode < 300, `${method} ${url} ${answer.body}`)
    return answer.json<{ id: string; after?: string | null; items: readonly { id: string }[] }>()
  }
  const { id } = await send('POST', '/webhooks', { url: 'https://shop.example.com/hook', types: ['checkout.paid'] })
  for (const call of ['ping', 'roll', 'ping']) await send('POST', `/webhooks/${id}/${call}`, {})
  const since = new Date(clock.now() - DAY).toISOString()
  await send('POST', `/webhooks/${id}/replay`, { since })
  await send('PATCH', `/webhooks/${id}`, { types: null })
  await send('POST', `/webhooks/${id}/replay`, { since })
  for (const { id: event } of (await send('GET', '/events?limit=2')).items)
    await send('POST', `/events/${event}/redeliver`, {})
  await sendWebhooksOnce(deps)
  await sendWebhooksOnce({ ...deps, sendWebhook: async () => ({ outcome: 'unreachable', why: 'silent' }) })
  await send('POST', `/webhooks/${id}/ping`, {})
  const gone = { outcome: 'answered', status: 410, retryAfter: null, body: '' } as const
  await sendWebhooksOnce({ ...deps, sendWebhook: async () => gone })
  const { after } = await send('GET', `/webhooks/${id}/deliveries?limit=1`)
  await send('GET', `/webhooks/${id}/deliveries?after=${after}`)
  await send('GET', '/webhooks')
  await send('GET', '/attention')
  await send('DELETE', `/webhooks/${id}`, {})
}

/** Mails: refused for want of a registered address, asked for, confirmed, kept back, sent, put off. */
const runMails = async (server: TestServer): Promise<void> => {
  const { deps, clock, app } = server
  let link = ''
  const answers = ['sent', 'later', 'refused'] as const
  for (const outcome of answers)
    for (let round = 0; round < 3; round += 1) {
      const id = await server.createCheckout()
      await server.pay(id, await server.startAttempt(id))
      const send: Mailer['send'] = async ({ text: written }) => {
        link = /(\/mail-address\/[a-z2-7]{32})/.exec(written)?.[1] ?? link
        return { outcome, answer: '-' }
      }
      await workOnce(deps, { isSandbox: false, send })
      if (link !== '') {
        const headers = { host: 'tea.localhost:3000' }
        await app.inject({ url: link, headers })
        await app.inject({ method: 'POST', url: link, headers })
      }
      clock.advance(MINUTE)
    }
  assert.notEqual(link, '')
  const counted = countedMail({ class: 'test', merchantId: TEA_MERCHANT.id, recipient: 'x@example.com' }, clock.now())
  await keepBack(deps.database, counted)
  const ref = { merchantId: TEA_MERCHANT.id, address: 'x@example.com' }
  await registerMailAddress(deps, ref)
  await listMailAddresses(deps.database, TEA_MERCHANT.id)
  await removeRegistration(deps.database, ref, clock.now())
  await unmarkAsked(deps.database, ref)
}

/** Mails that tell a shop: one by one, summed up, and of a doubt that has ended before it is told. */
const runNotifications = async ({ server, gateway, openCheckout, callsOf }: CountedServer): Promise<void> => {
  const { deps, clock } = server
  const subjects: string[] = []
  const mailer: Mailer = {
    isSandbox: false,
    send: async ({ subject }) => {
      subjects.push(subject)
      return { outcome: 'sent', answer: '-' }
    },
  }
  await registerMailAddress(deps, { merchantId: TEA_MERCHANT.id, address: TEA_MERCHANT.settings.receipt.shopEmail })
  const pay = async (): Promise<void> => {
    const calls = callsOf(await openCheckout('test'), 'test')
    for (const name of ['start', 'browser', 'collected', 'authenticate', 'pay'])
      await (calls[name] ?? assert.fail(name))()
  }
  for (let paid = 0; paid <= NOTIFICATION_CAPS.test.hour; paid += 1) await pay()
  gateway.chargeOutcome = UNKNOWN
  await pay()
  gateway.chargeOutcome = null
  while ((await fanOut(deps.database, clock.now())) > 0);
  for (let round = 0; round < 2; round += 1) {
    await workOnce(deps, mailer)
    clock.advance(61 * MINUTE)
  }
  for (const news of ['Paid: ', 'More payments: '])
    assert.ok(
      subjects.some((subject) => subject.includes(news)),
      news,
    )
}

/** These indexes may be read from end to end, for they hold little: endpoints, events that nobody has fanned out, held checkouts. */
const SMALL_INDEXES = ['webhook_endpoints_enabled', 'webhook_endpoints_disabled', 'events_to_fan_out', 'checkouts_held']
/** The worker that sums days looks among all shops for new ones: there are far fewer of them than of their checkouts. */
const OF_THE_WORKER = /^SELECT id FROM merchants WHERE NOT EXISTS \(\s+SELECT 1 FROM day_figures_progress/
/** Whether there is one at all: the first row that is found answers it. */
const IS_THERE_ONE = /^SELECT id FROM people LIMIT 1$/
const smallIndexOf = (step: string): string | undefined =>
  SMALL_INDEXES.find((index) => new RegExp(`^SCAN \\w+ USING (COVERING )?INDEX ${index}$`).test(step))

/** The operator's: these read all endpoints, all merchants (to ask for disputes), and ten thousand rows at most. */
const OF_THE_OPERATOR = [
  /, label\s+FROM webhook_endpoints JOIN merchants/,
  /AS nexts\) AS delivery_due_at/,
  /^SELECT id FROM merchants ORDER BY id$/,
]
/** In each part of the operator's outbox, and at its beginning. */
const OUTBOX_PLACES: readonly (Place | null)[] = [
  null,
  [0, 'm', 'e', '1', 'e'],
  [1, 'm', '1', 'm'],
  [2, 'm', 'e', '1', '1', 'e'],
  [3, 'm', '1', 'm'],
]
const isOfOperator = (statement: string): boolean => OF_THE_OPERATOR.some((part) => part.test(statement))

/** Every call on every way that a payment can go, and every work of the worker: the statements that a server sends. */
const runEverything = async (counted: CountedServer): Promise<void> => {
  const { server, gateway, threeDS, openCheckout, callsOf } = counted
  const run = async (mode: 'test' | 'live', ...names: string[]): Promise<void> => {
    const calls = callsOf(await openCheckout(mode), mode)
    for (const name of names) await (calls[name] ?? assert.fail(name))()
  }
  const workLater = async (ms: number): Promise<void> => {
    server.clock.advance(ms)
    await workOnce(server.deps)
  }
  const collecting = ['start', 'browser', 'collected', 'authenticate']
  for (const mode of ['test', 'live'] as const) {
    await run(
      mode,
      'create',
      'createOnce',
      'createOnce',
      'document',
      'merchantRead',
      ...collecting,
      'pay',
      'pay',
      'read',
      'refund',
      'merchantRead',
    )
    await run(mode, 'start', 'start', 'authenticate', 'cancel')
    await run('test', 'merchantCancel')
    threeDS.answers.authenticate = 'challenge'
    await run(mode, ...collecting, 'challenge', 'monitor', 'reportChallengeError')
    threeDS.answers.result = decidedOutcome('Y')
    await run(mode, ...collecting, 'monitor', 'pay')
    threeDS.answers.authenticate = { outcome: 'unavailable', why: 'silent' }
    await run(mode, ...collecting)
    threeDS.answers.authenticate = decidedOutcome('N')
    await run(mode, ...collecting, 'pay')
    threeDS.answers.authenticate = decidedOutcome('Y')
    gateway.chargeOutcome = { outcome: 'declined', reason: 'no' }
    await run(mode, ...collecting, 'pay')
    gateway.chargeOutcome = UNKNOWN
    await run(mode, ...collecting, 'pay', 'read', 'cancel')
    await workLater(MINUTE)
    gateway.chargeOutcome = null
    const { refund } = gateway
    gateway.refund = async () => UNKNOWN
    await run(mode, ...collecting, 'pay', 'refund')
    gateway.refund = refund
    await workLater(MINUTE)
  }
  for (let decline = 0; decline < 25; decline += 1) {
    gateway.chargeOutcome = { outcome: 'declined', reason: 'no' }
    server.clock.advance(20_000)
    await run('live', ...collecting, 'pay')
  }
  await run('test', 'replaceLogo', 'picture', 'readSettings', 'changeSettings', 'removeLogo')
  gateway.chargeOutcome = null
  const taxed = callsOf(await server.createCheckout(TAXED), 'test')
  for (const name of [...collecting, 'pay']) await (taxed[name] ?? assert.fail(name))()
  await runLists(server)
  server.clock.advance(1000)
  await runLinks(counted)
  await runWebhooks(server)
  await runMails(server)
  await runNotifications(counted)
  await readOutboxCounts(server.deps.database, server.clock.now())
  await countHeldCheckouts(server.deps.database)
  await findCheckoutsOfOrders(server.deps.database, 'held')
  for (const merchant of [null, 'tea'])
    for (const after of OUTBOX_PLACES)
      await listOutbox(server.deps.database, { merchant, state: null }, { after, limit: 10 })
  await runReconciliations(server)
  const hmac = createAssetHmac(['k'.repeat(32)])
  const script = { bytes: Buffer.from('x'), mediaType: 'text/javascript', compressed: {} }
  await storeAssets(server.deps.database, hmac, new Map([['main.js', script]]), server.clock.now())
  assert.equal((await readAssets(server.deps.database, hmac, ['main.js'])).size, 1)
  const left = await openCheckout('test')
  await workLater(40 * DAY)
  await server.readCheckout(left)
}

/** As many rows as a table has, where there is one shop with one endpoint: all attempts, all checkouts of a status, all deliveries. */
const ALL_OF_SHOP = [
  /^SEARCH attempts USING INDEX \w+ \(merchant_id=\? AND mode=\?\)$/,
  /^SEARCH checkouts USING (COVERING )?INDEX \w+ \(merchant_id=\? AND mode=\? AND status>/,
  /^SEARCH deliveries USING INDEX deliveries_by_creation \(merchant_id=\?( AND endpoint_id=\?)?\)$/,
]

/** Which tables a statement reads from end to end; the names by which it calls them. */
const scannedBy: Readonly<Record<TestEngine['name'], (database: Database, statement: string) => Promise<string[]>>> = {
  SQLite: async (database, statement) => {
    const tables = (await database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")).map((row) =>
      text(row, 'name'),
    )
    // What the statement itself has put together, and no table.
    const subqueries = [...statement.matchAll(/(?:\) AS|WITH RECURSIVE|\),) (\w+)/g)].flatMap(([, name = '']) =>
      tables.includes(name) ? [] : [name],
    )
    const plan = await database.rows(`EXPLAIN QUERY PLAN ${statement}`)
    return plan
      .map((row) => text(row, 'detail'))
      .filter(
        (step) =>
          /^SCAN (?!CONSTANT ROW|\d+ CONSTANT ROWS|\d+-ROW VALUES CLAUSE|\()/.test(step) ||
          ALL_OF_SHOP.some((all) => all.test(step)),
      )
      .filter((step) => !subqueries.includes(step.split(' ')[1] ?? ''))
  },
  // With a plan for any values, on tables of any size: it reads a whole table only where no index fits.
  PostgreSQL: (database, statement) =>
    database.transact(async (sql) => {
      const marks = [...statement.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place))
      const values = Array.from({ length: Math.max(0, ...marks) }, () => 'NULL').join()
      await sql.rows('SET LOCAL enable_seqscan = off')
      await sql.rows('SET LOCAL plan_cache_mode = force_generic_plan')
      await sql.rows(`PREPARE explained AS ${statement}`)
      const plan = await sql.rows(`EXPLAIN EXECUTE explained${values === '' ? '' : `(${values})`}`)
      await sql.rows('DEALLOCATE explained')
      return plan.map((row) => text(row, 'QUERY PLAN')).filter((step) => step.includes('Seq Scan'))
    }),
}

describe('every statement of the operations and of the worker finds its rows by an index', () => {
  onBothDatabases(({ name, open }) => {
    test('none reads a whole table', async () => {
      const real = await open()
      const counted = await openCountedServer(real)
      counted.database.takeTexts()
      await runConsole(counted.server)
      await runEverything(counted)
      const statements = counted.database
        .takeTexts()
        .filter((each) => !OF_THE_WORKER.test(each) && !IS_THERE_ONE.test(each))
      const scans: Record<string, string[]> = {}
      const readWhole = new Set<string>()
      assert.equal(statements.filter(isOfOperator).length, OF_THE_OPERATOR.length)
      for (const statement of statements.filter((each) => !isOfOperator(each))) {
        const scanned = await scannedBy[name](real, statement)
        const large = scanned.filter((step) => smallIndexOf(step) === undefined)
        for (const step of scanned) readWhole.add(smallIndexOf(step) ?? '')
        if (large.length > 0) scans[statement] = large
      }
      assert.deepEqual(scans, {})
      assert.deepEqual([...readWhole].toSorted(), name === 'SQLite' ? SMALL_INDEXES.toSorted() : [])
      assert.ok(statements.length > 25, String(statements.length))
      assert.ok(statements.some((statement) => statement.startsWith('SELECT settings FROM merchants')))
    })

    if (name === 'PostgreSQL')
      test('none does where many checkouts are read by one statement', async () => {
        assert.deepEqual(await scannedBy[name](await open(), MANY_CHECKOUTS), [])
      })

    test('one that does is found', async () => {
      const real = await open()
      assert.notDeepEqual(await scannedBy[name](real, 'SELECT id FROM checkouts WHERE subject = $1'), [])
      const ofShop = "SELECT amount_yen FROM attempts WHERE merchant_id = $1 AND mode = $2 AND state = 'unknown'"
      const ofStatus =
        'SELECT id FROM checkouts WHERE merchant_id = $1 AND mode = $2 AND card_last_four = $3 AND status >= $4 AND status <= $4'
      if (name === 'SQLite')
        for (const each of [ofShop, ofStatus]) assert.notDeepEqual(await scannedBy[name](real, each), [])
    })
  })
})
