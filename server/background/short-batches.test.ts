import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { countedDatabase, type CountedDatabase } from '../../proof/harness/counted-database.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { API_KEYS } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { isReading, type Database, type Row } from '../store/engine/database.ts'
import { BATCH_ROWS } from '../store/engine/change-in-batches.ts'
import { sendWebhooksOnce } from './webhooks/webhook-worker.ts'
import { purgeOld } from './purge-old.ts'
import { workOnce } from './worker.ts'

const ENDPOINT = `we_${'a'.repeat(32)}`
const MANY = 2 * BATCH_ROWS + 50

/** The most rows that one statement has changed. */
const watched = (real: Database): { readonly database: Database; largest(): number } => {
  let largest = 0
  const watch =
    (rows: Database['rows']): Database['rows'] =>
    async (text, ...values): Promise<Row[]> => {
      const found = await rows(text, ...values)
      if (/^\s*(DELETE|UPDATE)/.test(text)) largest = Math.max(largest, found.length)
      return found
    }
  return {
    database: {
      ...real,
      rows: watch(real.rows),
      transact: (work) => real.transact((sql) => work({ ...sql, rows: watch(sql.rows) })),
    },
    largest: () => largest,
  }
}

describe('what is much is done in short batches', () => {
  onBothDatabases(({ open }) => {
    let counted: CountedDatabase
    let watch: ReturnType<typeof watched>
    let server: TestServer
    let sent: string[]
    beforeEach(async () => {
      counted = countedDatabase(await open())
      watch = watched(counted)
      sent = []
      server = await openTestServer({
        database: watch.database,
        gateway: fakeGateway(),
        clock: virtualClock(),
        sendWebhook: async ({ url }) => {
          sent.push(url)
          return { outcome: 'answered', status: 200, retryAfter: null, body: '' }
        },
      })
    })

    const fill = (text: string, ...values: (string | number)[]): Promise<unknown> =>
      counted.transact(async (sql) => {
        for (let n = 0; n < MANY; n += 1) await sql.rows(text, `x${n}`, ...values)
      })
    const count = async (from: string): Promise<unknown> =>
      Number((await counted.rows(`SELECT COUNT(*) AS total FROM ${from}`))[0]?.['total'])
    const addEndpoint = async (): Promise<void> => {
      const now = server.clock.now()
      await counted.rows(
        `INSERT INTO webhook_endpoints (merchant_id, id, mode, url, generation, created_at)
         VALUES ('tea-id', $1, 'test', 'https://shop.example.com/', 1, $2)`,
        ENDPOINT,
        now,
      )
      await fill(
        `INSERT INTO events (merchant_id, id, mode, type, checkout_id, sequence, data, created_at, fanned_out_at)
         VALUES ('tea-id', $1, 'test', 'webhook.ping', $1, 0, '{}', $2, $2)`,
        now,
      )
      await fill(
        `INSERT INTO deliveries (merchant_id, endpoint_id, event_id, sequence, state, step, claim, due_at, created_at)
         VALUES ('tea-id', '${ENDPOINT}', $1, 0, 'pending', 0, 0, $2, $2)`,
        now,
      )
      await fill(
        `INSERT INTO delivery_tries (merchant_id, endpoint_id, event_id, claim, at, took_ms, answer)
         VALUES ('tea-id', '${ENDPOINT}', $1, 1, $2, 1, '')`,
        now,
      )
    }
    const call = (method: 'GET' | 'DELETE' | 'PATCH', payload?: object) =>
      server.app.inject({
        method,
        url: `/merchant/v1/webhooks/${ENDPOINT}`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
        ...(payload === undefined ? {} : { payload }),
      })

    test('an endpoint with many deliveries is removed at once, nothing is sent to it, and the worker deletes the rest', async () => {
      await addEndpoint()
      assert.equal((await call('DELETE')).statusCode, 200)
      assert.deepEqual([(await call('GET')).statusCode, await count('webhook_endpoints')], [404, 1])
      await sendWebhooksOnce(server.deps)
      assert.deepEqual(sent, [])
      await purgeOld(server.deps)
      for (const table of ['delivery_tries', 'deliveries', 'webhook_endpoints'])
        assert.equal(await count(table), 0, table)
      assert.equal(watch.largest(), BATCH_ROWS)
    })

    test('an endpoint with few deliveries is gone with them at once', async () => {
      await addEndpoint()
      await counted.rows(`DELETE FROM delivery_tries`)
      await counted.rows(`DELETE FROM deliveries WHERE event_id <> 'x1'`)
      assert.equal((await call('DELETE')).statusCode, 200)
      assert.deepEqual([await count('deliveries'), await count('webhook_endpoints')], [0, 0])
    })

    test('what waits at an endpoint that is disabled is never sent: the worker drops it', async () => {
      await addEndpoint()
      assert.equal((await call('PATCH', { enabled: false })).statusCode, 200)
      assert.equal(await count('deliveries WHERE due_at IS NOT NULL'), MANY - BATCH_ROWS)
      await purgeOld(server.deps)
      assert.equal(await count(`deliveries WHERE state = 'dropped'`), MANY)
      assert.equal(watch.largest(), BATCH_ROWS)
    })

    test('nor when it is enabled again before that', async () => {
      await addEndpoint()
      await call('PATCH', { enabled: false })
      assert.equal((await call('PATCH', { enabled: true })).statusCode, 200)
      await sendWebhooksOnce(server.deps)
      assert.deepEqual([sent, await count(`deliveries WHERE state = 'dropped'`)], [[], MANY])
      assert.equal(watch.largest(), BATCH_ROWS)
    })

    test('what is old is forgotten in batches, all of it in one round', async () => {
      await addEndpoint()
      await counted.rows('UPDATE deliveries SET due_at = NULL, ended_at = created_at')
      await fill('INSERT INTO card_questions (fingerprint, id, asked_at) VALUES ($1, $1, 0)')
      await fill(
        `INSERT INTO idempotency_keys (merchant_id, mode, key_hash, body_hash, checkout_id, created_at)
         VALUES ('tea-id', 'test', $1, '', '', 0)`,
      )
      await fill(`INSERT INTO cancelled_openings (merchant_id, checkout_id, cancelled_at) VALUES ('tea-id', $1, 0)`)
      await fill(
        `INSERT INTO mails (merchant_id, id, kind, recipient, facts, state, tries, created_at)
         VALUES ('tea-id', $1, 'receipt', 'taro@example.com', '{}', 'sent', 1, 0)`,
      )
      server.clock.advance(100 * DAY_MS)
      await purgeOld(server.deps)
      for (const rows of [
        'card_questions',
        'idempotency_keys',
        'cancelled_openings',
        'mails WHERE recipient IS NOT NULL',
        'events',
        'deliveries',
        'delivery_tries',
      ])
        assert.equal(await count(rows), 0, rows)
      assert.equal(watch.largest(), BATCH_ROWS)
    })

    test('waits that a wrong clock has left end in batches', async () => {
      await addEndpoint()
      await counted.rows('UPDATE deliveries SET due_at = due_at + $1', 400 * DAY_MS)
      await purgeOld(server.deps)
      assert.equal(await count(`deliveries WHERE due_at = ${server.clock.now()}`), MANY)
      assert.equal(watch.largest(), BATCH_ROWS)
    })

    test('where nothing is due no worker writes: a write would take the lock of SQLite for nothing', async () => {
      await server.createCheckout()
      await workOnce(server.deps)
      counted.takeTexts()
      counted.takeCost()
      await workOnce(server.deps)
      await sendWebhooksOnce(server.deps)
      assert.equal(counted.takeCost().transactions, 0)
      const writes = counted.takeTexts().filter((text) => !isReading(text))
      // That of the cards' networks looks and changes in one statement.
      assert.deepEqual(
        writes.filter((text) => !text.startsWith('UPDATE attempts SET client_network')),
        [],
      )
    })
  })
})
