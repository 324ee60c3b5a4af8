import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { MerchantClient } from '../../proof/harness/merchant-client.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { besideServer, type BesideServer } from '../../proof/harness/beside-server.ts'
import { systemClock } from '../dependencies.ts'
import type { Database } from '../store/engine/database.ts'

const MINUTE = 60_000

besideServer('an operator settles a charge in doubt, beside a running server', (whenOpen) => {
  let env: BesideServer['env']
  let database: Database
  let client: MerchantClient
  whenOpen((opened) => {
    ;({ database, env, client } = opened)
  })

  const settle = (...args: string[]) => runCommand(['doubt', 'settle', ...args], env)
  const read = (id: string) => client.get<MerchantCheckoutAnswer>(`/checkouts/${id}`)

  /** A charge in doubt that the acquirer does not answer about. */
  const createDoubt = async (ageMs: number): Promise<{ readonly id: string; readonly order: string }> => {
    client.gateway.inquire = async () => ({ outcome: 'unknown', why: 'nobody knows', needsPerson: true })
    client.clock.advance(systemClock.now() - ageMs - client.clock.now())
    const { id } = await client.create({ amount: 1980 })
    const order = await client.server.startAttempt(id)
    client.gateway.chargeOutcome = { outcome: 'unknown', why: 'connection lost' }
    assert.equal((await client.server.pay(id, order)).statusCode, 409)
    client.gateway.chargeOutcome = null
    return { id, order }
  }

  test('as charged: the checkout is paid, booked once, and the log names the operator and the reason', async () => {
    const { id, order } = await createDoubt(11 * MINUTE)
    const args = ['--as', 'charged', '--transaction', 'ch_1', '--why', 'in the report of 17 November']
    const { code, printed, errors } = await settle(order, ...args)
    assert.deepEqual([code, printed, errors], [0, [`Order ${order} is recorded as charged.`], []])
    const { status, transactionId } = await read(id)
    assert.deepEqual([status, transactionId], ['paid', 'ch_1'])
    const changes = await database.rows('SELECT actor, why FROM changes WHERE checkout_id = $1', id)
    assert.ok(
      changes.some(({ actor, why }) => actor === 'operator' && why === 'charged: in the report of 17 November'),
      JSON.stringify(changes),
    )
    const lines = await database.rows('SELECT amount_yen FROM ledger_lines WHERE checkout_id = $1', id)
    assert.deepEqual(
      lines.map(({ amount_yen: yen }) => Number(yen)).toSorted((one, other) => one - other),
      [-1980, 1980],
    )
    assert.match((await settle(order, ...args)).errors.join(), /^This order is not in doubt/)
  })

  test('as not charged: the checkout can be paid again', async () => {
    const { id, order } = await createDoubt(11 * MINUTE)
    assert.equal((await settle(order, '--as', 'not_charged', '--why', 'never seen there')).code, 0)
    assert.equal((await read(id)).status, 'open')
    const again = await client.server.startAttempt(id)
    assert.equal((await client.server.pay(id, again)).statusCode, 200)
  })

  test('a doubt of less than ten minutes is left to the server, and every wrong word is named', async () => {
    const { order } = await createDoubt(9 * MINUTE)
    const problemOf = async (...args: string[]): Promise<string> => {
      const { code, errors } = await settle(...args)
      assert.equal(code, 2)
      return errors.join()
    }
    assert.match(await problemOf(order, '--as', 'not_charged', '--why', 'x'), /less than ten minutes/)
    assert.match(await problemOf(order, '--as', 'paid', '--why', 'x'), /--as is "paid": give charged or not_charged/)
    assert.match(await problemOf(order, '--as', 'charged', '--why', 'x'), /--transaction is missing/)
    assert.match(await problemOf(order, '--as', 'not_charged', '--why', ' '), /--why has 0 characters/)
    assert.match(await problemOf(order, '--as', 'not_charged', '--why', 'x'.repeat(201)), /--why has 201 characters/)
    assert.match(await problemOf('a'.repeat(32), '--as', 'not_charged', '--why', 'x'), /^There is no such order/)
  })
})
