import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import type { MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { inquireAbout, restoredAfter } from '../../../proof/harness/restored-server.ts'

const SILENT = { outcome: 'unknown', why: 'no answer in time' } as const

const statusOf = async (client: MerchantClient, id: string): Promise<string> =>
  (await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)).status

const pay = async (client: MerchantClient, id: string): Promise<void> => {
  const order = await client.server.startAttempt(id)
  assert.equal((await client.server.pay(id, order)).statusCode, 200)
}

onBothDatabases((engine) => {
  test('the server does not start while the acquirer lists a charge and does not answer an inquiry about it', async (t) => {
    let id = ''
    const { client, gateway, recover, problem } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 700 })),
      (before) => pay(before, id),
    )
    client.gateway.inquire = async () => SILENT
    assert.match(await problem(), /no payment is taken before it was compared.*no answer in time/)
    client.gateway.inquire = gateway.inquire
    assert.deepEqual(await recover(), { charges: 1, refunds: 0, inDoubt: 0, left: [] })
    assert.equal(await statusOf(client, id), 'paid')
  })

  test('nothing is recovered when the acquirer stops answering between two inquiries about one charge', async (t) => {
    let id = ''
    const { client, gateway, recover, problem } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 700 })),
      (before) => pay(before, id),
    )
    let inquiries = 0
    client.gateway.inquire = async (orderCode) => ((inquiries += 1) > 1 ? SILENT : gateway.inquire(orderCode))
    assert.match(await problem(), /did not say what it has charged/)
    client.gateway.inquire = gateway.inquire
    assert.equal((await recover()).charges, 1)
  })

  test('the server does not start while the acquirer lists a refund and does not answer an inquiry about it', async (t) => {
    let id = ''
    const { client, gateway, recover, problem } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.createPaid({ amount: 900 })),
      async (before) => void (await before.refund(id, { refundId: 'r1', amount: 400 })),
    )
    client.gateway.inquireRefund = async () => SILENT
    assert.match(await problem(), /did not say what it has charged/)
    client.gateway.inquireRefund = gateway.inquireRefund
    assert.deepEqual(await recover(), { charges: 0, refunds: 1, inDoubt: 0, left: [] })
  })

  test('when the statement fails at any page, nothing is recovered and no undecided order is missed', async (t) => {
    for (const silentPage of [1, 2]) {
      let id = ''
      const { client, gateway, recover, problem } = await restoredAfter(
        t,
        engine,
        async (before) => void ({ id } = await before.create({ amount: 300 })),
        async (before, acquirer) => void acquirer.undecided.add(await before.server.startAttempt(id)),
      )
      let pages = 0
      client.gateway.statement = async (period, after) =>
        (pages += 1) === silentPage ? SILENT : gateway.statement(period, after)
      assert.match(await problem(), /did not say what it has charged/, `page ${silentPage}`)
      await recover()
      assert.equal((await client.server.submitCard(id)).statusCode, 409)
    }
  })

  test('an order that is decided during the comparison cannot be paid a second time', async (t) => {
    let id = ''
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 300 })),
      async (before, acquirer) => void acquirer.undecided.add(await before.server.startAttempt(id)),
    )
    const [orderCode = ''] = gateway.undecided
    client.gateway.statement = async (period, after) => {
      const page = await gateway.statement(period, after)
      if (gateway.undecided.delete(orderCode)) gateway.remember(orderCode, 300)
      return page
    }
    assert.equal((await recover()).left.length, 0)
    assert.notEqual((await client.server.submitCard(id)).statusCode, 200)
    client.clock.advance(60_000)
    await inquireAbout(client, id)
    assert.equal(await statusOf(client, id), 'paid')
    assert.equal(gateway.charges.size, 1)
  })

  test('a payment beside an undecided order stops the recovery, and is recorded once that order is decided', async (t) => {
    let id = ''
    let doubtful = ''
    const { client, gateway, recover, problem } = await restoredAfter(
      t,
      engine,
      async (before) => {
        ;({ id } = await before.create({ amount: 640 }))
        doubtful = await before.server.startAttempt(id)
        before.gateway.charge = async () => SILENT
        assert.equal((await before.server.pay(id, doubtful)).statusCode, 409)
      },
      async (before, acquirer) => {
        before.gateway.charge = acquirer.charge
        before.clock.advance(60_000)
        await inquireAbout(before, id)
        await inquireAbout(before, id)
        await pay(before, id)
      },
    )
    client.gateway.inquire = async (order) => (order.orderCode === doubtful ? SILENT : gateway.inquire(order))
    assert.match(await problem(), /cannot be written down while another order of its checkout is undecided/)
    client.gateway.inquire = gateway.inquire
    assert.equal((await recover()).charges, 1)
    assert.equal(await statusOf(client, id), 'paid')
    assert.equal(gateway.charges.size, 1)
  })

  test('a payment that was claimed in the last second of its link, and approved after its deadline, is recorded', async (t) => {
    let [id, approvedAt] = ['', 0]
    const { client, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 700 })),
      async (before, acquirer) => {
        const { validUntil } = await before.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)
        approvedAt = Date.parse(validUntil) + 3000
        acquirer.remember(await before.server.startAttempt(id), 700, approvedAt)
      },
    )
    client.clock.advance(approvedAt - client.clock.now() + 1000)
    assert.deepEqual(await recover(), { charges: 1, refunds: 0, inDoubt: 0, left: [] })
    assert.equal(await statusOf(client, id), 'paid')
  })
})
