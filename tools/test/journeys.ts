import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from '../browser/browser.ts'
import { runShown } from '../exit-with-parent/spawn.mjs'
import { isRecord } from '../is-record.mjs'
import { root } from '../setup/setup.mjs'

export interface JourneyCounts {
  readonly code: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly told: readonly Told[]
}

/** Playwright's JSON report, of which only the sums matter here. */
export const readSums = (text: string): Pick<JourneyCounts, 'passed' | 'failed' | 'skipped'> => {
  const report: unknown = JSON.parse(text)
  const stats = isRecord(report) && isRecord(report['stats']) ? report['stats'] : {}
  const sum = (name: string): number => (typeof stats[name] === 'number' ? stats[name] : 0)
  // A journey that passed only when tried again did not pass.
  return { passed: sum('expected'), failed: sum('unexpected') + sum('flaky'), skipped: sum('skipped') }
}

export interface Told {
  readonly title: string
  readonly ok: boolean
  readonly notes: ReadonlyMap<string, string>
}

const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const notesOf = (spec: Record<string, unknown>): Map<string, string> =>
  new Map(
    records(spec['tests'])
      .flatMap((test) => records(test['annotations']))
      .map(({ type, description }) => [String(type), String(description)]),
  )

const toldIn = (suite: Record<string, unknown>): Told[] => [
  ...records(suite['specs']).map((spec) => ({
    title: String(spec['title']),
    ok: spec['ok'] === true,
    notes: notesOf(spec),
  })),
  ...records(suite['suites']).flatMap(toldIn),
]

/** The same report, journey by journey, each with the notes that it left for a proof. */
export const readTold = (text: string): Told[] => {
  const report: unknown = JSON.parse(text)
  return isRecord(report) ? toldIn(report) : []
}

const REPORT_FILE = join(root, 'dist', 'journeys.json')

const readReport = (): Omit<JourneyCounts, 'code'> => {
  try {
    const text = readFileSync(REPORT_FILE, 'utf8')
    return { ...readSums(text), told: readTold(text) }
  } catch {
    // Without a report Playwright itself failed, and has said why.
    return { passed: 0, failed: 0, skipped: 0, told: [] }
  }
}

/** `which`: the usual journeys, or also those that only a proof has the time for. */
export const runJourneys = async (
  args: readonly string[],
  which: 'usual' | 'all' = 'usual',
): Promise<JourneyCounts> => {
  const chromium = await ensureBrowser(process.env)
  rmSync(REPORT_FILE, { force: true })
  const code = await runShown(
    process.execPath,
    [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json', ...args],
    {
      cwd: root,
      env: { ...process.env, CHROMIUM: chromium, JOURNEYS: which, PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT_FILE },
    },
  )
  return { code, ...readReport() }
}
