import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { DAY_MS } from '#contract/jst.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { statusAndCode } from '../../proof/harness/error-answers.ts'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { API_KEYS } from '../../proof/harness/test-merchants.ts'
import { workOnce } from '../background/worker.ts'
import { integer } from '../store/engine/columns.ts'

const BODY = { amount: 1980, subject: 'Tea' }

describe('a checkout that is created under an Idempotency-Key', () => {
  onBothDatabases(({ open }) => {
    const client = async (): Promise<MerchantClient> => openMerchantClient(await open())
    const post = ({ send }: MerchantClient, key: string, payload: object = BODY, apiKey = API_KEYS.tea) =>
      send('/checkouts', { method: 'POST', payload, headers: { 'idempotency-key': key }, key: apiKey })
    const count = async ({ server }: MerchantClient, table = 'checkouts'): Promise<number> =>
      integer((await server.deps.database.rows(`SELECT COUNT(*) AS total FROM ${table}`))[0] ?? {}, 'total')

    test('300 at once under 30 keys are 30 checkouts, and every caller is told the one of its key', async () => {
      const merchant = await client()
      const answers = await Promise.all(
        Array.from({ length: 300 }, async (_, place) => {
          const key = `order-${place % 30}`
          const answer = await post(merchant, key, { ...BODY, reference: key })
          assert.equal(answer.statusCode, 201, answer.body)
          const { id, reference } = answer.json<MerchantCheckoutAnswer>()
          return { key, id, reference, replayed: answer.headers['idempotent-replayed'] }
        }),
      )
      assert.equal(await count(merchant), 30)
      assert.equal(await count(merchant, 'idempotency_keys'), 30)
      const idOfKey = new Map(answers.map(({ key, id }) => [key, id]))
      assert.equal(new Set(idOfKey.values()).size, 30)
      for (const { key, id, reference } of answers) assert.deepEqual([id, reference], [idOfKey.get(key), key])
      assert.equal(answers.filter(({ replayed }) => replayed === undefined).length, 30)
      assert.equal(answers.filter(({ replayed }) => replayed === 'true').length, 270)
    })

    test('a creation whose answer was lost is found by its key, as it stands now', async () => {
      const merchant = await client()
      const first = (await post(merchant, 'k')).json<MerchantCheckoutAnswer>()
      await merchant.send(`/checkouts/${first.id}/cancel`, { method: 'POST' })
      const again = await post(merchant, 'k')
      assert.deepEqual([again.statusCode, again.headers['idempotent-replayed']], [201, 'true'])
      assert.deepEqual(again.json(), { ...first, status: 'cancelled' })
    })

    test('quotes and the order of fields make no difference', async () => {
      const merchant = await client()
      const first = (await post(merchant, 'k-1', { amount: 5, subject: 'a' })).json<{ id: string }>()
      assert.equal((await post(merchant, '"k-1"', { subject: 'a', amount: 5 })).json<{ id: string }>().id, first.id)
    })

    test('the same key with another body is refused by name, and nothing is created', async () => {
      const merchant = await client()
      await post(merchant, 'k')
      assert.deepEqual(statusAndCode(await post(merchant, 'k', { ...BODY, amount: 1 })), [
        422,
        'idempotency_key_reused',
      ])
      assert.equal(await count(merchant), 1)
    })

    test('another merchant and another key are other creations', async () => {
      const merchant = await client()
      const ids = [
        await post(merchant, 'k'),
        await post(merchant, 'k', BODY, API_KEYS.books),
        await post(merchant, 'l'),
      ]
      assert.equal(new Set(ids.map((answer) => answer.json<{ id: string }>().id)).size, 3)
    })

    test('a refused body consumes no key', async () => {
      const merchant = await client()
      assert.equal((await post(merchant, 'k', { amount: 1, validUntil: '2020-01-01' })).statusCode, 400)
      const answer = await post(merchant, 'k')
      assert.deepEqual([answer.statusCode, answer.headers['idempotent-replayed']], [201, undefined])
    })

    test('a body whose deadline has passed since is still answered with its checkout', async () => {
      const merchant = await client()
      const body = { ...BODY, validUntil: new Date(merchant.clock.now() + 60_000).toISOString() }
      const { id } = (await post(merchant, 'k', body)).json<{ id: string }>()
      merchant.clock.advance(61_000)
      const again = await post(merchant, 'k', body)
      const { id: sameId, status } = again.json<MerchantCheckoutAnswer>()
      assert.deepEqual([again.statusCode, sameId, status], [201, id, 'expired'])
      assert.equal((await post(merchant, 'other', body)).statusCode, 400)
    })

    test('after 24 hours a key is free again, whether the worker has deleted it or not', async () => {
      const merchant = await client()
      const first = (await post(merchant, 'k')).json<{ id: string }>()
      merchant.clock.advance(DAY_MS - 1)
      assert.equal((await post(merchant, 'k')).json<{ id: string }>().id, first.id)
      merchant.clock.advance(1)
      const second = (await post(merchant, 'k', { amount: 7 })).json<{ id: string }>()
      assert.notEqual(second.id, first.id)
      merchant.clock.advance(DAY_MS - 1)
      await workOnce(merchant.server.deps)
      assert.equal(await count(merchant, 'idempotency_keys'), 1)
      merchant.clock.advance(1)
      await workOnce(merchant.server.deps)
      assert.equal(await count(merchant, 'idempotency_keys'), 0)
    })
  })
})
