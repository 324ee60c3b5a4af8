import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAsking, nobodyAsks } from './asking.ts'

test('two calls at once are confirmed by one passkey, the next one asks again', async () => {
  const { setAsk, confirm } = createAsking()
  let asked = 0
  setAsk(async () => {
    asked += 1
    return true
  })
  assert.deepEqual(await Promise.all([confirm(), confirm()]), [true, true])
  assert.equal(asked, 1)
  assert.equal(await confirm(), true)
  assert.equal(asked, 2)
})

test('a session that ends while the passkey is asked for leaves no call waiting, and the next session asks anew', async () => {
  const { setAsk, confirm } = createAsking()
  setAsk(() => new Promise(() => undefined))
  const waiting = confirm()
  setAsk(nobodyAsks)
  assert.equal(await waiting, false)
  setAsk(async () => true)
  assert.equal(await confirm(), true)
})
