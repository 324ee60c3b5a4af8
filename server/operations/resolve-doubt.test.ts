import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { ChargeOutcome } from '#payment/ports.ts'
import { IMMEDIATE_ANSWER_MS } from '#payment/charge.ts'
import { DatabaseUnavailable, type Database } from '../store/database.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { countingGateway, type CountingGateway } from '../../proof/harness/counting-gateway.ts'
import { openShop, type Shop } from '../../proof/harness/shop.ts'
import { virtualClock } from '../../proof/harness/virtual-clock.ts'
import { workOnce } from '../background/worker.ts'

const MINUTE_MS = 60_000
const DECLINED: ChargeOutcome = { outcome: 'declined', reason: 'no' }
const VOID: ChargeOutcome = { outcome: 'void' }

describe('what becomes of a payment in flight', () => {
  onBothDatabases(({ open }) => {
    let real: Database
    let gateway: CountingGateway
    let shop: Shop
    /** What becomes of the next transactions. */
    let fates: ('well' | 'lost' | 'answer lost')[]
    before(async () => {
      real = await open()
    })
    beforeEach(async () => {
      fates = []
      gateway = countingGateway()
      const transact: Database['transact'] = async (work) => {
        const fate = fates.shift()
        if (fate === 'lost') throw new DatabaseUnavailable('gone')
        const result = await real.transact(work)
        if (fate === 'answer lost') throw new DatabaseUnavailable('the answer to COMMIT was lost')
        return result
      }
      shop = await openShop({ database: { ...real, transact }, gateway, clock: virtualClock() })
    })

    const stateOf = async (order: string): Promise<unknown> =>
      (await real.rows('SELECT state FROM attempts WHERE order_code = $1', order))[0]?.['state']
    const lettersOf = async (id: string): Promise<string[]> => {
      const rows = await real.rows('SELECT kind, event FROM outbox WHERE checkout_id = $1 ORDER BY kind, event', id)
      return rows.map((row) => `${row['kind']} ${row['event']}`)
    }
    const begun = async (): Promise<{ id: string; order: string }> => {
      const id = await shop.create()
      return { id, order: await shop.start(id) }
    }

    for (const said of [DECLINED, VOID])
      for (const [ms, letters] of [
        [0, []],
        [IMMEDIATE_ANSWER_MS, []],
        [IMMEDIATE_ANSWER_MS + 1, ['mail nothing_charged']],
      ] as const)
        test(`a charge that is ${said.outcome} after ${ms} ms owes its shopper ${letters.length} letters`, async () => {
          const { id, order } = await begun()
          gateway.charge = async () => {
            // Whoever reads now is told that we would write.
            assert.equal((await shop.read(id)).json<{ paymentPending: boolean }>().paymentPending, true)
            shop.clock.advance(claimedAt + ms - shop.clock.now())
            return said
          }
          const claimedAt = shop.clock.now()
          assert.equal((await shop.pay(id, order)).statusCode, said === VOID ? 409 : 402)
          assert.deepEqual([await stateOf(order), await lettersOf(id)], [said.outcome, letters])
        })

    for (const [inquiry, ending] of [
      [{ outcome: 'not_found' }, 'void'],
      [DECLINED, 'declined'],
    ] as const)
      test(`a charge whose server dies and that is found ${ending} owes its shopper a letter`, async () => {
        const { id, order } = await begun()
        gateway.next = DECLINED
        gateway.inquire = async () => inquiry
        fates = ['well', 'lost']
        assert.equal((await shop.pay(id, order)).statusCode, 503)
        assert.deepEqual([await stateOf(order), await lettersOf(id)], ['charging', []])
        shop.clock.advance(MINUTE_MS)
        await workOnce(shop.parts)
        assert.deepEqual([await stateOf(order), await lettersOf(id)], [ending, ['mail nothing_charged']])
      })

    test('a claim that may not have been stored is never charged, and ends by its lease with its card forgotten', async () => {
      const { id, order } = await begun()
      const binding = { merchantId: 'tea-id', checkoutId: id, orderCode: order, amountYen: 1980 }
      fates = ['answer lost']
      assert.equal((await shop.pay(id, order)).statusCode, 503)
      assert.equal(await stateOf(order), 'charging')
      assert.notEqual(shop.parts.cardHold.find(binding), undefined)
      shop.clock.advance(MINUTE_MS)
      await workOnce(shop.parts)
      assert.equal(shop.parts.cardHold.size, 0)
      assert.equal((await shop.pay(id, order)).json<{ code: string }>().code, 'nothing_charged')
      assert.deepEqual([await stateOf(order), gateway.charges.length], ['void', 0])
    })

    test('an outcome whose writing down was not answered for is told to the next who asks, and is charged once', async () => {
      const { id, order } = await begun()
      fates = ['well', 'answer lost']
      assert.equal((await shop.pay(id, order)).statusCode, 503)
      assert.equal((await shop.pay(id, order)).json<{ status: string }>().status, 'paid')
      assert.deepEqual([gateway.charges.length, await lettersOf(id)], [1, ['mail receipt', 'webhook checkout.paid']])
    })

    test('an alarm names the order, and not the checkout, whose id is a link to pay it', async () => {
      const { id, order } = await begun()
      gateway.next = { outcome: 'charged', transactionId: 't', approvedAt: 0, amountYen: 1 }
      assert.equal((await shop.pay(id, order)).statusCode, 409)
      const alarms = shop.logged.filter((line) => line.includes('"alarm":true'))
      assert.equal(alarms.length, 1)
      assert.match(alarms[0] ?? '', new RegExp(`"order":"${order}","why":"the acquirer charged 1 yen`))
      assert.ok(!shop.logged.join('').includes(id))
    })
  })
})
