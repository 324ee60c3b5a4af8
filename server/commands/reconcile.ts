/** Reconcile command: prints every discrepancy between our ledger and the acquirer's statement. */
import { COMMAND_NAMES } from '../config/release.ts'
import { HOUR_MS, parseBeginning, parseDeadline, type Instant } from '#contract/jst.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { recordedWord } from '#payment/attempt.ts'
import type { Period } from '#payment/ports.ts'
import { discrepancyLine, movementName, movementPlace, recordOf } from '#payment/discrepancy-words.ts'
import type { Discrepancy, Unresolved } from '#payment/reconcile.ts'
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import type { Config } from '../config/config.ts'
import { systemElapsed, type AcquirerAccount } from '../dependencies.ts'
import { createLog, type Log } from '../log.ts'
import { disputesMovingIn, recentPeriod } from '#payment/reconciliation-period.ts'
import { createCardHold } from '../card-hold/memory.ts'
import { recordDisputes } from '../operations/record-disputes.ts'
import { reconcileAndRecord } from '../operations/record-reconciliation.ts'
import type { ReconciliationCounts } from '../operations/reconcile.ts'
import type { Command, CommandProblem, Given } from './command.ts'
import { withOperatorDependencies, type OperatorDependencies } from './operator-database.ts'
import { openOperatorGateways } from './operator-gateways.ts'
import { instantText, timeText, printableJson } from './table.ts'

const count = (many: number, noun: string): string => `${withThousandsSeparators(many)} ${noun}${many === 1 ? '' : 's'}`

/** One discrepancy as `--json` prints it. */
export const printedDiscrepancy = (found: Discrepancy) =>
  'state' in found && found.state !== null ? { ...found, state: recordedWord(found.state) } : found

/** One movement that stays unresolved, as whoever was called by an alarm looks for it. */
export const unresolvedLine = (unresolved: Unresolved): string => {
  const place = movementPlace(unresolved.movement, unresolved.checkoutId)
  if (unresolved.kind === 'unanswered')
    return `${place}: the acquirer did not answer about ${movementName(unresolved.movement)} (${unresolved.why})`
  const what = recordOf(unresolved.movement, unresolved.amountYen)
  return unresolved.state === 'unknown'
    ? `${place}: ${what} is in doubt since ${timeText(unresolved.since)}`
    : `${place}: ${what} is under way, and in doubt from ${timeText(unresolved.since)}`
}

const unreachable = ({ sandbox }: Config, why: string): string =>
  sandbox === null
    ? `There is no acquirer to compare with (${why}). Set SANDBOX as the server has it.`
    : `The acquirer at ${new URL(sandbox.origin).host} did not say all that is needed (${why}), so the comparison is not complete. Run this beside ${COMMAND_NAMES.start}, with the same PORT, SANDBOX_PORT and SANDBOX_URL.`

/** The moment after a day, or the moment itself: a day alone is the whole day, as `--from` and as `--to`. */
const parseEnd = (text: string): Instant | undefined => {
  const [first, last] = [parseBeginning(text), parseDeadline(text)]
  return last === undefined || first === last ? last : last + 1
}

const PARSE = { from: parseBeginning, to: parseEnd } as const

const readTime = (given: Given, name: keyof typeof PARSE, otherwise: Instant): Instant | CommandProblem => {
  const text = given.textOrNull(name)
  return text === null
    ? otherwise
    : (PARSE[name](text) ?? { problem: `--${name} is no time: give one such as 2026-11-16T09:00:00+09:00.` })
}

/** Without --to: an hour ahead, because the acquirer's clock may be. */
const readPeriod = (given: Given, now: Instant): Period | CommandProblem => {
  const usual = recentPeriod(now)
  const [from, to] = [readTime(given, 'from', usual.from), readTime(given, 'to', now + HOUR_MS)]
  if (typeof from !== 'number') return from
  if (typeof to !== 'number') return to
  return from < to ? { from, to } : { problem: '--from is not before --to: give an earlier --from.' }
}

/**
 * Records the disputes first, so that a chargeback that the worker has not seen yet is no break. Not by a clock that is not
 * confirmed. An account that names none is compared all the same.
 */
