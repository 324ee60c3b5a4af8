import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../../proof/harness/merchant-client.ts'
import { untilBlocked } from '../../../proof/harness/until-blocked.ts'
import type { Database, Sql } from '../engine/database.ts'
import { integer } from '../engine/columns.ts'
import { listEvents } from './event-list.ts'
import { FANNED_OUT_AT_ONCE, fanOut } from './fan-out.ts'

const TEA = { merchantId: 'tea-id', mode: 'test' } as const

describe('the list of events', { concurrency: 1 }, () => {
  onBothDatabases(({ name, open }) => {
    let shop: MerchantClient
    let database: Database
    before(async () => {
      shop = await openMerchantClient(await open())
      ;({ database } = shop.server.deps)
    })
    const paid = async (): Promise<string> => (await shop.createPaid()).id
    const listed = async (): Promise<(string | undefined)[]> => {
      const { items } = await listEvents(database, TEA, {}, { after: null, limit: 50 })
      return items.map(({ data }) => data.checkout?.id)
    }
    const fanned = (): Promise<number> => fanOut(database, shop.clock.now())

    test('an event is listed when it is fanned out, and each has a place of its own, whatever the clock says', async () => {
      const first = await paid()
      assert.deepEqual(await listed(), [])
      await fanned()
      const second = await paid()
      const third = await paid()
      // A worker whose clock is behind that of the one before.
      assert.equal(await fanOut(database, shop.clock.now() - 60_000), 2)
      const places = await database.rows('SELECT fanned_out_at FROM events ORDER BY fanned_out_at')
      assert.equal(new Set(places.map((row) => integer(row, 'fanned_out_at'))).size, 3)
      const [newest, middle, oldest] = await listed()
      assert.deepEqual([oldest, new Set([newest, middle])], [first, new Set([second, third])])
    })

    test('events of one moment are listed in the order in which they happened', async () => {
      const { id } = await shop.createPaid()
      await shop.refund(id, { refundId: 'r1' })
      await fanned()
      const { items } = await listEvents(database, TEA, {}, { after: null, limit: 3 })
      assert.deepEqual(
        items.map(({ sequence }) => sequence),
        [3, 2, 1],
      )
    })

    test('of two that fan out at once the one that ends later comes behind the other', async (t) => {
      const gate = Promise.withResolvers<void>()
      t.after(() => gate.resolve())
      const reached = Promise.withResolvers<void>()
      const slow: Database = {
        ...database,
        transact: (work) =>
          database.transact((sql) => {
            const held: Sql = {
              ...sql,
              writeAll: async (writes) => {
                reached.resolve()
                await gate.promise
                await sql.writeAll(writes)
              },
            }
            return work(held)
          }),
      }
      const early = await paid()
      const first = fanOut(slow, shop.clock.now())
      await reached.promise
      const isPostgres = name === 'PostgreSQL'
      // On the embedded database a transaction waits for the one before it.
      const late = isPostgres ? await paid() : null
      let isSecondDone = false
      const second = fanned().then((count) => {
        isSecondDone = true
        return count
      })
      await untilBlocked(database, second)
      assert.equal(isSecondDone, false)
      gate.resolve()
      assert.deepEqual([await first, await second], [1, isPostgres ? 1 : 0])
      assert.deepEqual((await listed()).slice(0, isPostgres ? 2 : 1), late === null ? [early] : [late, early])
    })

    test('more events than one round takes are all listed, by rounds one after another', async () => {
      const before = (await listed()).length
      const [row] = await database.rows('SELECT data FROM events LIMIT 1')
      for (let each = 0; each <= FANNED_OUT_AT_ONCE; each += 1)
        await database.rows(
          `INSERT INTO events (merchant_id, id, mode, type, checkout_id, sequence, data, created_at)
           VALUES ('tea-id', $1, 'test', 'checkout.paid', $1, 1, $2, $3)`,
          `evt_${String(each).padStart(3, '0')}`,
          String(row?.['data']),
          shop.clock.now() - each,
        )
      assert.deepEqual([await fanned(), await fanned(), await fanned()], [FANNED_OUT_AT_ONCE, 1, 0])
      const { items, after } = await listEvents(database, TEA, {}, { after: null, limit: 50 })
      const rest = await listEvents(database, TEA, {}, { after, limit: 50 })
      assert.equal(items.length + rest.items.length, before + FANNED_OUT_AT_ONCE + 1)
      assert.equal(items[0]?.id, 'evt_000')
    })
  })
})
