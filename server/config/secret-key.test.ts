import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openSqliteInMemory } from '../../proof/harness/databases.ts'
import { isSecretKeyOf } from '../store/secret-key-check.ts'
import { readSecretKey, SECRET_KEY_FILE } from './secret-key.ts'

const temporaryFolder = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-key-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

test('a server without SECRET_KEY makes one at its first start, for its user alone, and keeps it', async (t) => {
  const dataDir = await temporaryFolder(t)
  const first = await readSecretKey({ secretKey: null, dataDir })
  assert.ok('secretKey' in first)
  assert.match(first.secretKey, /^[0-9a-f]{64}$/)
  const path = join(dataDir, SECRET_KEY_FILE)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal(await readFile(path, 'utf8'), `${first.secretKey}\n`)
  assert.deepEqual(await readSecretKey({ secretKey: null, dataDir }), first)
  assert.deepEqual(await readSecretKey({ secretKey: 'k'.repeat(32), dataDir }), { secretKey: 'k'.repeat(32) })
})

test('a file that was emptied by a power cut is made anew, and one that holds something else is refused by name', async (t) => {
  const dataDir = await temporaryFolder(t)
  const path = join(dataDir, SECRET_KEY_FILE)
  await writeFile(path, '')
  assert.ok('secretKey' in (await readSecretKey({ secretKey: null, dataDir })))
  for (const text of ['x\n', `${'0'.repeat(63)}\n`, `${'0'.repeat(64)}`]) {
    await writeFile(path, text)
    const reading = await readSecretKey({ secretKey: null, dataDir })
    assert.ok('problem' in reading && reading.problem.includes(path), text)
  }
})

test('a database goes with the first key that it met, and with no other', async () => {
  const database = await openSqliteInMemory()
  assert.equal(await isSecretKeyOf(database, 'one'), true)
  assert.equal(await isSecretKeyOf(database, 'one'), true)
  assert.equal(await isSecretKeyOf(database, 'two'), false)
  const [row] = await database.rows('SELECT * FROM secret_key_check')
  assert.doesNotMatch(JSON.stringify(row), /one/)
})
