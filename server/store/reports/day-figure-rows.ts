/** Rows of day figures: the stored figures of closed days. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '#contract/jst.ts'
import { REPORTED_BRANDS } from '#contract/merchant/figures.ts'
import { countsOf, FIGURE_NAMES, type DayFigures, type FigureName } from '#payment/day-figures.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { integer, json, readEach } from '../engine/columns.ts'
import { insertRecords } from '../engine/write.ts'
import type { KeyScope } from '../merchant/keys.ts'
import type { TimeRange } from './movements.ts'

const columnOf = (name: FigureName): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const Brand = Type.Object({ charges: Type.Integer(), chargedYen: Type.Integer() })
const storedBrands = Compile(Type.Partial(Type.Record(Type.Enum([...REPORTED_BRANDS]), Brand)))

const figuresFrom = (row: Row): DayFigures => ({
  counts: countsOf((name) => integer(row, columnOf(name))),
  brands: json(row, 'brands', storedBrands),
})

const VALUES = [...FIGURE_NAMES.map(columnOf), 'brands']
/** A row with `counted_at` is of an open day, and was written by a release that stored those. */
const ROWS = `SELECT day, ${VALUES.join(', ')} FROM day_figures
  WHERE merchant_id = $1 AND mode = $2 AND day >= $3 AND day <= $4 AND counted_at IS NULL`

/** The stored figures of the days of a range. Null: a day whose row cannot be read, and that must be counted. */
export const readFigureRows = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: TimeRange,
): Promise<ReadonlyMap<Instant, DayFigures | null>> => {
  const rows = await sql.rows(ROWS, merchantId, mode, from, to)
  const days = new Map<Instant, DayFigures | null>(rows.map((row) => [integer(row, 'day'), null]))
  const read = (row: Row) => [integer(row, 'day'), figuresFrom(row)] as const
  for (const [day, figures] of readEach(rows, read, () => undefined)) days.set(day, figures)
  return days
}

const REPLACED = `ON CONFLICT (merchant_id, mode, day) DO UPDATE SET counted_at = NULL,
  ${VALUES.map((name) => `${name} = excluded.${name}`).join(', ')}`

/** Stores the figures of a day, or replaces them. */
export const figuresWrite = ({ merchantId, mode }: KeyScope, day: Instant, { counts, brands }: DayFigures): Write[] => {
  const values = Object.fromEntries(FIGURE_NAMES.map((name) => [columnOf(name), counts[name]]))
  const record = { merchant_id: merchantId, mode, day, ...values, brands: JSON.stringify(brands) }
  return insertRecords('day_figures', [record], REPLACED)
}
