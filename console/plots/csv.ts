/** CSV of a plot's table, as spreadsheets read it (RFC 4180). */

/** A spreadsheet would take such a text for a formula. */
const FORMULA = /^[=+\-@\t\r]/

const cellText = (cell: string | number): string => {
  if (typeof cell === 'number') return String(cell)
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** With a byte order mark: Excel reads Japanese wrongly without it. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`
