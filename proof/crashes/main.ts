import { parseArgs } from 'node:util'
import type { Finding } from './audit.ts'
import { runCrashRounds } from './run-crash-rounds.ts'

/**
 * Crash proof from the command line, as in `node proof/crashes/main.ts --engine SQLite --kills 5 --seed 7`: kills real
 * processes and prints its report as one line of JSON; ends with 1 when a promise was broken. PostgreSQL needs
 * TEST_DATABASE_URL. A seed fixes who pays how and when a process is killed, but not the machine: the same seed is not
 * the same run.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'SQLite' },
    kills: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
  },
})

const refuse = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const wholeNumberOption = (name: string, text: string, from: number): number => {
  const value = Number(text)
  return Number.isInteger(value) && value >= from
    ? value
    : refuse(`--${name} is ${text}: give a whole number from ${from}`)
}

const engine =
  (['SQLite', 'PostgreSQL'] as const).find((name) => name === values.engine) ??
  refuse(`--engine is ${values.engine}: give SQLite or PostgreSQL`)
const kills = wholeNumberOption('kills', values.kills, 1)
const seed = wholeNumberOption('seed', values.seed, 0)
const started = performance.now()
const { findings, ...figures } = await runCrashRounds({ engine, kills, seed, settleTimeoutMs: 300_000 })
const seconds = Math.round((performance.now() - started) / 100) / 10
const countOf = (kind: Finding['kind']): number => findings.filter((finding) => finding.kind === kind).length
const counts = {
  lost: countOf('lost'),
  doubleCharges: countOf('double charge'),
  unsettled: countOf('unsettled'),
  untrue: countOf('untrue'),
}
process.stdout.write(`${JSON.stringify({ engine, seed, seconds, ...figures, ...counts, findings })}\n`)
process.exitCode = findings.length === 0 ? 0 : 1
