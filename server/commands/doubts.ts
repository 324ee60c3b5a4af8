/** Doubts command: charges and refunds whose outcome is unknown. */
import { withThousandsSeparators } from '#contract/yen.ts'
import { listDoubts, type ListedDoubt } from '../store/reports/doubts.ts'
import { PROGRAM, type Command } from './command.ts'
import { withOperatorDependencies } from './operator-database.ts'
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
  places: [],
  options: {},
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
      const more = `The server goes on asking. What happened so far: ${PROGRAM} changes <checkout>`
      return {
        value: { items },
        lines:
          rows.length === 0
            ? ['No charge and no refund is in doubt.']
            : [...tableLines(COLUMNS, rows, { shorten: ['merchant'] }), more],
      }
    }),
}
