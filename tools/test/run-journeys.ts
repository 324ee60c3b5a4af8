/** Journeys: builds what they look at, runs Playwright, and reads the totals of its JSON report. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from '../browser/browser.ts'
import { ensureBuilt } from '../build/page-build.ts'
import { runWithOutput } from '../exit-with-parent.ts'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'

const REPORT_FILE = join(ROOT, 'dist', 'journeys.json')

/** `which`: the usual journeys, or also those that only a proof has the time for. */
export const runJourneys = async (args: readonly string[], which: 'usual' | 'all' = 'usual') => {
  await ensureBuilt()
  const env = { CHROMIUM: await ensureBrowser(process.env), JOURNEYS: which, PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT_FILE }
  rmSync(REPORT_FILE, { force: true })
  const call = [join('node_modules', '@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json', ...args]
  const code = await runWithOutput(process.execPath, call, { cwd: ROOT, env: { ...process.env, ...env } })
  const report: unknown = existsSync(REPORT_FILE) ? JSON.parse(readFileSync(REPORT_FILE, 'utf8')) : {}
  const stats = isRecord(report) && isRecord(report['stats']) ? report['stats'] : {}
  const count = (name: string): number => Number(stats[name] ?? 0)
  // One that passed only when it was run again has failed. Where none failed Playwright itself did, and has printed why.
  const failed = code === 0 ? 0 : Math.max(1, count('unexpected') + count('flaky'))
  return { report, passed: count('expected'), failed, skipped: count('skipped') }
}
