/** Operator's database: the one of the running server, by the same settings, for the time of one command. */
import { readConfig, type Config } from '../config/config.ts'
import type { Environment } from '../config/readers.ts'
import { systemClock, systemRandom, type Parts } from '../parts.ts'
import type { Database } from '../store/database.ts'
import { findListedMerchant, type ListedMerchant } from '../store/merchants.ts'
import { openExistingDatabase } from '../store/open.ts'
import { PROGRAM, type CommandProblem } from './command.ts'

/** What an operator's command works with. */
export type OperatorParts = Pick<Parts, 'database' | 'clock' | 'random'> & { readonly config: Config }

export const withOperatorParts = async <T>(
  env: Environment,
  work: (parts: OperatorParts) => Promise<T | CommandProblem>,
  timeouts?: Parameters<typeof openExistingDatabase>[1],
): Promise<T | CommandProblem> => {
  const reading = readConfig(env)
  if (!reading.ok) return { problem: reading.problem }
  const { config } = reading
  const opened = await openExistingDatabase(config, timeouts)
  if ('problem' in opened) return opened
  const { database } = opened
  try {
    return await work({ database, config, clock: systemClock, random: systemRandom })
  } finally {
    await database.close()
  }
}

/** The merchant of this label, or how to find the right one. */
export const namedMerchant = async (database: Database, label: string): Promise<ListedMerchant | CommandProblem> =>
  (await findListedMerchant(database, label)) ?? {
    problem: `There is no merchant "${label}": ${PROGRAM} merchant list shows all, merchant create makes one.`,
  }
