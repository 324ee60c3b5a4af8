/** Recover command: records what the acquirer has charged and refunded and this database lacks, after data was lost. */
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import { HOUR_MS, parseBeginning, type Instant } from '#contract/jst.ts'
import { discrepancyLine } from '#payment/discrepancy-words.ts'
import { createLog } from '../log.ts'
import { createCardHold } from '../card-hold/memory.ts'
import { recoverIfRestored, recoveryLines, type RecoveryResult } from '../operations/recovery/recover-after-restore.ts'
import { systemElapsed } from '../dependencies.ts'
import { restoreWrite, restoreToRecover } from '../store/backup/restore-marker.ts'
import type { Command, CommandProblem } from './command.ts'
import { type OperatorDependencies, withConfirmedClock } from './operator-database.ts'
import { openOperatorGateways } from './operator-gateways.ts'
import { printedDiscrepancy } from './reconcile.ts'

/**
 * Marks a database that was put back by other means than `restore`, as that command does: until it is recovered no server
 * takes a payment and no worker works, also where this command is cut off.
 */
const markRestored = async ({ database, clock }: OperatorDependencies, since: Instant | null): Promise<void> => {
  if (since === null && (await restoreToRecover(database)) !== null) return
  const now = clock.now()
  await database.writeAll([restoreWrite({ restoredAt: now, takenAt: since ?? now - HOUR_MS })])
}

const recover = async (
  deps: OperatorDependencies,
  since: Instant | null,
  printError: (line: string) => void,
): Promise<RecoveryResult | CommandProblem> => {
  const { database, config, clock } = deps
  const log = createLog(config.logLevel, printError, systemElapsed)
  const opened = await openOperatorGateways(deps, log)
  if ('problem' in opened) return opened
  if ((await opened.gateways.accounts()).length === 0)
    return { problem: 'No acquirer is configured that could be asked.' }
  const claim = await database.claimServer('alone')
  // Orders that nobody has charged yet are fenced at the acquirer: those of shoppers who are paying would be among them.
  if (!claim.isOurs)
    return {
      problem: `A Kaikei server uses this database, and payments under way would be stopped. ${claim.holder} Stop it first.`,
    }
  await markRestored(deps, since)
  const result = await recoverIfRestored({
    database,
    clock,
    log,
    ...opened,
    cardHold: createCardHold(systemElapsed),
    cardTestingLimits: CARD_TESTING_LIMITS,
    publicBase: config.publicBase,
  })
  return result ?? { problem: 'Somebody else has recovered this database meanwhile.' }
}

export const recoverCommand: Command = {
  summary: 'after data was lost, with the server stopped: records what the acquirer alone knows',
  options: {
    since: {
      value: '<time>',
      help: 'from when on data may be lost; left out: when the backup was taken, or an hour ago',
    },
  },
  example: 'recover',
  endsWithOne: 'a break is left for a person',
  run: (given, env, { printError }) =>
    withConfirmedClock(env, async (deps) => {
      const text = given.textOrNull('since')
      const since = text === null ? null : parseBeginning(text)
      if (since === undefined) return { problem: '--since is no time: give one such as 2026-11-16T09:00:00+09:00.' }
      const result = await recover(deps, since, printError)
      if ('problem' in result) return result
      return {
        value: { ...result, left: result.left.map(printedDiscrepancy) },
        lines: [...result.left.map(discrepancyLine), ...recoveryLines(result)],
        exitCode: result.left.length > 0 ? 1 : 0,
      }
    }),
}
