import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DUE_AHEAD_MAX_MS } from '#payment/doubt.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { API_KEYS } from '../../../proof/harness/test-merchants.ts'
import type { Database } from '../engine/database.ts'
import { countPastDeadline, findInquiriesDue, findPastDeadline } from './due-checkouts.ts'

describe('checkouts about which something is due', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    let database: Database
    const ids: string[] = []
    before(async () => {
      shop = await openMerchantClient(await open())
      database = shop.server.deps.database
      for (let made = 0; made < 6; made += 1) {
        const merchant = made < 4 ? 'tea' : 'books'
        const id = await shop.server.createCheckout({}, API_KEYS[merchant])
        await shop.server.submitCard(id, {}, merchant)
        ids.push(id)
      }
    })
    const setDue = async (place: number, dueAt: number | null): Promise<void> => {
      await database.rows('UPDATE attempts SET due_at = $2 WHERE checkout_id = $1', ids[place] ?? '', dueAt)
    }
    const placesOf = (found: readonly { readonly checkoutId: string }[]): number[] =>
      found.map(({ checkoutId }) => ids.indexOf(checkoutId))

    test('the longest waiting inquiry of each merchant comes first, and what a clock was set ahead for is due too', async () => {
      const now = shop.clock.now()
      const dueAt = [now - 9, now - 8, now - 7, now + 1, now - 1, now + DUE_AHEAD_MAX_MS + 1]
      for (const [place, at] of dueAt.entries()) await setDue(place, at)
      const all = placesOf(await findInquiriesDue(database, now, 50))
      assert.deepEqual(all, [0, 4, 5, 1, 2])
      assert.deepEqual(placesOf(await findInquiriesDue(database, now, 2)), [0, 4])
      assert.deepEqual(placesOf(await findInquiriesDue(database, now - 5, 50)), [0, 5, 1, 2])
      for (const place of ids.keys()) await setDue(place, null)
      assert.deepEqual(await findInquiriesDue(database, now, 50), [])
    })

    test('those past their deadline are counted up to a number', async () => {
      const later = shop.clock.now() + 365 * 86_400_000
      assert.equal((await findPastDeadline(database, later, 50)).length, 6)
      assert.equal(await countPastDeadline(database, later, 4), 4)
      assert.equal(await countPastDeadline(database, later, 100), 6)
    })
  })
})
