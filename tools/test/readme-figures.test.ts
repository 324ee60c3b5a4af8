import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../setup/setup.mjs'

/** The figures that README.md names are those that were measured last. */

const readJson = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

type Figure = (name: string) => string

/** The figures of one proof or bench; one that is missing fails the test, whatever its sentence would say without it. */
const figuresOf = (results: unknown, measured: string): Figure => {
  const result = isRecord(results) ? results[measured] : undefined
  const figures = isRecord(result) ? result['figures'] : undefined
  return (name) => {
    const figure = isRecord(figures) ? figures[name] : undefined
    if (typeof figure === 'number') return figure.toLocaleString('en-US')
    return typeof figure === 'string' ? figure : assert.fail(`${measured} has no figure ${name}`)
  }
}

interface Sentence {
  readonly command: 'prove' | 'bench'
  readonly name: string
  say(figure: Figure): string
}

const SENTENCES: readonly Sentence[] = [
  {
    command: 'prove',
    name: 'simulation',
    say: (of) =>
      `${of('checkouts')} simulated checkouts with ${of('crashes')} crashes: ${of('brokenPromises')} broken promises`,
  },
  {
    command: 'prove',
    name: 'planted-bugs',
    say: (of) => `${of('bugs')} bugs planted in the code: ${of('caught')} found by the simulation`,
  },
  {
    command: 'prove',
    name: 'crashes',
    say: (of) =>
      `${of('killsOnSqlite')} kills of real processes on SQLite, ${of('killsOnPostgres')} on PostgreSQL: ${of('lost')} of ${of('acknowledgedWrites')} acknowledged writes lost, ${of('doubleCharges')} double charges`,
  },
  {
    command: 'prove',
    name: 'dropped-answers',
    say: (of) =>
      `${of('dropped')} answers to "pay" dropped on their way to the browser: ${of('receipts')} receipts, "failed" said ${of('everSaidFailed')} times, at most ${of('mostChargesOfOneCheckout')} charge of a checkout`,
  },
  {
    command: 'prove',
    name: 'canaries',
    say: (of) =>
      `${of('flows')} flows with marked cards, ${of('bytesScanned')} bytes that the server wrote: ${of('hits')} card numbers or security codes among them`,
  },
  {
    command: 'prove',
    name: 'card-testing',
    say: (of) =>
      `${of('distributed: cards tried')} stolen cards from many addresses: ${of('distributed: charges before the brake')} charges asked for before the brake, ${of('distributed: charges without a challenge while braked')} without a challenge after it; ${of('honest shoppers: refused')} of ${of('honest shoppers: shoppers')} honest shoppers refused`,
  },
  {
    command: 'prove',
    name: 'hostile-page',
    say: (of) =>
      `${of('waysOut')} ways to carry a number out of the page by a hostile script: ${of('waysOpen')} open in Chromium, ${of('waysOpenWithoutAllowlist')} in browsers that know no list of allowed addresses`,
  },
  {
    command: 'prove',
    name: 'fuzz',
    say: (of) =>
      `${of('requests')} mutated requests: ${of('answers5xx')} answers 5xx (beside those of the page \`/500\`), ${of('hangs')} hangs, ${of('crashes')} crashes`,
  },
  {
    command: 'prove',
    name: 'axe',
    say: (of) =>
      `${of('checks')} checks of accessibility, ${of('screens')} screens in ${of('languages')} languages: ${of('violations')} violations`,
  },
  {
    command: 'prove',
    name: 'browsers',
    say: (of) => `a payment with a challenge in real ${of('realBrowsers')}: ${of('paidInRealBrowsers')} paid`,
  },
  {
    command: 'bench',
    name: 'server',
    say: (of) =>
      `payments a second on 2 cores, acquirer and 3-D Secure answering at once: ${of('PostgreSQL payment: perSecond')} on PostgreSQL, ${of('SQLite payment: perSecond')} on SQLite`,
  },
]

const FILES = { prove: 'docs/proof.json', bench: 'docs/bench.json' } as const

const rowsOfReadme = (): string[] => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, figures = ''] = /<!-- figures: .*? -->(.*?)<!-- end of figures -->/s.exec(readme) ?? []
  const cells = figures.split('\n').filter((line) => line.startsWith('|'))
  // The first two are the head of the table.
  return cells.slice(2).map((line) => line.replaceAll(/\s*\|\s*/g, '|'))
}

test('the table of README.md says what docs/proof.json and docs/bench.json say', () => {
  const results = { prove: readJson(FILES.prove), bench: readJson(FILES.bench) }
  const rows = SENTENCES.map(
    ({ command, name, say }) => `|${say(figuresOf(results[command], name))}|\`npm run ${command} -- ${name}\`|`,
  )
  assert.deepEqual(rowsOfReadme(), rows, `README.md must have these rows:\n${rows.join('\n')}`)
})

test('a figure that was not measured is missed by name', () => {
  const of = figuresOf({ crashes: { figures: { lost: 0, seed: 'a', deep: { lost: 1 } } } }, 'crashes')
  assert.deepEqual([of('lost'), of('seed')], ['0', 'a'])
  for (const name of ['found', 'deep']) assert.throws(() => of(name), new RegExp(`crashes has no figure ${name}`))
  assert.throws(() => figuresOf({}, 'fuzz')('hangs'), /fuzz has no figure hangs/)
})
