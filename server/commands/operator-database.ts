/** Operator's database: the one of the running server, by the same settings, for the time of one command. */
import { readConfig, type Config } from '../config/config.ts'
import type { Environment } from '../config/readers.ts'
import { createGuardedClock, type GuardedClock } from '../operations/clock/guarded-clock.ts'
import { confirmClock, secondClocksOf } from '../operations/clock/confirm-clock.ts'
import { systemClock, systemElapsed, systemRandom, type Dependencies } from '../dependencies.ts'
import { text } from '../store/engine/columns.ts'
import type { Database, Row } from '../store/engine/database.ts'
import { readStoredTimes } from '../store/engine/heartbeat.ts'
import { findListedMerchant, type ListedMerchant } from '../store/merchant/merchants.ts'
import { openExistingDatabase } from '../store/engine/open.ts'
import { PROGRAM, type CommandProblem } from './command.ts'
import { timeText } from './table.ts'

/** What an operator's command works with. */
export interface OperatorDependencies extends Pick<Dependencies, 'database' | 'random'> {
  readonly config: Config
  /** Beside a running server that is at most ten seconds old, the time that the server goes by. */
  readonly clock: GuardedClock
}

export const withOperatorDependencies = async <T>(
  env: Environment,
  work: (deps: OperatorDependencies) => Promise<T | CommandProblem>,
  timeouts?: Parameters<typeof openExistingDatabase>[1],
): Promise<T | CommandProblem> => {
  const reading = readConfig(env)
  if (!reading.ok) return { problem: reading.problem }
  const { config } = reading
  const opened = await openExistingDatabase(config, timeouts)
  if ('problem' in opened) return opened
  const { database } = opened
  try {
    const { at } = await readStoredTimes(database)
    const clock = createGuardedClock(systemClock, systemElapsed, at)
    await confirmClock({ clock, database, secondClocks: secondClocksOf(config, database) })
    return await work({ database, config, clock, random: systemRandom })
  } finally {
    await database.close()
  }
}

/** For a command that stores a time or goes by one: by a wrong time it would do what cannot be undone. */
export const withConfirmedClock = <T>(
  env: Environment,
  work: (deps: OperatorDependencies) => Promise<T | CommandProblem>,
): Promise<T | CommandProblem> =>
  withOperatorDependencies(env, async (deps) => {
    const { clock } = deps
    return clock.isConfirmed()
      ? work(deps)
      : {
          problem: `The clock of this machine says ${timeText(clock.wall())}, the newest time in the database is ${timeText(clock.trusted())}, and no second clock confirms the former: nothing was done. If the clock is wrong, set it; if it is right: ${PROGRAM} clock confirm`,
        }
  })

/** For a command about one merchant, whose label is given. */
export const withMerchant = <T>(
  env: Environment,
  label: string,
  work: (deps: OperatorDependencies, merchant: ListedMerchant) => Promise<T | CommandProblem>,
): Promise<T | CommandProblem> =>
  withOperatorDependencies(env, async (deps) => {
    const merchant = await namedMerchant(deps.database, label)
    return 'problem' in merchant ? merchant : work(deps, merchant)
  })

/** The line for a shop that a list leaves out. */
export const unreadableShop = (row: Row): string =>
  `The settings of ${text(row, 'label')} cannot be read by this release: it is left out here.`

/** The merchant of this label, or how to find the right one. */
export const namedMerchant = async (database: Database, label: string): Promise<ListedMerchant | CommandProblem> =>
  (await findListedMerchant(database, label)) ?? {
    problem: `There is no merchant "${label}": ${PROGRAM} merchant list shows all, merchant create makes one.`,
  }
