import { readFileSync, writeFileSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { isPlayName } from './plays.ts'
import type { Report, Schedule } from './simulate.ts'

const FILE = new URL('./regressions.json', import.meta.url)

const Kept = Type.Array(
  Type.Object({
    play: Type.String(),
    seed: Type.Integer(),
    checkouts: Type.Integer(),
    crashAt: Type.Union([Type.Integer(), Type.Null()]),
    broke: Type.String(),
  }),
)
type Kept = Static<typeof Kept>

const readKept = (): Kept => {
  const kept: unknown = JSON.parse(readFileSync(FILE, 'utf8'))
  if (!Check(Kept, kept)) throw new Error('regressions.json holds something else than schedules')
  return kept
}

/** Schedules that broke a promise once. They are played before all others. */
export const keptSchedules = (): Schedule[] =>
  readKept().map(({ play, seed, checkouts, crashAt }) => {
    if (!isPlayName(play)) throw new Error(`regressions.json names a play that there is not: ${play}`)
    return { play, seed, checkouts, crashAt }
  })

export const argumentsFor = ({ play, seed, checkouts, crashAt }: Schedule): string[] => [
  '--play',
  play,
  '--seed',
  String(seed),
  '--runs',
  '1',
  '--checkouts',
  String(checkouts),
  ...(crashAt === null ? [] : ['--crash-at', String(crashAt)]),
]

/** The command that plays a schedule again. */
export const commandFor = (schedule: Schedule): string =>
  ['node proof/simulation/main.ts', ...argumentsFor(schedule)].join(' ')

/** Keeps a schedule that broke a promise, so that it is played from now on. */
export const keep = ({ schedule, broken }: Report): void => {
  const [broke = ''] = broken
  const kept = readKept()
  if (keptSchedules().some((each) => commandFor(each) === commandFor(schedule))) return
  try {
    writeFileSync(FILE, `${JSON.stringify([...kept, { ...schedule, broke }], null, 2)}\n`)
  } catch {
    // Where nothing can be written, the schedule is still named by whoever found it.
  }
}
