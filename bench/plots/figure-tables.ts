/** Figure tables: the parts of docs/performance.md that are made of docs/bench.json, between markers. */
import type { Figures } from '../../tools/measurement/figures.ts'
import { limitRow } from '../page/page-figures.ts'
import { figuresIn, numberIn, partIn, recordsIn } from './figures-in.ts'
import { pagePlots } from './page-plots.ts'

type Row = readonly string[]

/** Padded as the formatter pads a table: otherwise the check of formats and this command would disagree. */
const markdownTable = (head: Row, rows: readonly Row[]): string => {
  const widths = head.map((name, column) => Math.max(3, name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: Row): string => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const limitsMarkdown = (figures: Figures): string =>
  markdownTable(
    ['Judged', 'Limit', 'Worst', 'Where', 'Verdict'],
    recordsIn(figures, 'limits').map(([, limit]) => limitRow(limit)),
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

const screenRows = (figures: Figures): Row[] =>
  recordsIn(figures, 'screens').flatMap(([screen, languages]) =>
    Object.entries(languages).flatMap(([language, measured]) =>
      Object.entries(PAGES).flatMap(([name, title]) => {
        const measures = typeof measured === 'object' ? partIn(measured, name) : {}
        if (Object.keys(measures).length === 0) return []
        const cells = Object.keys(COLUMNS).map((column) => String(numberIn(measures, column) ?? ''))
        return [[`${screen} ${language}`, title, ...cells]]
      }),
    ),
  )

const NOT_MEASURED = 'Not measured yet.'

const pageSection = (results: unknown): string => {
  const figures = figuresIn(results, 'page')
  if (figures === undefined) return NOT_MEASURED
  return [
    limitsMarkdown(figures),
    ...pagePlots(results).map(({ title, file }) => `![${title}](performance/${file})`),
    'Times in milliseconds.',
    markdownTable(['Screen', 'Of', ...Object.values(COLUMNS)], screenRows(figures)),
  ].join('\n\n')
}

const lighthouseSection = (results: unknown): string => {
  const figures = figuresIn(results, 'lighthouse')
  return figures === undefined ? NOT_MEASURED : limitsMarkdown(figures)
}

const SECTIONS: Readonly<Record<string, (results: unknown) => string>> = {
  page: pageSection,
  lighthouse: lighthouseSection,
}

/** The document with what stands between its markers made anew. */
export const withFigures = (document: string, results: unknown): string =>
  Object.entries(SECTIONS).reduce((text, [name, section]) => {
    const [begin, end] = [`<!-- figures: ${name} -->`, `<!-- end of figures: ${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from === -1 || to < from) throw new Error(`docs/performance.md has no place for the figures of ${name}`)
    return `${text.slice(0, from + begin.length)}\n\n${section(results)}\n\n${text.slice(to)}`
  }, document)
