/** Confirm clock: asks second clocks, and reads what an operator has confirmed, when this machine's clock is in doubt. */
import type { Instant } from '#contract/jst.ts'
import { isConfirmedByOperator, isConfirmedBySecondClocks } from '#payment/clock.ts'
import type { Config } from '../../config/config.ts'
import { askAcquirerTime } from '../../gateways/open.ts'
import type { GuardedClock } from './guarded-clock.ts'
import { askDatabaseTime } from '../../store/engine/database-time.ts'
import type { Database } from '../../store/engine/database.ts'
import { readStoredTimes } from '../../store/engine/heartbeat.ts'

/** The time on another machine; null: no answer. Never fails. */
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

/** A database that is unavailable confirms nothing. */
const operatorsTime = async (database: Asked['database']): Promise<Instant | null> => {
  try {
    return (await readStoredTimes(database)).confirmedAt
  } catch {
    return null
  }
}

/** True: this machine's clock is followed. While it is, no second clock is asked. */
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
