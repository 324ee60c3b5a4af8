/** Markdown table: padded as the formatter pads it, because a test compares both. */
import { widthOf } from '../server/commands/table.ts'

type Row = readonly string[]

export const markdownTable = (head: Row, rows: readonly Row[]): string => {
  const widths = head.map((_name, column) => Math.max(3, ...[head, ...rows].map((row) => widthOf(row[column] ?? ''))))
  const line = (cells: Row, fill = ' '): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '') + fill.repeat(width - widthOf(cells[at] ?? ''))).join(' | ')} |`
  return [line(head), line([], '-'), ...rows.map((row) => line(row))].join('\n')
}
