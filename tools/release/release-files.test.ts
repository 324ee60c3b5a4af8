import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../root.ts'
import { readContents, sourcePaths } from './contents.ts'
import {
  importsOf,
  isReleased,
  isReleasedOfPackage,
  missingNeighbours,
  packagesImportedBy,
  RELEASE_MAIN,
} from './release-files.ts'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const ENTRIES = [RELEASE_MAIN, 'server/main.ts', 'sandbox/main.ts']

const targetOf = (path: string, specifier: string): string | undefined => {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : undefined
}

/** All sources of ours that run when one of these is run. */
const reached = (entries: readonly string[]): Set<string> => {
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    for (const specifier of importsOf(textOf(path))) {
      const target = targetOf(path, specifier)
      if (target !== undefined) visit(target)
    }
  }
  for (const entry of entries) visit(entry)
  return found
}

test('everything that server, sandbox and command line import is released', () => {
  const needed = reached(ENTRIES)
  assert.ok(needed.size > 150, `${needed.size}`)
  assert.deepEqual(
    [...needed].filter((path) => !isReleased(path) && !path.startsWith('sandbox/mailbox/')),
    [],
  )
})

test('the mailbox of the sandbox is imported by one line, which a release does not run, and its packages are not released', async () => {
  const importers = (await sourcePaths()).filter(
    (path) =>
      /^(server|sandbox|tools\/run)\/.*(?<!\.test)\.ts$/.test(path) &&
      !path.startsWith('sandbox/mailbox/') &&
      importsOf(textOf(path)).some((specifier) => targetOf(path, specifier)?.startsWith('sandbox/mailbox/')),
  )
  assert.deepEqual(importers, ['sandbox/main.ts'])
  assert.match(textOf('sandbox/main.ts'), /await import\('\.\/mailbox\/open-mailbox\.ts'\)/)
  const { server } = await readContents()
  assert.ok(!server.some(({ name }) => name === 'smtp-server' || name === 'postal-mime'))
})

/** Said in a clone alone: a release whose page is not whole is refused before this could be read. */
const NAMES_NPM = ['server/config/release.ts', 'server/http/page-build.ts']

test('nothing that is released sends its reader to npm, which is not there', async () => {
  const code = (path: string): string => textOf(path).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const sources = (await sourcePaths()).filter((path) => isReleased(path) && path.endsWith('.ts'))
  assert.deepEqual(
    sources.filter((path) => /npm (start|run|test|ci)\b/.test(code(path)) && !NAMES_NPM.includes(path)),
    [],
  )
})

test('of the tools nothing is released but what they import', async () => {
  const needed = reached(ENTRIES)
  const tools = (await sourcePaths()).filter((path) => path.startsWith('tools/') && isReleased(path))
  assert.deepEqual(
    tools.filter((path) => !needed.has(path)),
    [],
  )
})

test('no test, no journey, no proof and no source of the page is released; migrations and the built page are', async () => {
  const released = (await sourcePaths()).filter(isReleased)
  const strangers = released.filter((path) =>
    /\.(test|spec)\.|(^|\/)testing\/|^(page|ui|console|proof|journeys|bench)\//.test(path),
  )
  assert.deepEqual(strangers, [])
  assert.ok(released.includes('server/store/engine/migrations/0001-checkouts.sql'))
  for (const path of ['dist/client/assets/main.js.br', 'dist/server/render.js', 'dist/scripts.json'])
    assert.equal(isReleased(path), true, path)
  for (const path of [
    'dist/.stamp',
    'dist/journeys.json',
    'dist/kaikei-1.0.0-linux-x64.tar.gz',
    'package.json',
    'data/x',
  ])
    assert.equal(isReleased(path), false, path)
})

/** Where the links of a document lead inside of the project; a folder ends with a slash. */
const linksOf = (path: string): string[] =>
  [...textOf(path).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].map(([, link = '']) =>
    normalize(join(dirname(path), link)),
  )

