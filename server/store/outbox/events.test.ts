import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import type { RefundInquiry, RefundOutcome } from '#payment/ports.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { workOnce } from '../../background/worker.ts'
import { eventFromRow, type StoredEvent } from './events.ts'

const HOUR_MS = 3_600_000

describe('events', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    let refundAnswer: RefundOutcome | null = null
    let inquiryAnswer: RefundInquiry = { outcome: 'not_found' }
    before(async () => {
      shop = await openMerchantClient(await open(), {
        refund: async ({ amountYen }) =>
          refundAnswer ?? { outcome: 'refunded', amountYen, refundedAt: shop.clock.now() },
        inquireRefund: async () => inquiryAnswer,
      })
    })
    const eventsOf = async (checkoutId: string): Promise<StoredEvent[]> => {
      const sql = 'SELECT * FROM events WHERE checkout_id = $1 ORDER BY sequence'
      return (await shop.server.deps.database.rows(sql, checkoutId)).map(eventFromRow)
    }
    const toldOf = async (checkoutId: string): Promise<string[]> =>
      (await eventsOf(checkoutId)).map(({ type, sequence }) => `${sequence} ${type}`)

    test('a payment is told with the checkout exactly as its merchant reads it then', async () => {
      const { id } = await shop.createPaid({ reference: 'order-1', metadata: { a: 'b' } })
      const read = await shop.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)
      const [event, ...more] = await eventsOf(id)
      assert.deepEqual(event?.data, { checkout: read })
      assert.equal(read.shopper?.email, 'taro@example.com')
      assert.deepEqual([event.type, event.sequence, event.mode, more], ['checkout.paid', 1, 'test', []])
      assert.match(event.id, /^evt_[a-z2-7]{32}$/)
    })

    test('refunds are told one after another, each with what is refunded by then', async () => {
      const { id } = await shop.createPaid({ amount: 1000 })
      await shop.refund(id, { refundId: 'r1', amount: 400 })
      await shop.refund(id, { refundId: 'r2', amount: 600 })
      assert.deepEqual(await toldOf(id), [
        '1 checkout.paid',
        '2 refund.succeeded',
        '3 refund.succeeded',
        '4 checkout.refunded',
      ])
      const [, first, second, closing] = await eventsOf(id)
      assert.deepEqual(
        [first, second, closing].map((event) => [
          event?.data.refund?.refundId,
          event?.data.checkout?.refundedAmount,
          event?.data.checkout?.status,
        ]),
        [
          ['r1', 400, 'paid'],
          ['r2', 1000, 'refunded'],
          [undefined, 1000, 'refunded'],
        ],
      )
      const read = await shop.get<RefundAnswer>(`/checkouts/${id}/refunds/r1`)
      assert.deepEqual(first?.data.refund, read)
    })

    test('a refund that is refused is told, at once and after it was pending', async () => {
      const { id } = await shop.createPaid()
      refundAnswer = { outcome: 'refused', reason: 'no' }
      await shop.refund(id, { refundId: 'at-once' })
      refundAnswer = { outcome: 'unknown', why: 'no answer in time' }
      await shop.refund(id, { refundId: 'later' })
      assert.deepEqual(await toldOf(id), ['1 checkout.paid', '2 refund.refused'])
      refundAnswer = { outcome: 'refused', reason: 'too old' }
      inquiryAnswer = { outcome: 'not_found' }
      shop.clock.advance(HOUR_MS)
      await workOnce(shop.server.deps)
      refundAnswer = null
      assert.deepEqual(await toldOf(id), ['1 checkout.paid', '2 refund.refused', '3 refund.refused'])
      const last = (await eventsOf(id)).at(-1)
      assert.deepEqual([last?.data.refund?.refundId, last?.data.refund?.reason], ['later', 'too old'])
    })

    test('a payment in doubt is told once, with its doubt', async () => {
      const { id } = await shop.create()
      shop.gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
      await shop.server.pay(id, await shop.server.startAttempt(id))
      shop.gateway.chargeOutcome = null
      shop.clock.advance(HOUR_MS)
      await workOnce(shop.server.deps)
      assert.deepEqual(await toldOf(id), ['1 alert.payment_in_doubt'])
      const [event] = await eventsOf(id)
      assert.equal(event?.data.checkout?.paymentPending, true)
      assert.notEqual(event.data.checkout.doubt, undefined)
    })

    test('what ends at the same moment is numbered one after another, without a gap', async () => {
      const { id } = await shop.createPaid({ amount: 5000 })
      await Promise.all(
        Array.from({ length: 10 }, (_none, place) => shop.refund(id, { refundId: `r${place}`, amount: 500 })),
      )
      assert.deepEqual(
        (await eventsOf(id)).map(({ sequence }) => sequence),
        Array.from({ length: 12 }, (_none, place) => place + 1),
      )
    })

    test('a cancelled and an expired checkout are told', async () => {
      const cancelled = await shop.create()
      await shop.send(`/checkouts/${cancelled.id}/cancel`, { method: 'POST' })
      const expired = await shop.create({ validUntil: new Date(shop.clock.now() + HOUR_MS).toISOString() })
      shop.clock.advance(2 * HOUR_MS)
      await workOnce(shop.server.deps)
      assert.deepEqual(await toldOf(cancelled.id), ['1 checkout.cancelled'])
      assert.deepEqual(await toldOf(expired.id), ['1 checkout.expired'])
    })
  })
})
