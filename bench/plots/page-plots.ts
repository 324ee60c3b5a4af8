/** Plots of the page: each ratio to a control, by screen and language, beside its limit. */
import type { Figures } from '../../tools/measurement/figures.ts'
import { barPlot, type Bar } from './bar-plot.ts'
import { figuresIn, numberIn, partIn, recordsIn } from './figures-in.ts'

export interface Plot {
  readonly file: string
  readonly title: string
  readonly svg: string
}

interface PlottedRatio {
  readonly file: string
  /** Its name among the limits. */
  readonly limit: string
  readonly ratio: string
  readonly title: string
}

const RATIOS: readonly PlottedRatio[] = [
  {
    file: 'first-paint-to-same-words.svg',
    limit: 'firstPaintToSameWords',
    ratio: 'firstPaintToSameWords',
    title: 'First paint, of the same words as static HTML',
  },
  {
    file: 'field-usable-to-same-words.svg',
    limit: 'fieldUsableToSameWords',
    ratio: 'fieldUsableToSameWords',
    title: 'Card field usable, of the same words as static HTML',
  },
  {
    file: 'first-paint-to-bare-form.svg',
    limit: 'firstPaintToBareForm',
    ratio: 'firstPaintToBareForm',
    title: 'First paint, of a bare form',
  },
  {
    file: 'field-usable-to-bare-form.svg',
    limit: 'fieldUsableToBareForm',
    ratio: 'fieldUsableToBareForm',
    title: 'Card field usable, of a bare form',
  },
  {
    file: 'button-live.svg',
    limit: 'buttonLive',
    ratio: 'buttonLiveToSameWordsFieldUsable',
    title: 'Pay button live, of the field usable of the same words',
  },
]

const barsOf = (figures: Figures, ratio: string): Bar[] =>
  recordsIn(figures, 'screens').flatMap(([screen, languages]) =>
    Object.entries(languages).flatMap(([language, measured]) => {
      const value = typeof measured === 'object' ? numberIn(partIn(measured, 'ratios'), ratio) : undefined
      return value === undefined ? [] : [{ label: `${screen} ${language}`, value }]
    }),
  )

/** None before the page was measured. The button is plotted where there is one: on the card page. */
export const pagePlots = (results: unknown): Plot[] => {
  const figures = figuresIn(results, 'page')
  if (figures === undefined) return []
  return RATIOS.flatMap(({ file, limit: name, ratio, title }) => {
    const bars = barsOf(figures, ratio)
    const limit = numberIn(partIn(partIn(figures, 'limits'), name), 'limit')
    if (limit === undefined || bars.length === 0) return []
    const description = 'Horizontal bars, one for each screen and language: how many times as long the page takes.'
    return [{ file, title, svg: barPlot({ title, description, limit, bars }) }]
  })
}
