import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantClient } from '../../proof/harness/merchant-client.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { besideServer, type BesideServer } from '../../proof/harness/beside-server.ts'
import { CARD } from '../../proof/harness/test-server.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import type { Database } from '../store/engine/database.ts'
import { systemClock } from '../dependencies.ts'
import { inquireIfDue } from '../operations/resolve-doubt.ts'
import { readCheckoutSnapshot } from '../store/checkout/checkout-reads.ts'

type Printed = Record<string, unknown> & { readonly items: Record<string, unknown>[] }

besideServer('the commands about changes and doubts, beside a running server', (whenOpen) => {
  let env: BesideServer['env']
  let database: Database
  let client: MerchantClient
  whenOpen((opened) => {
    ;({ database, env, client } = opened)
  })

  const run = async (...args: string[]) => {
    const result = await runCommand(args, env)
    assert.equal([...result.printed, ...result.errors].join().includes(CARD.number), false)
    return result
  }
  const runJson = async (...args: string[]): Promise<Printed> => {
    const { code, printed, errors } = await run(...args, '--json')
    assert.deepEqual([code, printed.length, errors], [0, 1, []], args.join(' '))
    return JSON.parse(printed[0] ?? '') as Printed
  }

  test('every change of a checkout is told, the oldest first, with who and why', async () => {
    const { id } = await client.createPaid({ amount: 1980 })
    await client.refund(id, { refundId: 'r1', amount: 980 })
    const { checkoutId, merchant, items } = await runJson('changes', id)
    assert.deepEqual([checkoutId, merchant], [id, 'tea'])
    const steps = items.map(({ what, from, to }) => `${String(what)} ${String(from)} ${String(to)}`)
    assert.equal(steps[0], 'checkout null open')
    assert.ok(steps.indexOf('attempt charging charged') > steps.indexOf('attempt null started'))
    assert.equal(steps.at(-1), 'refund requested refunded')
    const { rows } = await database
      .rows('SELECT version FROM changes WHERE checkout_id = $1', id)
      .then((all) => ({ rows: all.length }))
    // The first line is told by the checkout itself.
    assert.equal(items.length, 1 + rows)
    for (const { at, by, why } of items) {
      assert.match(String(at), /^20\d\d-\d\d-\d\dT[\d:]+Z$/)
      assert.match(String(by), /^(merchant|shopper|settlement|worker)$/)
      assert.notEqual(why, '')
    }
    const { printed } = await run('changes', id)
    assert.deepEqual(printed.slice(0, 2), [`checkout: ${id}`, 'merchant: tea'])
    assert.match(printed[2] ?? '', /^at +what +from +to +by +why$/)
    assert.match(printed[3] ?? '', /^20\S+ \S+ JST +checkout +- +open +merchant +create$/)
    assert.match(printed.at(-2) ?? '', /^attempt 1: [a-z2-7]{32}$/)
    assert.equal(printed.at(-1), 'refund 1: r1')
    for (const line of printed) assert.ok(line.length <= 100, line)
  })

  test('a checkout with more changes than a page of the timeline is told whole', async () => {
    const { id } = await client.create()
    await database.rows(
      `INSERT INTO changes (merchant_id, checkout_id, version, place, subject, actor, moved_from, moved_to, why, at)
         SELECT merchant_id, id, version + 1000, 0, 'attempt x', 'shopper', 'none', 'started', 'start', created_at
         FROM checkouts WHERE id = $1`,
      id,
    )
    for (let doubling = 0; doubling < 7; doubling += 1)
      await database.rows(
        `INSERT INTO changes (merchant_id, checkout_id, version, place, subject, actor, moved_from, moved_to, why, at)
           SELECT merchant_id, checkout_id, version + 10000 * $2, place, subject, actor, moved_from, moved_to, why, at
           FROM changes WHERE checkout_id = $1`,
        id,
        2 ** doubling,
      )
    const { items } = await runJson('changes', id)
    assert.equal(items.length, 1 + 2 ** 7)
    assert.equal(items[0]?.['what'], 'checkout')
  })

  test('a checkout that is not there is told so, and what is no id is not repeated', async () => {
    const missing = await run('changes', 'a'.repeat(32))
    assert.deepEqual([missing.code, missing.printed], [2, []])
    assert.match(missing.errors.join(), /^There is no such checkout in this database: check its id, and DATA_DIR/)
    assert.match((await run('changes', CARD.number)).errors.join(), /^This is no id of a checkout/)
  })

  test('charges and refunds in doubt are listed with since when, how often and when next', async () => {
    assert.deepEqual((await run('doubts')).printed, ['No charge and no refund is in doubt.'])
    const refunded = await client.createPaid({ amount: 1980 })
    client.gateway.refund = async () => ({ outcome: 'unknown', why: 'no answer in time' })
    await client.refund(refunded.id, { refundId: 'r2', amount: 700 })
    const { id } = await client.create({ amount: 9_999_999 })
    const orderCode = await client.server.startAttempt(id)
    client.clock.advance(60_000)
    client.gateway.chargeOutcome = { outcome: 'unknown', why: 'connection lost' }
    assert.equal((await client.server.pay(id, orderCode)).statusCode, 409)
    client.gateway.chargeOutcome = null
    client.clock.advance(2000)
    // Not by a reading: it does not wait for its inquiry where a sleep takes no time.
    const ref = { merchantId: TEA_MERCHANT.id, checkoutId: id }
    await inquireIfDue(client.server.deps, await readCheckoutSnapshot(database, ref))
    const { items } = await runJson('doubts')
    const [refund, charge] = items
    assert.equal(items.length, 2)
    assert.deepEqual(
      [refund?.['kind'], refund?.['refundId'], refund?.['amountYen'], refund?.['merchant'], refund?.['why']],
      ['refund', 'r2', 700, 'tea', 'no answer in time'],
    )
    assert.deepEqual(
      [charge?.['kind'], charge?.['checkoutId'], charge?.['orderCode'], charge?.['amountYen']],
      ['charge', id, orderCode, 9_999_999],
    )
    assert.equal(charge?.['inquiries'], 1)
    assert.ok(String(charge?.['nextInquiryAt']) > String(charge?.['since']))
    assert.match((await run('doubts')).printed[2] ?? '', new RegExp(`^${id} .* 1 +due$`))
    const later = systemClock.now() + 3_600_000
    await database.rows('UPDATE attempts SET due_at = $2 WHERE order_code = $1', orderCode, later)
    const { printed } = await run('doubts')
    assert.match(printed[0] ?? '', /^checkout +kind +yen +merchant +since +asked +next$/)
    const row = new RegExp(`^${id} {2}charge {2}9,999,999 {2}tea +20\\S+ \\S+ JST +1 +\\d\\d:\\d\\d:\\d\\d$`)
    assert.match(printed[2] ?? '', row)
    for (const line of printed) assert.ok(line.length <= 100, line)
  })

  test('a claim whose lease has passed is a doubt too, and a row that cannot be read hides no other', async () => {
    const { id } = await client.create({ amount: 5 })
    const orderCode = await client.server.startAttempt(id)
    await database.rows(
      "UPDATE attempts SET state = 'charging', due_at = $2 WHERE order_code = $1",
      orderCode,
      Date.parse('2026-01-01T00:00:00Z'),
    )
    await database.rows("UPDATE refunds SET details = '{}' WHERE refund_id = $1", 'r2')
    const { items } = await runJson('doubts')
    const whys = items.map(({ why }) => why)
    assert.deepEqual(
      [items.length, whys[0]],
      [3, 'its lease has passed, and nobody has asked yet'],
      JSON.stringify(items),
    )
    assert.ok(whys.includes('its record cannot be read'))
  })
})
