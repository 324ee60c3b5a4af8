import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { foldersOf, ROOMS } from './house-rules.ts'

/** The rules of the house that no rule of oxlint knows (`house-rules.ts` has the others): style that is not a test decays. */

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path))
const sources = files.filter((path) => /\.(ts|tsx|mjs)$/.test(path))
const textOf = (path: string): string => readFileSync(path, 'utf8')
const isTest = (path: string): boolean =>
  /\.(test|spec)\.ts$/.test(path) || /(^|\/)testing\/|^proof\/(harness|gateway-contract)\//.test(path)
const roomOf = (path: string): string | undefined => Object.keys(ROOMS).find((room) => path.startsWith(`${room}/`))

/** What a source imports, types included. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^']+)'|(?:^import\s+|\bimport\()'([^']+)'/gm)].map(
    ([, from, alone]) => from ?? alone ?? '',
  )

/** The path of ours that an import leads to; undefined for a package. */
const pathOf = (path: string, from: string): string | undefined => {
  if (from.startsWith('#')) return from.slice(1)
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : undefined
}

/** The folder of its room that a file stands in; undefined at the top of the room. */
const folderOf = (path: string): string | undefined => {
  const [, folder, ...rest] = path.split('/')
  return rest.length === 0 ? undefined : folder
}

type Graph = ReadonlyMap<string, ReadonlySet<string>>

const graphOf = (texts: ReadonlyMap<string, string>, nodeOf: (path: string) => string): Graph => {
  const graph = new Map<string, Set<string>>()
  for (const [path, text] of texts) {
    const node = nodeOf(path)
    const targets = graph.get(node) ?? new Set()
    graph.set(node, targets)
    for (const from of importsOf(text)) {
      const target = pathOf(path, from)
      if (target !== undefined && texts.has(target) && nodeOf(target) !== node) targets.add(nodeOf(target))
    }
  }
  return graph
}

/** A circle of imports, types included, as the nodes it goes through; null where there is none. */
const circleIn = (graph: Graph): string[] | null => {
  const done = new Set<string>()
  const visit = (node: string, trail: readonly string[]): string[] | null => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node]
    if (done.has(node)) return null
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...trail, node])
      if (circle !== null) return circle
    }
    done.add(node)
    return null
  }
  for (const node of graph.keys()) {
    const circle = visit(node, [])
    if (circle !== null) return circle
  }
  return null
}

/** Folders with one file a language, named by its code. */
const isOfLanguages = (path: string): boolean =>
  /^(page\/words|contract\/receipt-words|server\/background\/mail\/words)\//.test(path)

const wordFaults = (path: string, text: string): string[] => {
  if (isTest(path)) return []
  const handsOn = /^export\s+(\*|\{[^}]*\}|type\s+\{[^}]*\})\s*from\s/m.test(text)
  const readsClock = /^(contract|payment)\//.test(path) && /\bnew Date\(\)/.test(text)
  return [
    ...(handsOn ? [`${path} hands on what another file exports: import it from there`] : []),
    ...(readsClock ? [`${path} reads the clock itself`] : []),
  ]
}

/** A subquery whose outer statement names its columns; a file of SQLite that another release has written. */
const MAY_READ_ALL_COLUMNS = ['server/store/checkout/checkout-list.ts', 'server/store/backup/backup-hmac.ts']

