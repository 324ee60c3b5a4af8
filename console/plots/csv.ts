/** CSV of a plot's table. */
import { csvLine, textCell } from '#contract/csv.ts'

export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => csvLine(row.map((cell) => (typeof cell === 'number' ? cell : textCell(cell))))).join('')
