/** Limits of growth: the pages of an operation among the most checkouts by its pages among the fewest. */
import type { Limit } from '../limits/limits.ts'
import { readable, table } from '../limits/limits.ts'
import type { Figures } from '../../tools/measurement/figures.ts'

/** A tree of a hundred times as many rows has one level more, which is one page more for each lookup. */
const GROWTH_MAX = 1.3

export interface MeasuredPages {
  readonly pages: number
  /** Of another operation, which is judged. */
  readonly isPart: boolean
}

export interface Growth {
  readonly name: string
  readonly isPart: boolean
  readonly fewPages: number
  readonly manyPages: number
}

export const growthsOf = (
  database: string,
  few: ReadonlyMap<string, MeasuredPages>,
  many: ReadonlyMap<string, MeasuredPages>,
): Growth[] =>
  [...few].map(([name, { pages: fewPages, isPart }]) => ({
    name: `${database}, ${name}`,
    isPart,
    fewPages,
    manyPages: many.get(name)?.pages ?? Number.NaN,
  }))

/** Pages that were nothing before and are something now have grown without end. */
const ratioOf = ({ fewPages, manyPages }: Growth): number => (manyPages === fewPages ? 1 : manyPages / fewPages)

export const growthLimits = (growths: readonly Growth[]): Limit[] =>
  growths
    .filter(({ isPart }) => !isPart)
    .map((growth) => ({ name: growth.name, figure: ratioOf(growth), is: 'at most', limit: GROWTH_MAX }))

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
