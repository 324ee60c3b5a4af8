import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { EventAnswer } from '#contract/merchant/events.ts'
import { countedDatabase } from '../../proof/harness/counted-database.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { runDueWork } from '../background/worker.ts'
import { integer, text } from '../store/engine/columns.ts'
import { storeNotifications, type AcquirerNotification } from '../store/merchant/acquirer-notifications.ts'
import { fanOut } from '../store/outbox/fan-out.ts'
import { findNotificationsDue, handleNotification } from './handle-notification.ts'

const PSP = '993617895204576J'
/** As Adyen writes its references: 16 letters and digits. */
const disputeIdOf = (place: number): string => `QFQT${String(place).padStart(12, '0')}`

describe('notifications of disputes', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    before(async () => {
      shop = await openMerchantClient(await open())
    })

    const paidOrder = async (): Promise<{ id: string; orderCode: string }> => {
      const { id } = await shop.createPaid({ amount: 1980 })
      const [row = {}] = await shop.server.deps.database.rows(
        'SELECT order_code FROM attempts WHERE checkout_id = $1',
        id,
      )
      return { id, orderCode: text(row, 'order_code') }
    }
    let numbered = 0
    const noticeOf = (disputeId: string, more: Partial<AcquirerNotification>): AcquirerNotification => {
      const at = shop.clock.now()
      numbered += 1
      return {
        merchantId: 'tea-id',
        mode: 'test',
        id: `n${String(numbered).padStart(6, '0')}`,
        event: 'CHARGEBACK',
        success: true,
        orderCode: null,
        refundId: null,
        amountYen: 1980,
        originalReference: PSP,
        pspReference: disputeId,
        disputeId,
        respondBy: null,
        reason: null,
        reportAddress: null,
        occurredAt: at,
        receivedAt: at,
        handledAt: null,
        ...more,
      }
    }
    const tell = (...told: readonly AcquirerNotification[]) => storeNotifications(shop.server.deps.database, told)
    const due = (limit: number) => findNotificationsDue(shop.server.deps.database, shop.clock.now(), limit)
    const typesOf = async (id: string): Promise<string[]> => {
      while ((await fanOut(shop.server.deps.database, shop.clock.now())) > 0);
      const all = await shop.all<EventAnswer>('/events')
      return all.filter(({ data }) => data.checkout?.id === id && data.dispute !== undefined).map(({ type }) => type)
    }
    const movedYen = async (id: string): Promise<number[]> => {
      const rows = await shop.server.deps.database.rows(
        `SELECT amount_yen FROM ledger_lines WHERE checkout_id = $1 AND SUBSTR(entry, 1, 10) = 'chargeback' AND account = 'acquirer'`,
        id,
      )
      return rows.map((row) => integer(row, 'amount_yen')).toSorted((one, other) => one - other)
    }
    const setAside = async (): Promise<string[]> =>
      (await shop.server.deps.database.rows("SELECT id FROM set_aside WHERE queue = 'disputes'")).map((row) =>
        text(row, 'id'),
      )

    test('one, an old one too, has its dispute recorded at once and is handled', async () => {
      const { id, orderCode } = await paidOrder()
      const longAgo = shop.clock.now() - 30 * 86_400_000
      await tell(noticeOf(disputeIdOf(1), { orderCode, occurredAt: longAgo, receivedAt: longAgo }))
      await runDueWork(shop.server.deps)
      assert.deepEqual([await due(10), await typesOf(id), await movedYen(id)], [[], ['dispute.opened'], [-1980]])
    })

    test('a reversal whose chargeback cannot be read books nothing and calls a person; both are booked when it comes', async () => {
      const { id, orderCode } = await paidOrder()
      const disputeId = disputeIdOf(2)
      const alarms = (): number => shop.server.logLines.filter((line) => line.includes('was set aside')).length
      const before = alarms()
      await tell(noticeOf(disputeId, { orderCode, event: 'CHARGEBACK_REVERSED' }))
      await runDueWork(shop.server.deps)
      await tell(noticeOf(disputeId, { orderCode, event: 'ISSUER_COMMENTS' }))
      await runDueWork(shop.server.deps)
      assert.deepEqual([await due(10), await typesOf(id), await movedYen(id)], [[], [], []])
      assert.deepEqual([await setAside(), alarms()], [[disputeId], before + 1])
      await tell(noticeOf(disputeId, { orderCode }))
      await runDueWork(shop.server.deps)
      assert.deepEqual(await movedYen(id), [-1980, 1980])
      assert.deepEqual((await typesOf(id)).toSorted(), ['dispute.closed', 'dispute.opened'])
    })

    test('a reversal whose chargeback was stored by an older release and cannot be read books nothing', async () => {
      const { id, orderCode } = await paidOrder()
      const disputeId = disputeIdOf(3)
      const chargeback = noticeOf(disputeId, { orderCode })
      await tell(chargeback, noticeOf(disputeId, { orderCode, event: 'CHARGEBACK_REVERSED' }))
      const { database } = shop.server.deps
      await database.rows(
        'UPDATE acquirer_notifications SET amount_yen = 9007199254740993 WHERE id = $1',
        chargeback.id,
      )
      await runDueWork(shop.server.deps)
      assert.deepEqual([await due(10), await movedYen(id)], [[], []])
      assert.ok((await setAside()).includes(disputeId))
      await database.rows('UPDATE acquirer_notifications SET amount_yen = 1980 WHERE id = $1', chargeback.id)
      await tell(noticeOf(disputeId, { orderCode, event: 'ISSUER_COMMENTS' }))
      await runDueWork(shop.server.deps)
      assert.deepEqual(await movedYen(id), [-1980, 1980])
    })

    test('each costs the same however many disputes its account has, and those of one dispute are handled together', async () => {
      const { id, orderCode } = await paidOrder()
      await tell(...Array.from({ length: 300 }, (_, place) => noticeOf(disputeIdOf(100 + place), { orderCode })))
      const database = countedDatabase(shop.server.deps.database)
      const deps = { ...shop.server.deps, database }
      const waiting = await due(300)
      const costOf = async (place: number): Promise<number> => {
        database.takeCost()
        await handleNotification(deps, waiting[place] ?? assert.fail('none waits'))
        return database.takeCost().statements
      }
      const [first, second] = [await costOf(0), await costOf(1)]
      assert.ok(first < 40, `${first} statements`)
      for (const each of waiting.slice(2, 299)) await handleNotification(shop.server.deps, each)
      assert.ok((await costOf(299)) <= Math.max(first, second), 'the last costs no more')
      assert.equal((await movedYen(id)).length, 50, 'and a payment has no more than fifty')
      await tell(
        ...Array.from({ length: 60 }, (_, place) =>
          noticeOf(disputeIdOf(500), { orderCode, event: 'ISSUER_COMMENTS', amountYen: place }),
        ),
      )
      const [of = assert.fail('none waits')] = await due(1)
      await handleNotification(shop.server.deps, of)
      assert.deepEqual(await due(1), [])
    })

    test('thousands of one shop leave the other shops their places: the oldest of each comes first', async () => {
      const books = (more: Partial<AcquirerNotification>) => ({
        ...noticeOf(disputeIdOf(9), more),
        merchantId: 'books-id',
      })
      const now = shop.clock.now()
      const many = Array.from({ length: 120 }, (_, place) =>
        noticeOf(disputeIdOf(1000 + place), { receivedAt: now - 500 }),
      )
      const [later, first] = [
        books({ event: 'CAPTURE', receivedAt: now }),
        books({ event: 'CAPTURE', receivedAt: now - 1 }),
      ]
      // Its mode is part of its key: the same id may stand in both.
      const live = { ...later, mode: 'live' } as const
      await tell(...many, later, first, live, books({ event: 'REPORT_AVAILABLE', receivedAt: now - 600 }))
      const listed = (await due(6)).map(({ merchantId, mode, id }) => `${merchantId} ${mode} ${id}`)
      const [one, two, three] = many.map(({ id }) => `tea-id test ${id}`)
      assert.deepEqual(listed, [
        one,
        `books-id test ${first.id}`,
        two,
        `books-id live ${later.id}`,
        three,
        `books-id test ${later.id}`,
      ])
      assert.equal((await due(1000)).length, 123)
    })
  })
})
