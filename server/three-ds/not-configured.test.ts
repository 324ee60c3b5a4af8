import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threeDSServerNotConfigured } from './not-configured.ts'
import { testOrder, testAuthenticationRequest } from '../../proof/harness/fake-active-server.ts'

test('without a 3-D Secure server no card is authenticated, and none counts as not enrolled', async () => {
  const request = testAuthenticationRequest('https://api.pay.test')
  const { requestorTransId } = request.session
  const absent = { outcome: 'unavailable', why: 'no 3-D Secure server is configured' }
  assert.deepEqual(await threeDSServerNotConfigured.start(testOrder()), absent)
  assert.deepEqual(await threeDSServerNotConfigured.authenticate(request), absent)
  assert.deepEqual(await threeDSServerNotConfigured.result(request.session, request), absent)
  await threeDSServerNotConfigured.abandon(request.session, 'shown', request)
  const event = new Map(Object.entries({ event: 'AuthResultReady', requestorTransId }))
  assert.deepEqual(threeDSServerNotConfigured.event(request.session, event), { hint: 'nothing' })
})
