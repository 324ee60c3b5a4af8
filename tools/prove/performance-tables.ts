/** Performance tables: the parts of docs/performance.md that are written from docs/bench.json, between markers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from '../is-record.mjs'
import { markdownTable } from '../markdown-table.ts'

const childOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)

/** The named parts of a value; none where it has no parts. */
const partsOf = (value: unknown): [name: string, part: unknown][] => (isRecord(value) ? Object.entries(value) : [])

const cellOf = (value: unknown, name: string): string => {
  const cell = childOf(value, name)
  return typeof cell === 'number' || typeof cell === 'string' ? String(cell) : ''
}

/** What was judged, its bound, its worst figure, where that is, and the verdict. */
export const limitRow = (judged: unknown): string[] => {
  const least = cellOf(judged, 'least')
  const bound = least === '' ? `≤ ${cellOf(judged, 'limit')}` : `≥ ${least}`
  return [cellOf(judged, 'says'), bound, ...['worst', 'at', 'verdict'].map((name) => cellOf(judged, name))]
}

const limitsMarkdown = (figures: unknown): string =>
  markdownTable(
    ['Judged', 'Limit', 'Worst', 'Where', 'Verdict'],
    partsOf(childOf(figures, 'limits')).map(([, limit]) => limitRow(limit)),
  )

const PAGES: Readonly<Record<string, string>> = {
  ours: 'the page',
  sameWords: 'the same words',
  bareForm: 'bare form',
}

const COLUMNS: Readonly<Record<string, string>> = {
  bytes: 'Bytes',
  requests: 'Requests',
  firstPaintMs: 'First paint',
  largestPaintMs: 'Largest paint',
  fieldUsableMs: 'Field usable',
  liveMs: 'Live',
  blockingMs: 'Blocking',
  layoutShift: 'Layout shift',
}

const screenRows = (figures: unknown): string[][] =>
  partsOf(childOf(figures, 'screens')).flatMap(([screen, languages]) =>
    partsOf(languages).flatMap(([language, measured]) =>
      Object.entries(PAGES).flatMap(([name, title]) => {
        const measures = childOf(measured, name)
        const cells = Object.keys(COLUMNS).map((column) => cellOf(measures, column))
        return measures === undefined ? [] : [[`${screen} ${language}`, title, ...cells]]
      }),
    ),
  )

const pageSection = (figures: unknown): string =>
  [
    limitsMarkdown(figures),
    'Times in milliseconds.',
    markdownTable(['Screen', 'Of', ...Object.values(COLUMNS)], screenRows(figures)),
  ].join('\n\n')

const SECTIONS = { page: pageSection, lighthouse: limitsMarkdown }

/** The document with every section between its markers written again. */
export const withTables = (document: string, results: unknown): string =>
  Object.entries(SECTIONS).reduce((text, [name, section]) => {
    const [begin, end] = [`<!-- figures: ${name} -->`, `<!-- end of figures: ${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from === -1 || to < from) throw new Error(`docs/performance.md has no place for the figures of ${name}`)
    const figures = childOf(childOf(results, name), 'figures')
    const written = figures === undefined ? 'Not measured yet.' : section(figures)
    return `${text.slice(0, from + begin.length)}\n\n${written}\n\n${text.slice(to)}`
  }, document)

/** After each bench: a document that shows older figures would fail `npm test`. */
export const writePerformanceTables = (root: string): void => {
  const file = join(root, 'docs', 'performance.md')
  const results: unknown = JSON.parse(readFileSync(join(root, 'docs', 'bench.json'), 'utf8'))
  writeFileSync(file, withTables(readFileSync(file, 'utf8'), results))
}
