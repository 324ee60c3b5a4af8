/** Changes command: everything that happened to one checkout, its attempts, refunds, mails and deliveries, the oldest first. */
import { findOwner, wholeTimeline, type TimelineLine } from '../store/checkout/timeline.ts'
import { readCheckoutId } from './checkout/option-values.ts'
import { isProblem, PROGRAM, type Command } from './command.ts'
import { withOperatorDependencies } from './operator-database.ts'
import { factLines, instantText, tableLines, timeText } from './table.ts'

const COLUMNS = ['at', 'what', 'from', 'to', 'by', 'why']

/** An order code takes a third of a line, so attempts, refunds and the webhooks of deliveries are numbered, and named in full below. */
const numbered = (lines: readonly TimelineLine[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const subject of ['attempt', 'refund', 'delivery'] as const) {
    const ids = new Set(lines.flatMap((line) => (line.subject === subject && line.id !== null ? [line.id] : [])))
    for (const [place, id] of [...ids].entries()) names.set(`${subject} ${id}`, `${subject} ${place + 1}`)
  }
  return names
}

const nameOf = ({ subject, id }: TimelineLine): string => (id === null ? subject : `${subject} ${id}`)

export const changesCommand: Command = {
  summary: 'lists all that happened to one checkout, its refunds, mails and deliveries: who, why, when',
  places: ['checkout'],
  options: {},
  example: 'changes lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb',
  run: async (given, env) => {
    const named = readCheckoutId(given.text('checkout'))
    if (isProblem(named)) return named
    const { checkoutId } = named
    return withOperatorDependencies(env, async ({ database }) => {
      const owner = await findOwner(database, checkoutId)
      if (owner === null)
        return {
          problem: `There is no such checkout in this database: check its id, and DATA_DIR or DATABASE_URL. ${PROGRAM} doubts lists those whose payment is in doubt.`,
        }
      const lines = await wholeTimeline(database, { merchantId: owner.merchantId, checkoutId })
      const items = lines.map(({ at, subject: what, id, from, to, by, why }) => ({
        at: instantText(at),
        ...{ what, id, from, to, by, why },
      }))
      const numbers = numbered(lines)
      const rows = lines.map((line) => [
        timeText(line.at),
        numbers.get(nameOf(line)) ?? nameOf(line),
        line.from,
        line.to,
        line.by,
        line.why,
      ])
      return {
        value: { checkoutId, merchant: owner.label, items },
        lines: [
          ...factLines({ checkout: checkoutId, merchant: owner.label }),
          ...tableLines(COLUMNS, rows, { wrap: ['why'] }),
          ...[...numbers].map(([name, number]) => `${number}: ${name.slice(name.indexOf(' ') + 1)}`),
        ],
      }
    })
  },
}
