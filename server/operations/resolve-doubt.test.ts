import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { ChargeOutcome } from '#payment/ports.ts'
import { IMMEDIATE_ANSWER_MS } from '#payment/charge.ts'
import { DatabaseUnavailable, type Database } from '../store/engine/database.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway, type FakeGateway } from '../../proof/harness/fake-gateway.ts'
import { API_KEYS } from '../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { workOnce } from '../background/worker.ts'
import { findAttemptOfAnyMerchant } from '../store/checkout/attempts.ts'
import { heldCard } from '../../proof/harness/cards.ts'

const MINUTE_MS = 60_000
const DECLINED: ChargeOutcome = { outcome: 'declined', reason: 'no' }
const NOT_CHARGED: ChargeOutcome = { outcome: 'not_charged' }

/** A database that takes no writes for so long, at the pace at which a record is tried again. */
const lostFor = (ms: number): 'lost'[] => Array.from({ length: ms / 200 }, () => 'lost')

describe('the outcome of a payment in flight', () => {
  onBothDatabases(({ open }) => {
    let real: Database
    let gateway: FakeGateway
    let server: TestServer
    /** The faults of the next transactions. */
    let faults: ('none' | 'lost' | 'answer lost')[]
    before(async () => {
      real = await open()
    })
    beforeEach(async () => {
      faults = []
      gateway = fakeGateway()
      const transact: Database['transact'] = async (work) => {
        const fault = faults.shift()
        if (fault === 'lost') throw new DatabaseUnavailable('gone')
        const result = await real.transact(work)
        if (fault === 'answer lost') throw new DatabaseUnavailable('the answer to COMMIT was lost')
        return result
      }
      server = await openTestServer({ database: { ...real, transact }, gateway, clock: virtualClock() })
    })

    const stateOf = async (order: string): Promise<unknown> => (await findAttemptOfAnyMerchant(real, order))?.state.name
    const outboxRowsOf = async (id: string): Promise<string[]> => {
      const sql = `SELECT 'event' AS kind, type FROM events WHERE checkout_id = $1
        UNION ALL SELECT 'mail', kind FROM mails WHERE checkout_id = $1`
      return (await real.rows(sql, id)).map((row) => `${row['kind']} ${row['type']}`).toSorted()
    }
    const begun = async (): Promise<{ id: string; order: string }> => {
      const id = await server.createCheckout()
      return { id, order: await server.startAttempt(id) }
    }

    for (const answer of [DECLINED, NOT_CHARGED])
      for (const [ms, mails] of [
        [0, []],
        [IMMEDIATE_ANSWER_MS, []],
        [IMMEDIATE_ANSWER_MS + 1, ['mail nothing_charged']],
      ] as const)
        test(`a charge that is ${answer.outcome} after ${ms} ms writes its shopper ${mails.length} mails`, async () => {
          const { id, order } = await begun()
          gateway.charge = async () => {
            // A page that reads now promises a mail.
            assert.equal((await server.readCheckout(id)).json<{ paymentPending: boolean }>().paymentPending, true)
            server.clock.advance(claimedAt + ms - server.clock.now())
            return answer
          }
          const claimedAt = server.clock.now()
          assert.equal((await server.pay(id, order)).statusCode, answer === NOT_CHARGED ? 409 : 402)
          assert.deepEqual([await stateOf(order), await outboxRowsOf(id)], [answer.outcome, mails])
        })

    for (const [inquiry, ending] of [
      [{ outcome: 'not_found' }, 'not_charged'],
      [DECLINED, 'declined'],
    ] as const)
      test(`a charge whose server dies and that is found ${ending} writes its shopper a mail`, async () => {
        const { id, order } = await begun()
        gateway.chargeOutcome = DECLINED
        gateway.inquire = async () => inquiry
        faults = ['none', ...lostFor(20_000), 'lost']
        assert.equal((await server.pay(id, order)).statusCode, 503)
        assert.deepEqual([await stateOf(order), await outboxRowsOf(id), faults], ['charging', [], []])
        server.clock.advance(MINUTE_MS)
        await workOnce(server.deps)
        assert.deepEqual(
          [await stateOf(order), await outboxRowsOf(id)],
          [ending, ['event alert.payment_in_doubt', 'mail nothing_charged']],
        )
      })

    test('a claim that may not have been stored is never charged, and ends after its lease with its card wiped', async () => {
      const { id, order } = await begun()
      const binding = { merchantId: 'tea-id', checkoutId: id, orderCode: order, amountYen: 1980 }
      faults = ['answer lost']
      assert.equal((await server.pay(id, order)).statusCode, 503)
      assert.equal(await stateOf(order), 'charging')
      assert.notEqual(await heldCard(server.deps.cardHold, binding), undefined)
      server.clock.advance(MINUTE_MS)
      await workOnce(server.deps)
      assert.equal(server.deps.cardHold.size, 0)
      assert.equal((await server.pay(id, order)).json<{ code: string }>().code, 'nothing_charged')
      assert.deepEqual([await stateOf(order), gateway.charges.length], ['not_charged', 0])
    })

    for (const [name, fault] of Object.entries({
      'whose commit was not confirmed': ['answer lost'],
      'that could not be written for 12 seconds': lostFor(12_000),
      'that could not be written for 20 seconds': lostFor(20_000),
    } as const))
      test(`an outcome ${name} is recorded by the same call, charged once and never in doubt`, async () => {
        const { id, order } = await begun()
        faults = ['none', ...fault]
        assert.equal((await server.pay(id, order)).json<{ status: string }>().status, 'paid')
        assert.deepEqual([gateway.charges.length, await outboxRowsOf(id)], [1, ['event checkout.paid', 'mail receipt']])
        const alarms = server.logLines.filter((line) => line.includes('"alarm":true'))
        assert.deepEqual([faults, alarms], [[], []])
      })

    test('a refund that could not be written for 12 seconds is recorded by the same call, and given back once', async () => {
      const { id, order } = await begun()
      await server.pay(id, order)
      gateway.refund = async ({ amountYen }) => ({ outcome: 'refunded', refundedAt: server.clock.now(), amountYen })
      faults = ['none', ...lostFor(12_000)]
      const answer = await server.app.inject({
        method: 'POST',
        url: `/merchant/v1/checkouts/${id}/refunds`,
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
        payload: { refundId: 'r1' },
      })
      assert.equal(answer.json<{ status: string }>().status, 'refunded')
      assert.deepEqual(await outboxRowsOf(id), [
        'event checkout.paid',
        'event checkout.refunded',
        'event refund.succeeded',
        'mail receipt',
        'mail refund',
      ])
    })

    test('an alarm names the order, and not the checkout, whose id is a link to pay it', async () => {
      const { id, order } = await begun()
      gateway.chargeOutcome = { outcome: 'charged', transactionId: 't', approvedAt: 0, amountYen: 1 }
      assert.equal((await server.pay(id, order)).statusCode, 409)
      const alarms = server.logLines.filter((line) => line.includes('"alarm":true'))
      assert.equal(alarms.length, 1)
      assert.match(alarms[0] ?? '', new RegExp(`"order":"${order}","why":"the acquirer charged 1 yen`))
      assert.ok(!server.logLines.join('').includes(id))
    })
  })
})
