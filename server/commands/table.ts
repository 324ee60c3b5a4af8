/** Table: rows for people, in columns that line up. */

/** Letters of Japanese, Chinese and Korean, and emoji, take two places of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

const letters = new Intl.Segmenter('ja', { granularity: 'grapheme' })

const widthOf = (text: string): number =>
  Array.from(letters.segment(text)).reduce((width, { segment }) => width + (WIDE.test(segment) ? 2 : 1), 0)

const padded = (text: string, width: number): string => text + ' '.repeat(width - widthOf(text))

const GAP = '   '

/** The heading and a line for each row. A cell that holds nothing is a hyphen. */
export const tableLines = (columns: readonly string[], rows: readonly (readonly (string | null)[])[]): string[] => {
  const cells = [columns, ...rows.map((row) => row.map((cell) => cell ?? '-'))]
  const widths = columns.map((_column, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))))
  return cells.map((row) =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
}

/** `name: value` lines of one thing; what is not set is left out. */
export const factLines = (facts: Readonly<Record<string, string | null>>): string[] =>
  Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))

/** To the second, in UTC, as everywhere in the log. */
export const timeText = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z')