const recordDisputesFirst = async (
  { database, clock, config }: OperatorDependencies,
  accounts: readonly AcquirerAccount[],
  period: Period,
  log: Log,
): Promise<void> => {
  if (!clock.isConfirmed()) return
  const cardHold = createCardHold(systemElapsed)
  const { publicBase } = config
  const deps = { database, clock, log, cardHold, cardTestingLimits: CARD_TESTING_LIMITS, publicBase }
  for (const account of accounts) await recordDisputes(deps, account, disputesMovingIn(period))
}

/** Chargebacks are named only where there are any. */
const agreedLine = ({ charges, refunds, chargebacks, chargebackReversals }: ReconciliationCounts): string =>
  chargebacks + chargebackReversals === 0
    ? `${count(charges, 'charge')} and ${count(refunds, 'refund')}`
    : `${count(charges, 'charge')}, ${count(refunds, 'refund')}, ${count(chargebacks, 'chargeback')} and ${count(chargebackReversals, 'reversal')}`

const EXIT_CODES = { agreed: 0, discrepancies: 1, incomplete: 2 } as const

/** Compares our ledger with the acquirer's statement and names every discrepancy as soon as it is found. */
export const reconcileCommand: Command = {
  summary: 'compares our ledger with the acquirer’s statement and names every break',
  options: {
    from: { value: '<time>', help: 'compares what moved since then; left out: the last 30 days' },
    to: { value: '<time>', help: 'compares what moved before then; left out: until now' },
  },
  example: 'reconcile --json',
  endsWithOne: 'a break was found',
  run: (given, env, { print, printError }) =>
    withOperatorDependencies(env, async (deps) => {
      const { database, config, clock, random } = deps
      const { json } = given
      const breaks: ReturnType<typeof printedDiscrepancy>[] = []
      const unresolved: Unresolved[] = []
      const period = readPeriod(given, clock.now())
      if ('problem' in period) return period
      const log = createLog(config.logLevel, printError, systemElapsed)
      const opened = await openOperatorGateways(deps, log)
      if ('problem' in opened) return opened
      const accounts = await opened.gateways.accounts()
      if (accounts.length === 0) return { problem: unreachable(config, 'none is configured') }
      await recordDisputesFirst(deps, accounts, period, log)
      const compared = await reconcileAndRecord({ database, random, now: clock.now() }, accounts, period, {
        onDiscrepancy: (found) => (json ? void breaks.push(printedDiscrepancy(found)) : print(discrepancyLine(found))),
        onUnresolved: (left) => (json ? void unresolved.push(left) : print(unresolvedLine(left))),
      })
      if (compared.outcome === 'unknown') {
        // What was found until then is worth as much as before.
        if (json && breaks.length + unresolved.length > 0)
          print(printableJson({ isComplete: false, breaks, unresolved }))
        return { problem: unreachable(config, compared.why) }
      }
      const {
        charges,
        refunds,
        chargebacks,
        chargebackReversals,
        discrepancies,
        inDoubt,
        unanswered,
        comparedUntil,
        silent = [],
      } = compared
      const isComplete = unanswered + silent.length === 0
      if (json) {
        const rest = {
          ...(comparedUntil === undefined ? {} : { comparedUntil: instantText(comparedUntil) }),
          ...(silent.length === 0 ? {} : { silent }),
        }
        const agreed = { charges, refunds, chargebacks, chargebackReversals }
        print(printableJson({ isComplete, ...agreed, breaks, unresolved, inDoubt, unanswered, ...rest }))
      } else {
        print(`${agreedLine(compared)} agree; ${count(discrepancies, 'break')}; ${inDoubt} in doubt`)
        if (comparedUntil !== undefined)
          print(`compared until ${timeText(comparedUntil)}: an acquirer lists the rest when it has settled it`)
        for (const { scopes, why } of silent)
          print(
            `the account of ${scopes.map(({ merchantId, mode }) => `${merchantId} (${mode})`).join(', ')} could not be compared: ${why}`,
          )
        if (unanswered > 0)
          print(
            `${count(unanswered, 'movement')} of money could not be asked about, so the comparison is not complete: run it again when the acquirer answers`,
          )
      }
      if (discrepancies > 0) return EXIT_CODES.discrepancies
      return isComplete ? EXIT_CODES.agreed : EXIT_CODES.incomplete
    }),
}
