import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { SentOrder } from '#payment/ports.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway, type FakeGateway } from '../../proof/harness/fake-gateway.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { openMerchantClient } from '../../proof/harness/merchant-client.ts'
import { workOnce } from '../background/worker.ts'
import { findAttemptOfAnyMerchant, rememberReference } from '../store/checkout/attempts.ts'
import { readCheckoutSnapshot } from '../store/checkout/checkout-reads.ts'
import { lockCheckout } from '../store/checkout/transitions.ts'
import { DatabaseUnavailable, type Database } from '../store/engine/database.ts'
import { inquireIfDue } from './resolve-doubt.ts'

const LEASE_MS = 60_000
const LOOK_AT_THE_DASHBOARD = 'the order is older than its idempotency key: look at the acquirer’s dashboard'

/** Whoever charges stores the acquirer's reference first, so an inquiry without one knows that nothing was ever sent. */
describe('the acquirer’s reference is stored before money can move', () => {
  onBothDatabases(({ name, open }) => {
    let real: Database
    let gateway: FakeGateway
    let server: TestServer
    let isStorable: boolean
    /** Between the claim and the reference. */
    let beforeRemember: () => Promise<void>
    /** What the acquirer was asked about. */
    let asked: SentOrder[]
    beforeEach(async () => {
      real = await open()
      isStorable = true
      beforeRemember = async () => undefined
      asked = []
      gateway = fakeGateway()
      const { charge, inquire } = gateway
      gateway.charge = async (order, remember) => {
        await beforeRemember()
        return charge(order, remember)
      }
      gateway.inquire = async (order) => {
        asked.push(order)
        return inquire(order)
      }
      const rows: Database['rows'] = async (statement, ...values) => {
        if (!isStorable && statement.includes('SET acquirer_reference')) throw new DatabaseUnavailable('gone')
        return real.rows(statement, ...values)
      }
      server = await openTestServer({ database: { ...real, rows }, gateway, clock: virtualClock() })
    })

    const begun = async (): Promise<{ id: string; order: string }> => {
      const id = await server.createCheckout()
      return { id, order: await server.startAttempt(id) }
    }
    const attemptOf = async (order: string) => (await findAttemptOfAnyMerchant(real, order)) ?? assert.fail()
    const stateOf = async (order: string): Promise<string> => (await attemptOf(order)).state.name
    const pay = async (id: string, order: string): Promise<[status: number, code: string | undefined]> => {
      const answer = await server.pay(id, order)
      return [answer.statusCode, answer.json<{ code?: string }>().code]
    }
    /** Another process on the same database: its worker looks for what is due. */
    const workElsewhere = async (): Promise<void> => {
      const other = await openTestServer({ database: real, gateway, clock: server.clock })
      await workOnce(other.deps)
    }
    /** Pays, and runs `meanwhile` when the claim is stored and the reference is not. */
    const payWhile = async (id: string, order: string, meanwhile: () => Promise<void>) => {
      const claimed = Promise.withResolvers<void>()
      const goOn = Promise.withResolvers<void>()
      beforeRemember = async () => {
        claimed.resolve()
        await goOn.promise
      }
      const paying = pay(id, order)
      await claimed.promise
      try {
        await meanwhile()
      } finally {
        goOn.resolve()
      }
      return paying
    }

    test('a payment has its reference when it is charged', async () => {
      const { id, order } = await begun()
      assert.deepEqual(await pay(id, order), [200, undefined])
      assert.equal((await attemptOf(order)).reference, order)
    })

    test('a reference that cannot be stored means that nothing is charged, and the shopper is told so', async () => {
      const { id, order } = await begun()
      isStorable = false
      assert.deepEqual(await pay(id, order), [409, 'nothing_charged'])
      assert.deepEqual(gateway.charges, [])
      assert.deepEqual([await stateOf(order), (await attemptOf(order)).reference], ['not_charged', null])
      assert.ok(server.logLines.some((line) => line.includes('reference could not be stored')))
      isStorable = true
      assert.deepEqual(await pay(id, await server.startAttempt(id)), [200, undefined])
      assert.equal(gateway.charges.length, 1)
    })

    test('a process that is late is refused its charge after another has inquired without a reference', async () => {
      const { id, order } = await begun()
      const answer = await payWhile(id, order, async () => {
        server.clock.advance(LEASE_MS)
        await workElsewhere()
        assert.deepEqual(
          asked.map(({ orderCode, reference }) => [orderCode, reference]),
          [[order, null]],
        )
        assert.equal(await stateOf(order), 'not_charged')
      })
      assert.deepEqual(answer, [409, 'nothing_charged'])
      assert.deepEqual(gateway.charges, [])
      assert.deepEqual([await stateOf(order), (await attemptOf(order)).reference], ['not_charged', null])
      assert.ok(!server.logLines.some((line) => line.includes('needs a person')))
    })

    test('a process that is late is refused its charge while another waits for the answer to its inquiry', async () => {
      const { id, order } = await begun()
      gateway.inquire = async () => ({ outcome: 'pending' })
      const answer = await payWhile(id, order, async () => {
        server.clock.advance(LEASE_MS)
        await workElsewhere()
        assert.equal(await stateOf(order), 'unknown')
      })
      assert.deepEqual(answer, [409, 'nothing_charged'])
      assert.deepEqual([gateway.charges, await stateOf(order)], [[], 'not_charged'])
    })

    test('a process that is late and that nobody has inquired about may charge, and the inquiry has its reference', async () => {
      const { id, order } = await begun()
      gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
      const answer = await payWhile(id, order, async () => server.clock.advance(LEASE_MS))
      assert.deepEqual(answer, [409, 'payment_in_progress'])
      server.clock.advance(LEASE_MS)
      await workElsewhere()
      assert.deepEqual(
        asked.map(({ orderCode, reference }) => [orderCode, reference]),
        [[order, order]],
      )
    })

    test('an answer that needs a person is an alarm with its words, and the payment stays in doubt', async () => {
      const { id, order } = await begun()
      gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer in time' }
      await pay(id, order)
      gateway.inquire = async () => ({ outcome: 'unknown', why: LOOK_AT_THE_DASHBOARD, needsPerson: true })
      server.clock.advance(LEASE_MS)
      await workOnce(server.deps)
      const alarms = server.logLines.filter((line) => line.includes('payment needs a person'))
      assert.equal(alarms.length, 1)
      assert.ok(alarms[0]?.includes(LOOK_AT_THE_DASHBOARD) && alarms[0].includes(order))
      assert.equal(await stateOf(order), 'unknown')
      gateway.inquire = async () => ({ outcome: 'unknown', why: 'no answer in time' })
      server.clock.advance(LEASE_MS)
      await workOnce(server.deps)
      assert.equal(server.logLines.filter((line) => line.includes('needs a person')).length, 1)
    })

    test('a refund whose answer needs a person is an alarm with its words, and stays in doubt', async () => {
      const shop = await openMerchantClient(await open(), {
        refund: async () => ({ outcome: 'unknown', why: 'no answer in time' }),
        inquireRefund: async () => ({ outcome: 'unknown', why: LOOK_AT_THE_DASHBOARD, needsPerson: true }),
      })
      const { id } = await shop.createPaid()
      await shop.refund(id, { refundId: 'r', amount: 1 })
      shop.clock.advance(LEASE_MS)
      await workOnce(shop.server.deps)
      const alarms = shop.server.logLines.filter((line) => line.includes('a refund needs a person'))
      assert.equal(alarms.length, 1)
      assert.ok(alarms[0]?.includes(LOOK_AT_THE_DASHBOARD))
      const read = await shop.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)
      assert.deepEqual([read.status, read.refundedAmount], ['paid', 0])
    })

    // SQLite has one transaction at a time: nothing is stored between the reading of an attempt and its next state.
    if (name === 'SQLite') return

    test('a reference that is stored while an inquiry is being claimed is the one that the acquirer is asked about', async () => {
      const { id, order } = await begun()
      const answer = await payWhile(id, order, async () => {
        server.clock.advance(LEASE_MS)
        const seen = await readCheckoutSnapshot(real, { merchantId: 'tea-id', checkoutId: id })
        await inquireIfDue(server.deps, seen, async (sql, ref) => {
          const locked = await lockCheckout(sql, ref)
          assert.equal(await rememberReference(real, { merchantId: 'tea-id', orderCode: order }, 'pi_1'), true)
          return locked
        })
        assert.deepEqual(
          asked.map(({ reference }) => reference),
          ['pi_1'],
        )
      })
      assert.deepEqual(answer, [409, 'nothing_charged'])
    })
  })
})