/** A migration that adds a column would make every connection fail such a statement once. */
const columnFault = (path: string, text: string): string[] =>
  /\b(?:SELECT|RETURNING)\s+(?:[^()]*,\s*)?(?:(?:\w+|\$\{\w+\})\.)?\*(?!\s+FROM\s+(?:\(|UNNEST\())/.test(text) &&
  path.startsWith('server/store/') &&
  !isTest(path) &&
  !MAY_READ_ALL_COLUMNS.includes(path)
    ? [`${path} reads all columns of a table: name them`]
    : []

const nameFault = (path: string): string[] =>
  /(^|[-/])(utils?|helpers?|manager|service|misc|common)[.-]/i.test(basename(path))
    ? [`${path}: name it after what it holds`]
    : []

/** Files of one language hold words alone, and the title of a test says what it is. */
const firstLineFault = (path: string, text: string): string[] =>
  roomOf(path) === undefined || isTest(path) || isOfLanguages(path) || /^(\/\*\*|\/\/|#!)/.test(text)
    ? []
    : [`${path} does not begin by saying what it is`]

test('no folders import each other in a circle', () => {
  const texts = new Map(sources.map((path) => [path, textOf(path)]))
  const product = new Map([...texts].filter(([path]) => !/\.(test|spec)\.ts$/.test(path)))
  const folder = (path: string): string => [roomOf(path), folderOf(path) ?? basename(path)].join('/')
  assert.equal(circleIn(graphOf(product, folder)), null)
})

test('ARCHITECTURE.md names the folders of every room and of server/store/, in the order that the lint holds', () => {
  for (const place of [...Object.keys(ROOMS), 'server/store']) {
    const below = files.filter((path) => path.startsWith(`${place}/`)).map((path) => path.slice(place.length + 1))
    const folders = new Set(below.filter((path) => path.includes('/')).map((path) => path.split('/', 1).join()))
    assert.deepEqual([...folders].toSorted(), foldersOf(place).toSorted(), place)
  }
  assert.equal(foldersOf('server/store').at(-1), 'engine')
})

test('at the top of server/ stand at most twelve files', () => {
  const top = files.filter((path) => /^server\/[^/]+$/.test(path))
  assert.ok(top.length <= 12, `${top.length}: ${top.join(' ')}`)
})

test('no barrels, and no clock in the rules', () => {
  const faults = sources.filter((path) => path !== 'tidy.test.ts').flatMap((path) => wordFaults(path, textOf(path)))
  assert.deepEqual(faults, [])
})

test('statements name their columns, so that a migration may add one while servers run', () => {
  assert.deepEqual(
    sources.flatMap((path) => columnFault(path, textOf(path))),
    [],
  )
})

test('every source file begins by saying what it is', () => {
  assert.deepEqual(
    sources.flatMap((path) => firstLineFault(path, textOf(path))),
    [],
  )
})

test('files are named after what they hold', () => {
  assert.deepEqual(sources.flatMap(nameFault), [])
})

test('every dependency has one exact version', () => {
  const manifest = JSON.parse(textOf('package.json')) as Record<string, Record<string, string> | undefined>
  const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
  )
  assert.deepEqual(loose, [])
})

test('the project speaks of itself alone: no path of somebody’s machine, no paper outside the repository', () => {
  const prose = files.filter((path) => /\.(ts|tsx|mjs|md|sql|css|json)$/.test(path) && path !== 'package-lock.json')
  const named = prose.filter(
    (path) => path !== 'tidy.test.ts' && /\.\.\/shared|\/work\/(main|shared)|(?<![\w.])\/home\/\w/.test(textOf(path)),
  )
  assert.deepEqual(named, [])
})

test('the rules themselves find what they forbid', () => {
  const circular = new Map([
    ['server/a/x.ts', "import type { B } from '../b/y.ts'\n"],
    ['server/b/y.ts', "const a = await import('../a/z.ts')\n"],
    ['server/a/z.ts', ''],
  ])
  assert.deepEqual(circleIn(graphOf(circular, dirname)), ['server/a', 'server/b', 'server/a'])
  assert.equal(firstLineFault('server/x.ts', "import { a } from './a.ts'\n").length, 1)
  assert.equal(firstLineFault('server/x.ts', '/** Payment. */\n').length, 0)
  assert.equal(wordFaults('server/index.ts', "export { pay } from './pay.ts'\n").length, 1)
  assert.equal(wordFaults('payment/x.ts', 'const now = new Date()\n').length, 1)
  for (const all of ['SELECT * FROM refunds', 'SELECT id, refunds.* FROM refunds', 'UPDATE refunds RETURNING *'])
    assert.equal(columnFault('server/store/x.ts', all).length, 1, all)
  for (const named of [
    'SELECT id FROM refunds',
    'SELECT count(*) FROM refunds',
    'SELECT * FROM (SELECT id FROM refunds)',
  ])
    assert.equal(columnFault('server/store/x.ts', named).length, 0, named)
  assert.equal(nameFault('server/card-utils.ts').length, 1)
})
