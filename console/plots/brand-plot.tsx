/** Brand plot: what was charged by card brand, the most first. */
import { brandName } from '#contract/brand-name.ts'
import type { FiguresAnswer } from '#contract/merchant/figures.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { useFormats, useWords } from '../words/language.tsx'
import { PlotFrame } from './plot-frame.tsx'
import { RowBars } from './row-bars.tsx'
import { plotWords } from './words.ts'
import styles from './plots.module.css'

interface BrandPlotProps {
  readonly cardBrands: FiguresAnswer['total']['cardBrands']
  readonly file: string
}

export const BrandPlot = ({ cardBrands, file }: BrandPlotProps) => {
  const [words, { yen }] = [useWords(plotWords), useFormats()]
  const rows = cardBrands
    .map(({ cardBrand, charges, chargedAmount }) => ({
      name: cardBrand === 'unknown' ? words.unknownBrand : brandName(cardBrand),
      charges,
      chargedAmount,
    }))
    .toSorted((one, other) => other.chargedAmount - one.chargedAmount)
  const [first] = rows
  if (first === undefined) return <p className={styles['none']}>{words.noMoney}</p>
  return (
    <PlotFrame
      summary={words.brandSummary(first.name, yen(first.chargedAmount))}
      table={{
        columns: [words.brand, words.amount, words.chargeCount],
        rows: rows.map(({ name, chargedAmount, charges }) => [name, chargedAmount, charges]),
      }}
      format={(value, column) => (column === 1 ? yen(value) : withThousandsSeparators(value))}
      file={file}
    >
      <RowBars
        most={first.chargedAmount}
        rows={rows.map(({ name, chargedAmount, charges }) => ({
          name,
          amount: chargedAmount,
          value: words.brandValue(yen(chargedAmount), withThousandsSeparators(charges)),
        }))}
      />
    </PlotFrame>
  )
}
