import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { Period, SentOrder } from '#payment/ports.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import type { MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { NOTHING, restoredAfter } from '../../../proof/harness/restored-server.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import type { AcquirerAccount } from '../../dependencies.ts'
import { findAttemptOfAnyMerchant } from '../../store/checkout/attempts.ts'
import { createHeldLook } from '../../background/held-checkout-watch.ts'
import { workOnce } from '../../background/worker.ts'
import { compareHeld } from './compare-held.ts'
import { recoveryLines } from './recover-after-restore.ts'

const pay = async ({ server }: MerchantClient, id: string, order: string): Promise<void> =>
  assert.equal((await server.pay(id, order)).statusCode, 200)

onBothDatabases((engine) => {
  test('recovery asks the acquirer for the time since the backup, and never for the whole history', async (t) => {
    let [id, takenAt] = ['', 0]
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => {
        takenAt = before.clock.now()
        ;({ id } = await before.create({ amount: 700 }))
      },
      async (before) => pay(before, id, await before.server.startAttempt(id)),
    )
    // Of an order that nobody here knows: it would be found, and left for a person.
    gateway.remember('a-year-ago', 100, takenAt - 365 * DAY_MS)
    const periods: Period[] = []
    client.gateway.statement = async (period, after) => {
      periods.push(period)
      return gateway.statement(period, after)
    }
    assert.deepEqual(await recover(), { ...NOTHING, charges: 1, refunds: 0, inDoubt: 0 })
    assert.ok(periods.length > 0)
    for (const { from, to } of periods) {
      assert.ok(from >= takenAt - 2 * HOUR_MS && from <= takenAt - HOUR_MS, `from ${from - takenAt} after the backup`)
      assert.ok(to >= client.clock.now() + HOUR_MS && to <= client.clock.now() + 2 * HOUR_MS)
    }
  })

  test('a list that does not cover the lost time closes what was open: a charge that it lacks would be paid a second time', async (t) => {
    let id = ''
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => {
        ;({ id } = await before.create({ amount: 700 }))
        await before.create({ amount: 800 })
      },
      async (before) => pay(before, id, await before.server.startAttempt(id)),
    )
    client.gateway.statement = async (period, after) => {
      const page = await gateway.statement(period, after)
      return page.outcome === 'page' ? { ...page, lines: [], completeUntil: -1 } : page
    }
    const recovered = await recover()
    assert.deepEqual({ ...recovered, incomplete: [] }, { ...NOTHING, held: 2 })
    assert.match(recovered.incomplete.join(), /its list is complete until 1969-12-31/)
    assert.match(recoveryLines(recovered)[0] ?? '', /^2 checkouts closed to payment.*doubt release/)
    assert.equal((await client.server.submitCard(id)).statusCode, 409)
    await createHeldLook(client.server.deps)()
    assert.match(client.server.logLines.join('\n'), /2 may have been paid.*closed to payment after a restore/)
    assert.equal((await client.send(`/checkouts/${id}/cancel`, { method: 'POST' })).statusCode, 409)
    const { paymentPending, status } = await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)
    assert.deepEqual([status, paymentPending], ['open', true])
    const fresh = await client.create({ amount: 5 })
    await pay(client, fresh.id, await client.server.startAttempt(fresh.id))
    client.clock.advance(60 * DAY_MS)
    await workOnce(client.server.deps)
    assert.equal((await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)).status, 'open', 'it may have been paid')
    client.gateway.statement = gateway.statement
    const compared = await compareHeld(client.server.deps)
    assert.deepEqual(compared, { charges: 1, refunds: 0, released: 1, held: 0, why: [] })
    assert.equal((await client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)).status, 'paid')
  })

  test('held checkouts are compared each hour, and again at the next look where the acquirer did not answer', async (t) => {
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => void (await before.create({ amount: 800 })),
      async () => undefined,
    )
    let asked = 0
    const listNothing: typeof gateway.statement = async (period, after) => {
      asked += 1
      const page = await gateway.statement(period, after)
      return page.outcome === 'page' ? { ...page, lines: [], completeUntil: -1 } : page
    }
    client.gateway.statement = listNothing
    await recover()
    const look = createHeldLook(client.server.deps)
    const asksOfALook = async (): Promise<number> => {
      asked = 0
      await look()
      return asked
    }
    client.gateway.statement = async () => {
      asked += 1
      return { outcome: 'unknown', why: 'no answer', isSilence: true }
    }
    assert.ok((await asksOfALook()) > 0)
    assert.ok((await asksOfALook()) > 0)
    client.gateway.statement = listNothing
    assert.ok((await asksOfALook()) > 0)
    client.clock.advance(HOUR_MS - 1)
    assert.equal(await asksOfALook(), 0)
    client.clock.advance(1)
    const alone = await asksOfALook()
    client.clock.advance(HOUR_MS)
    const [first, beside] = [asksOfALook(), look()]
    await beside
    assert.ok(alone > 0)
    assert.equal(await first, alone, 'one comparison at a time')
  })

  test('of several accounts the silent one alone is compared again at the next look, and the alarm says why the others are closed', async (t) => {
    const ids: string[] = []
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => {
        for (const amount of [800, 900]) ids.push((await before.create({ amount })).id)
      },
      async () => undefined,
    )
    const without = { outcome: 'page', lines: [], after: null, completeUntil: -1 } as const
    client.gateway.statement = async () => without
    await recover()
    const { deps, logLines } = client.server
    await deps.database.rows("UPDATE checkouts SET mode = 'live' WHERE id = $1", ids[1] ?? '')
    let asked: string[] = []
    let isSilent = true
    const accountOf = (mode: 'test' | 'live'): AcquirerAccount => ({
      gateway: {
        ...gateway,
        statement: async () => {
          asked.push(mode)
          return mode === 'live' && isSilent ? { outcome: 'unknown', why: 'no answer', isSilence: true } : without
        },
      },
      scopes: [{ merchantId: TEA_MERCHANT.id, mode }],
    })
    const gateways = { ...deps.gateways, accounts: async () => [accountOf('test'), accountOf('live')] }
    const look = createHeldLook({ ...deps, gateways })
    const askedAfter = async (ms: number): Promise<readonly string[]> => {
      asked = []
      client.clock.advance(ms)
      await look()
      return [...new Set(asked)]
    }
    assert.deepEqual(await askedAfter(0), ['test', 'live'])
    assert.deepEqual(await askedAfter(MINUTE_MS), ['live'])
    // The next alarm.
    assert.deepEqual(await askedAfter(4 * MINUTE_MS), ['live'])
    const alarms = logLines.filter((line) => line.includes('closed to payment after a restore'))
    assert.equal(alarms.length, 2)
    for (const alarm of alarms) assert.match(alarm, /2 may have been paid.*its list is complete until.*; no answer/)
    isSilent = false
    assert.deepEqual(await askedAfter(MINUTE_MS), ['live'])
    assert.deepEqual(await askedAfter(HOUR_MS - 6 * MINUTE_MS - 1), [])
    assert.deepEqual(await askedAfter(1), ['test'])
    assert.deepEqual(await askedAfter(6 * MINUTE_MS), ['live'])
  })

  test('a reference that the restore has lost is the one that the acquirer lists, and the payment can be refunded', async (t) => {
    const ids: string[] = []
    const orders: string[] = []
    const { client, gateway, recover } = await restoredAfter(
      t,
      engine,
      async (before) => {
        for (const amount of [300, 400]) ids.push((await before.create({ amount })).id)
        orders.push(await before.server.startAttempt(ids[0] ?? ''))
      },
      async (before) => {
        orders.push(await before.server.startAttempt(ids[1] ?? ''))
        for (const [place, id] of ids.entries()) await pay(before, id, orders[place] ?? '')
      },
    )
    const asked: SentOrder[] = []
    client.gateway.inquire = async (order) => {
      asked.push(order)
      return gateway.inquire(order)
    }
    assert.deepEqual(await recover(), { ...NOTHING, charges: 2, refunds: 0, inDoubt: 0 })
    assert.ok(
      asked.some(({ isRestored }) => isRestored),
      'the acquirer is told that a reference may have been lost',
    )
    for (const order of orders)
      assert.equal((await findAttemptOfAnyMerchant(client.server.deps.database, order))?.reference, order)
    for (const id of ids) assert.equal((await client.refund(id, { refundId: 'r', amount: 1 })).statusCode, 201)
  })
})
