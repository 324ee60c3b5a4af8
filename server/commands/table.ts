/** Table: rows for people, in columns that line up within the width of a terminal. */
import { JST_OFFSET_MS, type Instant } from '#contract/jst.ts'
import { withThousandsSeparators } from '#contract/yen.ts'

export const TABLE_WIDTH = 100

/** Letters of Japanese, Chinese and Korean, and emoji, take two places of a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })

const lettersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)
const letterWidth = (letter: string): number => (WIDE.test(letter) ? 2 : 1)
export const widthOf = (text: string): number =>
  lettersOf(text).reduce((width, letter) => width + letterWidth(letter), 0)

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** Whatever a shopper or a merchant has written, no letter of it may steer the terminal or turn the line around. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, ' ')

/** As many letters from the beginning as have room. */
const beginning = (text: string, width: number): string => {
  let begun = ''
  let used = 0
  for (const letter of lettersOf(text)) {
    used += letterWidth(letter)
    if (used > width) break
    begun += letter
  }
  return begun
}

const shortened = (text: string, width: number): string =>
  widthOf(text) <= width ? text : `${beginning(text, width - 1)}…`

/** A text without spaces, as Japanese is, or an address, is broken where the line is full. */
const brokenWord = (word: string, width: number): string[] => {
  if (widthOf(word) <= width) return [word]
  const first = beginning(word, width)
  return [first, ...brokenWord(word.slice(first.length), width)]
}

/** The text in lines of at most this width. */
export const wrapped = (text: string, width: number): string[] => {
  const lines = ['']
  for (const word of text.split(' ').flatMap((each) => brokenWord(each, width))) {
    const last = lines.at(-1) ?? ''
    const longer = last === '' ? word : `${last} ${word}`
    if (last === '' || widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

const GAP = '  '
const WRAPPED_MIN = 24
const SHORTENED_MIN = 8

/** Columns that give way where a table is too wide; all others are ids, amounts and times, which stay whole. */
interface Fit {
  /** Goes on in the next line. */
  readonly wrap?: readonly string[]
  /** Ends with an ellipsis; the whole of it is in --json. */
  readonly shorten?: readonly string[]
}

const fittingWidths = (columns: readonly string[], natural: readonly number[], { wrap = [], shorten = [] }: Fit) => {
  const widths = [...natural]
  const room = TABLE_WIDTH - GAP.length * (columns.length - 1)
  const excess = (): number => widths.reduce((sum, width) => sum + width, 0) - room
  const narrow = (names: readonly string[], least: number): void => {
    const places = names.map((name) => columns.indexOf(name))
    while (excess() > 0) {
      const widest = places.toSorted((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0))[0] ?? -1
      const width = widths[widest] ?? 0
      if (width <= Math.max(least, columns[widest]?.length ?? 0)) return
      widths[widest] = width - 1
    }
  }
  narrow(wrap, WRAPPED_MIN)
  narrow(shorten, SHORTENED_MIN)
  return widths
}

/** A text, or lines one below the other. */
type Cell = string | null | readonly string[]

const linesIn = (cell: Cell): string[] => (typeof cell === 'string' ? [cell] : (cell ?? ['-'])).map(printable)

/** The heading and the lines of each row. A cell that holds nothing is a hyphen. */
export const tableLines = (columns: readonly string[], rows: readonly (readonly Cell[])[], fit: Fit = {}): string[] => {
  const cells = [columns, ...rows].map((row) => row.map(linesIn))
  const widest = (lines: readonly string[] = []): number => Math.max(0, ...lines.map(widthOf))
  const natural = columns.map((_column, at) => Math.max(...cells.map((row) => widest(row[at]))))
  const widths = fittingWidths(columns, natural, fit)
  const fitted = (lines: readonly string[], at: number): string[] => {
    const width = widths[at] ?? 0
    const isWrapped = fit.wrap?.includes(columns[at] ?? '') === true
    return lines.flatMap((line) => (isWrapped ? wrapped(line, width) : [shortened(line, width)]))
  }
  return cells.flatMap((row) => {
    const split = row.map(fitted)
    const height = Math.max(...split.map((lines) => lines.length))
    return Array.from({ length: height }, (_line, line) =>
      split
        .map((lines, at) => padded(lines[line] ?? '', widths[at] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
  })
}

/** `name: value` lines of one thing; what is not set is left out. */
export const factLines = (facts: Readonly<Record<string, string | null | undefined>>): string[] =>
  Object.entries(facts).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${name}: ${printable(value)}`],
  )

/** For programs, in --json: to the second, in UTC, as everywhere in the log. */
export const instantText = (instant: Instant | null): string | null =>
  instant === null ? null : new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z')

/** A time of ours, or as an answer of the merchant API writes it. */
type Moment = Instant | string | null | undefined

/** `2026-11-15 12:00:00`, by the clocks of Japan. */
const wallTime = (moment: Exclude<Moment, null | undefined>): string => {
  const instant = typeof moment === 'string' ? Date.parse(moment) : moment
  return new Date(instant + JST_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}

const isMissing = (moment: Moment): moment is null | undefined => moment === null || moment === undefined

/** For people: to the second, in Japan, with the zone. */
export const timeText = (moment: Moment): string | null => (isMissing(moment) ? null : `${wallTime(moment)} JST`)

/** The same to the minute, where a table has no room for more. */
export const minuteText = (moment: Moment): string | null =>
  isMissing(moment) ? null : `${wallTime(moment).slice(0, -3)} JST`

/** The same as a day; the heading of its column names the zone. */
export const dayText = (moment: Moment): string | null => (isMissing(moment) ? null : wallTime(moment).slice(0, 10))

export const yenText = (amount: number): string => `${withThousandsSeparators(amount)} yen`

/** JSON in which no letter steers the terminal: what is not printable is written as an escape. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
