/** Summary cards: the total of a period, and every day of it on which money has moved. */
import { readSummary, type SummaryAnswer } from '#contract/merchant/reports.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { DefinitionList } from '#ui/definition-list.tsx'
import { DataTable, type DataColumn } from '../../forms/data-table.tsx'
import type { DateRange } from '../../forms/date-range.ts'
import { useRead } from '../../session/use-calls.ts'
import { Card } from '../../shell/screen.tsx'
import { Empty, Reading } from '../../shell/states.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { moneyWords } from './words.ts'

type Sums = SummaryAnswer['total']
type Day = SummaryAnswer['days'][number]

const isMoved = ({ charges, refunds, chargebacks, chargebackReversals }: Sums): boolean =>
  charges + refunds + chargebacks + chargebackReversals > 0

const Total = ({ total }: { readonly total: Sums }) => {
  const [words, { yen }] = [useWords(moneyWords), useFormats()]
  const both = (amount: number, count: number): string => words.amountOf(yen(amount), withThousandsSeparators(count))
  const disputed =
    total.chargebacks + total.chargebackReversals === 0
      ? []
      : [
          { name: words.chargebacks, value: both(total.chargebackAmount, total.chargebacks) },
          { name: words.reversed, value: both(total.reversedAmount, total.chargebackReversals) },
        ]
  return (
    <Card title={words.total}>
      <DefinitionList
        items={[
          { name: words.charged, value: both(total.chargedAmount, total.charges) },
          { name: words.refunded, value: both(total.refundedAmount, total.refunds) },
          ...disputed,
          { name: words.net, value: <strong>{yen(total.netAmount)}</strong> },
        ]}
      />
    </Card>
  )
}

const Days = ({ days, total }: Pick<SummaryAnswer, 'days' | 'total'>) => {
  const [words, { yen }] = [useWords(moneyWords), useFormats()]
  const amount = (id: string, name: string, of: (day: Day) => number): DataColumn<Day> => ({
    id,
    name,
    align: 'end',
    cell: (day) => yen(of(day)),
  })
  const columns: DataColumn<Day>[] = [
    { id: 'date', name: words.day, isShort: true, cell: ({ date }) => date },
    amount('charged', words.charged, ({ chargedAmount }) => chargedAmount),
    amount('refunded', words.refunded, ({ refundedAmount }) => refundedAmount),
    ...(total.chargebacks + total.chargebackReversals === 0
      ? []
      : [
          amount('chargebacks', words.chargebacks, ({ chargebackAmount }) => chargebackAmount),
          amount('reversed', words.reversed, ({ reversedAmount }) => reversedAmount),
        ]),
    amount('net', words.net, ({ netAmount }) => netAmount),
  ]
  return (
    <Card title={words.days} isFlush>
      <DataTable
        label={words.days}
        columns={columns}
        items={days.filter(isMoved).toReversed()}
        idOf={({ date }) => date}
      />
    </Card>
  )
}

const useSummary = ({ from, to }: DateRange) => useRead(readSummary, { query: { from, to } })

interface RangeProps {
  readonly range: DateRange
}

export const TotalCard = ({ range }: RangeProps) => {
  const words = useWords(moneyWords)
  return (
    <Reading of={useSummary(range)}>
      {({ total }) =>
        isMoved(total) ? (
          <Total total={total} />
        ) : (
          <Card>
            <Empty icon="money" title={words.noMovements} />
          </Card>
        )
      }
    </Reading>
  )
}

/** The longest card, so it stands last. The total says already that it is being read, or why it cannot be. */
export const DaysCard = ({ range }: RangeProps) => {
  const { data } = useSummary(range)
  return data === undefined || !isMoved(data.total) ? null : <Days days={data.days} total={data.total} />
}
