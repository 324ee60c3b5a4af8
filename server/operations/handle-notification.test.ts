import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import type { RefundInquiry, RefundOutcome } from '#payment/ports.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { runDueWork } from '../background/worker.ts'
import { consequenceOf } from '../gateways/adyen/notification-effects.ts'
import { text } from '../store/engine/columns.ts'
import { storeNotifications, type AcquirerNotification } from '../store/merchant/acquirer-notifications.ts'
import { findNotificationsDue, handleNotification } from './handle-notification.ts'

const WAITS: RefundOutcome = { outcome: 'unknown', why: 'received, waits for the notification' }

describe('handling notifications', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    let inquiryAnswer: RefundInquiry = { outcome: 'not_found' }
    before(async () => {
      shop = await openMerchantClient(await open(), {
        refund: async () => WAITS,
        inquireRefund: async () => inquiryAnswer,
      })
    })

    let numbered = 0
    const tell = async (more: Partial<AcquirerNotification>): Promise<AcquirerNotification> => {
      numbered += 1
      const { database } = shop.server.deps
      const [merchant] = await database.rows(`SELECT id FROM merchants WHERE label = 'tea'`)
      const now = shop.clock.now()
      const told: AcquirerNotification = {
        merchantId: text(merchant ?? {}, 'id'),
        mode: 'test',
        id: `n${numbered}`,
        event: 'REFUND',
        success: true,
        orderCode: null,
        refundId: null,
        amountYen: 500,
        originalReference: '993617895204576J',
        pspReference: 'QFQTPCQ8HXSKGK82',
        disputeId: null,
        respondBy: null,
        reason: null,
        reportAddress: null,
        occurredAt: now,
        receivedAt: now,
        handledAt: null,
        ...more,
      }
      await storeNotifications(database, [told])
      return told
    }
    const handleAll = async (): Promise<string[]> => {
      const { deps } = shop.server
      const due = await findNotificationsDue(deps.database, shop.clock.now(), 100)
      for (const notification of due) await handleNotification(deps, notification)
      assert.deepEqual(await findNotificationsDue(deps.database, shop.clock.now(), 100), [])
      return due.map(({ id }) => id)
    }
    const orderOf = async (checkoutId: string): Promise<string> => {
      const [row] = await shop.server.deps.database.rows(
        'SELECT order_code FROM attempts WHERE checkout_id = $1',
        checkoutId,
      )
      return text(row ?? {}, 'order_code')
    }
    const alarms = (): string[] => shop.server.logLines.filter((line) => line.includes('needs a person'))

    test('a refund in doubt is asked about at once when its notification has come', async () => {
      const { id } = await shop.createPaid({ amount: 1000 })
      await shop.refund(id, { refundId: 'r1', amount: 500 })
      // The doubt is hours old: by its schedule it is asked about once an hour.
      for (let hour = 0; hour < 3; hour += 1) {
        shop.clock.advance(3_600_000)
        await runDueWork(shop.server.deps)
      }
      const orderCode = await orderOf(id)
      inquiryAnswer = { outcome: 'refunded', amountYen: 500, refundedAt: shop.clock.now() }
      await runDueWork(shop.server.deps)
      const state = async () => (await shop.get<RefundAnswer>(`/checkouts/${id}/refunds/r1`)).status
      assert.equal(await state(), 'pending')
      const told = await tell({ orderCode: orderCode.slice(0, 15), refundId: 'r1' })
      await runDueWork(shop.server.deps)
      assert.deepEqual(await handleAll(), [], `the worker has handled ${told.id}`)
      assert.equal(await state(), 'refunded')
      inquiryAnswer = { outcome: 'not_found' }
    })

    test('a notification that names the order alone makes every refund of it due that is in doubt', async () => {
      const { id } = await shop.createPaid({ amount: 1000 })
      await shop.refund(id, { refundId: 'a', amount: 500 })
      shop.clock.advance(60_000)
      await runDueWork(shop.server.deps)
      await tell({ orderCode: await orderOf(id) })
      await handleAll()
      const [row] = await shop.server.deps.database.rows('SELECT due_at FROM refunds WHERE checkout_id = $1', id)
      assert.equal(row?.['due_at'], shop.clock.now())
    })

    test('a capture that failed after it was recorded as paid calls a person, and changes no record', async () => {
      const { id } = await shop.createPaid()
      const orderCode = await orderOf(id)
      const before = alarms().length
      await tell({ event: 'CAPTURE_FAILED', orderCode })
      await handleAll()
      const [alarm = '', ...more] = alarms().slice(before)
      assert.match(alarm, /payment needs a person/)
      assert.ok(alarm.includes(orderCode) && more.length === 0, alarm)
      assert.equal((await shop.get<{ status: string }>(`/checkouts/${id}`)).status, 'paid')
    })

    test('what names no order of ours, or a beginning of none, changes nothing and is handled', async () => {
      const before = alarms().length
      await tell({ orderCode: null, event: 'CAPTURE_FAILED' })
      await tell({ orderCode: 'abcdefghijklmno', refundId: 'r1' })
      await tell({ orderCode: 'a'.repeat(32), event: 'CAPTURE_FAILED' })
      assert.equal((await handleAll()).length, 3)
      assert.equal(alarms().length, before)
    })

    test('handled twice, as after a crash, a notification changes nothing more', async () => {
      const { id } = await shop.createPaid({ amount: 1000 })
      await shop.refund(id, { refundId: 'twice', amount: 500 })
      const told = await tell({ orderCode: (await orderOf(id)).slice(0, 15), refundId: 'twice' })
      for (let times = 0; times < 2; times += 1) await handleNotification(shop.server.deps, told)
      const rows = await shop.server.deps.database.rows('SELECT state FROM refunds WHERE checkout_id = $1', id)
      assert.deepEqual(
        rows.map((row) => row['state']),
        ['unknown'],
      )
    })
  })
})

