import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { saveTestAccount } from '../../proof/harness/test-accounts.ts'
import { CAP_MARK, UNREGISTERED } from '#payment/mail-permission.ts'
import { DAY_MS } from '#contract/jst.ts'
import type { AttemptState } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import { LONG_DOUBT_MS } from '#payment/doubt.ts'
import type { RefundState } from '#payment/refund.ts'
import { ATTEMPT_STATES, NOW } from '#payment/testing/records.ts'
import { withMetrics, type MeteredDependencies } from './metrics.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway, type FakeGateway } from '../../proof/harness/fake-gateway.ts'
import { freshAttempt, freshCheckout } from '../../proof/harness/fresh-records.ts'
import { CARD, createTestApp, openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { fanOut } from '../store/outbox/fan-out.ts'
import { endpointWrite } from '../store/merchant/webhook-endpoints.ts'
import { sendWebhooksOnce } from './webhooks/webhook-worker.ts'
import { insertRecords } from '../store/engine/write.ts'
import { DOUBTS_COUNTED_MAX } from '../store/reports/metrics.ts'
import { workOnce } from './worker.ts'
import { insertCheckout, saveAttempt, saveRefund } from '../../proof/harness/save-records.ts'

const { charging, unknown, charged } = ATTEMPT_STATES

const NOTHING_HAPPENED = {
  kaikei_clock_confirmed: 1,
  kaikei_clock_difference_seconds: 0,
  kaikei_alarms_total: 0,
  'kaikei_card_testing_refusals_total{limit="address"}': 0,
  'kaikei_card_testing_refusals_total{limit="card"}': 0,
  'kaikei_card_testing_refusals_total{limit="link"}': 0,
  ...Object.fromEntries(
    ['2xx', '3xx', '4xx', '5xx', 'none'].map((answer) => [`kaikei_webhook_tries_total{answer="${answer}"}`, 0]),
  ),
}

const NOTHING_WAITS = Object.fromEntries(
  [
    'events_oldest_waiting_seconds',
    'deliveries_waiting',
    'deliveries_oldest_due_seconds',
    'deliveries_failed',
    'webhooks_failing',
    'webhooks_disabled',
    'mails_waiting',
    'mails_oldest_due_seconds',
    'mails_refused',
    'mails_kept_back',
    'mails_given_up',
  ].map((name) => [`kaikei_${name}`, 0]),
)

const never = (): Promise<never> => new Promise(() => {})

/** The whole text by series: each value under its name and labels. */
const seriesOf = (text: string): Map<string, number> => {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

describe('the metrics', () => {
  onBothDatabases(({ open }) => {
    let gateway: FakeGateway
    let server: TestServer
    let now: number
    let metered: MeteredDependencies
    before(async () => {
      gateway = fakeGateway()
      const clock = { now: () => now, sleep: never, advance: (ms: number) => (now += ms) }
      server = await openTestServer({ database: await open(), gateway, clock })
    })
    beforeEach(async () => {
      for (const table of [
        'delivery_tries',
        'deliveries',
        'webhook_endpoints',
        'events',
        'mails',
        'outbox',
        'refunds',
        'attempts',
        'checkouts',
      ])
        await server.deps.database.rows(`DELETE FROM ${table}`)
      now = NOW
      metered = withMetrics(server.deps)
    })

    const read = async (...names: string[]): Promise<(number | undefined)[]> => {
      const series = seriesOf(await metered.scrape())
      return names.map((name) => series.get(`kaikei_${name}`))
    }
    const put = async (more: Partial<Checkout> = {}): Promise<Checkout> => {
      const checkout = freshCheckout({ merchantId: 'tea-id', ...more })
      await insertCheckout(server.deps.database, checkout)
      return checkout
    }
    const attempt = async (state: AttemptState, more: Partial<Checkout> = {}): Promise<void> => {
      await saveAttempt(server.deps.database, freshAttempt(await put(more), state))
    }
    const refund = async (state: RefundState): Promise<void> => {
      const { id: checkoutId } = await put()
      const ids = { merchantId: 'tea-id', checkoutId, refundId: 'r1', orderCode: 'o1' }
      await saveRefund(server.deps.database, { ...ids, amountYen: 5, taxes: null, requestedAt: NOW, state })
    }

    test('when every payment is settled each doubt gauge is 0, and every series has its help and its type', async () => {
      await attempt(charged)
      const text = await metered.scrape()
      const series = seriesOf(text)
      assert.deepEqual(Object.fromEntries(series), {
        kaikei_database_up: 1,
        kaikei_payments_in_doubt: 0,
        kaikei_payments_in_long_doubt: 0,
        kaikei_payments_oldest_doubt_seconds: 0,
        kaikei_refunds_in_doubt: 0,
        kaikei_refunds_in_long_doubt: 0,
        kaikei_refunds_oldest_doubt_seconds: 0,
        kaikei_checkouts_past_deadline: 0,
        kaikei_checkouts_held: 0,
        kaikei_merchants_braked: 0,
        kaikei_notifications_oldest_unhandled_seconds: 0,
        kaikei_set_aside: 0,
        ...NOTHING_WAITS,
        ...NOTHING_HAPPENED,
      })
      const names = [...series.keys()].map((name) => name.replace(/\{.*/, ''))
      for (const name of [...names, 'kaikei_http_answers_total']) {
        const type = name.endsWith('_total') ? 'counter' : 'gauge'
        assert.match(text, new RegExp(`^# HELP ${name} \\S.*\\.\\n# TYPE ${name} ${type}$`, 'm'))
      }
      assert.ok(text.endsWith('\n'))
    })

    test('a payment in doubt is counted with its age, and as a long doubt from the tenth minute on', async () => {
      const names = ['payments_in_doubt', 'payments_in_long_doubt', 'payments_oldest_doubt_seconds']
      await attempt({ ...unknown, since: NOW })
      await attempt({ ...unknown, since: NOW + 30_000 })
      now = NOW + 1500
      assert.deepEqual(await read(...names), [2, 0, 1.5])
      now = NOW + LONG_DOUBT_MS - 1
      assert.deepEqual(await read(...names), [2, 0, 599.999])
      now = NOW + LONG_DOUBT_MS
      assert.deepEqual(await read(...names), [2, 1, 600])
      now += 30_000
      assert.deepEqual(await read(...names), [2, 2, 630])
      assert.deepEqual(await read('refunds_in_doubt'), [0])
    })

    test('of thousands of payments in doubt so many are counted as are told in the help of the gauge', async () => {
      await attempt(unknown)
      const { database } = server.deps
      const copy = async (from: number, to: number): Promise<void> => {
        for (const [table, id] of [
          ['checkouts', 'id'],
          ['attempts', 'checkout_id'],
        ] as const) {
          const [row = {}] = await database.rows(`SELECT * FROM ${table} LIMIT 1`)
          for (let n = from; n <= to; n += 1)
            await database.writeAll(
              insertRecords(table, [{ ...row, [id]: `copy${n}`, ...(id === 'id' ? {} : { order_code: `copy${n}` }) }]),
            )
        }
      }
      await copy(2, DOUBTS_COUNTED_MAX)
      assert.deepEqual(await read('payments_in_doubt'), [DOUBTS_COUNTED_MAX])
      await copy(DOUBTS_COUNTED_MAX + 1, DOUBTS_COUNTED_MAX + 1)
      assert.deepEqual(await read('payments_in_doubt'), [DOUBTS_COUNTED_MAX])
      assert.match(await metered.scrape(), new RegExp(`HELP kaikei_payments_in_doubt .*${DOUBTS_COUNTED_MAX}`))
    })

    test('a charge is not counted as a doubt to the last moment of its lease, and is counted after it though no doubt is recorded yet', async () => {
      await attempt(charging)
      now = NOW + 35_000
      assert.deepEqual(await read('payments_in_doubt'), [0])
      now += 1
      assert.deepEqual(await read('payments_in_doubt', 'payments_oldest_doubt_seconds'), [1, 0.001])
      now += LONG_DOUBT_MS
      assert.deepEqual(await read('payments_in_long_doubt'), [1])
    })

    test('a refund in doubt is counted apart from payments', async () => {
      const names = ['refunds_in_doubt', 'refunds_in_long_doubt', 'refunds_oldest_doubt_seconds', 'payments_in_doubt']
      await refund({ name: 'unknown', why: 'x', since: NOW, inquiries: 1, nextInquiryAt: NOW + 1 })
      await refund({ name: 'requested', leaseUntil: NOW + 1000 })
      await refund({ name: 'refunded', refundedAt: NOW })
      await refund({ name: 'refused', reason: 'x' })
      now = NOW + 1000
      assert.deepEqual(await read(...names), [1, 0, 1, 0])
      now = NOW + LONG_DOUBT_MS
      assert.deepEqual(await read(...names), [2, 1, 600, 0])
      const ref = { merchantId: 'tea-id', mode: 'test' } as const
      await saveTestAccount(metered.deps.database, ref, { kind: 'adyen' })
      assert.deepEqual(await read(...names), [2, 0, 600, 0], 'Adyen takes days')
      now = NOW + 3 * DAY_MS
      assert.deepEqual(await read('refunds_in_long_doubt'), [1])
    })

    test('a checkout counts as past its deadline when it is open, late, and no payment of it is finishing', async () => {
      await put({ validUntil: NOW + 1000 })
      await attempt(unknown, { validUntil: NOW + 1000 })
      now = NOW + 1000
      assert.deepEqual(await read('checkouts_past_deadline'), [0])
      now += 1
      assert.deepEqual(await read('checkouts_past_deadline'), [1])
      await workOnce(metered.deps)
      assert.deepEqual(await read('checkouts_past_deadline'), [0])
    })

    test('an attempt row that cannot be parsed is counted as a doubt since its next inquiry was due, and hides no other', async () => {
      const names = ['database_up', 'payments_in_doubt', 'payments_in_long_doubt', 'payments_oldest_doubt_seconds']
      await attempt({ ...unknown, since: NOW, nextInquiryAt: NOW + 1000 })
      await server.deps.database.rows(`UPDATE attempts SET details = '{}'`)
      await attempt({ ...unknown, since: NOW })
      now = NOW + LONG_DOUBT_MS
      assert.deepEqual(await read(...names), [1, 2, 1, 600])
      now += 1000
      assert.deepEqual(await read(...names), [1, 2, 2, 601])
    })

    /** An endpoint that wants everything, and an event for it. */
    const event = async (id: string, fannedOutAt: number | null = null): Promise<void> => {
      await server.deps.database.rows(
        `INSERT INTO events (merchant_id, id, mode, type, checkout_id, sequence, data, created_at, fanned_out_at)
         VALUES ('tea-id', $1, 'test', 'checkout.paid', $1, 1, '{}', $2, $3)`,
        id,
        NOW,
        fannedOutAt,
      )
    }
    const endpoint = (id: string) =>
      server.deps.database.writeAll(
        endpointWrite({
          merchantId: 'tea-id',
          id,
          mode: 'test',
          url: 'https://shop.example.com/',
          types: null,
          generation: 1,
          previousUntil: null,
          createdAt: NOW,
          disabled: null,
          failingSince: null,
        }),
      )

    test('an event that no worker has looked at has an age, and then its deliveries wait', async () => {
      await endpoint('we_1')
      await event('evt_1')
      now = NOW + 1500
      const names = ['events_oldest_waiting_seconds', 'deliveries_waiting', 'deliveries_oldest_due_seconds']
      assert.deepEqual(await read(...names), [1.5, 0, 0])
      await fanOut(server.deps.database, now)
      assert.deepEqual(await read(...names), [0, 1, 1.5])
      const statuses = [200, 302, 404, 500, 999]
      const sendWebhook = async (): Promise<WebhookAnswer> => {
        const status = statuses.shift()
        return status === undefined
          ? { outcome: 'unreachable', why: 'silent' }
          : { outcome: 'answered', status, retryAfter: null, body: '' }
      }
      metered = withMetrics({ ...server.deps, sendWebhook })
      const tries = ['2xx', '3xx', '4xx', '5xx', 'none'].map((answer) => `webhook_tries_total{answer="${answer}"}`)
      for (let each = 0; each < 6; each += 1)
        await metered.deps.sendWebhook({ url: 'https://shop.example.com/', headers: {}, body: '{}' })
      assert.deepEqual(await read(...tries), [1, 1, 1, 2, 1])
      await sendWebhooksOnce(metered.deps)
      assert.deepEqual(await read(...names, 'webhooks_failing', 'webhooks_disabled'), [0, 1, 0, 1, 0])
      await server.deps.database.rows('UPDATE deliveries SET step = 9, due_at = $1', now)
      await sendWebhooksOnce(metered.deps)
      assert.deepEqual(await read('deliveries_waiting', 'deliveries_failed', 'webhooks_failing'), [0, 1, 1])
      now += DAY_MS - 1
      assert.deepEqual(await read('deliveries_failed'), [1])
      now += 1
      assert.deepEqual(await read('deliveries_failed'), [0])
      await server.deps.database.rows("UPDATE webhook_endpoints SET disabled_at = 1, disabled_why = 'gone'")
      assert.deepEqual(await read('webhooks_failing', 'webhooks_disabled'), [0, 1])
      await server.deps.database.rows("UPDATE webhook_endpoints SET disabled_why = 'merchant'")
      assert.deepEqual(await read('webhooks_failing', 'webhooks_disabled'), [0, 0])
    })

    test('mails that our own rules kept back are told apart from those that a mail server refused', async () => {
      for (const [id, why] of Object.entries({ 1: UNREGISTERED, 2: `${CAP_MARK}10 mails`, 3: '550 5.1.1', 4: null }))
        await server.deps.database.rows(
          `INSERT INTO mails (merchant_id, id, kind, state, tries, answer, created_at, ended_at)
           VALUES ('tea-id', $1, 'receipt', 'refused', 1, $2, $3, $3)`,
          id,
          why,
          NOW,
        )
      assert.deepEqual(await read('mails_refused', 'mails_kept_back', 'mails_given_up'), [2, 2, 0])
      now = NOW + DAY_MS
      assert.deepEqual(await read('mails_refused', 'mails_kept_back'), [0, 0])
    })

    test('mails that wait are counted with the one that is due longest, refused and given up ones for a day', async () => {
      const names = ['mails_waiting', 'mails_oldest_due_seconds', 'mails_refused', 'mails_given_up']
      const mail = (id: string, state: string, nextTryAt: number | null) =>
        server.deps.database.rows(
          `INSERT INTO mails (merchant_id, id, checkout_id, kind, locale, state, tries, next_try_at, created_at, ended_at)
           VALUES ('tea-id', $1, $1, 'receipt', 'ja_JP', $2, 1, $3, $4, $5)`,
          id,
          state,
          nextTryAt,
          NOW,
          nextTryAt === null ? NOW : null,
        )
      await mail('1', 'waiting', NOW + 1000)
      assert.deepEqual(await read(...names), [1, 0, 0, 0])
      await mail('2', 'sending', NOW + 500)
      await mail('3', 'sent', null)
      await mail('4', 'refused', null)
      await mail('5', 'given_up', null)
      await mail('6', 'given_up', null)
      now = NOW + 2000
      assert.deepEqual(await read(...names), [2, 1.5, 1, 2])
      now = NOW + DAY_MS - 1
      assert.deepEqual(await read('mails_refused', 'mails_given_up'), [1, 2])
      now += 1
      assert.deepEqual(await read('mails_refused', 'mails_given_up'), [0, 0])
    })

    test('a backlog is counted up to ten thousand, and no further', async () => {
      await endpoint('we_1')
      const insert = `INSERT INTO deliveries (merchant_id, endpoint_id, event_id, sequence, state, step, claim, due_at, created_at)`
      await server.deps.database.rows(`${insert} VALUES ('tea-id', 'we_1', '1', 1, 'pending', 0, 0, 1, 1)`)
      for (let doubling = 0; doubling < 14; doubling += 1)
        await server.deps.database.rows(
          `${insert} SELECT merchant_id, endpoint_id, event_id || $1, 1, 'pending', 0, 0, 1, 1 FROM deliveries`,
          String.fromCodePoint(97 + doubling),
        )
      assert.deepEqual(await read('deliveries_waiting'), [10_000])
      await server.deps.database.rows("DELETE FROM deliveries WHERE event_id <> '1'")
      assert.deepEqual(await read('deliveries_waiting'), [1])
    })

    test('each alarm about money is counted and still logged', async () => {
      await attempt({ ...unknown, since: NOW - LONG_DOUBT_MS, nextInquiryAt: NOW })
      gateway.inquire = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: 0, amountYen: 1 })
      await workOnce(metered.deps)
      assert.deepEqual(await read('alarms_total'), [2])
      assert.equal(server.logLines.filter((line) => line.includes('needs a person')).length, 2)
      metered.deps.log.error('this text says that a payment needs a person')
      assert.deepEqual(await read('alarms_total'), [2])
      metered.deps.log.alarm('any message', { order: 'o', why: 'x' })
      assert.deepEqual(await read('alarms_total'), [3])
    })

    test('answers are counted by route and status, and no address, id, merchant or card number is exposed', async () => {
      const app = await createTestApp(metered.deps)
      const id = await server.createCheckout()
      const headers = { host: 'tea.localhost:3000', merchant: 'tea' }
      const get = (url: string) => app.inject({ method: 'GET', url, headers })
      await get(`/api/v1/checkouts/${id}`)
      await get(`/api/v1/checkouts/${id}?x="`)
      await get(`/api/v1/checkouts/${CARD.number}`)
      await get(`/nowhere/${CARD.number}`)
      metered.deps.log.info('answered', { call: 'GET /api/v1/bincodes', status: 200 })
      const text = await metered.scrape()
      const series = seriesOf(text)
      const answers = [...series].filter(([name]) => name.startsWith('kaikei_http_answers_total{'))
      assert.deepEqual(answers, [
        ['kaikei_http_answers_total{method="GET",route="/api/v1/checkouts/:checkoutId",status="200"}', 2],
        ['kaikei_http_answers_total{method="GET",route="/api/v1/checkouts/:checkoutId",status="404"}', 1],
        ['kaikei_http_answers_total{method="GET",route="(no route)",status="404"}', 1],
      ])
      for (const secret of [id, CARD.number, 'tea']) assert.ok(!text.includes(secret), secret)
      const logged = server.logLines.filter((line) => line.includes('"msg":"answered"') && line.includes('(no route)'))
      assert.equal(logged.length, 1)
    })

    test('a database that fails is reported as down, and no gauge says that all is well', async () => {
      const rows = (): Promise<never> => Promise.reject(new Error('gone'))
      const { scrape } = withMetrics({ ...server.deps, database: { ...server.deps.database, rows } })
      assert.deepEqual(Object.fromEntries(seriesOf(await scrape())), { kaikei_database_up: 0, ...NOTHING_HAPPENED })
    })

    test('a database that hangs is reported as down when the timeout ends, and is not queried again meanwhile', async () => {
      const slept: number[] = []
      const sleep = async (ms: number): Promise<void> => void slept.push(ms)
      let queries = 0
      const hanging = { ...server.deps.database, rows: () => ((queries += 1), never()) }
      const { scrape } = withMetrics({ ...server.deps, database: hanging, clock: { now: server.clock.now, sleep } })
      for (let scrapes = 0; scrapes < 3; scrapes += 1)
        assert.equal(seriesOf(await scrape()).get('kaikei_database_up'), 0)
      assert.deepEqual([queries, slept], [1, [5000, 5000, 5000]])
    })

    test('after the database has come back the gauges are reported again', async () => {
      let isAway = true
      const { rows } = server.deps.database
      const passing: typeof rows = (...query) => (isAway ? Promise.reject(new Error('gone')) : rows(...query))
      const { scrape } = withMetrics({ ...server.deps, database: { ...server.deps.database, rows: passing } })
      assert.equal(seriesOf(await scrape()).get('kaikei_database_up'), 0)
      isAway = false
      const series = seriesOf(await scrape())
      assert.deepEqual([series.get('kaikei_database_up'), series.get('kaikei_payments_in_doubt')], [1, 0])
    })
  })
})
