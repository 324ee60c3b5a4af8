/** Settle command: writes down what the acquirer has charged and given back and this database does not hold. */
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import { parseDeadline } from '#contract/jst.ts'
import { errorsAsUnknown } from '../gateways/errors-as-unknown.ts'
import { openGateway } from '../gateways/open.ts'
import { createLog } from '../log.ts'
import { createCardHold } from '../operations/card-hold.ts'
import { settle, settlementLine } from '../operations/settle.ts'
import { systemElapsed } from '../parts.ts'
import type { Command } from './command.ts'
import { withOperatorParts } from './operator-database.ts'
import { discrepancyLine } from './reconcile.ts'
import { printableJson } from './table.ts'

export const settleCommand: Command = {
  summary: 'after data was lost: settles what the acquirer knows and this database does not, and names the rest',
  places: [],
  options: { since: { value: '<time>', help: 'from when on data may be lost; left out: an hour ago' } },
  example: 'reconcile settle',
  endsWithOne: 'a break is left for a person',
  run: (given, env, { print, printError }) =>
    withOperatorParts(env, async ({ database, config, clock }) => {
      const since = given.textOrNull('since')
      const takenAt = since === null ? clock.now() - 3_600_000 : parseDeadline(since)
      if (takenAt === undefined) return { problem: '--since is no time: give one such as 2026-11-16T09:00:00+09:00.' }
      const log = createLog(config.logLevel, printError, systemElapsed)
      const settled = await settle(
        {
          database,
          clock,
          log,
          gateway: errorsAsUnknown(openGateway(config), log),
          cardHold: createCardHold(systemElapsed),
          cardTestingLimits: CARD_TESTING_LIMITS,
          publicBase: config.publicBase,
        },
        takenAt,
      )
      if ('problem' in settled) return settled
      if (given.json) print(printableJson(settled))
      else for (const line of [...settled.left.map(discrepancyLine), settlementLine(settled)]) print(line)
      return settled.left.length > 0 ? 1 : 0
    }),
}
