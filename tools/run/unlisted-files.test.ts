import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { listedPaths, unlistedFiles } from './unlisted-files.ts'

const HASH = 'a'.repeat(64)
const LISTED = ['kaikei', 'node_modules/pg/index.js', 'server/main.ts']
const FILES = Object.fromEntries(LISTED.map((path) => [path, '']))

test('paths are read from a list of sha256sum, also those with spaces', () => {
  assert.deepEqual(listedPaths(`${HASH}  kaikei\n${HASH}  dist/a b.js\n`), ['kaikei', 'dist/a b.js'])
})

test('a package or a link that was put among the released files is named', (t) => {
  const folder = temporaryFolder(t, FILES)
  assert.deepEqual(unlistedFiles(folder, LISTED), [])
  mkdirSync(join(folder, 'server/node_modules/pg'), { recursive: true })
  writeFileSync(join(folder, 'server/node_modules/pg/index.js'), '')
  assert.deepEqual(unlistedFiles(folder, LISTED), ['server/node_modules/pg/index.js'])
  symlinkSync('/tmp', join(folder, 'server/linked'))
  assert.equal(unlistedFiles(folder, LISTED).length, 2)
})

test('a link in the place of a released file or folder is named, though the bytes behind it are the right ones', (t) => {
  const folder = temporaryFolder(t, { ...FILES, 'elsewhere/server/main.ts': '' })
  rmSync(join(folder, 'server/main.ts'))
  symlinkSync('../elsewhere/server/main.ts', join(folder, 'server/main.ts'))
  assert.deepEqual(unlistedFiles(folder, LISTED), ['server/main.ts'])
  rmSync(join(folder, 'server'), { recursive: true })
  symlinkSync('elsewhere/server', join(folder, 'server'))
  assert.deepEqual(unlistedFiles(folder, LISTED), ['server'])
})

test('what an operator keeps beside them is not looked at', (t) => {
  const folder = temporaryFolder(t, { ...FILES, 'data/kaikei.db': '', 'notes.txt': '' })
  assert.deepEqual(unlistedFiles(folder, LISTED), [])
})
