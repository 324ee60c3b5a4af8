import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { RETENTION } from '#payment/retention.ts'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import type { Dependencies } from '../../dependencies.ts'
import { claimDelivery, forgetOldSendings } from '../../store/outbox/deliveries.ts'
import { fanOut } from '../../store/outbox/fan-out.ts'
import type { WebhookRequest } from '../../webhooks/send-webhook.ts'
import { deliverNext } from './deliver.ts'
import { sendWebhooksOnce } from './webhook-worker.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const sent = Compile(Type.Object({ id: Type.String(), type: Type.String(), sequence: Type.Integer() }))

const answered = (status: number, retryAfter: string | null = null): WebhookAnswer => ({
  outcome: 'answered',
  status,
  retryAfter,
  body: `answer ${status}`,
})

interface Received {
  readonly url: string
  readonly type: string
  readonly id: string
}

describe('webhooks on their way', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    let deps: Dependencies
    let answer: (request: WebhookRequest) => Promise<WebhookAnswer> = async () => answered(200)
    let received: Received[] = []
    let places = 0
    before(async () => {
      shop = await openMerchantClient(await open())
      deps = {
        ...shop.server.deps,
        sendWebhook: async (request) => {
          const body: unknown = JSON.parse(request.body)
          if (!sent.Check(body)) assert.fail(request.body)
          received.push({ url: request.url, type: body.type, id: body.id })
          return answer(request)
        },
      }
    })
    beforeEach(() => {
      answer = async () => answered(200)
    })
    /** An endpoint of its own for each test; those of earlier tests are removed. */
    const register = async (more: object = {}): Promise<{ id: string; url: string }> => {
      const { items } = await shop.get<{ items: { id: string }[] }>('/webhooks')
      for (const { id } of items) await shop.send(`/webhooks/${id}`, { method: 'DELETE' })
      return add(more)
    }
    const add = async (more: object = {}): Promise<{ id: string; url: string }> => {
      places += 1
      const payload = { url: `https://shop.example.com/hook/${places}`, ...more }
      const made = await shop.send('/webhooks', { method: 'POST', payload })
      assert.equal(made.statusCode, 201, made.body)
      received = []
      return made.json()
    }
    const rounds = async (count = 1): Promise<void> => {
      for (let round = 0; round < count; round += 1) await sendWebhooksOnce(deps)
    }
    const deliveriesOf = async (id: string) =>
      (
        await shop.get<{ items: { status: string; nextTryAt?: string; tries: { status?: number }[] }[] }>(
          `/webhooks/${id}/deliveries`,
        )
      ).items
    const stateOf = async (id: string) =>
      shop.get<{ enabled: boolean; disabledBecause?: string; failingSince?: string }>(`/webhooks/${id}`)
    const noticesOf = async (id: string) =>
      (await deps.database.rows('SELECT kind FROM endpoint_notices WHERE endpoint_id = $1', id)).map((row) =>
        String(row['kind']),
      )

    test('every endpoint that wants an event gets it once, however many rounds there are', async () => {
      await register()
      await add({ types: ['checkout.cancelled'] })
      await add({ types: ['checkout.paid'] })
      await shop.createPaid()
      await rounds(3)
      assert.deepEqual(
        received.map(({ url, type }) => `${url.slice(-1)} ${type}`).toSorted(),
        [`${String(places).slice(-1)} checkout.paid`, `${String(places - 2).slice(-1)} checkout.paid`].toSorted(),
      )
    })

    test('what was made before an endpoint is not sent to it, and what is made after it is', async () => {
      const { id: before } = await shop.createPaid()
      await rounds()
      const { id: endpointId } = await register()
      await rounds()
      assert.deepEqual(received, [])
      await shop.refund(before, { refundId: 'r1' })
      await fanOut(deps.database, shop.clock.now())
      // One after the other: in places beside each other the second may overtake the first.
      for (let each = 0; each < 2; each += 1) await deliverNext(deps, { merchantId: 'tea-id', endpointId })
      assert.deepEqual(
        received.map(({ type }) => type),
        ['refund.succeeded', 'checkout.refunded'],
      )
    })

    test('a failure is tried again after its time and not before it, ten times, and then no more', async () => {
      const { id } = await register()
      answer = async () => answered(500)
      await shop.createPaid()
      await rounds()
      assert.equal(received.length, 1)
      shop.clock.advance(5 * SECOND_MS - 1)
      await rounds()
      assert.equal(received.length, 1)
      shop.clock.advance(2 * SECOND_MS)
      await rounds()
      assert.equal(received.length, 2)
      for (let hours = 0; hours < 110; hours += 1) {
        shop.clock.advance(HOUR_MS)
        await rounds()
      }
      assert.equal(received.length, 10)
      const [delivery] = await deliveriesOf(id)
      assert.deepEqual([delivery?.status, delivery?.nextTryAt, delivery?.tries.length], ['failed', undefined, 10])
      assert.deepEqual(await noticesOf(id), ['failing'])
    })

    for (const [takesMs, tries] of [
      [14_000, 4],
      [0, 12],
    ] as const)
      test(`of twelve events an endpoint that takes ${takesMs} ms for each gets ${tries} in one turn of its four places: then others may be waiting`, async () => {
        await register()
        for (let made = 0; made < 12; made += 1) await shop.createPaid()
        answer = async () => {
          shop.clock.advance(takesMs)
          return answered(200)
        }
        await rounds()
        assert.equal(received.length, tries)
        await rounds(2)
        assert.equal(received.length, 12)
      })

    test('Retry-After is waited for', async () => {
      await register()
      answer = async () => answered(429, '600')
      await shop.createPaid()
      await rounds()
      shop.clock.advance(599 * SECOND_MS)
      await rounds()
      assert.equal(received.length, 1)
      answer = async () => answered(200)
      shop.clock.advance(2 * SECOND_MS)
      await rounds()
      assert.equal(received.length, 2)
    })

    test('after 410 nothing is sent any more, not even what waited', async () => {
      const { id } = await register()
      answer = async () => answered(500)
      await shop.createPaid()
      await shop.createPaid()
      await rounds()
      answer = async () => answered(410)
      shop.clock.advance(10 * SECOND_MS)
      await deliverNext(deps, { merchantId: 'tea-id', endpointId: id })
      assert.deepEqual(
        [(await stateOf(id)).enabled, (await stateOf(id)).disabledBecause, await noticesOf(id)],
        [false, 'gone', ['disabled']],
      )
      received = []
      answer = async () => answered(200)
      await shop.createPaid()
      for (let days = 0; days < 5; days += 1) {
        shop.clock.advance(DAY_MS)
        await rounds()
      }
      assert.deepEqual(received, [])
      assert.deepEqual(
        (await deliveriesOf(id)).map(({ status }) => status),
        ['dropped', 'dropped'],
      )
      assert.equal((await shop.send(`/webhooks/${id}/ping`, { method: 'POST' })).statusCode, 409)
    })

    test('five days of failure disable an endpoint, and enabling it begins anew', async () => {
      const { id } = await register()
      answer = async () => answered(500)
      const failFor = async (days: number): Promise<void> => {
        for (let hours = 0; hours < days * 24; hours += 3) {
          if (hours % 24 === 0) await shop.createPaid()
          await rounds(4)
          shop.clock.advance(3 * HOUR_MS)
        }
      }
      await failFor(5)
      assert.deepEqual((await stateOf(id)).disabledBecause, undefined)
      // Two days more: by then an event of the fourth day has its eighth try behind it, however long the jitter made it wait.
      await failFor(2)
      assert.deepEqual((await stateOf(id)).disabledBecause, 'failing')
      assert.deepEqual((await noticesOf(id)).toSorted(), ['disabled', 'failing'])
      await shop.send(`/webhooks/${id}`, { method: 'PATCH', payload: { enabled: true } })
      received = []
      await shop.createPaid()
      await rounds()
      assert.deepEqual([received.length, (await stateOf(id)).enabled], [1, true])
      answer = async () => answered(200)
      shop.clock.advance(HOUR_MS)
      await rounds()
      assert.equal((await stateOf(id)).failingSince, undefined)
    })

    test('a worker that dies after its claim leaves the delivery to another one, when its lease ends', async () => {
      const { id: endpointId } = await register()
      await shop.createPaid()
      await fanOut(deps.database, shop.clock.now())
      const ref = { merchantId: 'tea-id', endpointId }
      assert.notEqual(await claimDelivery(deps.database, ref, shop.clock.now()), null)
      await rounds()
      shop.clock.advance(29 * SECOND_MS)
      await rounds()
      assert.deepEqual(received, [])
      shop.clock.advance(2 * SECOND_MS)
      await rounds(2)
      assert.equal(received.length, 1)
      assert.deepEqual(
        (await deliveriesOf(endpointId)).map(({ status }) => status),
        ['delivered'],
      )
    })

    test('a try that ends after it was asked for anew changes nothing of the new one', async () => {
      const { id } = await register()
      await shop.createPaid()
      let again = 0
      answer = async ({ body }) => {
        if (again > 0) return answered(200)
        again += 1
        const { id: eventId } = JSON.parse(body) as { id: string }
        const asked = await shop.send(`/events/${eventId}/redeliver`, { method: 'POST' })
        assert.deepEqual([asked.statusCode, asked.json()], [201, { deliveries: 1 }])
        return answered(500)
      }
      await rounds(2)
      assert.equal(received.length, 2)
      const [delivery] = await deliveriesOf(id)
      assert.deepEqual([delivery?.status, delivery?.tries.map(({ status }) => status)], ['delivered', [200, 500]])
    })

    test('workers beside each other send each event once', async () => {
      await register()
      for (let each = 0; each < 12; each += 1) await shop.createPaid()
      await Promise.all(Array.from({ length: 4 }, () => sendWebhooksOnce(deps)))
      await rounds()
      assert.equal(received.length, 12)
      assert.equal(new Set(received.map(({ id }) => id)).size, 12)
    })

    test('sixteen endpoints of one merchant that hang leave places for others', async () => {
      await register()
      for (let each = 1; each < 16; each += 1) await add()
      for (let each = 0; each < 4; each += 1) await shop.createPaid()
      const release = Promise.withResolvers<void>()
      answer = async () => {
        await release.promise
        return answered(200)
      }
      const sending = sendWebhooksOnce(deps)
      while (received.length < 48) await new Promise(setImmediate)
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
      assert.equal(received.length, 48)
      release.resolve()
      await sending
      assert.equal(received.length, 64)
    })

    test('a replay sends every event since a time once more, of the types the endpoint takes', async () => {
      const { id } = await register({ types: ['checkout.paid'] })
      shop.clock.advance(DAY_MS)
      const since = new Date(shop.clock.now()).toISOString()
      const first = await shop.createPaid()
      await shop.refund(first.id, { refundId: 'r1' })
      await shop.createPaid()
      await rounds()
      const before = received.length
      const asked = await shop.send(`/webhooks/${id}/replay`, { method: 'POST', payload: { since } })
      assert.deepEqual([before, asked.statusCode, asked.json()], [2, 201, { deliveries: 2 }])
      await rounds()
      assert.deepEqual(
        received.map(({ type }) => type),
        ['checkout.paid', 'checkout.paid', 'checkout.paid', 'checkout.paid'],
      )
      assert.equal(new Set(received.map(({ id: event }) => event)).size, 2)
    })

    test('what was sent is forgotten 30 days after it ended, and not a moment earlier; events and what waits stay', async () => {
      const { id } = await register()
      const { id: checkoutId } = await shop.createPaid()
      await rounds()
      const at = shop.clock.now()
      shop.clock.advance(SECOND_MS)
      answer = async () => answered(500)
      await shop.send(`/webhooks/${id}/ping`, { method: 'POST' })
      await rounds()
      const left = async (): Promise<string[]> =>
        (await deliveriesOf(id)).map(({ status, tries }) => `${status} ${tries.length}`)
      assert.equal(await forgetOldSendings(deps.database, at + 30 * DAY_MS - RETENTION.deliveriesMs), false)
      assert.deepEqual(await left(), ['pending 1', 'delivered 1'])
      await forgetOldSendings(deps.database, at + 30 * DAY_MS + 1 - RETENTION.deliveriesMs)
      assert.deepEqual(await left(), ['pending 1'])
      await forgetOldSendings(deps.database, at + 40 * DAY_MS - RETENTION.deliveriesMs)
      assert.deepEqual(await left(), ['pending 0'])
      const kept = await deps.database.rows('SELECT id FROM events WHERE checkout_id = $1', checkoutId)
      assert.equal(kept.length, 1)
      answer = async () => answered(200)
      const asked = await shop.send(`/events/${String(kept[0]?.['id'])}/redeliver`, { method: 'POST' })
      assert.deepEqual(asked.json(), { deliveries: 1 })
    })

    test('a delivery that was asked for anew is kept for 30 days from its new end', async () => {
      const { id } = await register()
      await shop.createPaid()
      await rounds()
      shop.clock.advance(29 * DAY_MS)
      const event = received[0]?.id ?? assert.fail()
      await shop.send(`/events/${event}/redeliver`, { method: 'POST' })
      await forgetOldSendings(deps.database, shop.clock.now() + 2 * DAY_MS - RETENTION.deliveriesMs)
      assert.deepEqual(
        (await deliveriesOf(id)).map(({ status }) => status),
        ['pending'],
      )
      await rounds()
      await forgetOldSendings(deps.database, shop.clock.now() + 30 * DAY_MS - RETENTION.deliveriesMs)
      assert.equal((await deliveriesOf(id)).length, 1)
      await forgetOldSendings(deps.database, shop.clock.now() + 30 * DAY_MS + 1 - RETENTION.deliveriesMs)
      assert.deepEqual(await deliveriesOf(id), [])
    })
  })
})
