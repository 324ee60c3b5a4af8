import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ROOT } from '../root.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const LISTED = ['bin/node', 'kaikei', 'node_modules/pg/a b.js', 'tools/run/release-main.ts']
const RAN = [0, 'ran doctor production\n', '']

/** A release whose Node only says what it was given. */
const unpackedRelease = (t: TestContext): string => {
  const folder = temporaryFolder(t, {
    'bin/node': '#!/bin/sh\necho ran "$2" $NODE_ENV\n',
    'node_modules/pg/a b.js': 'pay()',
    'tools/run/release-main.ts': 'run()',
    'elsewhere/notes': '',
  })
  copyFileSync(join(ROOT, 'tools/release/kaikei.sh'), join(folder, 'kaikei'))
  for (const program of ['bin/node', 'kaikei']) chmodSync(join(folder, program), 0o755)
  const hashOf = (path: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex')
  writeFileSync(join(folder, 'SHA256SUMS'), LISTED.map((path) => `${hashOf(path)}  ${path}\n`).join(''))
  return folder
}

const run = (cwd: string, program: string, env: NodeJS.ProcessEnv = {}) => {
  const { status, stdout, stderr } = spawnSync(program, ['doctor'], {
    encoding: 'utf8',
    cwd,
    env: { PATH: process.env['PATH'], ...env },
  })
  return [status, stdout, stderr] as const
}

test('it runs from any folder, through a link, and where CDPATH knows a folder of the same name', (t) => {
  const folder = unpackedRelease(t)
  assert.deepEqual(run(join(folder, 'elsewhere'), '../kaikei'), RAN)
  assert.deepEqual(run('/', join(folder, 'kaikei')), RAN)
  symlinkSync('../kaikei', join(folder, 'elsewhere/linked'))
  assert.deepEqual(run(folder, 'elsewhere/linked'), RAN)
  const other = temporaryFolder(t, { 'here/kaikei': '' })
  const beside = temporaryFolder(t, {})
  symlinkSync(folder, join(beside, 'here'))
  assert.deepEqual(run(beside, 'here/kaikei', { CDPATH: other }), RAN)
})

test('the file in which one byte has changed is named, and nothing is run', (t) => {
  const folder = unpackedRelease(t)
  for (const path of ['node_modules/pg/a b.js', 'bin/node']) {
    const before = readFileSync(join(folder, path))
    const flipped = Buffer.from(before)
    flipped.writeUInt8(flipped.readUInt8(3) ^ 1, 3)
    writeFileSync(join(folder, path), flipped)
    const [status, stdout, stderr] = run(folder, './kaikei')
    assert.deepEqual([status, stdout], [2, ''])
    assert.ok(stderr.startsWith(`${path}: FAILED\n`), stderr)
    writeFileSync(join(folder, path), before)
  }
})

test('a link to the right bytes is named and not run: Node would import what stands beside them', (t) => {
  for (const path of ['bin/node', 'tools/run/release-main.ts', 'tools']) {
    const folder = unpackedRelease(t)
    renameSync(join(folder, path), join(folder, 'elsewhere/moved'))
    symlinkSync(join(folder, 'elsewhere/moved'), join(folder, path))
    const said = `kaikei: ${path} is a link, so nothing is run: unpack the release anew.\n`
    assert.deepEqual(run(folder, './kaikei'), [2, '', said])
  }
})

test('where nothing can compare hashes, nothing is run, and the line says what is missing', (t) => {
  const folder = unpackedRelease(t)
  mkdirSync(join(folder, 'programs'))
  symlinkSync('/bin/sh', join(folder, 'programs/sh'))
  const [status, stdout, stderr] = run(folder, './kaikei', { PATH: join(folder, 'programs') })
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /^kaikei: sha256sum is not there, so .* nothing is run: install coreutils\.\n$/)
})
