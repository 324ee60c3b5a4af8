import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { sendWebhooksOnce } from '../../background/webhooks/webhook-worker.ts'
import type { TimelineItem } from '#contract/merchant/timeline.ts'
import { wholeTimeline } from './timeline.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400_000

const answered = (status: number): WebhookAnswer => ({ outcome: 'answered', status, retryAfter: null, body: '' })

describe('deliveries in the timeline of a checkout', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    before(async () => {
      shop = await openMerchantClient(await open())
    })
    const register = async (): Promise<string> => {
      const payload = { url: 'https://shop.example.com/hook' }
      return (await shop.send('/webhooks', { method: 'POST', payload })).json<{ id: string }>().id
    }
    const remove = (id: string) => shop.send(`/webhooks/${id}`, { method: 'DELETE' })
    const send = async (status = 200): Promise<void> => {
      await sendWebhooksOnce({ ...shop.server.deps, sendWebhook: async () => answered(status) })
      shop.clock.advance(SECOND_MS)
    }
    const timeline = (id: string, limit = 100): Promise<TimelineItem[]> => shop.all(`/checkouts/${id}/timeline`, limit)
    /** The oldest first; of attempts only the end. */
    const told = async (id: string): Promise<string[]> =>
      (await timeline(id))
        .filter(({ what }) => what !== 'attempt')
        .map(({ what, from = '', to }) => `${what} ${from} ${to}`)
        .toReversed()

    test('each that has ended stands behind the change before which nothing was told of it', async () => {
      const webhook = await register()
      const { id } = await shop.createPaid()
      await send()
      await shop.refund(id, { refundId: 'r1', amount: 5 })
      await send()
      assert.deepEqual(await told(id), [
        'checkout  open',
        'checkout open paid',
        'delivery pending delivered',
        'refund  requested',
        'refund requested refunded',
        'delivery pending delivered',
      ])
      const [newest] = await timeline(id)
      assert.deepEqual([newest?.id, newest?.by], [webhook, 'worker'])
      assert.match(newest?.why ?? '', /^refund\.succeeded evt_[a-z2-7]{32}$/)
      await remove(webhook)
      assert.ok(!(await told(id)).some((line) => line.startsWith('delivery')))
    })

    test('one that waits is not told, one that failed is, and asked for anew it is told with its new end', async () => {
      const webhook = await register()
      const { id } = await shop.createPaid()
      await send(500)
      assert.equal((await told(id)).at(-1), 'checkout open paid')
      // Nine tries later.
      await shop.server.deps.database.rows('UPDATE deliveries SET step = 9, due_at = 0 WHERE endpoint_id = $1', webhook)
      await send(500)
      assert.equal((await told(id)).at(-1), 'delivery pending failed')
      const [line] = await timeline(id)
      await shop.send(`/events/${line?.why.split(' ')[1]}/redeliver`, { method: 'POST' })
      assert.equal((await told(id)).at(-1), 'checkout open paid')
      await send(410)
      assert.equal((await told(id)).at(-1), 'delivery pending dropped')
      await remove(webhook)
    })

    test('pages of any length show the same lines in the same order, and the command shows all of them', async () => {
      const webhooks = [await register(), await register(), await register()]
      const { id } = await shop.createPaid()
      await shop.refund(id, { refundId: 'r1' })
      // Nine deliveries that end at the same moment.
      await send()
      const lines = await timeline(id)
      assert.equal(lines.filter(({ what }) => what === 'delivery').length, 9)
      for (const limit of [1, 2, 7]) assert.deepEqual(await timeline(id, limit), lines)
      const whole = await wholeTimeline(shop.server.deps.database, { merchantId: 'tea-id', checkoutId: id })
      assert.deepEqual(
        whole.map(({ why }) => why),
        lines.map(({ why }) => why).toReversed(),
      )
      for (const webhook of webhooks) await remove(webhook)
    })

    test('a checkout of an earlier release, whose opening was written as a line too, tells it once', async () => {
      const { id } = await shop.create()
      const opened = await timeline(id)
      assert.equal(opened.length, 1)
      await shop.server.deps.database.rows(
        `INSERT INTO changes (merchant_id, checkout_id, version, place, subject, actor, moved_from, moved_to, why, at)
         SELECT merchant_id, id, version, 0, 'checkout', 'merchant', 'none', 'open', 'create', created_at FROM checkouts
         WHERE id = $1`,
        id,
      )
      assert.deepEqual(await timeline(id), opened)
    })

    test('a clock that was set back loses no line', async () => {
      const webhook = await register()
      const { id } = await shop.createPaid()
      shop.clock.advance(-DAY_MS)
      await send()
      const lines = await timeline(id)
      assert.equal(lines.filter(({ what }) => what === 'delivery').length, 1)
      assert.deepEqual(await timeline(id, 1), lines)
      shop.clock.advance(DAY_MS)
      await remove(webhook)
    })

    test('a place out of another list is refused', async () => {
      const { id } = await shop.createPaid()
      const cursor = (text: string): string => Buffer.from(text).toString('base64url')
      for (const place of ['0.0', '0.x.-', `0.${'9'.repeat(16)}.-`])
        assert.equal((await shop.send(`/checkouts/${id}/timeline?after=${cursor(place)}`)).statusCode, 400, place)
      assert.equal((await shop.send(`/checkouts/${id}/timeline?after=${cursor('0.0.-')}`)).statusCode, 200)
    })
  })
})
