import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openTestServer } from '../../proof/harness/test-server.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { reportError } from './challenge.ts'

test('an attempt abandoned because its pay got no answer is recorded with that reason, not as a challenge error', async () => {
  const { deps, createCheckout, startAttempt } = await openTestServer({ gateway: fakeGateway() })
  const orderCode = await startAttempt(await createCheckout())
  assert.deepEqual(await reportError(deps, TEA_MERCHANT, orderCode, 'challenge error'), {})
  const [change] = await deps.database.rows("SELECT subject, moved_to, why FROM changes WHERE moved_to = 'abandoned'")
  assert.deepEqual({ ...change }, { subject: `attempt ${orderCode}`, moved_to: 'abandoned', why: 'pay unanswered' })
})
