import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ThreeDSServer } from '#payment/three-ds-port.ts'
import { TEST_ACCOUNT } from '../../proof/harness/fake-active-server.ts'
import { createLog } from '../log.ts'
import { errorsAsUnavailable } from './wrap-three-ds-server.ts'

const throws = (): never => {
  throw new Error('4242424242424242 is not a card of mine')
}

test('a 3-D Secure adapter that throws is a server that is unavailable, and its error message stays out of the log', async () => {
  const logged: string[] = []
  const failing = { start: throws, authenticate: throws, result: throws, abandon: throws, event: throws }
  const log = createLog(
    'debug',
    (line) => logged.push(line),
    () => 0,
  )
  const server: ThreeDSServer = errorsAsUnavailable(failing, log)
  const session = { requestorTransId: 'r', serverTransId: 's', authUrl: 'https://3ds.example.com', challenge: null }
  const unavailable = { outcome: 'unavailable', why: 'the 3-D Secure adapter failed' }
  assert.deepEqual(await server.result(session, TEST_ACCOUNT), unavailable)
  assert.equal(await server.abandon(session, 'shown', TEST_ACCOUNT), undefined)
  assert.equal(logged.length, 2)
  for (const line of logged) assert.doesNotMatch(line, /card of mine|4242/)
})
