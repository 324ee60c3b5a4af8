import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import type { Database } from '../engine/database.ts'
import { PENDING_FEW } from './checkout-list-conditions.ts'
import { countPendingOfLink } from './reusable-links.ts'

const LINK = 'a'.repeat(32)
const SCOPE = { merchantId: 'tea-id', mode: 'test' } as const

describe('pending checkouts of a shop whose open checkouts are held after a restore', { concurrency: 1 }, () => {
  onBothDatabases(({ open }) => {
    let shop: MerchantClient
    let database: Database
    /** The newest first. */
    const ids: string[] = []
    let doubtful = ''
    before(async () => {
      shop = await openMerchantClient(await open())
      database = shop.server.deps.database
      for (let made = 0; made <= PENDING_FEW; made += 1) {
        ids.unshift((await shop.create({ reference: made % 2 === 0 ? 'even' : 'odd' })).id)
        shop.clock.advance(1)
      }
      doubtful = ids[3] ?? ''
      await shop.server.submitCard(doubtful)
      await database.rows("UPDATE attempts SET state = 'unknown' WHERE checkout_id = $1", doubtful)
    })
    const hold = async (held: readonly string[]): Promise<void> => {
      await database.rows('UPDATE checkouts SET held_since = NULL')
      for (const id of held) await database.rows('UPDATE checkouts SET held_since = 1 WHERE id = $1', id)
    }
    const listed = async (query: string): Promise<string[]> =>
      (await shop.all<{ id: string }>(`/checkouts${query}`, 40)).map(({ id }) => id)

    // The doubtful one is counted as well: below, at and above what is read as a whole.
    for (const held of [0, PENDING_FEW - 1, PENDING_FEW])
      test(`with ${held} of them held and one in doubt each is listed once, and no other`, async () => {
        const others = ids.filter((id) => id !== doubtful)
        await hold(others.slice(0, held))
        const pending = ids.filter((id) => id === doubtful || others.indexOf(id) < held)
        const notPending = ids.filter((id) => !pending.includes(id))
        const evenIds = ids.filter((_, place) => place % 2 === 0)
        assert.deepEqual(await listed('?pending=true'), pending)
        assert.deepEqual(await listed('?pending=true&status=open'), pending)
        assert.deepEqual(
          await listed('?pending=true&reference=even'),
          pending.filter((id) => evenIds.includes(id)),
        )
        assert.deepEqual(await listed('?pending=true&status=paid'), [])
        assert.deepEqual(await listed('?pending=false'), notPending)
        assert.deepEqual(await listed('?status=open'), ids)
      })

    test('a link counts its own pending checkouts, up to a number', async () => {
      await hold(ids.slice(0, 6))
      await database.rows('UPDATE checkouts SET link_id = NULL')
      const ofLink = { ...SCOPE, id: LINK }
      assert.equal(await countPendingOfLink(database, ofLink, 50), 0)
      // The doubtful one is both held and in doubt; the last two are neither.
      for (const id of [...ids.slice(2, 5), ...ids.slice(-2)])
        await database.rows('UPDATE checkouts SET link_id = $2 WHERE id = $1', id, LINK)
      assert.equal(await countPendingOfLink(database, ofLink, 50), 3)
      assert.equal(await countPendingOfLink(database, ofLink, 3), 3)
      assert.equal(await countPendingOfLink(database, ofLink, 2), 2)
      await hold([])
      assert.equal(await countPendingOfLink(database, ofLink, 50), 1)
    })
  })
})
