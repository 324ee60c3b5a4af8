import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { WebhookAnswer } from '#payment/delivery.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import type { Parts } from '../../parts.ts'
import { claimDelivery } from '../../store/deliveries.ts'
import type { Database } from '../../store/database.ts'
import { fanOut } from '../../store/fan-out.ts'
import { workOnce } from '../worker.ts'
import { sendWebhooksOnce } from './webhook-worker.ts'

const YEAR_MS = 365 * 86_400_000
const OLD = 'https://shop.example.com/old'
const NEW = 'https://shop.example.com/new'

const answered = (status: number): WebhookAnswer => ({ outcome: 'answered', status, retryAfter: null, body: '' })

describe('an endpoint that is changed while something is on its way', { concurrency: 1 }, () => {
  onBothDatabases(({ open, name }) => {
    let shop: MerchantClient
    let parts: Parts
    let database: Database
    let id: string
    let answer: (url: string) => Promise<WebhookAnswer>
    let sentTo: string[]
    let errors: string[]
    before(async () => {
      database = await open()
      shop = await openMerchantClient(database)
      parts = {
        ...shop.server.parts,
        log: { ...shop.server.parts.log, error: (message) => void errors.push(message) },
        sendWebhook: async ({ url }) => {
          sentTo.push(url)
          return answer(url)
        },
      }
    })
    beforeEach(async () => {
      const { items } = await shop.get<{ items: { id: string }[] }>('/webhooks')
      for (const each of items) await shop.send(`/webhooks/${each.id}`, { method: 'DELETE' })
      await fanOut(database, shop.clock.now())
      ;[sentTo, errors, answer] = [[], [], async () => answered(200)]
      id = (await shop.send('/webhooks', { method: 'POST', payload: { url: OLD } })).json<{ id: string }>().id
    })
    const patch = async (payload: object): Promise<void> => {
      const changed = await shop.send(`/webhooks/${id}`, { method: 'PATCH', payload })
      assert.equal(changed.statusCode, 200, changed.body)
    }
    const endpoint = () => shop.get<{ enabled: boolean; failingSince?: string }>(`/webhooks/${id}`)
    const states = async (): Promise<string[]> =>
      (await shop.get<{ items: { status: string }[] }>(`/webhooks/${id}/deliveries`)).items.map(({ status }) => status)

    test('410 of its old address does not disable the new one, and nothing that waits is lost', async () => {
      await shop.createPaid()
      await shop.createPaid()
      answer = async (url) => {
        if (url === NEW) return answered(200)
        await patch({ url: NEW })
        return answered(410)
      }
      await sendWebhooksOnce(parts)
      await sendWebhooksOnce(parts)
      assert.deepEqual([await states(), (await endpoint()).enabled], [['delivered', 'delivered'], true])
    })

    test('a new address begins without the failures of the old one; the same address said again keeps them', async () => {
      await shop.createPaid()
      answer = async () => answered(500)
      await sendWebhooksOnce(parts)
      await patch({ url: OLD })
      assert.notEqual((await endpoint()).failingSince, undefined)
      await patch({ url: NEW })
      assert.equal((await endpoint()).failingSince, undefined)
    })

    test('what was dropped while it was tried says nothing of an endpoint that is enabled again', async () => {
      await shop.createPaid()
      answer = async () => {
        await patch({ enabled: false })
        await patch({ enabled: true })
        return answered(410)
      }
      await sendWebhooksOnce(parts)
      assert.deepEqual([await states(), (await endpoint()).enabled], [['dropped'], true])
    })

    test('of an endpoint that was removed while something was tried there nothing is kept', async () => {
      await shop.createPaid()
      answer = async () => {
        assert.equal((await shop.send(`/webhooks/${id}`, { method: 'DELETE' })).statusCode, 200)
        return answered(500)
      }
      await sendWebhooksOnce(parts)
      await sendWebhooksOnce(parts)
      assert.deepEqual([sentTo, errors], [[OLD], []])
      for (const table of ['delivery_tries', 'deliveries', 'endpoint_notices'])
        assert.deepEqual(await database.rows(`SELECT endpoint_id FROM ${table} WHERE endpoint_id = $1`, id), [], table)
    })

    /** Until the call has ended, or waits for a lock. On SQLite it waits for the transaction that is under way anyhow. */
    const untilBlocked = async (call: Promise<unknown>): Promise<void> => {
      const ended = new Set<string>(name === 'SQLite' ? [name] : [])
      void call.then(() => ended.add(name))
      const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      while (ended.size === 0 && (await database.rows(waiting)).length === 0) await new Promise(setImmediate)
    }
    /** The database, with something that happens between the reading of endpoints and the writing of deliveries. */
    const interrupted = (call: () => Promise<unknown>): { database: Database; over: Promise<unknown> } => {
      const begin = Promise.withResolvers<void>()
      // Not inside the transaction that it comes between: SQLite nests none.
      const over = begin.promise.then(call)
      const transact: Database['transact'] = (work) =>
        database.transact((sql) =>
          work({
            ...sql,
            writeAll: async (writes) => {
              begin.resolve()
              await untilBlocked(over)
              return sql.writeAll(writes)
            },
          }),
        )
      return { database: { ...database, transact }, over }
    }

    test('what is fanned out while an endpoint is disabled does not wait there until it is enabled again', async () => {
      await shop.createPaid()
      const during = interrupted(() => patch({ enabled: false }))
      assert.equal(await fanOut(during.database, shop.clock.now()), 1)
      await during.over
      assert.deepEqual(await states(), ['dropped'])
      await patch({ enabled: true })
      await sendWebhooksOnce(parts)
      assert.deepEqual(sentTo, [])
    })

    test('an endpoint that is removed while events are fanned out holds up neither', async () => {
      await shop.createPaid()
      const during = interrupted(async () =>
        assert.equal((await shop.send(`/webhooks/${id}`, { method: 'DELETE' })).statusCode, 200),
      )
      assert.equal(await fanOut(during.database, shop.clock.now()), 1)
      await during.over
      assert.deepEqual(await shop.get('/webhooks'), { items: [] })
    })

    test('an event that cannot be read holds up no other one', async () => {
      await shop.createPaid()
      await database.rows(`UPDATE events SET data = '{"later":1}' WHERE fanned_out_at IS NULL`)
      shop.clock.advance(1)
      await shop.createPaid()
      await sendWebhooksOnce(parts)
      await sendWebhooksOnce(parts)
      assert.deepEqual([sentTo.length, (await states()).toSorted()], [1, ['delivered', 'pending']])
      assert.ok(errors.length > 0)
      await database.rows(`UPDATE events SET data = '{}' WHERE data = '{"later":1}'`)
    })

    test('a lease and a wait that were stored before the clock was set back by a year end now', async () => {
      await shop.createPaid()
      await shop.createPaid()
      const now = shop.clock.now()
      await fanOut(database, now)
      const ref = { merchantId: 'tea-id', endpointId: id }
      for (let each = 0; each < 2; each += 1) assert.ok(await claimDelivery(database, ref, now + YEAR_MS))
      await sendWebhooksOnce(parts)
      assert.deepEqual(sentTo, [])
      await workOnce(parts)
      await sendWebhooksOnce(parts)
      assert.deepEqual([sentTo.length, await states()], [2, ['delivered', 'delivered']])
    })
  })
})
