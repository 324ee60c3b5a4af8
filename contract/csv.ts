/** CSV (RFC 4180): a file that opens in a spreadsheet in Japan by a double click, and in which no cell is run as a formula. */

/** Excel takes a file for Shift_JIS unless it begins so. Whatever decodes an answer takes it away. */
export const BYTE_ORDER_MARK = '\uFEFF'
const END_OF_LINE = '\r\n'

/** Spreadsheets run a cell that begins so as a formula; Excel also passes over a tab or a line break before it. */
const FORMULA = /^[\t\r\n ]*[=+\-@＝＋－＠]/

/** A spreadsheet set to another list separator, such as that of Germany, ends a cell at a semicolon or a tab. */
export const textCell = (text: string | null): string => {
  const guarded = text !== null && FORMULA.test(text) ? `'${text}` : (text ?? '')
  return /[",;\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

/** One line. Its cells are numbers, or texts that `textCell` has written. */
export const csvLine = (cells: readonly (string | number)[]): string => cells.join(',') + END_OF_LINE
