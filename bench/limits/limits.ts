/** Limits: what a bench promises, each beside its figure. A broken limit is printed and written; the bench goes on. */
import type { Figures } from '../../tools/measurement/figures.ts'

export interface Limit {
  readonly name: string
  readonly figure: number
  readonly is: 'at least' | 'at most'
  readonly limit: number
}

export type Judgement = 'holds' | 'does not hold'

/** NaN, a figure that could not be measured, breaks every limit. */
export const judge = ({ figure, is, limit }: Limit): Judgement =>
  (is === 'at least' ? figure >= limit : figure <= limit) ? 'holds' : 'does not hold'

/** Three significant digits. */
export const readable = (figure: number): number => {
  if (!Number.isFinite(figure)) return figure
  return Math.abs(figure) >= 100 ? Math.round(figure) : Number(figure.toPrecision(3))
}

export const limitTable = (limits: readonly Limit[]): string =>
  table(
    ['limit', 'figure', 'must be', 'judgement'],
    limits.map((each) => [each.name, String(readable(each.figure)), `${each.is} ${each.limit}`, judge(each)]),
  )

export const limitFigures = (limits: readonly Limit[]): Figures =>
  Object.fromEntries(
    limits.map((each) => [`limit: ${each.name}`, `${readable(each.figure)}, ${each.is} ${each.limit}: ${judge(each)}`]),
  )

/** Columns side by side; all but the first are set to the right. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) =>
        column === 0 ? (cells[column] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width),
      )
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
