import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openTestOperator, type TestOperator } from '../../../../proof/harness/test-operator.ts'

describe('an operator and payments in doubt', () => {
  let operator: TestOperator
  before(async () => {
    operator = await openTestOperator()
  })

  test('sees a payment in doubt of any shop', async () => {
    const { server } = operator
    const id = await server.createCheckout()
    await server.pay(id, await server.startAttempt(id))
    const { items, isMore, held } = (await operator.call('GET', '/doubts')).json<{
      items: { checkoutId: string; shop: string; kind: string; amount: number }[]
      isMore: boolean
      held: number
    }>()
    assert.deepEqual(
      items.map(({ checkoutId, shop, kind, amount }) => ({ checkoutId, shop, kind, amount })),
      [{ checkoutId: id, shop: 'tea', kind: 'charge', amount: 1980 }],
    )
    assert.deepEqual([isMore, held], [false, 0])
  })
})
