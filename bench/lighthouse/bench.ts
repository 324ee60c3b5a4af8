/** Lighthouse bench: its scores of the card page and the receipt, the median of five runs. npm run bench -- lighthouse */
import lighthouse from 'lighthouse'
import { freePort } from '../../journeys/harness/program.ts'
import { launchChromium } from '../../tools/browser/browser.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress } from '../../tools/progress.mjs'
import { judgeScores, medianScores, SCORE_LIMITS, type Scores } from './lighthouse-scores.ts'
import { limitsTable } from '../page/page-figures.ts'
import { withProgram, type ScreenName } from '../page/program.ts'

const RUNS = 5
const SCREENS: readonly ScreenName[] = ['card', 'receipt']

/** One run with Lighthouse's own phone and network, which it simulates. */
const runOnce = async (address: string, port: number): Promise<Scores> => {
  const result = await lighthouse(address, {
    port,
    logLevel: 'error',
    output: 'json',
    onlyCategories: Object.keys(SCORE_LIMITS),
  })
  const { categories, audits, runtimeError } = result?.lhr ?? {}
  if (categories === undefined || audits === undefined || runtimeError !== undefined)
    throw new CommandError(`Lighthouse could not measure ${address}: ${runtimeError?.message ?? 'no result'}`)
  const missed = Object.values(audits).filter(({ score }) => score !== null && score < 0.9)
  printProgress(`  below 90: ${missed.map(({ id }) => id).join(', ') || 'none'}`)
  return Object.fromEntries(
    Object.entries(categories).map(([name, { score }]) => {
      if (score === null) throw new CommandError(`Lighthouse has no score for ${name} of ${address}`)
      return [name, Math.round(score * 100)]
    }),
  )
}

export const parameters = ''

export const measure = async (): Promise<Figures> => {
  await ensureBuilt()
  const port = await freePort()
  const browser = await launchChromium(`--remote-debugging-port=${port}`)
  try {
    return await withProgram(browser, async (addresses) => {
      const screens: Record<string, Scores> = {}
      for (const screen of SCREENS) {
        const runs: Scores[] = []
        for (let run = 1; run <= RUNS; run += 1) {
          const scores = await runOnce(`${addresses[screen]}?locale=ja`, port)
          printProgress(`${screen}, run ${run} of ${RUNS}: ${JSON.stringify(scores)}`)
          runs.push(scores)
        }
        screens[screen] = medianScores(runs)
      }
      const limits = judgeScores(screens)
      printProgress(limitsTable(limits))
      return { runs: RUNS, limits, screens }
    })
  } finally {
    await browser.close()
  }
}
