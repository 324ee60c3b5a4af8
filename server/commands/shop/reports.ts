/** Report commands over the merchant API: sums by day, and every movement of money as CSV. */
import { BYTE_ORDER_MARK } from '#contract/csv.ts'
import { exportMovements, readSummary, type SummaryAnswer } from '#contract/merchant/reports.ts'
import { toWireLocale } from '#contract/locale.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { answered, answerOf, named } from '../checkout/checkouts.ts'
import { isProblem, type Command } from '../command.ts'
import { writeOut } from '../out-file.ts'
import { tableLines } from '../table.ts'

const RANGE = {
  from: { value: '<day>', help: 'the first day in Japan, such as 2026-11-01; left out, 30 days up to the last' },
  to: { value: '<day>', help: 'the last day in Japan; left out, today; at most 366 days' },
} as const

type Sums = SummaryAnswer['total']

/** Those of chargebacks stand only where there are any. */
const MOVED: readonly (readonly [heading: string, of: (sums: Sums) => number])[] = [
  ['charges', ({ charges }) => charges],
  ['charged yen', ({ chargedAmount }) => chargedAmount],
  ['refunds', ({ refunds }) => refunds],
  ['refunded yen', ({ refundedAmount }) => refundedAmount],
]
const DISPUTED: typeof MOVED = [
  ['chargebacks', ({ chargebacks }) => chargebacks],
  ['chargeback yen', ({ chargebackAmount }) => chargebackAmount],
  ['reversals', ({ chargebackReversals }) => chargebackReversals],
  ['reversed yen', ({ reversedAmount }) => reversedAmount],
]
const NET: typeof MOVED = [['net yen', ({ netAmount }) => netAmount]]

const disputed = ({ chargebacks, chargebackReversals }: Sums): number => chargebacks + chargebackReversals

export const summaryCommand: Command = {
  summary: 'adds up charges, refunds and chargebacks by day in Japan',
  options: RANGE,
  example: 'summary --from 2026-11-01 --to 2026-11-30',
  run: (given, env) => {
    const query = named(given, ['from', 'to'])
    return answered(env, readSummary, { query }, ({ from, to, days, total }) => {
      const moved = days.filter((day) => day.charges + day.refunds + disputed(day) > 0)
      if (moved.length === 0) return [`From ${from} to ${to} no money has moved.`]
      const columns = [...MOVED, ...(disputed(total) > 0 ? DISPUTED : []), ...NET]
      const rowOf = (day: string, sums: Sums): string[] => [
        day,
        ...columns.map(([, valueOf]) => withThousandsSeparators(valueOf(sums))),
      ]
      const rows = [...moved.map((day) => rowOf(day.date, day)), rowOf('all days', total)]
      const below = `From ${from} to ${to}; on the days that are left out nothing has moved.`
      return [...tableLines(['day in Japan', ...columns.map(([heading]) => heading)], rows), below]
    })
  },
}

/** Without what would steer a terminal: a shopper or a merchant may have written it. A file has it as it is. */
const harmless = (csv: string): string =>
  csv.replaceAll(/\p{Cc}/gu, (letter) => ('\r\n\t'.includes(letter) ? letter : ' '))

export const exportCommand: Command = {
  summary: 'prints every charge, refund and chargeback as CSV for a spreadsheet, the oldest first',
  options: {
    ...RANGE,
    locale: { value: 'ja', help: 'headings in Japanese; left out, the names of the columns' },
    taxes: { value: 'true|false', help: 'whether columns with amount and tax of each rate follow; left out, false' },
    out: { value: '<file.csv>', help: 'writes it there instead of printing it' },
  },
  example: 'export --from 2026-11-01 --to 2026-11-30 --locale ja --taxes true --out november.csv',
  run: async (given, env) => {
    const locale = given.textOrNull('locale')
    if (locale !== null && locale !== 'ja')
      return { problem: '--locale takes one word: ja. Left out, the headings are the names of the columns.' }
    const query = {
      ...named(given, ['from', 'to', 'taxes']),
      ...(locale === null ? {} : { locale: toWireLocale(locale) }),
    }
    const read = await answerOf(env, exportMovements, { query })
    if (isProblem(read)) return read
    const csv = BYTE_ORDER_MARK + read.answer
    const out = given.textOrNull('out')
    // The last line ends as all others do: what prints adds the line feed.
    if (out === null) return { value: { csv }, lines: [harmless(csv).replace(/\n$/, '')] }
    const written = await writeOut(env, out, csv)
    if (isProblem(written)) return written
    return { value: written, lines: [`${written.file} is written.`] }
  },
}
