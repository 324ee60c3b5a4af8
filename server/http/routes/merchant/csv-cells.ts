/** Cells of CSV: a file that opens in a spreadsheet in Japan by a double click, and in which no cell is run as a formula. */
import { jstMoment, type Instant } from '#contract/jst.ts'

/** Excel takes a file for Shift_JIS unless it begins so. */
export const BYTE_ORDER_MARK = '\uFEFF'
export const END_OF_LINE = '\r\n'

/** Spreadsheets run a cell that begins so as a formula; Excel also passes over a tab or a line break before it. */
const FORMULA = /^[\t\r\n ]*[=+\-@＝＋－＠]/

export const textCell = (text: string | null): string => {
  const guarded = text !== null && FORMULA.test(text) ? `'${text}` : (text ?? '')
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

const two = (value: number): string => String(value).padStart(2, '0')

/** The time in Japan, such as 09:05. */
export const timeCell = (instant: Instant): string => {
  const { hour, minute } = jstMoment(instant)
  return `${two(hour)}:${two(minute)}`
}
