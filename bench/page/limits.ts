/** Limits of the page: what is judged, of which figures, and how far it may go. A limit that does not hold stops nothing. */
import type { Figures } from '../../tools/measurement/figures.ts'
import type { Measures } from './calmest.ts'

/** One screen in one language: the page, its two controls, and what the program sends for it. */
export interface ScreenFigures {
  readonly screen: string
  readonly locale: string
  readonly rounds: number
  readonly ours: Measures
  readonly sameWords: Measures
  readonly bareForm: Measures
  /** At a processor that is 2 times slower instead of 4. */
  readonly oursAtTwice: Measures
  readonly sent: Measures
}

/** Not a number, and so not written, where one of the two was not measured. */
const ratio = (of: number | undefined, to: number | undefined): number => (of ?? Number.NaN) / (to ?? Number.NaN)

/** The page to its controls. The pay button has none: it is compared to the moment at which the same words can be typed into. */
export const ratiosOf = ({ ours, sameWords, bareForm }: ScreenFigures): Measures => {
  const ratios = {
    firstPaintToSameWords: ratio(ours['firstPaintMs'], sameWords['firstPaintMs']),
    fieldUsableToSameWords: ratio(ours['fieldUsableMs'], sameWords['fieldUsableMs']),
    firstPaintToBareForm: ratio(ours['firstPaintMs'], bareForm['firstPaintMs']),
    fieldUsableToBareForm: ratio(ours['fieldUsableMs'], bareForm['fieldUsableMs']),
    buttonLiveToSameWordsFieldUsable: ratio(ours['liveMs'], sameWords['fieldUsableMs']),
  }
  return Object.fromEntries(Object.entries(ratios).filter(([, value]) => !Number.isNaN(value)))
}

interface Limit {
  readonly says: string
  readonly most: number
  /** Digits after the point. */
  readonly digits: number
  valueOf(figures: ScreenFigures): number | undefined
}

const ratioLimit = (name: string, says: string, most: number): Limit => ({
  says,
  most,
  digits: 3,
  valueOf: (figures) => ratiosOf(figures)[name],
})

const KB = 1000

const LIMITS: Readonly<Record<string, Limit>> = {
  firstPaintToSameWords: ratioLimit('firstPaintToSameWords', 'first paint, of the same words', 1.15),
  fieldUsableToSameWords: ratioLimit('fieldUsableToSameWords', 'field usable, of the same words', 1.15),
  firstPaintToBareForm: ratioLimit('firstPaintToBareForm', 'first paint, of the bare form', 1.6),
  fieldUsableToBareForm: ratioLimit('fieldUsableToBareForm', 'field usable, of the bare form', 1.6),
  buttonLive: ratioLimit(
    'buttonLiveToSameWordsFieldUsable',
    'pay button live, of the field usable of the same words',
    2,
  ),
  layoutShift: { says: 'layout shift', most: 0, digits: 4, valueOf: ({ ours }) => ours['layoutShift'] },
  blockingTime: {
    says: 'blocking time from first paint until live, ms',
    most: 150,
    digits: 0,
    valueOf: ({ ours }) => ours['blockingMs'],
  },
  longestTask: {
    says: 'longest task at 2 times slower, ms (0: none over 50)',
    most: 50,
    digits: 0,
    valueOf: ({ oursAtTwice }) => oursAtTwice['longestTaskMs'],
  },
  scripts: {
    says: 'first script and language file of the card page as sent, kB',
    most: 76,
    digits: 1,
    // Every other screen begins with the lazy parts too.
    valueOf: ({ screen, sent }) => (screen === 'card' ? (sent['scriptBytes'] ?? Number.NaN) / KB : undefined),
  },
  document: {
    says: 'document as sent, kB',
    most: 10,
    digits: 1,
    valueOf: ({ sent }) => (sent['documentBytes'] ?? Number.NaN) / KB,
  },
  requestsBeforeFieldUsable: {
    says: 'requests received before the field is usable',
    most: 3,
    digits: 0,
    valueOf: ({ ours }) => ours['requestsBeforeFieldUsable'],
  },
  requests: { says: 'requests in all', most: 9, digits: 0, valueOf: ({ ours }) => ours['requests'] },
}

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Each limit beside its worst figure, which is judged as it is measured and written as it is rounded. */
export const judge = (all: readonly ScreenFigures[]): Figures =>
  Object.fromEntries(
    Object.entries(LIMITS).map(([name, { says, most, digits, valueOf }]) => {
      const values = all.flatMap((figures) => {
        const value = valueOf(figures)
        return value === undefined || Number.isNaN(value) ? [] : [{ value, at: `${figures.screen} ${figures.locale}` }]
      })
      const [worst] = values.toSorted((a, b) => b.value - a.value)
      if (worst === undefined) throw new Error(`nothing was measured for: ${says}`)
      const verdict = worst.value <= most ? 'holds' : 'does not hold'
      return [name, { says, limit: most, worst: rounded(worst.value, digits), at: worst.at, verdict }]
    }),
  )
