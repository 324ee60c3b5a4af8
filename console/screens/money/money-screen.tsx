/** Money: sums by day of a period, its files for accounting, and how our ledger compares with the acquirer's statement. */
import { useState } from 'react'
import { DAY_MS, jstDate } from '#contract/jst.ts'
import { RANGE_DAYS_MAX } from '#contract/merchant/reports.ts'
import { DateRangeField } from '../../forms/date-range-field.tsx'
import type { DateRange } from '../../forms/date-range.ts'
import { Notice } from '../../forms/notice.tsx'
import { Card, Screen } from '../../shell/screen.tsx'
import { useWords } from '../../words/language.tsx'
import { ExportsCard } from './exports-card.tsx'
import { ReconciliationsCard } from './reconciliations-card.tsx'
import { DaysCard, TotalCard } from './summary-cards.tsx'
import { moneyWords } from './words.ts'

const DEFAULT_DAYS = 30

const daysOf = ({ from, to }: DateRange): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

const lastDays = (): DateRange => ({
  from: jstDate(Date.now() - (DEFAULT_DAYS - 1) * DAY_MS),
  to: jstDate(Date.now()),
})

export const MoneyScreen = () => {
  const words = useWords(moneyWords)
  const [today] = useState(() => jstDate(Date.now()))
  const [range, setRange] = useState(lastDays)
  const isTooLong = daysOf(range) > RANGE_DAYS_MAX
  return (
    <Screen title={words.title}>
      <Card>
        <DateRangeField
          label={words.range}
          value={range}
          onChange={(next) => setRange(next ?? range)}
          last={today}
          isRequired
        />
        {isTooLong ? <Notice kind="warning">{words.tooLong(RANGE_DAYS_MAX)}</Notice> : null}
      </Card>
      {isTooLong ? null : (
        <>
          <TotalCard range={range} />
          <ExportsCard range={range} />
        </>
      )}
      <ReconciliationsCard />
      {isTooLong ? null : <DaysCard range={range} />}
    </Screen>
  )
}
