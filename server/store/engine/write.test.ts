import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { freshAttempt, freshCheckout } from '../../../proof/harness/fresh-records.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import type { Attempt } from '#payment/attempt.ts'
import { ATTEMPT_STATES } from '#payment/testing/records.ts'
import { attemptsWrite } from '../checkout/attempts.ts'
import { newCheckoutWrite } from '../checkout/checkouts.ts'
import { Conflict } from './database.ts'
import { assertIndependent, padToFixedSizes, insertRows, joinWrites } from './write.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'

const mark = (checkoutId: string, place: number) =>
  insertRows(
    'changes',
    ['merchant_id', 'checkout_id', 'version', 'place', 'subject', 'actor', 'moved_from', 'moved_to', 'why', 'at'],
    [['tea-id', checkoutId, 1, place, 'checkout', 'worker', 'open', 'expired', 'test', 1]],
  )

test('lists of any length are filled up to few lengths, and hold what they held', () => {
  const lengths = Array.from({ length: 1026 }, (_none, length) =>
    padToFixedSizes(Array.from({ length }, (_no, at) => at)),
  )
  assert.deepEqual([...new Set(lengths.map((list) => list.length))], [0, 1, 4, 16, 64, 256, 1024, 4096])
  for (const [length, list] of lengths.entries()) assert.equal(new Set(list).size, length)
})

test('many rows are one INSERT, and none are no statement', () => {
  assert.deepEqual(insertRows('t', ['a', 'b'], []), [])
  assert.deepEqual(
    insertRows(
      't',
      ['a', 'b'],
      [
        [1, 2],
        [3, null],
      ],
    ),
    [{ text: 'INSERT INTO t (a, b) VALUES ($1, $2), ($3, $4)', values: [1, 2, 3, null] }],
  )
})

test('joined writes are one statement, in which the parameters of each follow those of the one before', () => {
  const first = { text: 'DELETE FROM a WHERE k = $1', values: ['x'] }
  const second = { text: 'UPDATE b SET n = $2 WHERE k = $1', values: ['y', 2] }
  assert.deepEqual(joinWrites([first]), first)
  assert.deepEqual(joinWrites([first, second]), {
    text: 'WITH part0 AS (DELETE FROM a WHERE k = $1) UPDATE b SET n = $3 WHERE k = $2',
    values: ['x', 'y', 2],
  })
})

test('writes that could touch the same row, or that read, are not sent together', () => {
  const update = { text: 'UPDATE a SET n = 1 WHERE k = $1', values: ['x'] }
  const reading = { text: 'DELETE FROM b WHERE k IN (SELECT k FROM a)', values: [] }
  assert.throws(() => assertIndependent([update, update]), /one table is written twice/)
  assert.throws(() => assertIndependent([update, reading]), /not a write without a reading/)
  assert.throws(() => assertIndependent([{ text: 'SELECT 1', values: [] }]), /not a write/)
})

test('an attempt that stands is updated; a new one, or more than one, is inserted', () => {
  const checkout = freshCheckout({ merchantId: TEA_MERCHANT.id })
  const [one, other] = [freshAttempt(checkout, ATTEMPT_STATES.charging), freshAttempt(checkout, ATTEMPT_STATES.started)]
  const verbsOf = (...given: Parameters<typeof attemptsWrite>) =>
    attemptsWrite(...given).map(({ text }) => text.split(' ')[0])
  assert.deepEqual(verbsOf([one], 0, [other, one]), ['UPDATE'])
  assert.deepEqual([verbsOf([one], 0, [other]), verbsOf([one], 0)], [['INSERT'], ['INSERT']])
  assert.deepEqual(verbsOf([one, other], 0, [one, other]), ['INSERT'])
  assert.deepEqual(verbsOf([], 0, [one]), [])
})

describe('what is written together', () => {
  onBothDatabases(({ open }) => {
    const prepare = async () => {
      const database = await open()
      await saveMerchant(database, TEA_MERCHANT, 0)
      return { database, checkout: freshCheckout({ merchantId: TEA_MERCHANT.id }) }
    }

    for (const place of ['in a transaction', 'outside'] as const)
      test(`${place}, is stored wholly, or not at all when a constraint says no`, async () => {
        const { database, checkout } = await prepare()
        const write = (writes: Parameters<typeof database.writeAll>[0]) =>
          place === 'outside' ? database.writeAll(writes) : database.transact((sql) => sql.writeAll(writes))
        const count = async (table: string) => (await database.rows(`SELECT * FROM ${table}`)).length
        await write([])
        await write([...newCheckoutWrite(checkout), ...mark(checkout.id, 0)])
        assert.deepEqual([await count('checkouts'), await count('changes')], [1, 1])
        const other = freshCheckout({ merchantId: TEA_MERCHANT.id })
        await assert.rejects(write([...newCheckoutWrite(other), ...mark(checkout.id, 0)]), Conflict)
        await assert.rejects(write(newCheckoutWrite(checkout)), Conflict)
        assert.deepEqual([await count('checkouts'), await count('changes')], [1, 1])
      })

    test('the update and the insert store the same of an attempt that stands', async () => {
      const { database, checkout } = await prepare()
      await database.writeAll(newCheckoutWrite(checkout))
      const cleared = freshAttempt(checkout, ATTEMPT_STATES.authenticated)
      const stored = async (standing: readonly Attempt[]) => {
        await database.writeAll(attemptsWrite([cleared], 0))
        await database.writeAll(attemptsWrite([{ ...cleared, state: ATTEMPT_STATES.unknown }], 0, standing))
        const rows = await database.rows('SELECT * FROM attempts')
        await database.rows('DELETE FROM attempts')
        return rows
      }
      const updated = await stored([cleared])
      assert.deepEqual([updated.length, updated[0]?.['state']], [1, 'unknown'])
      assert.notEqual(updated[0]?.['authentication'], null)
      assert.deepEqual(updated, await stored([]))
    })

    test('a second claim of a checkout is refused by the name of its index, beside whatever it is written', async () => {
      const { database, checkout } = await prepare()
      await database.writeAll(newCheckoutWrite(checkout))
      await database.writeAll(attemptsWrite([freshAttempt(checkout, ATTEMPT_STATES.charging)], 0))
      const second = attemptsWrite([freshAttempt(checkout, ATTEMPT_STATES.charging)], 0)
      await assert.rejects(
        database.transact((sql) => sql.writeAll([...second, ...mark(checkout.id, 1)])),
        (error) => error instanceof Conflict && error.constraint === 'attempts_one_may_move_money',
      )
    })
  })
})
