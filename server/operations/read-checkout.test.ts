import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateAsRead } from '#payment/checkout.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openPostgresDatabase } from '../../proof/harness/databases.ts'
import { openTestServer } from '../../proof/harness/test-server.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { lockCheckout } from '../store/checkout/transitions.ts'
import { readAfterInquiry, readCheckout } from './read-checkout.ts'

const DAY_MS = 86_400_000

test('a deadline that passes while a checkout is being read does not make the reading expired: a claim may have been in time', async () => {
  const { deps, clock, createCheckout } = await openTestServer({ gateway: fakeGateway() })
  const ref = { merchantId: TEA_MERCHANT.id, checkoutId: await createCheckout() }
  const { database } = deps
  const late: typeof deps = {
    ...deps,
    database: {
      ...database,
      rows: async (...asked) => {
        const rows = await database.rows(...asked)
        clock.advance(8 * DAY_MS)
        return rows
      },
    },
  }
  const reading = await readCheckout(late, ref)
  assert.ok(reading !== null && reading.now < reading.checkout.validUntil)
  assert.equal(stateAsRead(reading, reading.now).status, 'open')
})

test('a checkout that reads as expired is stored as expired first', async () => {
  const { deps, clock, createCheckout } = await openTestServer({ gateway: fakeGateway() })
  const ref = { merchantId: TEA_MERCHANT.id, checkoutId: await createCheckout() }
  clock.advance(8 * DAY_MS)
  const reading = await readAfterInquiry(deps, ref)
  assert.equal(reading?.checkout.state.status, 'expired')
  const changes = await deps.database.rows('SELECT subject, moved_to, why FROM changes ORDER BY version, place')
  assert.deepEqual(
    changes.map((row) => Object.values(row).join(' ')),
    ['checkout expired deadline'],
  )
})

test('to a key of the other mode a checkout is none, and nothing is changed by its asking', async () => {
  const { deps, clock, createCheckout } = await openTestServer({ gateway: fakeGateway() })
  const ref = { merchantId: TEA_MERCHANT.id, checkoutId: await createCheckout() }
  clock.advance(8 * DAY_MS)
  assert.equal(await readAfterInquiry(deps, { ...ref, mode: 'live' }), null)
  assert.equal((await readCheckout(deps, ref))?.checkout.state.status, 'open', 'its expiry is not stored')
  assert.equal((await readAfterInquiry(deps, { ...ref, mode: 'test' }))?.checkout.state.status, 'expired')
})

test('past the deadline a checkout reads open while a transaction has it locked: its claim may be about to commit', async () => {
  const { database, close } = await openPostgresDatabase()
  const { deps, clock, createCheckout, readCheckout: read } = await openTestServer({ gateway: fakeGateway(), database })
  const ref = { merchantId: TEA_MERCHANT.id, checkoutId: await createCheckout() }
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = database.transact(async (sql) => {
    await lockCheckout(sql, ref)
    held.resolve()
    await release.promise
  })
  await held.promise
  clock.advance(8 * DAY_MS)
  const reading = await readAfterInquiry(deps, ref)
  assert.ok(reading !== null)
  assert.equal(stateAsRead(reading, reading.now).status, 'open')
  release.resolve()
  await holding
  assert.equal((await read(ref.checkoutId)).json<{ status: string }>().status, 'expired')
  await close()
})
