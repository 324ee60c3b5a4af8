import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openSqliteInMemory } from '../../proof/harness/databases.ts'
import { adoptSecretKeys } from '../store/engine/secret-key-check.ts'
import { newSecretKey, readSecretKeys, SECRET_KEY_FILE, writeSecretKeys } from './secret-key.ts'

const temporaryFolder = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-key-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

test('keys are written for their user alone, and read in their order; those of the environment come before the file', async (t) => {
  const dataDir = await temporaryFolder(t)
  const place = { secretKey: null, earlierSecretKeys: [], dataDir }
  assert.deepEqual(await readSecretKeys(place), { keys: [] })
  const keys = [newSecretKey(), newSecretKey()]
  assert.match(keys[0] ?? '', /^[0-9a-f]{64}$/)
  await writeSecretKeys(dataDir, keys)
  const path = join(dataDir, SECRET_KEY_FILE)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.equal(await readFile(path, 'utf8'), `${keys.join('\n')}\n`)
  assert.deepEqual(await readdir(dataDir), [SECRET_KEY_FILE])
  assert.deepEqual(await readSecretKeys(place), { keys })
  const [secretKey, earlier] = ['k'.repeat(32), 'e'.repeat(32)]
  assert.deepEqual(await readSecretKeys({ secretKey, earlierSecretKeys: [earlier], dataDir }), {
    keys: [secretKey, earlier],
  })
})

test('a file that was emptied by a power cut holds no key, and one that holds something else is refused by name', async (t) => {
  const dataDir = await temporaryFolder(t)
  const place = { secretKey: null, earlierSecretKeys: [], dataDir }
  const path = join(dataDir, SECRET_KEY_FILE)
  await writeFile(path, '')
  assert.deepEqual(await readSecretKeys(place), { keys: [] })
  for (const text of ['x\n', `${'0'.repeat(63)}\n`, `${'0'.repeat(64)}`, `${'0'.repeat(64)}\nx\n`]) {
    await writeFile(path, text)
    const reading = await readSecretKeys(place)
    assert.ok('problem' in reading && reading.problem.includes(path), text)
  }
})

test('a key that a crash left half written is not read', async (t) => {
  const dataDir = await temporaryFolder(t)
  const keys = [newSecretKey()]
  await writeSecretKeys(dataDir, keys)
  await writeFile(join(dataDir, `${SECRET_KEY_FILE}.part`), 'abc')
  assert.deepEqual(await readSecretKeys({ secretKey: null, earlierSecretKeys: [], dataDir }), { keys })
})

test('a database goes with the first key that it met, with one that this key stands behind, and with no other', async () => {
  const database = await openSqliteInMemory()
  assert.equal(await adoptSecretKeys(database, ['one']), true)
  assert.equal(await adoptSecretKeys(database, ['one']), true)
  assert.equal(await adoptSecretKeys(database, ['two']), false)
  assert.equal(await adoptSecretKeys(database, ['two', 'one']), true)
  assert.equal(await adoptSecretKeys(database, ['two']), true)
  assert.equal(await adoptSecretKeys(database, ['one']), false)
  const rows = await database.rows('SELECT * FROM secret_key_check')
  assert.equal(rows.length, 1)
  assert.doesNotMatch(JSON.stringify(rows), /one|two/)
})
