/** README figures: the table of README.md that says how each promise was tried, written from what was measured last. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'

type Figure = (name: string) => string

/** The figures of one proof or bench. One that is missing is an error: its sentence would say something false without it. */
export const figuresOf = (results: unknown, measured: string): Figure => {
  const result = isRecord(results) ? results[measured] : undefined
  const figures = isRecord(result) ? result['figures'] : undefined
  return (name) => {
    const figure = isRecord(figures) ? figures[name] : undefined
    if (typeof figure === 'number') return figure.toLocaleString('en-US')
    if (typeof figure === 'string') return figure
    throw new CommandError(`${measured} has no figure ${name}`)
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
    name: 'backup',
    say: (of) =>
      `${of('backupsOfSqlite')} backups of SQLite and ${of('backupsOfPostgres')} of PostgreSQL taken under load, each restored elsewhere: ${of('lost')} of ${of('acknowledgedBeforeTheBackup')} acknowledged writes lost, ${of('doubleCharges')} double charges after ${of('chargesAfterTheBackup')} that the backups did not hold`,
  },
  {
    command: 'prove',
    name: 'webhooks',
    say: (of) =>
      `${of('SQLite: events')} events to endpoints that fail, with ${of('SQLite: crashes')} crashes: ${of('lost')} lost; ${of('altered')} altered webhooks: ${of('alteredAccepted')} accepted`,
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
      `${of('distributed: cards tried')} stolen cards from many addresses: ${of('distributed: charges before the forced challenge')} charges asked for before the forced challenge, ${of('distributed: charges without a challenge while a challenge is forced')} without a challenge after it; ${of('honest shoppers: refused')} of ${of('honest shoppers: shoppers')} honest shoppers refused`,
  },
  {
    command: 'prove',
    name: 'bad-day',
    say: (of) =>
      `${of('attacks')} attacks from outside, each of which had stopped a shop, misled it or lost something: ${of('broken')} of ${of('limits')} limits broken; the dearest of ${of('request-cost: generated requests')} requests takes ${of('request-cost: dearest generated request, ms of CPU')} ms of CPU`,
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
    command: 'prove',
    name: 'release',
    say: (of) =>
      `a release of ${of('bytes')} bytes with ${of('packages')} packages, built ${of('identicalBuilds')} times: the same bytes; ${of('msToFirstPayment')} ms from unpacking to a payment`,
  },
  {
    command: 'bench',
    name: 'server',
    say: (of) =>
      `payments a second on 2 cores, acquirer and 3-D Secure answering at once: ${of('PostgreSQL payment: perSecond')} on PostgreSQL, ${of('SQLite payment: perSecond')} on SQLite`,
  },
]

/** The figures of all proofs and of all benches, as docs/proof.json and docs/bench.json hold them. */
export type Results = Readonly<Record<Sentence['command'], unknown>>

export const readResults = (root: string): Results => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, 'docs', file), 'utf8'))
  return { prove: read('proof.json'), bench: read('bench.json') }
}

const HEAD = ['Tried, and found', 'Run it again'] as const

/** The table as the formatter would align it. */
const tableOf = (results: Results): string => {
  // One that was never run has no line; it has one from its first run on.
  const measured = SENTENCES.filter(({ command, name }) => isRecord(results[command]) && name in results[command])
  const rows = measured.map(({ command, name, say }) => [
    say(figuresOf(results[command], name)),
    `\`npm run ${command} -- ${name}\``,
  ])
  const widths = [0, 1].map((column) => Math.max(...[HEAD, ...rows].map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[], fill = ' '): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`
  return [line(HEAD), line(['', ''], '-'), ...rows.map((row) => line(row))].join('\n')
}

const TABLE = /(<!-- figures: .*? -->\n\n).*?(\n\n<!-- end of figures -->)/s

export const withFigures = (readme: string, results: Results): string => {
  if (!TABLE.test(readme)) throw new CommandError('README.md has no table of figures any more')
  return readme.replace(TABLE, (_all, begin: string, end: string) => `${begin}${tableOf(results)}${end}`)
}

/** After each proof and each bench: a README that names older figures would fail `npm test`. */
export const writeFiguresToReadme = (root: string): void => {
  const file = join(root, 'README.md')
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), readResults(root)))
}
