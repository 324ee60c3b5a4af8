import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { isRecord } from './is-record.mjs'
import { ROOT } from './root.ts'
import { environmentOutsideTests, waitUntil } from './testing/child-processes.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const lockfile = (version: string): string => JSON.stringify({ packages: { 'node_modules/shop': { version } } })

/** Installs what the lockfile names in the folder that it is called in. It waits while there is a file `wait` in the clone. */
const NPM = `const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
  const { dirname, join } = require('node:path')
  const clone = dirname(dirname(process.cwd()))
  appendFileSync(join(clone, 'calls'), process.argv.slice(2).join(' ') + '\\n')
  const write = (file, text) => (mkdirSync(dirname(file), { recursive: true }), writeFileSync(file, text))
  write('node_modules/half', '')
  const end = () => {
    if (existsSync(join(clone, 'wait'))) return setTimeout(end, 10)
    if (existsSync(join(clone, 'fail'))) return console.error('npm error EINTEGRITY'), process.exit(1)
    if (!existsSync(join(clone, 'no-node'))) write('node_modules/.bin/node', '')
    write('node_modules/shop', JSON.parse(readFileSync('package-lock.json', 'utf8')).packages['node_modules/shop'].version)
  }
  end()`

const cloneOf = (t: TestContext): string => {
  const folder = temporaryFolder(t, {
    'package.json': '{}',
    'package-lock.json': lockfile('1'),
    '.npmrc': 'ignore-scripts=true',
    'npm.cjs': NPM,
  })
  mkdirSync(join(folder, 'tools'))
  copyFileSync(join(ROOT, 'tools/install.mjs'), join(folder, 'tools/install.mjs'))
  return folder
}

const start = (t: TestContext, folder: string, script = 'start'): ChildProcess => {
  // The host's own Node where it is known: there is no other before the first install.
  const node = process.env['npm_node_execpath'] ?? process.execPath
  const child = spawn(node, ['tools/install.mjs'], {
    cwd: folder,
    env: {
      ...environmentOutsideTests(),
      npm_node_execpath: process.execPath,
      npm_execpath: join(folder, 'npm.cjs'),
      npm_lifecycle_event: script,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

const ended = async (child: ChildProcess): Promise<readonly [code: number | null, printed: string]> => {
  const [printed] = await Promise.all([child.stderr === null ? '' : text(child.stderr), once(child, 'close')])
  return [child.exitCode, printed]
}
const install = (t: TestContext, folder: string, script?: string) => ended(start(t, folder, script))
const callsIn = (folder: string): string[] =>
  existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n') : []
const installedIn = (folder: string): string => readFileSync(join(folder, 'node_modules/shop'), 'utf8')
const set = (folder: string, file: string): void => writeFileSync(join(folder, file), '')

test('a fresh clone gets the packages of its lockfile, whose programs do not run; the next start installs nothing', async (t) => {
  const folder = cloneOf(t)
  const [code, printed] = await install(t, folder)
  assert.equal(code, 0)
  assert.match(printed, /^installing packages…\npackages installed in [\d.]+ s\n$/)
  assert.equal(installedIn(folder), '1')
  assert.deepEqual(callsIn(folder), [
    'ci --ignore-scripts --include=dev --include=optional --no-audit --no-fund --loglevel=error',
  ])
  assert.deepEqual(await install(t, folder), [0, ''])
  assert.equal(callsIn(folder).length, 1)
  assert.deepEqual(readdirSync(join(folder, 'dist')), [])
})

test('another lockfile brings its own packages, and none of the former ones stays', async (t) => {
  const folder = cloneOf(t)
  await install(t, folder)
  set(folder, 'node_modules/former')
  writeFileSync(join(folder, 'package-lock.json'), lockfile('2'))
  assert.equal((await install(t, folder))[0], 0)
  assert.deepEqual([installedIn(folder), existsSync(join(folder, 'node_modules/former'))], ['2', false])
})

test('when npm fails, what it printed is shown and the packages stay as they were; kaikei ends with 2', async (t) => {
  const folder = cloneOf(t)
  await install(t, folder)
  writeFileSync(join(folder, 'package-lock.json'), lockfile('2'))
  set(folder, 'fail')
  const [code, printed] = await install(t, folder)
  assert.equal(code, 1)
  assert.match(printed, /npm error EINTEGRITY\nthe packages could not be installed \(npm ci; see above\)/)
  assert.equal(installedIn(folder), '1')
  assert.equal((await install(t, folder, 'kaikei'))[0], 2)
})

test('an install that is killed leaves nothing half installed, and the next start installs', async (t) => {
  const folder = cloneOf(t)
  set(folder, 'wait')
  const child = start(t, folder)
  const gone = ended(child)
  await waitUntil('npm is at work', () => callsIn(folder).length === 1)
  child.kill('SIGKILL')
  rmSync(join(folder, 'wait'))
  // npm, which is not killed, ends its work in a folder of its own.
  await gone
  assert.equal(existsSync(join(folder, 'node_modules')), false)
  assert.equal((await install(t, folder))[0], 0)
  assert.equal(installedIn(folder), '1')
})

test('two first starts at once both find all packages', async (t) => {
  const folder = cloneOf(t)
  set(folder, 'wait')
  const both = [start(t, folder), start(t, folder)].map(ended)
  await waitUntil('both are at work', () => callsIn(folder).length === 2)
  rmSync(join(folder, 'wait'))
  for (const [code] of await Promise.all(both)) assert.equal(code, 0)
  assert.equal(installedIn(folder), '1')
  assert.deepEqual(readdirSync(join(folder, 'dist')), [])
  assert.deepEqual(await install(t, folder), [0, ''])
})

test('a registry without a Node for this system is named as the reason', async (t) => {
  const folder = cloneOf(t)
  set(folder, 'no-node')
  const [code, printed] = await install(t, folder)
  assert.equal(code, 1)
  assert.match(printed, /npm has installed no Node: see that its registry has a Node 26 for this system/)
  assert.equal(existsSync(join(folder, 'node_modules')), false)
})

test('every npm script installs first, and then runs by the project’s own Node', () => {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const scripts = isRecord(manifest) && isRecord(manifest['scripts']) ? Object.values(manifest['scripts']) : []
  assert.ok(scripts.length > 10)
  for (const script of scripts)
    assert.match(String(script), /^node tools\/install\.mjs && exec node_modules\/\.bin\/(node [\w/.-]+\.ts|oxfmt)\b/)
})
