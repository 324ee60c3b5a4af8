/** Limits of growth: the pages of an operation among the most checkouts by its pages among the fewest. */
import type { Limit } from '../limits/limits.ts'
import { readable, table } from '../limits/limits.ts'
import type { Figures } from '../../tools/measurement/figures.ts'

/** A tree of a hundred times as many rows has one level more, which is one page more for each lookup. */
const GROWTH_MAX = 1.3

export interface Growth {
  readonly name: string
  readonly fewPages: number
  readonly manyPages: number
}

export const growthsOf = (
  database: string,
  few: ReadonlyMap<string, number>,
  many: ReadonlyMap<string, number>,
): Growth[] =>
  [...few].map(([name, fewPages]) => ({
    name: `${database}, ${name}`,
    fewPages,
    manyPages: many.get(name) ?? Number.NaN,
  }))

/** From no page to some pages is infinite growth. */
const ratioOf = ({ fewPages, manyPages }: Growth): number => (manyPages === fewPages ? 1 : manyPages / fewPages)

export const growthLimits = (growths: readonly Growth[]): Limit[] =>
  growths.map((growth) => ({ name: growth.name, figure: ratioOf(growth), is: 'at most', limit: GROWTH_MAX }))

export const growthTable = (growths: readonly Growth[], sizes: readonly [few: number, many: number]): string =>
  table(
    ['pages of one operation', ...sizes.map((size) => `at ${size}`)],
    growths.map(({ name, fewPages, manyPages }) => [
      name,
      ...[fewPages, manyPages].map((pages) => String(readable(pages))),
    ]),
  )

export const growthFigures = (growths: readonly Growth[]): Figures =>
  Object.fromEntries(
    growths.flatMap(({ name, fewPages, manyPages }) => [
      [`${name}: pages among the fewest`, readable(fewPages)],
      [`${name}: pages among the most`, readable(manyPages)],
    ]),
  )
