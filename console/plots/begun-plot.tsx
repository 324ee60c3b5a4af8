/** Begun plot: of 100 begun payments how many were paid, and where the others ended. */
import type { FiguresAnswer } from '#contract/merchant/figures.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import { useWords } from '../words/language.tsx'
import { outOfHundred } from './out-of-hundred.ts'
import { PlotFrame } from './plot-frame.tsx'
import { RowBars } from './row-bars.tsx'
import { ENDS, plotWords } from './words.ts'
import styles from './plots.module.css'

interface BegunPlotProps {
  readonly checkouts: FiguresAnswer['total']['checkouts']
  readonly file: string
}

export const BegunPlot = ({ checkouts, file }: BegunPlotProps) => {
  const words = useWords(plotWords)
  if (checkouts.begun === 0) return <p className={styles['none']}>{words.noBegun}</p>
  const shares = outOfHundred(ENDS.map((end) => checkouts[end]))
  const rows = ENDS.map((end, at) => ({ end, name: words.ends[end], share: shares[at] ?? 0, count: checkouts[end] }))
  return (
    <PlotFrame
      summary={words.begunSummary(shares[0] ?? 0, withThousandsSeparators(checkouts.begun))}
      table={{
        columns: [words.end, words.ofHundred, words.payments],
        rows: rows.map(({ name, share, count }) => [name, share, count]),
      }}
      format={withThousandsSeparators}
      file={file}
    >
      <RowBars
        most={100}
        rows={rows.map(({ end, name, share, count }) => ({
          name,
          amount: share,
          value: words.share(share, withThousandsSeparators(count)),
          isHatched: end !== 'paid',
        }))}
      />
    </PlotFrame>
  )
}
