import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBinaries, startPostgres } from './postgres.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const NOWHERE = { system: '/no/such/folder', npm: '/no/such/folder' }

test('the newest system binaries from 15 on are used, by number', (t) => {
  const system = temporaryFolder(t, {
    '9.6/bin/initdb': '',
    '14/bin/initdb': '',
    '15/bin/initdb': '',
    '100/bin/initdb': '',
  })
  assert.deepEqual(findBinaries({ ...NOWHERE, system }), { kind: 'system binaries', folder: join(system, '100') })
})

test('client tools alone and versions before 15 are passed over for the npm package', (t) => {
  const folder = temporaryFolder(t, {
    'system/14/bin/initdb': '',
    'system/17/bin/psql': '',
    'npm/native/bin/initdb': '',
  })
  const found = findBinaries({ system: join(folder, 'system'), npm: join(folder, 'npm') })
  assert.deepEqual(found, { kind: 'npm package', folder: join(folder, 'npm/native') })
})

test('15 itself is enough', (t) => {
  const system = temporaryFolder(t, { '15/bin/initdb': '' })
  assert.equal(findBinaries({ ...NOWHERE, system })?.folder, join(system, '15'))
})

test('without any PostgreSQL the run fails and says how to get one', async () => {
  await assert.rejects(startPostgres({}, NOWHERE), /no PostgreSQL 15 or later .*install one .*TEST_DATABASE_URL/)
})

test('a server that was named but cannot be reached is not replaced by another', async () => {
  await assert.rejects(
    startPostgres({ TEST_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
    /TEST_DATABASE_URL cannot be reached .*: start that server, or unset the variable/,
  )
})
