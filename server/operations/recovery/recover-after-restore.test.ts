import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import type { MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { inquireAbout, NOTHING, restoredAfter } from '../../../proof/harness/restored-server.ts'
import { accountOfAll } from '../../../proof/promises/shared-account.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { reconcile } from '../reconcile.ts'
import { recoverIfRestored } from './recover-after-restore.ts'

const statusOf = async (client: MerchantClient, id: string): Promise<string> =>
  (await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)).status

onBothDatabases((engine) => {
  test('a payment whose attempt the backup does not hold is recorded with its checkout, and the checkout cannot be paid again', async (t) => {
    let id = ''
    const { client, gateway, recover, lost } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 700 })),
      async (before) => {
        const order = await before.server.startAttempt(id)
        assert.equal((await before.server.pay(id, order)).statusCode, 200)
      },
    )
    assert.equal(await statusOf(client, id), 'open')
    assert.deepEqual(await recover(), { ...NOTHING, charges: 1, refunds: 0, inDoubt: 0 })
    const [paid, wasPaid] = [
      await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`),
      await lost.get<MerchantCheckoutAnswer>(`/checkouts/${id}`),
    ]
    assert.deepEqual([paid.status, paid.transactionId, paid.card], ['paid', wasPaid.transactionId, wasPaid.card])
    assert.equal((await client.server.submitCard(id)).statusCode, 404)
    assert.equal(gateway.charges.size, 1)
    assert.equal(await recoverIfRestored(client.server.deps), null)
  })

  test('an attempt of the backup that was charged later is recorded as paid, and one that was not charged is fenced', async (t) => {
    const [ids, orders]: [string[], string[]] = [[], []]
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => {
        for (const amount of [10, 20]) {
          const { id } = await before.create({ amount })
          ids.push(id)
          orders.push(await before.server.startAttempt(id))
        }
      },
      async (before) => void (await before.server.pay(ids[0] ?? '', orders[0] ?? '')),
    )
    assert.deepEqual(await recover(), { ...NOTHING, charges: 1, refunds: 0, inDoubt: 0 })
    assert.deepEqual([await statusOf(client, ids[0] ?? ''), await statusOf(client, ids[1] ?? '')], ['paid', 'open'])
    assert.deepEqual([...gateway.fenced], [orders[1]])
    const again = await client.server.startAttempt(ids[1] ?? '')
    assert.equal((await client.server.pay(ids[1] ?? '', again)).statusCode, 200)
    assert.equal(gateway.charges.size, 2)
  })

  test('a charge in doubt in the backup that ended without money does not hide the payment after it', async (t) => {
    let id = ''
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => {
        ;({ id } = await before.create({ amount: 640 }))
        const order = await before.server.startAttempt(id)
        before.gateway.charge = async () => ({ outcome: 'unknown', why: 'connection lost' })
        assert.equal((await before.server.pay(id, order)).statusCode, 409)
      },
      async (before, acquirer) => {
        before.gateway.charge = acquirer.charge
        before.clock.advance(60_000)
        await inquireAbout(before, id)
        await inquireAbout(before, id)
        const order = await before.server.startAttempt(id)
        assert.equal((await before.server.pay(id, order)).statusCode, 200)
      },
    )
    assert.deepEqual(await recover(), { ...NOTHING, charges: 1, refunds: 0, inDoubt: 0 })
    assert.equal(await statusOf(client, id), 'paid')
    assert.equal(gateway.charges.size, 1)
  })

  test('refunds that were made after the backup are recorded after their payment, and the ledger agrees', async (t) => {
    let id = ''
    const { client, recover, gateway } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 900 })),
      async (before) => {
        await before.server.pay(id, await before.server.startAttempt(id))
        for (const [refundId, amount] of [
          ['r1', 400],
          ['r2', 500],
        ] as const)
          assert.equal((await before.refund(id, { refundId, amount })).statusCode, 201)
      },
    )
    assert.deepEqual(await recover(), { ...NOTHING, charges: 1, refunds: 2, inDoubt: 0 })
    assert.equal(await statusOf(client, id), 'refunded')
    const { database } = client.server.deps
    const compared = await reconcile(database, [await accountOfAll(database, gateway)], ALL_TIME, (found) =>
      assert.fail(JSON.stringify(found)),
    )
    assert.deepEqual(compared, {
      outcome: 'compared',
      charges: 1,
      refunds: 2,
      chargebacks: 0,
      chargebackReversals: 0,
      discrepancies: 0,
      inDoubt: 0,
      unanswered: 0,
    })
  })

  test('a refund whose amounts by tax rate are lost is recorded, and the rest can be refunded', async (t) => {
    let id = ''
    const taxes = [
      { rate: 8, amount: 540 },
      { rate: 10, amount: 360 },
    ]
    const refund = { refundId: 'r1', amount: 400, taxes: [{ rate: 8, amount: 400 }] }
    const { client, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.createPaid({ amount: 900, subject: 'Tea', taxes })),
      async (before) => assert.equal((await before.refund(id, refund)).statusCode, 201),
    )
    assert.deepEqual(await recover(), { ...NOTHING, charges: 0, refunds: 1, inDoubt: 0 })
    const repeated = await client.refund(id, refund)
    assert.deepEqual([repeated.statusCode, repeated.json<{ amount: number }>().amount], [201, 400], repeated.body)
    assert.equal((await client.refund(id, { refundId: 'r2', amount: 600, taxes })).statusCode, 422)
    const rest = { refundId: 'r2', amount: 500, taxes: [{ rate: 8, amount: 140 }, taxes[1]] }
    assert.equal((await client.refund(id, rest)).statusCode, 201)
    assert.equal(await statusOf(client, id), 'refunded')
  })

  test('a payment of a checkout that was created after the backup is reported, and nothing is changed', async (t) => {
    const { client, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void (await before.create()),
      async (before) => void (await before.createPaid({ amount: 55 })),
    )
    const { left, ...counts } = await recover()
    assert.deepEqual({ ...counts, left: [] }, NOTHING)
    assert.deepEqual(
      left.map((found) => (found.kind === 'unknown order' ? [found.kind, found.acquirerYen, found.checkoutId] : found)),
      [['unknown order', 55, null]],
    )
    assert.deepEqual(await client.all('/refunds'), [])
  })

  test('a checkout with an order that the acquirer has not decided cannot be paid until it has', async (t) => {
    let id = ''
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 300 })),
      async (before, acquirer) => void acquirer.undecided.add(await before.server.startAttempt(id)),
    )
    assert.deepEqual(await recover(), { ...NOTHING, charges: 0, refunds: 0, inDoubt: 1 })
    assert.equal((await client.server.submitCard(id)).statusCode, 409)
    const [orderCode = ''] = gateway.undecided
    gateway.undecided.clear()
    const card = { brand: 'jcb', lastFour: '0106' } as const
    client.gateway.inquire = async () => ({
      outcome: 'charged',
      transactionId: 'late',
      approvedAt: client.clock.now(),
      amountYen: 300,
      card,
    })
    client.clock.advance(60_000)
    await inquireAbout(client, id)
    const paid = await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)
    assert.deepEqual([paid.status, paid.card?.number, orderCode.length], ['paid', '•••• 0106', 32])
  })

  test('a payment before the deadline of its link is recorded after the deadline', async (t) => {
    let id = ''
    const { client, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 700 })),
      async (before) => void (await before.server.pay(id, await before.server.startAttempt(id))),
    )
    client.clock.advance(30 * 24 * 3_600_000)
    assert.equal((await recover()).charges, 1)
    assert.equal(await statusOf(client, id), 'paid')
  })
})