test('what a notification makes due hangs on what is recorded', () => {
  const of = (
    event: string,
    success: boolean,
    attempt: 'unknown' | 'charged' | 'not_charged' | 'charging' | null,
    refund: 'unknown' | 'refunded' | 'refused' | 'requested' | null = null,
  ) => {
    const consequence = consequenceOf({ event, success }, { attempt, refund })
    return consequence.is === 'nothing'
      ? 'nothing'
      : `${consequence.is} ${'what' in consequence ? consequence.what : consequence.about}`
  }
  assert.equal(of('CAPTURE', true, 'unknown'), 'inquire payment')
  assert.equal(of('CAPTURE_FAILED', true, 'unknown'), 'inquire payment')
  assert.equal(of('CAPTURE', true, 'charged'), 'nothing')
  assert.equal(of('CAPTURE', false, 'charged'), 'alarm payment')
  assert.equal(of('CAPTURE_FAILED', true, 'charged'), 'alarm payment')
  assert.equal(of('CAPTURE', true, 'not_charged'), 'alarm payment')
  assert.equal(of('CAPTURE_FAILED', true, 'not_charged'), 'nothing')
  assert.equal(of('CAPTURE', true, 'charging'), 'nothing')
  assert.equal(of('CAPTURE_FAILED', true, null), 'nothing')
  assert.equal(of('REFUND', true, 'charged', 'unknown'), 'inquire refund')
  assert.equal(of('REFUND_FAILED', true, 'charged', 'unknown'), 'inquire refund')
  assert.equal(of('REFUND', true, 'charged', 'refunded'), 'nothing')
  assert.equal(of('REFUND', false, 'charged', 'refunded'), 'alarm refund')
  assert.equal(of('REFUND_FAILED', true, 'charged', 'refunded'), 'alarm refund')
  assert.equal(of('REFUND', true, 'charged', 'refused'), 'alarm refund')
  assert.equal(of('REFUND', true, 'charged', 'requested'), 'nothing')
  assert.equal(of('REFUND', true, 'charged', null), 'nothing')
  assert.equal(of('CHARGEBACK', true, 'charged'), 'nothing')
})
