/** Rows of day figures: the stored figures of closed days, and of busy days that are open. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '#contract/jst.ts'
import { REPORTED_BRANDS } from '#contract/merchant/figures.ts'
import { countsOf, FIGURE_NAMES, type DayFigures, type FigureName, type OpenCount } from '#payment/day-figures.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { integer, integerOrNull, json } from '../engine/columns.ts'
import { insertRecords } from '../engine/write.ts'
import type { KeyScope } from '../merchant/keys.ts'
import type { TimeRange } from './movements.ts'

const columnOf = (name: FigureName): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const Brand = Type.Object({ charges: Type.Integer(), chargedYen: Type.Integer() })
const storedBrands = Compile(Type.Partial(Type.Record(Type.Enum([...REPORTED_BRANDS]), Brand)))

/** Figures as they are stored. */
export interface StoredFigures extends DayFigures {
  /** Null: the day was closed. */
  readonly openCount: OpenCount | null
}

const openCountFrom = (row: Row): OpenCount | null => {
  const countedAt = integerOrNull(row, 'counted_at')
  return countedAt === null ? null : { countedAt, rowsRead: integer(row, 'rows_read') }
}

const figuresFrom = (row: Row): StoredFigures => ({
  openCount: openCountFrom(row),
  counts: countsOf((name) => integer(row, columnOf(name))),
  brands: json(row, 'brands', storedBrands),
})

const VALUES = [...FIGURE_NAMES.map(columnOf), 'brands', 'counted_at', 'rows_read']
const ROWS = `SELECT day, ${VALUES.join(', ')} FROM day_figures
  WHERE merchant_id = $1 AND mode = $2 AND day >= $3 AND day <= $4`

/** The stored figures of the days of a range. */
export const readFigureRows = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: TimeRange,
): Promise<ReadonlyMap<Instant, StoredFigures>> => {
  const rows = await sql.rows(ROWS, merchantId, mode, from, to)
  return new Map(rows.map((row) => [integer(row, 'day'), figuresFrom(row)]))
}

const REPLACED = `ON CONFLICT (merchant_id, mode, day) DO UPDATE SET ${VALUES.map((name) => `${name} = excluded.${name}`).join(', ')}`

/** Stores the figures of a day, or replaces them. */
export const figuresWrite = (
  { merchantId, mode }: KeyScope,
  day: Instant,
  { counts, brands, openCount }: StoredFigures,
): Write[] => {
  const values = Object.fromEntries(FIGURE_NAMES.map((name) => [columnOf(name), counts[name]]))
  const key = { merchant_id: merchantId, mode, day }
  const counted = { counted_at: openCount?.countedAt ?? null, rows_read: openCount?.rowsRead ?? null }
  const record = { ...key, ...values, brands: JSON.stringify(brands), ...counted }
  return insertRecords('day_figures', [record], REPLACED)
}
