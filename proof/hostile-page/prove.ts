/** Proof, hostile page: a hostile script and markup in every text, in the real Chromium against the built program. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { seededRandom } from '../harness/seeded-random.ts'
import { firstProgram, onPath } from '../programs/find-programs.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { carryOut } from './carry-out.ts'
import { drawPayloads } from './drawn-payloads.ts'
import { generatePayloads } from './payloads.ts'
import { copyWithEntryCode, withProgram } from './program.ts'
import { hostileScript, WAYS_OUT } from './ways-out.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'

const DRAWN_PAYLOADS = 10_000

export interface HostilePageReport {
  readonly chromium: string
  readonly seed: number
  readonly carriedOut: Awaited<ReturnType<typeof carryOut>>
  readonly drawn: Awaited<ReturnType<typeof drawPayloads>>
}

/**
 * The browser of a shopper. The headless shell, which journeys take, connects to no host before it may ask it for something: ways
 * that get no further than a connection would look closed.
 */
const findChromium = (env: NodeJS.ProcessEnv): string =>
  firstProgram(
    [
      ...onPath(env, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'),
      chromium.executablePath(),
    ],
    'A whole Chromium',
    'chromium',
  )

const listed = (what: string, lines: readonly string[]): string[] => lines.map((line) => `${what}: ${line}`)

/** Everything that must not be, in lines. */
export const problemsOf = ({ carriedOut, drawn }: HostilePageReport): string[] => [
  ...listed('a hostile script got out', carriedOut.open),
  ...listed('shown to work by nothing', carriedOut.neverOpen),
  ...listed('drawn', drawn.faults),
]

export const figuresOf = (report: HostilePageReport): Figures => {
  const { seed, carriedOut, drawn } = report
  const problems = problemsOf(report).length
  if (problems > 0) throw new CommandError(`${problems} of the page's promises do not hold, see above`)
  if ([carriedOut.ways, drawn.shown, drawn.changedWithoutEscaping].includes(0))
    throw new CommandError('nothing was tried, or nothing works without our defences, which shows nothing')
  return {
    chromium: report.chromium,
    seed,
    waysOut: carriedOut.ways,
    waysOpen: carriedOut.open.length,
    waysOpenWithoutAllowlist: carriedOut.openWithoutAllowlist.length,
    payloadsDrawn: drawn.payloads,
    payloadFields: drawn.fields,
    payloadsShownAsText: drawn.shown,
    treesChanged: drawn.faults.length,
    treesChangedWithoutEscaping: drawn.changedWithoutEscaping,
  }
}

const run = async (browser: Browser, folder: string, seed: number): Promise<HostilePageReport> => {
  const copy = join(folder, 'copy')
  copyWithEntryCode(copy, hostileScript(WAYS_OUT))
  const carriedOut = await withProgram(copy, async (program) => {
    const { url } = await program.createCheckout()
    return carryOut(browser, program, url, Object.keys(WAYS_OUT))
  })
  printProgress(`tried ${carriedOut.ways} ways out; in browsers without the allowlist these stay open:`)
  for (const line of carriedOut.openWithoutAllowlist) printProgress(`  ${line}`)

  const payloads = generatePayloads(seededRandom(seed), DRAWN_PAYLOADS)
  const page = await browser.newPage()
  const drawn = await drawPayloads(page, await readPageBuild(), payloads, (count) => {
    if (count % 2000 === 0) printProgress(`drew ${count} payloads`)
  })
  return { chromium: browser.version(), seed, carriedOut, drawn }
}

export const parameters = '[seed]'

/** Everything that it starts ends with it. */
export const measure = async ([seedText = '1']: readonly string[]): Promise<Figures> => {
  const seed = wholeNumber('seed', seedText, SEED_RANGE)
  const executablePath = findChromium(process.env)
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-hostile-'))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const report = await run(browser, folder, seed)
    for (const line of problemsOf(report).slice(0, 100)) printProgress(line)
    return figuresOf(report)
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
