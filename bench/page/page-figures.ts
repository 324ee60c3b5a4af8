/** Figures of the page bench: as they are written to docs/bench.json, and the limits as a table for the terminal. */
import type { Figures } from '../../tools/measurement/figures.ts'
import type { Measures } from './calmest.ts'
import { ratiosOf, rounded, type ScreenFigures } from './limits.ts'

/** Layout shift and ratios are small numbers; times and bytes need no digits after the point. */
const digitsOf = (name: string): number => (/^layoutShift$|To[A-Z]/.test(name) ? 4 : 0)

const roundedAll = (measures: Measures): Figures =>
  Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, rounded(value, digitsOf(name))]))

const screenFigures = (figures: ScreenFigures): Figures => {
  const parts = {
    ours: { ...figures.ours, ...figures.sent },
    sameWords: figures.sameWords,
    bareForm: figures.bareForm,
    ratios: ratiosOf(figures),
  }
  const measured = Object.entries(parts).filter(([, measures]) => Object.keys(measures).length > 0)
  return {
    rounds: figures.rounds,
    ...Object.fromEntries(measured.map(([name, measures]) => [name, roundedAll(measures)])),
    oursAtTwice: roundedAll({ longestTaskMs: figures.oursAtTwice['longestTaskMs'] ?? 0 }),
  }
}

export const figuresOf = (rounds: number, all: readonly ScreenFigures[], limits: Figures): Figures => {
  const screens: Record<string, Record<string, Figures>> = {}
  for (const each of all) screens[each.screen] = { ...screens[each.screen], [each.locale]: screenFigures(each) }
  return { rounds, limits, screens }
}

/** At most or, where more is better, at least. */
const boundOf = (judged: Figures): string =>
  'least' in judged ? `≥ ${textOf(judged['least'])}` : `≤ ${textOf(judged['limit'])}`

const textOf = (figure: Figures[string] | undefined): string =>
  typeof figure === 'object' || figure === undefined ? '' : String(figure)

/** What was judged, its bound, its worst figure, where that is, and the verdict. */
export const limitRow = (judged: Figures): string[] => [
  textOf(judged['says']),
  boundOf(judged),
  ...['worst', 'at', 'verdict'].map((name) => textOf(judged[name])),
]

/** One limit a line. */
export const limitsTable = (limits: Figures): string => {
  const rows = Object.values(limits).flatMap((entry) => (typeof entry === 'object' ? [limitRow(entry)] : []))
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}\n`).join('')
}
