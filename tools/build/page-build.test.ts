import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildInto, buildIsFresh, sourceHash } from './page-build.ts'
import { CommandError } from '../command-error.mjs'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const CONFIG = `export default ({ mode }) => ({
  publicDir: false,
  build: { lib: { entry: 'page/main.ts', formats: ['es'], fileName: () => (mode === 'server' ? 'render.js' : mode + '.js') } },
})`
const PAGE_FILES = {
  'page/main.ts': 'export const price = 1',
  'contract/yen.ts': 'export const yen = 1',
  'vite.config.ts': CONFIG,
}

test('a change of the page, the contract or the lockfile makes the build stale; a test does not', (t) => {
  const folder = temporaryFolder(t, { ...PAGE_FILES, 'package-lock.json': '{}' })
  const before = sourceHash(folder)
  assert.equal(sourceHash(folder), before)
  const hashes = new Set([before])
  for (const file of ['page/main.ts', 'contract/yen.ts', 'vite.config.ts', 'package-lock.json', 'page/new.css']) {
    writeFileSync(join(folder, file), `/* ${file} */`)
    hashes.add(sourceHash(folder))
  }
  assert.equal(hashes.size, 6)
  const after = sourceHash(folder)
  writeFileSync(join(folder, 'page/main.test.ts'), 'test')
  assert.equal(sourceHash(folder), after)
})

test('content that moves to another file makes the build stale', (t) => {
  const one = temporaryFolder(t, { 'page/a.ts': 'ab', 'page/b.ts': 'c' })
  const other = temporaryFolder(t, { 'page/a.ts': 'a', 'page/b.ts': 'bc' })
  assert.notEqual(sourceHash(one), sourceHash(other))
})

test('the same sources in two folders are the same build', (t) => {
  assert.equal(sourceHash(temporaryFolder(t, PAGE_FILES)), sourceHash(temporaryFolder(t, PAGE_FILES)))
})

test('outputs that were deleted, or were left without a stamp by a build that was killed, are built again', (t) => {
  const outputs = {
    'dist/client/x.js': '',
    'dist/server/render.js': '',
    'dist/console/x.js': '',
    'dist/watchdog/watchdog.js': '',
    'dist/pre-hydration/pre-hydration.js': '',
    'dist/scripts.json': '[]',
  }
  const folder = temporaryFolder(t, { ...PAGE_FILES, ...outputs })
  const stamp = join(folder, 'dist/.stamp')
  assert.equal(buildIsFresh(folder), false)
  writeFileSync(stamp, sourceHash(folder))
  for (const output of ['dist/scripts.json', 'dist/pre-hydration']) {
    assert.equal(buildIsFresh(folder), true)
    renameSync(join(folder, output), join(folder, 'aside'))
    assert.equal(buildIsFresh(folder), false)
    renameSync(join(folder, 'aside'), join(folder, output))
  }
})

test('a build is fresh until a source changes; one that fails leaves the previous page in place', async (t) => {
  const folder = temporaryFolder(t, PAGE_FILES)
  await buildInto(folder)
  assert.equal(buildIsFresh(folder), true)
  assert.equal(existsSync(join(folder, 'dist/.next')), false)
  const previous = readFileSync(join(folder, 'dist/client/client.js'), 'utf8')
  writeFileSync(join(folder, 'page/main.ts'), 'export const price = ')
  await assert.rejects(buildInto(folder), CommandError)
  assert.equal(readFileSync(join(folder, 'dist/client/client.js'), 'utf8'), previous)
  assert.equal(buildIsFresh(folder), false)
})
