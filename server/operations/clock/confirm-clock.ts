/** Confirm the clock: asks second clocks, and what an operator has confirmed, where the clock of this machine is in doubt. */
import type { Instant } from '#contract/jst.ts'
import { isConfirmedByOperator, isConfirmedBySecondClocks } from '#payment/clock.ts'
import type { Config } from '../../config/config.ts'
import { askAcquirerTime } from '../../gateways/open.ts'
import type { GuardedClock } from './guarded-clock.ts'
import { askDatabaseTime } from '../../store/engine/database-time.ts'
import type { Database } from '../../store/engine/database.ts'
import { readStoredTimes } from '../../store/engine/heartbeat.ts'

/** What time it is elsewhere; null: no answer. Never fails. */
export type SecondClock = () => Promise<Instant | null>

export const secondClocksOf = (config: Config, database: Database): readonly SecondClock[] => [
  () => askAcquirerTime(config),
  ...(config.databaseUrl === null ? [] : [() => askDatabaseTime(database)]),
]

interface Asked {
  readonly clock: GuardedClock
  readonly database: Pick<Database, 'rows'>
  readonly secondClocks: readonly SecondClock[]
}

/** A database that is away confirms nothing. */
const operatorsTime = async (database: Asked['database']): Promise<Instant | null> => {
  try {
    return (await readStoredTimes(database)).confirmedAt
  } catch {
    return null
  }
}

/** True: the clock of this machine is followed. Nobody is asked while it is. */
export const confirmClock = async ({ clock, database, secondClocks }: Asked): Promise<boolean> => {
  if (clock.isConfirmed()) return true
  const answers = await Promise.all(secondClocks.map((ask) => ask()))
  const confirmedAt = await operatorsTime(database)
  const [wall, known] = [clock.wall(), answers.filter((answer) => answer !== null)]
  const isConfirmed =
    isConfirmedBySecondClocks(wall, clock.trusted(), known) || isConfirmedByOperator(wall, confirmedAt)
  if (isConfirmed) clock.follow()
  return clock.isConfirmed()
}
