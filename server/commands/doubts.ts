/** Doubt commands: list charges and refunds whose outcome is unknown, and settle a charge by hand. */
import { parseDeadline } from '#contract/jst.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { CARD_TESTING_LIMITS } from '#payment/card-testing.ts'
import { systemElapsed } from '../dependencies.ts'
import { createLog } from '../log.ts'
import { createCardHold } from '../card-hold/memory.ts'
import { settleDoubt, type SettledDoubt, type SettleResult } from '../operations/recovery/settle-doubt.ts'
import { countHeldCheckouts } from '../store/backup/held-checkouts.ts'
import { listDoubts, type ListedDoubt } from '../store/reports/doubts.ts'
import { PROGRAM, type Command, type CommandProblem, type Given } from './command.ts'
import { withConfirmedClock, withOperatorDependencies } from './operator-database.ts'
import { instantText, minuteText, tableLines, timeText } from './table.ts'

const COLUMNS = ['checkout', 'kind', 'yen', 'merchant', 'since', 'asked', 'next']

const rowOf = (doubt: ListedDoubt, now: number): (string | null)[] => [
  doubt.checkoutId,
  doubt.kind,
  withThousandsSeparators(doubt.amountYen),
  doubt.merchant,
  minuteText(doubt.since),
  String(doubt.inquiries),
  // An inquiry is never more than about an hour away: the time of day says enough, in the zone of the column before.
  doubt.nextInquiryAt <= now ? 'due' : (timeText(doubt.nextInquiryAt)?.slice(11, 19) ?? null),
]

export const doubtsCommand: Command = {
  summary: 'lists charges and refunds whose outcome is unknown, the oldest first',
  example: 'doubts --json',
  run: (_given, env) =>
    withOperatorDependencies(env, async ({ database, clock }) => {
      const now = clock.now()
      const doubts = await listDoubts(database, now)
      const items = doubts.map((doubt) => ({
        ...doubt,
        since: instantText(doubt.since),
        nextInquiryAt: instantText(doubt.nextInquiryAt),
      }))
      const rows = doubts.map((doubt) => rowOf(doubt, now))
      const held = await countHeldCheckouts(database)
      const closed =
        held === 0 ? [] : [`Closed to payment after a restore, because they may have been paid: ${held} checkouts.`]
      const more = `The server goes on asking. What happened so far: ${PROGRAM} changes <checkout>`
      return {
        value: { items, held },
        lines: [
          ...(rows.length === 0
            ? ['No charge and no refund is in doubt.']
            : [...tableLines(COLUMNS, rows, { shorten: ['merchant'] }), more]),
          ...closed,
        ],
      }
    }),
}

const ACQUIRERS_ID = /^[A-Za-z0-9_.:-]{1,64}$/
const WHY_MAX_LENGTH = 200

/** How the operator knows. */
export const readWhy = (given: Given): string | CommandProblem => {
  const why = given.text('why').trim()
  return why === '' || why.length > WHY_MAX_LENGTH
    ? { problem: `--why has ${why.length} characters: say in 1 to ${WHY_MAX_LENGTH} how you know.` }
    : why
}

/** What the operator has read in the acquirer's own records. */
const readSettled = (given: Given, now: number): SettledDoubt | CommandProblem => {
  const [as, why] = [given.text('as'), readWhy(given)]
  if (typeof why !== 'string') return why
  if (as === 'not_charged') return { as, why }
  if (as !== 'charged') return { problem: `--as is "${as}": give charged or not_charged.` }
  const [transactionId, reference] = [given.textOrNull('transaction'), given.textOrNull('reference')]
  if (transactionId === null)
    return { problem: '--transaction is missing: give the id that the acquirer has for the charge.' }
  for (const id of [transactionId, reference ?? transactionId])
    if (!ACQUIRERS_ID.test(id))
      return { problem: `"${id}" is no id of an acquirer: letters, digits and _ . : - alone.` }
  const at = given.textOrNull('at')
  const approvedAt = at === null ? now : parseDeadline(at)
  if (approvedAt === undefined) return { problem: '--at is no time: give one such as 2026-11-16T09:00:00+09:00.' }
  return { as, why, transactionId, reference, approvedAt }
}

const NOT_SETTLED: Readonly<Record<Exclude<SettleResult, 'settled'>, string>> = {
  'not found': `There is no such order: ${PROGRAM} doubts lists those in doubt, ${PROGRAM} changes <checkout> the orders of a checkout.`,
  'not in doubt': 'This order is not in doubt: nothing was changed.',
  'too early': 'This order is in doubt for less than ten minutes, and the server still asks the acquirer: wait.',
  'another in doubt': `Another order of its checkout is in doubt, and only one of them can have paid it: settle that one first (${PROGRAM} doubts).`,
  'no reference':
    'The acquirer’s reference of this order is not known here: give it by --reference, or nothing can be refunded.',
}

export const doubtSettle: Command = {
  summary: 'records how a charge ended, as the acquirer’s own records have it, where no inquiry answers',
  places: ['order'],
  options: {
    as: { value: 'charged|not_charged', help: 'how it ended', isRequired: true },
    why: { value: '<text>', help: 'how you know; it is kept in the log of changes', isRequired: true },
    transaction: { value: '<id>', help: 'with charged: the acquirer’s id of the charge' },
    reference: { value: '<id>', help: 'with charged: the acquirer’s reference, where it is not known here' },
    at: { value: '<time>', help: 'with charged: when; left out: now' },
  },
  example: 'doubt settle <order> --as not_charged --why "not in the report of 17 November"',
  run: (given, env, { printError }) =>
    withConfirmedClock(env, async ({ database, config, clock }) => {
      const settled = readSettled(given, clock.now())
      if ('problem' in settled) return settled
      const order = given.text('order')
      const result = await settleDoubt(
        {
          database,
          clock,
          log: createLog(config.logLevel, printError, systemElapsed),
          cardHold: createCardHold(systemElapsed),
          cardTestingLimits: CARD_TESTING_LIMITS,
          publicBase: config.publicBase,
        },
        order,
        settled,
      )
      if (result !== 'settled') return { problem: NOT_SETTLED[result] }
      return { value: { order, as: settled.as }, lines: [`Order ${order} is recorded as ${settled.as}.`] }
    }),
}
