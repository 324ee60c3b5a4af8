/** Doubts command: charges and refunds whose outcome is unknown. */
import { withThousandsSeparators } from '#contract/yen.ts'
import { listDoubts, type ListedDoubt } from '../store/reports/doubts.ts'
import { PROGRAM, type Command } from './command.ts'
import { withOperatorDependencies } from './operator-database.ts'
import { instantText, minuteText, tableLines, timeText, printableJson } from './table.ts'

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
  run: ({ json }, env, { print }) =>
    withOperatorDependencies(env, async ({ database, clock }) => {
      const now = clock.now()
      const doubts = await listDoubts(database, now)
      if (json) {
        const items = doubts.map((doubt) => ({
          ...doubt,
          since: instantText(doubt.since),
          nextInquiryAt: instantText(doubt.nextInquiryAt),
        }))
        print(printableJson({ items }))
      } else if (doubts.length === 0) print('No charge and no refund is in doubt.')
      else {
        for (const line of tableLines(
          COLUMNS,
          doubts.map((doubt) => rowOf(doubt, now)),
          { shorten: ['merchant'] },
        ))
          print(line)
        print(`The server goes on asking. What happened so far: ${PROGRAM} changes <checkout>`)
      }
      return 0
    }),
}
