import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openTestServer } from '../../proof/harness/test-server.ts'
import { hasPeople } from '../store/people/people.ts'
import { setupLines } from './links.ts'

test('a start names the link of the setup, or why there is no console', async () => {
  const { deps } = await openTestServer({ gateway: fakeGateway() })
  assert.equal(await hasPeople(deps.database), false)
  assert.match((await setupLines(deps)).join(), /^console: http:\/\/console\.localhost:3000\//)
  const lan = { ...deps, publicBase: new URL('http://pay.lan') }
  assert.match((await setupLines(lan)).join(), /^no console: http:\/\/pay\.lan has no console.*PUBLIC_BASE/)
})
