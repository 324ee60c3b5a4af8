/** Movements as CSV: what a spreadsheet in Japan opens by a double click, and runs nothing of. */
import { jstDate, jstMoment } from '#contract/jst.ts'
import { MOVEMENT_COLUMNS, type MovementColumn } from '#contract/merchant-lists.ts'
import type { Movement } from '../store/movements.ts'

/** Excel takes a file for Shift_JIS unless it begins so. */
const BYTE_ORDER_MARK = '\uFEFF'
const END_OF_LINE = '\r\n'

/** Spreadsheets run a cell that begins so as a formula; Excel also passes over a tab or a line break before it. */
const FORMULA = /^[\t\r\n ]*[=+\-@＝＋－＠]/

const textCell = (text: string | null): string => {
  const guarded = text !== null && FORMULA.test(text) ? `'${text}` : (text ?? '')
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

const two = (value: number): string => String(value).padStart(2, '0')

const cells: Readonly<Record<MovementColumn, (movement: Movement) => string>> = {
  date: ({ bookedAt }) => jstDate(bookedAt),
  time: ({ bookedAt }) => {
    const { hour, minute } = jstMoment(bookedAt)
    return `${two(hour)}:${two(minute)}`
  },
  kind: ({ kind }) => kind,
  // A column for each, because a negative amount would be guarded like a formula.
  chargedAmount: ({ kind, amountYen }) => (kind === 'charge' ? String(amountYen) : ''),
  refundedAmount: ({ kind, amountYen }) => (kind === 'refund' ? String(amountYen) : ''),
  checkoutId: ({ checkoutId }) => textCell(checkoutId),
  reference: ({ reference }) => textCell(reference),
  subject: ({ subject }) => textCell(subject),
  refundId: ({ refundId }) => textCell(refundId),
  transactionId: ({ transactionId }) => textCell(transactionId),
  cardBrand: ({ cardBrand }) => textCell(cardBrand),
  lastFour: ({ lastFour }) => textCell(lastFour),
}

const COLUMNS = MOVEMENT_COLUMNS.map(([name]) => name)

const lineOf = (movement: Movement): string => COLUMNS.map((name) => cells[name](movement)).join(',') + END_OF_LINE

/** In pieces, as the movements are read: a whole year fills no memory. */
export async function* movementsCsv(pages: AsyncIterable<readonly Movement[]>): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK + COLUMNS.join(',') + END_OF_LINE
  for await (const page of pages) if (page.length > 0) yield page.map(lineOf).join('')
}
