import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { untilBlocked } from '../../../proof/harness/until-blocked.ts'
import type { Dependencies } from '../../dependencies.ts'
import { COMMAND_LINE } from '../../operations/people/change-people.ts'
import { decideSetAside } from '../../operations/set-aside.ts'
import { text } from '../../store/engine/columns.ts'
import { claimDelivery } from '../../store/outbox/deliveries.ts'
import type { Database } from '../../store/engine/database.ts'
import { fanOut } from '../../store/outbox/fan-out.ts'
import { workOnce } from '../worker.ts'
import { sendWebhooksOnce } from './webhook-worker.ts'

const YEAR_MS = 365 * 86_400_000
const OLD = 'https://shop.example.com/old'
const NEW = 'https://shop.example.com/new'

const answered = (status: number): WebhookAnswer => ({ outcome: 'answered', status, retryAfter: null, body: '' })

describe('an endpoint that is changed while something is on its way', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    let deps: Dependencies
    let database: Database
    let id: string
    let answer: (url: string) => Promise<WebhookAnswer>
    let sentTo: string[]
    let errors: string[]
    before(async () => {
      database = await open()
      shop = await openMerchantClient(database)
      deps = {
        ...shop.server.deps,
        log: { ...shop.server.deps.log, error: (message) => void errors.push(message) },
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
      await sendWebhooksOnce(deps)
      await sendWebhooksOnce(deps)
      assert.deepEqual([await states(), (await endpoint()).enabled], [['delivered', 'delivered'], true])
    })

    test('a new address begins without the failures of the old one; the same address said again keeps them', async () => {
      await shop.createPaid()
      answer = async () => answered(500)
      await sendWebhooksOnce(deps)
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
      await sendWebhooksOnce(deps)
      assert.deepEqual([await states(), (await endpoint()).enabled], [['dropped'], true])
    })

    test('of an endpoint that was removed while something was tried there nothing is kept', async () => {
      await shop.createPaid()
      answer = async () => {
        assert.equal((await shop.send(`/webhooks/${id}`, { method: 'DELETE' })).statusCode, 200)
        return answered(500)
      }
      await sendWebhooksOnce(deps)
      await sendWebhooksOnce(deps)
      assert.deepEqual([sentTo, errors], [[OLD], []])
      for (const table of ['delivery_tries', 'deliveries', 'endpoint_notices'])
        assert.deepEqual(await database.rows(`SELECT endpoint_id FROM ${table} WHERE endpoint_id = $1`, id), [], table)
    })

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
              await untilBlocked(database, over)
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
      await sendWebhooksOnce(deps)
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

    test('an event that cannot be read holds up no other one, is set aside, and is sent when it was mended and put back', async () => {
      await shop.createPaid()
      await database.rows(`UPDATE events SET data = '{"later":1}' || data WHERE fanned_out_at IS NULL`)
      shop.clock.advance(1)
      await shop.createPaid()
      await sendWebhooksOnce(deps)
      await sendWebhooksOnce(deps)
      assert.deepEqual([sentTo.length, (await states()).toSorted()], [1, ['delivered', 'failed']])
      const [aside = {}] = await database.rows("SELECT id FROM set_aside WHERE queue = 'deliveries'")
      await database.rows(`UPDATE events SET data = substr(data, 12) WHERE data LIKE '{"later":1}%'`)
      const named = { shop: 'tea', queue: 'deliveries', id: text(aside, 'id') }
      assert.equal((await decideSetAside(deps, named, 'retry', COMMAND_LINE)).outcome, 'put back')
      await sendWebhooksOnce(deps)
      assert.deepEqual([sentTo.length, await states()], [2, ['delivered', 'delivered']])
    })

    test('a lease and a wait that were stored before the clock was set back by a year end now', async () => {
      await shop.createPaid()
      await shop.createPaid()
      const now = shop.clock.now()
      await fanOut(database, now)
      const ref = { merchantId: 'tea-id', endpointId: id }
      for (let each = 0; each < 2; each += 1) assert.ok(await claimDelivery(database, ref, now + YEAR_MS))
      await sendWebhooksOnce(deps)
      assert.deepEqual(sentTo, [])
      await workOnce(deps)
      await sendWebhooksOnce(deps)
      assert.deepEqual([sentTo.length, await states()], [2, ['delivered', 'delivered']])
    })
  })
})
