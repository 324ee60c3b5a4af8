/** Regressions: schedules that broke a promise once. They run before all others. */
import { readFileSync, writeFileSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { ACQUIRER_KINDS } from './adapters.ts'
import { isWorkloadName } from './workloads.ts'
import type { RunReport, Schedule } from './simulate.ts'

const FILE = new URL('./regressions.json', import.meta.url)

const Regressions = Type.Array(
  Type.Object({
    workload: Type.String(),
    seed: Type.Integer(),
    checkouts: Type.Integer(),
    crashAt: Type.Union([Type.Integer(), Type.Null()]),
    acquirer: Type.Optional(Type.Enum([...ACQUIRER_KINDS])),
    servers: Type.Optional(Type.Integer()),
    broke: Type.String(),
  }),
)
type Regressions = Static<typeof Regressions>

const readRegressions = (): Regressions => {
  const regressions: unknown = JSON.parse(readFileSync(FILE, 'utf8'))
  if (!Check(Regressions, regressions)) throw new Error('regressions.json holds something else than schedules')
  return regressions
}

export const regressionSchedules = (): Schedule[] =>
  readRegressions().map(({ workload, broke: _broke, ...schedule }) => {
    if (!isWorkloadName(workload)) throw new Error(`regressions.json names an unknown workload: ${workload}`)
    return { workload, ...schedule }
  })

export const argumentsFor = ({ workload, seed, checkouts, crashAt, acquirer, servers }: Schedule): string[] => [
  '--workload',
  workload,
  '--seed',
  String(seed),
  '--runs',
  '1',
  '--checkouts',
  String(checkouts),
  ...(crashAt === null ? [] : ['--crash-at', String(crashAt)]),
  ...(acquirer === undefined ? [] : ['--acquirer', acquirer]),
  ...(servers === undefined ? [] : ['--servers', String(servers)]),
]

/** The command that runs a schedule again. */
export const commandFor = (schedule: Schedule): string =>
  ['node proof/simulation/main.ts', ...argumentsFor(schedule)].join(' ')

/** Saves a schedule that broke a promise, so that every later test run begins with it. */
export const saveRegression = ({ schedule, brokenPromises }: RunReport): void => {
  const [broke = ''] = brokenPromises
  const regressions = readRegressions()
  if (regressionSchedules().some((each) => commandFor(each) === commandFor(schedule))) return
  try {
    writeFileSync(FILE, `${JSON.stringify([...regressions, { ...schedule, broke }], null, 2)}\n`)
  } catch {
    // Where nothing can be written, the failing test or command still names the schedule.
  }
}
