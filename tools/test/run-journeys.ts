/** Journeys: runs Playwright and reads its JSON report. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from '../browser/browser.ts'
import { runWithOutput } from '../exit-with-parent.ts'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'

export interface JourneyResult {
  readonly title: string
  readonly ok: boolean
  readonly annotations: ReadonlyMap<string, string>
}

export interface JourneyReport {
  readonly code: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly journeys: readonly JourneyResult[]
}

/** The totals of Playwright's JSON report. */
export const readTotals = (text: string): Pick<JourneyReport, 'passed' | 'failed' | 'skipped'> => {
  const report: unknown = JSON.parse(text)
  const stats = isRecord(report) && isRecord(report['stats']) ? report['stats'] : {}
  const count = (name: string): number => (typeof stats[name] === 'number' ? stats[name] : 0)
  // A journey that passed only when tried again did not pass.
  return { passed: count('expected'), failed: count('unexpected') + count('flaky'), skipped: count('skipped') }
}

const recordsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const annotationsOf = (spec: Record<string, unknown>): Map<string, string> =>
  new Map(
    recordsIn(spec['tests'])
      .flatMap((test) => recordsIn(test['annotations']))
      .map(({ type, description }) => [String(type), String(description)]),
  )

const resultsIn = (suite: Record<string, unknown>): JourneyResult[] => [
  ...recordsIn(suite['specs']).map((spec) => ({
    title: String(spec['title']),
    ok: spec['ok'] === true,
    annotations: annotationsOf(spec),
  })),
  ...recordsIn(suite['suites']).flatMap(resultsIn),
]

/** The same report, journey by journey, each with the annotations that it left for a proof. */
export const readJourneyResults = (text: string): JourneyResult[] => {
  const report: unknown = JSON.parse(text)
  return isRecord(report) ? resultsIn(report) : []
}

const REPORT_FILE = join(ROOT, 'dist', 'journeys.json')

const readReport = (): Omit<JourneyReport, 'code'> => {
  try {
    const text = readFileSync(REPORT_FILE, 'utf8')
    return { ...readTotals(text), journeys: readJourneyResults(text) }
  } catch {
    // Without a report Playwright itself failed, and has printed why.
    return { passed: 0, failed: 0, skipped: 0, journeys: [] }
  }
}

/** `which`: the usual journeys, or also those that only a proof has the time for. */
export const runJourneys = async (
  args: readonly string[],
  which: 'usual' | 'all' = 'usual',
): Promise<JourneyReport> => {
  const chromium = await ensureBrowser(process.env)
  rmSync(REPORT_FILE, { force: true })
  const code = await runWithOutput(
    process.execPath,
    [join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json', ...args],
    {
      cwd: ROOT,
      env: { ...process.env, CHROMIUM: chromium, JOURNEYS: which, PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT_FILE },
    },
  )
  return { code, ...readReport() }
}
