import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { commandBlocksIn, commandsRunBy, wordsOf } from '../../proof/harness/documented-commands.ts'
import { isProblem, readArguments } from '../../server/commands/command.ts'
import { COMMANDS } from '../../server/commands/command-groups.ts'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'
import { environmentOutsideTests } from '../testing/child-processes.ts'

/** Documents: every command in them is run by a test or says that it is not, and what they name is there. */

const THIS_TEST = 'tools/test/documents.test.ts'
const README_LINES_MAX = 110

/** A path of a room in a document, and a source that is named without its folder. */
const PATH_OF_OURS = /`((?:contract|payment|server|page|sandbox|proof|journeys|tools|bench)\/[\w./-]+)`/g
const NAME_OF_SOURCE = /`([a-z0-9][a-z0-9.-]*\.(?:ts|tsx|mjs|sql))`/g

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const isThere = (path: string): boolean => existsSync(join(ROOT, path))
const readRecord = (path: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(textOf(path))
  return isRecord(value) ? value : assert.fail(`${path} is no record`)
}

const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'docs/ja/*.md', 'deploy/*.md', '.github/**/*.md'], {
  cwd: ROOT,
}).toSorted()

const DECISIONS = globSync('decisions/*.md', { cwd: ROOT })

test('README.md is short enough to decide by', () => {
  const lines = textOf('README.md').split('\n').length - 1
  assert.ok(lines <= README_LINES_MAX, `${lines} lines`)
})

test('every block of commands is run by a test that reads its document, or says that it is not', () => {
  const faults = DOCUMENTS.flatMap((document) =>
    commandBlocksIn(textOf(document)).flatMap(({ commands, runner }) => {
      if (runner.by === 'nobody') return []
      if (runner.by === 'not said') return [`${document}: nothing is said about ${commands}`]
      if (!isThere(runner.file)) return [`${document}: there is no ${runner.file}`]
      return textOf(runner.file).includes(document) ? [] : [`${document}: ${runner.file} does not read it`]
    }),
  )
  assert.deepEqual(faults, [])
})

/** Other names for the same: a block under one of them would be found by nobody. */
const SHELLS = ['bash', 'shell', 'console', 'zsh']

test('commands stand in blocks of their own kind, where they are found', () => {
  const others = DOCUMENTS.flatMap((document) =>
    [...textOf(document).matchAll(/^```(\w*)[^\n]*\n(.*?)^```$/gms)].flatMap(([, kind = '', text = '']) =>
      kind !== 'sh' && (SHELLS.includes(kind) || /^(\$ |npm |npx |node |curl |\.\/kaikei)/m.test(text))
        ? [`${document}: ${text}`]
        : [],
    ),
  )
  assert.deepEqual(others, [])
})

for (const document of ['CONTRIBUTING.md', 'docs/adding-an-acquirer.md'])
  test(`the commands of ${document} are carried out`, () => {
    const blocks = commandsRunBy(THIS_TEST, textOf(document))
    assert.notEqual(blocks.length, 0)
    for (const commands of blocks) {
      const { status, stdout, stderr } = spawnSync('bash', ['-euc', commands], {
        cwd: ROOT,
        encoding: 'utf8',
        env: environmentOutsideTests(),
      })
      assert.equal(status, 0, `${commands}\n${stdout}${stderr}`)
    }
  })

/** Which test runs what a script of package.json does. Proofs and benches are run by hand: their figures are their proof. */
const TESTED_BY: Readonly<Record<string, string>> = {
  start: 'journeys/the-readme-leads-to-a-payment.spec.ts',
  dev: 'tools/dev.test.ts',
  build: 'tools/build/page-build.test.ts',
  test: 'tools/test.test.ts',
  check: 'tools/test.test.ts',
  prove: 'tools/prove/run-measurement.test.ts',
  bench: 'tools/prove/run-measurement.test.ts',
  screens: 'proof/screens/visit-screens.test.ts',
  kaikei: 'server/commands/documented-commands.test.ts',
  release: 'tools/release/release-files.test.ts',
  sbom: 'tools/release/supply-chain.test.ts',
  openapi: 'proof/reference/openapi-file.test.ts',
}

const wasProved = (name: string): boolean => name === 'all' || isThere(`proof/${name}/prove.ts`)
const wasMeasured = (name: string): boolean => name in readRecord('docs/bench.json')

/** Parsed as it would be when it is run; what stands for a value is taken for one. */
const kaikeiFault = (args: readonly string[]): string | undefined => {
  const named = [args.slice(0, 2), args.slice(0, 1)].find((words) => COMMANDS.has(words.join(' ')))?.join(' ')
  if (named === undefined) return args[0]?.startsWith('<') === true ? undefined : 'is no command'
  const command = COMMANDS.get(named)
  if (command === undefined) return 'is no command'
  const rest = args.slice(named.split(' ').length)
  const given = rest.length === 0 ? {} : readArguments(named, command, rest)
  return isProblem(given) ? given.problem : undefined
}

