import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { searchTerms } from '#payment/checkout-search.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient } from '../../../proof/harness/merchant-client.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import type { Place } from '../engine/list-page.ts'
import { EXAMINED_MAX } from './checkout-list.ts'
import { searchCheckouts } from './checkout-search.ts'

describe('one text searched by several indexes', () => {
  onBothDatabases(({ open }) => {
    test('what each finds is merged newest first, though one of them must look at more rows than a page may', async () => {
      const client = await openMerchantClient(await open())
      const { database } = client.server.deps
      const wanted: string[] = []
      for (let place = 0; place < 24; place += 1) {
        // By its amount, by its reference, by both, and by neither.
        const amount = place % 3 === 0 ? { amount: 4242 } : {}
        const { id } = await client.create({ ...amount, ...(place % 4 === 0 ? { reference: '4242' } : {}) })
        if (place % 3 === 0 || place % 4 === 0) wanted.unshift(id)
        client.clock.advance(1)
      }
      const cancelled = await client.create({ reference: '4242' })
      await client.send(`/checkouts/${cancelled.id}/cancel`, { method: 'POST' })
      const columns = Object.keys((await database.rows('SELECT * FROM checkouts WHERE id = $1', cancelled.id))[0] ?? {})
      const copied = columns.map((name) => (name === 'id' ? `'copy' || n` : name))
      await database.rows(
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${EXAMINED_MAX + 5})
         INSERT INTO checkouts (${columns.join()}) SELECT ${copied.join()} FROM checkouts CROSS JOIN numbers WHERE id = $1`,
        cancelled.id,
      )
      for (const limit of [1, 5, 100]) {
        const seen: string[] = []
        let after: Place | null = null
        do {
          const page = await searchCheckouts(
            database,
            { merchantId: TEA_MERCHANT.id, mode: 'test' },
            { terms: searchTerms('4242'), filters: { status: 'open' } },
            { after, limit },
            client.clock.now(),
          )
          assert.ok(page.items.length <= limit)
          seen.push(...page.items.map(({ checkout }) => checkout.id))
          after = page.after
        } while (after !== null && seen.length <= wanted.length)
        assert.deepEqual(seen, wanted, `pages of ${limit}`)
      }
    })
  })
})
