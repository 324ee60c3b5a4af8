import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './browser.ts'
import { runShown } from './leashed.mjs'
import { isRecord } from './say.mjs'
import { root } from './setup.mjs'

export type JourneyCounts = { code: number; passed: number; failed: number; skipped: number }

/** Playwright's JSON report, of which only the sums matter here. */
export const readSums = (text: string): Omit<JourneyCounts, 'code'> => {
  const report: unknown = JSON.parse(text)
  const stats = isRecord(report) && isRecord(report['stats']) ? report['stats'] : {}
  const sum = (name: string): number => (typeof stats[name] === 'number' ? stats[name] : 0)
  // A journey that passed only when tried again did not pass.
  return { passed: sum('expected'), failed: sum('unexpected') + sum('flaky'), skipped: sum('skipped') }
}

const reportFile = join(root, 'dist', 'journeys.json')

const readReport = (): Omit<JourneyCounts, 'code'> => {
  try {
    return readSums(readFileSync(reportFile, 'utf8'))
  } catch {
    // Without a report Playwright itself failed, and has said why.
    return { passed: 0, failed: 0, skipped: 0 }
  }
}

export const runJourneys = async (args: readonly string[]): Promise<JourneyCounts> => {
  const chromium = await ensureBrowser(process.env)
  rmSync(reportFile, { force: true })
  const code = await runShown(
    process.execPath,
    [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'test', '--reporter=list,json', ...args],
    { cwd: root, env: { ...process.env, CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile } },
  )
  return { code, ...readReport() }
}
