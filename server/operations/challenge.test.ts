import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countingGateway } from '../../proof/harness/counting-gateway.ts'
import { openShop, TEA } from '../../proof/harness/shop.ts'
import { reportError } from './challenge.ts'

test('an attempt given up because its pay got no answer is recorded as that, not as an error of a challenge', async () => {
  const { parts, create, start } = await openShop({ gateway: countingGateway() })
  const orderCode = await start(await create())
  assert.deepEqual(await reportError(parts, TEA, orderCode, 'challenge error'), {})
  const [change] = await parts.database.rows("SELECT subject, moved_to, why FROM changes WHERE moved_to = 'abandoned'")
  assert.deepEqual({ ...change }, { subject: `attempt ${orderCode}`, moved_to: 'abandoned', why: 'pay unanswered' })
})
