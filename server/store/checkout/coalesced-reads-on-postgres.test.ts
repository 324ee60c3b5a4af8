import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CheckoutSnapshot } from '#payment/checkout.ts'
import { ATTEMPT_STATES, NOW } from '#payment/testing/records.ts'
import { createPostgresDatabase } from '../../../proof/harness/databases.ts'
import { freshAttempt, freshCheckout } from '../../../proof/harness/fresh-records.ts'
import { insertCheckout, saveAttempt, saveMerchant } from '../../../proof/harness/save-records.ts'
import { MERCHANT_SETTINGS } from '../../../proof/harness/test-merchants.ts'
import type { Database } from '../engine/database.ts'
import { integer } from '../engine/columns.ts'
import { readMigrations } from '../engine/migrate.ts'
import { openPostgres } from '../engine/postgres.ts'
import { MANY_CHECKOUTS, readCheckoutSnapshot } from './checkout-reads.ts'
import { startCountingProxy } from '../engine/testing/postgres-proxy.ts'

describe('readings of checkouts on PostgreSQL', () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  let proxy: Awaited<ReturnType<typeof startCountingProxy>>
  let database: Database
  const open = freshCheckout()
  const moving = freshCheckout()
  const ofBooks = freshCheckout({ merchantId: 'books' })
  const refs = [
    { merchantId: 'tea', checkoutId: open.id },
    { merchantId: 'books', checkoutId: open.id },
    { merchantId: 'tea', checkoutId: moving.id },
    { merchantId: 'books', checkoutId: ofBooks.id },
    { merchantId: 'tea', checkoutId: 'a "quoted", {braced} \\ id' },
    { merchantId: 'tea', checkoutId: open.id },
  ]
  before(async () => {
    place = await createPostgresDatabase()
    proxy = await startCountingProxy(place.url)
    database = await openPostgres(proxy.url)
    await database.migrate(await readMigrations(), NOW)
    for (const id of ['tea', 'books']) await saveMerchant(database, { id, label: id, settings: MERCHANT_SETTINGS }, NOW)
    for (const checkout of [open, moving, ofBooks]) await insertCheckout(database, checkout)
    await saveAttempt(database, freshAttempt(moving, ATTEMPT_STATES.unknown))
  })
  after(async () => {
    await database.close()
    proxy.close()
    await place.drop()
  })

  test('those that are asked for together take one round trip, and say what each would say by itself', async () => {
    const alone: (CheckoutSnapshot | null)[] = []
    for (const ref of refs) alone.push(await readCheckoutSnapshot(database, ref))
    assert.deepEqual(
      alone.map((snapshot) => [snapshot?.checkout.id, snapshot?.inFlight?.state.name]),
      [
        [open.id, undefined],
        [undefined, undefined],
        [moving.id, 'unknown'],
        [ofBooks.id, undefined],
        [undefined, undefined],
        [open.id, undefined],
      ],
    )
    const trips = await proxy.tripsOf(async () =>
      assert.deepEqual(await Promise.all(refs.map((ref) => readCheckoutSnapshot(database, ref))), alone),
    )
    assert.equal(trips, 1)
  })

  test('inside a transaction each is a statement of that transaction', async () => {
    const [first, second] = await database.transact(async (sql) => {
      await sql.rows('UPDATE checkouts SET subject = $2 WHERE id = $1', open.id, 'changed')
      const inside = await readCheckoutSnapshot(sql, { merchantId: 'tea', checkoutId: open.id })
      return [inside, await readCheckoutSnapshot(database, { merchantId: 'tea', checkoutId: open.id })]
    })
    assert.deepEqual([first?.checkout.subject, second?.checkout.subject], ['changed', open.subject])
  })

  test('the statement of many is planned once a connection, not for each number of checkouts anew', async () => {
    const plans = await database.transact(async (sql) => {
      // As in a large table, where the length of the lists decides what a plan costs.
      await sql.rows('SET LOCAL enable_seqscan = off')
      for (let time = 1; time <= 10; time += 1) await sql.rows(MANY_CHECKOUTS, '{tea,tea}', `{${open.id},${moving.id}}`)
      return sql.rows('SELECT generic_plans AS kept FROM pg_prepared_statements WHERE statement = $1', MANY_CHECKOUTS)
    })
    // PostgreSQL plans the first five anew in any case.
    assert.ok(integer(plans[0] ?? {}, 'kept') >= 5, JSON.stringify(plans))
  })
})
