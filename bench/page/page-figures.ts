/** Figures of the page bench: as they are written to docs/bench.json, and the limits as a table for the terminal. */
import type { Figures } from '../../tools/measurement/figures.ts'
import { limitRow } from '../../tools/prove/performance-tables.ts'
import { table } from '../limits/limits.ts'
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

/** One limit a line, for the terminal. */
export const limitsTable = (limits: Figures): string =>
  table(['judged', 'limit', 'worst', 'where', 'verdict'], Object.values(limits).map(limitRow))
