/** CSV: what every file for a spreadsheet in Japan begins with, and how its lines end. */

/** Excel takes a file for Shift_JIS unless it begins so. */
export const BYTE_ORDER_MARK = '\uFEFF'
export const END_OF_LINE = '\r\n'
