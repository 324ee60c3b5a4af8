import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import type { MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { inquireAbout, NOTHING, restoredAfter } from '../../../proof/harness/restored-server.ts'
import { compareHeld } from './compare-held.ts'
import { recoveryLines } from './recover-after-restore.ts'
import { settleDoubt } from './settle-doubt.ts'

const SILENT = { outcome: 'unknown', why: 'no answer in time', isSilence: true } as const

const statusOf = async (client: MerchantClient, id: string): Promise<string> =>
  (await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)).status

const pay = async (client: MerchantClient, id: string): Promise<void> => {
  const order = await client.server.startAttempt(id)
  assert.equal((await client.server.pay(id, order)).statusCode, 200)
}

onBothDatabases((engine) => {
  test('an order that the acquirer lists and does not answer about is named, and its checkout is closed until it does', async (t) => {
    let id = ''
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 700 })),
      (before) => pay(before, id),
    )
    const [order = ''] = gateway.charges.keys()
    client.gateway.inquire = async () => SILENT
    const unanswered = [{ orderCode: order, checkoutId: id, why: SILENT.why }]
    const recovered = await recover()
    assert.deepEqual(recovered, { ...NOTHING, inDoubt: 1, unanswered })
    assert.match(
      recoveryLines(recovered)[0] ?? '',
      new RegExp(`^no answer about order ${order} of checkout ${id}.*doubt settle`),
    )
    assert.equal((await client.server.submitCard(id)).statusCode, 409)
    client.gateway.inquire = gateway.inquire
    client.clock.advance(60_000)
    await inquireAbout(client, id)
    assert.equal(await statusOf(client, id), 'paid')
    assert.equal(gateway.charges.size, 1)
  })

  test('a charge about which the acquirer stops answering between two inquiries is held, and an operator settles it', async (t) => {
    let id = ''
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 700 })),
      (before) => pay(before, id),
    )
    const [order = ''] = gateway.charges.keys()
    let inquiries = 0
    client.gateway.inquire = async (asked) => ((inquiries += 1) > 1 ? SILENT : gateway.inquire(asked))
    assert.equal((await recover()).inDoubt, 1)
    const settled = { as: 'charged', why: 'seen there', transactionId: 't', reference: null, approvedAt: 1 } as const
    assert.equal(await settleDoubt(client.server.deps, order, settled), 'too early')
    client.clock.advance(600_000)
    assert.equal(await settleDoubt(client.server.deps, order, settled), 'settled')
    assert.equal(await statusOf(client, id), 'paid')
  })

  test('a refund of an order without an answer is recorded by the comparison after its payment is settled', async (t) => {
    let id = ''
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.create({ amount: 900 })),
      async (before) => {
        await pay(before, id)
        await before.refund(id, { refundId: 'r1', amount: 400 })
      },
    )
    const [order = ''] = gateway.charges.keys()
    client.gateway.inquire = async () => SILENT
    assert.equal((await recover()).held, 1)
    client.clock.advance(600_000)
    const settled = { as: 'charged', why: 'seen there', transactionId: 't', reference: null, approvedAt: 1 } as const
    assert.equal(await settleDoubt(client.server.deps, order, settled), 'settled')
    const compared = await compareHeld(client.server.deps)
    assert.deepEqual(compared, { charges: 0, refunds: 1, released: 0, held: 0, why: [] })
    assert.equal((await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)).refundedAmount, 400)
  })

  test('a refund that the acquirer lists is recorded as listed where it does not answer about it', async (t) => {
    let id = ''
    const { client, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void ({ id } = await before.createPaid({ amount: 900 })),
      async (before) => void (await before.refund(id, { refundId: 'r1', amount: 400 })),
    )
    client.gateway.inquireRefund = async () => SILENT
    assert.deepEqual(await recover(), { ...NOTHING, refunds: 1 })
    assert.equal((await client.refund(id, { refundId: 'r2', amount: 501 })).statusCode, 422)
  })

  test('a payment and a refund that both sides have are left as they are, though the acquirer lists them later and is silent', async (t) => {
    let id = ''
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => {
        ;({ id } = await before.createPaid({ amount: 900 }))
        await before.refund(id, { refundId: 'r1', amount: 400 })
      },
      async () => undefined,
    )
    client.clock.advance(3 * 3_600_000)
    client.gateway.statement = async () => {
      const page = await gateway.statement({ from: 0, to: Number.MAX_SAFE_INTEGER }, null)
      const movedAt = client.clock.now()
      return page.outcome === 'page' ? { ...page, lines: page.lines.map((line) => ({ ...line, movedAt })) } : page
    }
    await client.server.deps.database.rows('UPDATE restores SET taken_at = $1', client.clock.now())
    client.gateway.inquire = async () => SILENT
    client.gateway.inquireRefund = async () => SILENT
    assert.deepEqual(await recover(), NOTHING)
    assert.equal(await statusOf(client, id), 'paid')
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

  test('a payment beside an order without an answer closes its checkout, and is recorded once that order is decided', async (t) => {
    let id = ''
    let doubtful = ''
    const { client, gateway, recover } = await restoredAfter(
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
    const { held, charges, unanswered } = await recover()
    assert.deepEqual([held, charges, unanswered.map(({ orderCode }) => orderCode)], [1, 0, [doubtful]])
    const { held: stillHeld } = await compareHeld(client.server.deps)
    assert.deepEqual([stillHeld, (await client.server.submitCard(id)).statusCode], [1, 409])
    client.gateway.inquire = gateway.inquire
    client.clock.advance(60_000)
    await inquireAbout(client, id)
    assert.equal(
      (await client.server.submitCard(id)).statusCode,
      409,
      'the order is decided, the payment not yet recorded',
    )
    assert.deepEqual(await compareHeld(client.server.deps), {
      charges: 1,
      refunds: 0,
      released: 0,
      held: 0,
      why: [],
    })
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
    assert.deepEqual(await recover(), { ...NOTHING, charges: 1, refunds: 0, inDoubt: 0 })
    assert.equal(await statusOf(client, id), 'paid')
  })
})
