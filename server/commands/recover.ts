/** Settle command: writes down what the acquirer has charged and given back and this database does not hold. */
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import { parseDeadline, type Instant } from '#contract/jst.ts'
import { openGateway } from '../gateways/open.ts'
import { errorsAsUnknown } from '../gateways/wrap-gateway.ts'
import { createLog } from '../log.ts'
import { createCardHold } from '../operations/card-hold.ts'
import { settleIfRestored, settlementLine, type Settled } from '../operations/recovery/recover-after-restore.ts'
import { systemElapsed } from '../dependencies.ts'
import { restoreWrite, unsettledRestore } from '../store/engine/restores.ts'
import type { Command, CommandProblem } from './command.ts'
import { type OperatorDependencies, withConfirmedClock } from './operator-database.ts'
import { discrepancyLine } from './reconcile.ts'
import { printableJson } from './table.ts'

const HOUR_MS = 3_600_000

/**
 * A database that was put back by other means than `restore` is marked as that does: until it is settled no server takes a
 * payment and no worker works, also where this command is cut off.
 */
const markRestored = async ({ database, clock }: OperatorDependencies, since: Instant | null): Promise<void> => {
  if (since === null && (await unsettledRestore(database)) !== null) return
  const now = clock.now()
  await database.writeAll([restoreWrite({ restoredAt: now, takenAt: since ?? now - HOUR_MS })])
}

/** A server on the same database; null: there is none. */
const runningServer = async ({ database }: OperatorDependencies): Promise<string | null> => {
  const claim = await database.claimServer()
  // Orders that nobody has charged yet are closed at the acquirer: those of shoppers who are paying would be among them.
  return claim.isOurs
    ? null
    : `A Kaikei server uses this database, and payments under way would be stopped. ${claim.holder} Stop it first.`
}

const settleByHand = async (
  deps: OperatorDependencies,
  since: Instant | null,
  printError: (line: string) => void,
): Promise<Settled | CommandProblem> => {
  const { database, config, clock } = deps
  const gateway = openGateway(config, clock)
  if (gateway === null) return { problem: 'No acquirer is configured that could be asked.' }
  const problem = await runningServer(deps)
  if (problem !== null) return { problem }
  await markRestored(deps, since)
  const log = createLog(config.logLevel, printError, systemElapsed)
  const result = await settleIfRestored({
    database,
    clock,
    log,
    gateway: errorsAsUnknown(gateway, log),
    cardHold: createCardHold(systemElapsed),
    cardTestingLimits: CARD_TESTING_LIMITS,
    publicBase: config.publicBase,
  })
  return result ?? { problem: 'Somebody else has settled this database meanwhile.' }
}

export const settleCommand: Command = {
  summary: 'after data was lost, with the server stopped: settles what the acquirer alone knows',
  places: [],
  options: {
    since: {
      value: '<time>',
      help: 'from when on data may be lost; left out: when the backup was taken, or an hour ago',
    },
  },
  example: 'reconcile settle',
  endsWithOne: 'a break is left for a person',
  run: (given, env, { print, printError }) =>
    withConfirmedClock(env, async (deps) => {
      const text = given.textOrNull('since')
      const since = text === null ? null : parseDeadline(text)
      if (since === undefined) return { problem: '--since is no time: give one such as 2026-11-16T09:00:00+09:00.' }
      const result = await settleByHand(deps, since, printError)
      if ('problem' in result) return result
      if (given.json) print(printableJson(result))
      else for (const line of [...result.left.map(discrepancyLine), settlementLine(result)]) print(line)
      return result.left.length > 0 ? 1 : 0
    }),
}