/** Why a command in the middle of a sentence cannot be what it says; undefined where it can. */
const inlineFault = (command: string, scripts: Record<string, unknown>): string | undefined => {
  const words = wordsOf(command.slice(command.indexOf('npm ')))
  const [, first = '', ...others] = words
  const [script = '', ...rest] = first === 'run' ? others.filter((word) => word !== '-s') : [first, ...others]
  const args = rest.filter((word, place) => !(place === 0 && word === '--'))
  if (!(script in scripts)) return 'is no script'
  const tested = TESTED_BY[script]
  if (tested === undefined || !isThere(tested)) return 'is run by no test'
  const [name] = args
  const isNamed = name !== undefined && !name.startsWith('<')
  if (script === 'prove' && isNamed) return wasProved(name) ? undefined : 'has no figures and no test'
  if (script === 'bench' && isNamed) return wasMeasured(name) ? undefined : 'has no figures'
  return script === 'kaikei' && args.length > 0 ? kaikeiFault(args) : undefined
}

test('every command in a sentence is a script that a test runs, with arguments that it takes, or says that it is not run', () => {
  const { scripts } = readRecord('package.json')
  if (!isRecord(scripts)) assert.fail('package.json has no scripts')
  const faults = DOCUMENTS.flatMap((document) => {
    const sentences = textOf(document).replaceAll(/^```.*?^```$|<!--(?! not run).*?-->/gms, '')
    const inline = sentences.matchAll(/`((?:[A-Z_]+=\S+ |… )*npm [^`]+)`(?!\s*<!-- not run)/g)
    return [...inline].flatMap(([, command = '']) => {
      const fault = inlineFault(command, scripts)
      return fault === undefined ? [] : [`${document}: ${command}: ${fault}`]
    })
  })
  assert.deepEqual(faults, [])
  const kept = { start: '', prove: '', bench: '', kaikei: '' }
  const wrong = [
    'npm run begin',
    'npm run prove -- perpetual-motion',
    'npm run bench -- weight',
    'npm run -s kaikei -- merchant sell',
    'npm run -s kaikei -- merchant create --lable tea',
  ]
  for (const command of wrong) assert.notEqual(inlineFault(command, kept), undefined, command)
  for (const command of ['PORT=1 npm start', 'npm run prove -- fuzz', 'npm run -s kaikei -- doctor'])
    assert.equal(inlineFault(command, kept), undefined, command)
})

const namedBy = (pattern: RegExp, document: string): string[] =>
  [...textOf(document).matchAll(pattern)].map(([, named = '']) => named)

test('every file of the project that a document names is there', () => {
  const files = spawnSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).stdout.split('\n')
  const fileNames = new Set(files.map((file) => basename(file)))
  const documents = [...DOCUMENTS, ...globSync('decisions/*.md', { cwd: ROOT })].filter(
    (name) => name !== 'CHANGELOG.md',
  )
  const missing = documents.flatMap((document) =>
    [
      ...namedBy(PATH_OF_OURS, document).filter((path) => !isThere(path)),
      ...namedBy(NAME_OF_SOURCE, document).filter((name) => !fileNames.has(name)),
    ].map((name) => `${document}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

test('what a document says is in a file is in it', () => {
  const faults = [...DOCUMENTS, ...DECISIONS].flatMap((document) =>
    [...textOf(document).matchAll(/`([A-Za-z]\w+)` in `(\w+\/[\w./-]+\.\w+)`/g)]
      .filter(([, name = '', file = '']) => isThere(file) && !textOf(file).includes(name))
      .map(([said]) => `${document}: ${said}`),
  )
  assert.deepEqual(faults, [])
})

test('every link to a file leads to one', () => {
  const faults = DOCUMENTS.flatMap((document) =>
    [...textOf(document).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].flatMap(([, link = '']) => {
      const target = normalize(join(dirname(document), link))
      return isThere(target) ? [] : [`${document}: ${link}`]
    }),
  )
  assert.deepEqual(faults, [])
})

for (const document of ['docs/operations.md', 'docs/ja/operations.md'])
  test(`${document} lists exactly the variables that the program reads`, () => {
    const sources = globSync('server/config/*.ts', { cwd: ROOT }).filter((path) => !path.endsWith('.test.ts'))
    const read = sources.flatMap((path) => textOf(path).match(/(?<=')[A-Z][A-Z_]{3,}(?=')/g) ?? [])
    const listed = textOf(document)
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => line.split('|')[1]?.match(/(?<=`)[A-Z][A-Z_]{3,}(?=`)/g) ?? [])
    assert.deepEqual(listed.toSorted(), [...new Set(read)].toSorted())
  })

test('docs/data.md names every table that is stored, and no other', () => {
  const migrations = globSync('server/store/engine/migrations/*.sql', { cwd: ROOT }).map(textOf).join('\n')
  const created = [...migrations.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table = '']) => table)
  const [, kept = ''] = textOf('docs/data.md').split('## What is kept')
  const places = kept.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split('|')[2] ?? ''] : []))
  const named = places.flatMap((place) => [...place.matchAll(/`(\w+)`/g)].map(([, table = '']) => table))
  // Made before the first migration, which it lists.
  assert.deepEqual([...new Set(named)].toSorted(), ['migrations', ...created].toSorted())
})

test('whoever takes the Node of .node-version takes the one that the program brings', () => {
  const { optionalDependencies } = readRecord('package.json')
  if (!isRecord(optionalDependencies)) assert.fail('package.json has no optional dependencies')
  const pinned = Object.entries(optionalDependencies).flatMap(([name, version]) =>
    /^node-(bin-)?(darwin|linux)-/.test(name) ? [version] : [],
  )
  assert.notEqual(pinned.length, 0)
  assert.deepEqual([...new Set(pinned)], [textOf('.node-version').trim()])
})
