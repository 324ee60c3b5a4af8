/** Money plot: what was charged and refunded on each day. */
import type { FiguresAnswer } from '#contract/merchant/figures.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { useFormats, useLanguage, useWords } from '../words/language.tsx'
import { DayBars } from './day-bars.tsx'
import { PlotFrame } from './plot-frame.tsx'
import { shortYen } from './short-yen.ts'
import { plotWords } from './words.ts'
import styles from './plots.module.css'

interface MoneyPlotProps {
  readonly days: FiguresAnswer['days']
  readonly file: string
}

const AMOUNT_COLUMNS = [1, 3]

export const MoneyPlot = ({ days, file }: MoneyPlotProps) => {
  const [words, { yen }, { locale }] = [useWords(plotWords), useFormats(), useLanguage()]
  const sum = (of: (day: FiguresAnswer['days'][number]) => number): number =>
    days.reduce((total, day) => total + of(day), 0)
  if (sum(({ charges, refunds }) => charges + refunds) === 0) return <p className={styles['none']}>{words.noMoney}</p>
  return (
    <PlotFrame
      summary={words.moneySummary(yen(sum((day) => day.chargedAmount)), yen(sum((day) => day.refundedAmount)))}
      table={{
        columns: [words.day, words.charged, words.chargeCount, words.refunded, words.refundCount],
        rows: days.map((day) => [day.date, day.chargedAmount, day.charges, day.refundedAmount, day.refunds]),
      }}
      format={(value, column) => (AMOUNT_COLUMNS.includes(column) ? yen(value) : withThousandsSeparators(value))}
      file={file}
    >
      <DayBars
        days={days.map(({ date, chargedAmount, refundedAmount }) => ({
          date,
          up: chargedAmount,
          down: refundedAmount,
        }))}
        upName={words.charged}
        downName={words.refunded}
        short={(amount) => shortYen(amount, locale)}
      />
    </PlotFrame>
  )
}
