import { parseArgs } from 'node:util'
import type { Finding } from './audit.ts'
import { rage } from './storm.ts'

/**
 * `node proof/crashes/main.ts --engine SQLite --kills 5 --seed 7`: kills real processes and prints what came of it as one
 * line of JSON; ends with 1 when a promise was broken. PostgreSQL needs TEST_DATABASE_URL. A seed fixes who pays how and
 * when the kills strike, but not the machine: the same seed is not the same run.
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'SQLite' },
    kills: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
  },
})

const refuse = (line: string): never => {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

const whole = (name: string, text: string, from: number): number => {
  const value = Number(text)
  return Number.isInteger(value) && value >= from
    ? value
    : refuse(`--${name} is ${text}: give a whole number from ${from}`)
}

const engine =
  (['SQLite', 'PostgreSQL'] as const).find((name) => name === values.engine) ??
  refuse(`--engine is ${values.engine}: give SQLite or PostgreSQL`)
const kills = whole('kills', values.kills, 1)
const seed = whole('seed', values.seed, 0)
const started = performance.now()
const { findings, ...figures } = await rage({ engine, kills, seed, patienceMs: 300_000 })
const seconds = Math.round((performance.now() - started) / 100) / 10
const broken = (kind: Finding['kind']): number => findings.filter((finding) => finding.kind === kind).length
const counts = {
  lost: broken('lost'),
  doubleCharges: broken('double charge'),
  unsettled: broken('unsettled'),
  untrue: broken('untrue'),
}
process.stdout.write(`${JSON.stringify({ engine, seed, seconds, ...figures, ...counts, findings })}\n`)
process.exitCode = findings.length === 0 ? 0 : 1