test('an operator finds README, operations and changelog in the release, and every link in a released document leads on', async () => {
  const released = (await sourcePaths()).filter(isReleased)
  for (const path of ['README.md', 'CHANGELOG.md', 'docs/operations.md', 'docs/data.md', 'docs/command-line.md'])
    assert.ok(released.includes(path), path)
  const isThere = (target: string): boolean =>
    released.some((path) => path === target || path.startsWith(target.endsWith('/') ? target : `${target}/`))
  const documents = released.filter((path) => path.endsWith('.md'))
  assert.ok(documents.length > 50, `${documents.length}`)
  assert.deepEqual(
    documents.flatMap((path) => linksOf(path).flatMap((target) => (isThere(target) ? [] : [`${path}: ${target}`]))),
    [],
  )
  assert.equal(isThere('tools/'), true)
  assert.equal(isThere('proof/'), false)
})

test('the server’s packages and those inside the page are told apart', async () => {
  const { server, page } = await readContents()
  assert.ok(server.some(({ name }) => name === 'fastify'))
  assert.ok(page.some(({ name }) => name === 'react-dom'))
  assert.ok(!server.some(({ name }) => /^(react|vite|typescript|@playwright)/.test(name)))
})

test('packages are read from what runs: types are erased', () => {
  const source = "import type { X } from 'only-types'\nimport { a } from '@scope/name/lib/a.js'\nawait import('late')\n"
  assert.deepEqual(packagesImportedBy([source, "import fs from 'node:fs'\nimport '#contract/yen.ts'\n"]), [
    '@scope/name',
    'late',
  ])
})

test('of a package its programs, its data and its licence are released, and none of its tests', () => {
  for (const path of [
    'index.js',
    'lib/a.cjs',
    'dist/x.mjs',
    'package.json',
    'LICENSE',
    'license.md',
    'lib/latest/x.js',
    'dist/test-events.js',
    'lib/example-id.js',
  ])
    assert.equal(isReleasedOfPackage(path), true, path)
  for (const path of [
    'test/a.js',
    'lib/test/a.js',
    'a.test.js',
    'index.d.ts',
    'README.md',
    'x.js.map',
    'benchmark/b.js',
    'bench.js',
    'benchmark.js',
    'test.js',
    'example.mjs',
    'eslint.config.js',
    'tsconfig.json',
    '.runkit_example.js',
    'dist/.eslintrc.cjs',
  ])
    assert.equal(isReleasedOfPackage(path), false, path)
})

test('a program that asks for a file that was left out is found before anybody unpacks it', () => {
  const all = new Map([
    ['index.js', "require('./lib/a'); require('./test/data.json'); require('ms')"],
    ['lib/a.js', "import x from '../test'; import('./gone.js')"],
    ['test/data.json', '{}'],
    ['test/index.js', ''],
  ])
  assert.deepEqual(missingNeighbours(all, isReleasedOfPackage), ['index.js: test/data.json', 'lib/a.js: test/index.js'])
})

test('the systemd unit lets the server ask for the addresses of its machine, or it would not start', () => {
  const unit = textOf('deploy/kaikei.service')
  assert.match(textOf('server/config/webhook-rules.ts'), /networkInterfaces\(\)/)
  assert.match(unit, /^RestrictAddressFamilies=.*\bAF_NETLINK\b/m)
  assert.match(unit, /^StartLimitIntervalSec=0$/m)
})

test('every example of deploy/ says whether it was run, and is released', async () => {
  const examples = (await sourcePaths()).filter((path) => path.startsWith('deploy/') && !path.endsWith('.md'))
  assert.ok(examples.length >= 4, examples.join())
  const rows = textOf('deploy/README.md').matchAll(/^\| `([^`]+)` *\|[^|]*\| ([^|]*?) *\|$/gm)
  const runBy = new Map(Array.from(rows, ([, name, by]) => [`deploy/${name}`, by]))
  for (const path of examples) {
    assert.match(runBy.get(path) ?? '', /^(`npm run prove -- [a-z]+`|nobody here|its names by the same proof)$/, path)
    assert.equal(isReleased(path), true, path)
  }
})
