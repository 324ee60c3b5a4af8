/** Proof, hostile page: a hostile script, changed bytes and markup in every text, in the real Chromium against the built program. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { payWithCard } from '../../journeys/harness/card-form.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { launchChromium } from '../../tools/browser/browser.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
import { carryOut } from './carry-out.ts'
import { drawPayloads } from './drawn-payloads.ts'
import { flipAll } from './flipped-bytes.ts'
import { openPayloads } from './opened-payloads.ts'
import { generatePayloads } from './payloads.ts'
import { copyWithEntryCode, withProgram, type Program } from './program.ts'
import { hostileScript, WAYS_OUT } from './ways-out.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'

const DRAWN_PAYLOADS = 10_000
const OPENED_PAYLOADS = 300

export interface HostilePageReport {
  readonly chromium: string
  readonly seed: number
  readonly carriedOut: Awaited<ReturnType<typeof carryOut>>
  readonly flipped: Awaited<ReturnType<typeof flipAll>>
  readonly drawn: Awaited<ReturnType<typeof drawPayloads>>
  readonly opened: Awaited<ReturnType<typeof openPayloads>>
}

const listed = (what: string, lines: readonly string[]): string[] => lines.map((line) => `${what}: ${line}`)

/** Everything that must not be, in lines. */
export const problemsOf = ({ carriedOut, flipped, drawn, opened }: HostilePageReport): string[] => [
  ...listed('a hostile script got out', carriedOut.open),
  ...listed('shown to work by nothing', carriedOut.neverOpen),
  ...listed('ran with a changed byte', flipped.ranChanged),
  ...listed('not shown', flipped.unshown),
  ...listed('a style sheet without integrity', flipped.styleSheets),
  ...listed('drawn', drawn.faults),
  ...listed('executed', opened.executed),
  ...listed('violation or error', opened.violations),
  ...listed('asked of another origin', opened.otherOrigins),
]

export const figuresOf = (report: HostilePageReport): Figures => {
  const { seed, carriedOut, flipped, drawn, opened } = report
  const problems = problemsOf(report).length
  if (problems > 0) throw new CommandError(`${problems} of the page's promises do not hold, see above`)
  const counts = [carriedOut.ways, flipped.scripts, flipped.visits, drawn.shown, drawn.changedWithoutEscaping]
  if ([...counts, opened.opened, opened.executedWithoutDefence].includes(0))
    throw new CommandError('nothing was tried, or nothing works without our defences, which shows nothing')
  return {
    chromium: report.chromium,
    seed,
    waysOut: carriedOut.ways,
    waysOpen: carriedOut.open.length,
    waysOpenWithoutAllowlist: carriedOut.openWithoutAllowlist.length,
    scripts: flipped.scripts,
    changedScriptsOpened: flipped.visits,
    changedScriptsRun: flipped.ranChanged.length,
    payloadsDrawn: drawn.payloads,
    payloadFields: drawn.fields,
    payloadsShownAsText: drawn.shown,
    treesChanged: drawn.faults.length,
    treesChangedWithoutEscaping: drawn.changedWithoutEscaping,
    payloadsOpened: opened.opened,
    refusedTexts: opened.refusedTexts,
    executed: opened.executed.length,
    violations: opened.violations.length,
    executedWithoutDefence: opened.executedWithoutDefence,
  }
}

const created = async (program: Program, fields: object = {}): Promise<string> => {
  const checkout = await program.createCheckout(fields)
  if (checkout === undefined) throw new CommandError('a harmless checkout was refused')
  return checkout.url
}

/** Every screen that loads scripts, each language on the card page. */
const screensOf = async (browser: Browser, program: Program): Promise<ReadonlyMap<string, string>> => {
  const [open, paid] = [await created(program, { subject: 'Sencha' }), await created(program)]
  const expired = await created(program, { validUntil: new Date(Date.now() + 3000).toISOString() })
  const { origin } = new URL(open)
  const page = await browser.newPage({ locale: 'en-US' })
  await page.goto(paid)
  await payWithCard(page)
  await page.waitForURL('**/complete', { timeout: 60_000 })
  // Until it has expired its link leads to the card form.
  while (!page.url().endsWith('/error')) {
    await page.waitForTimeout(500)
    await page.goto(expired)
  }
  await page.close()
  return new Map([
    ...PAGE_LOCALES.map((locale): [string, string] => [`card ${locale}`, `${open}/creditcard?locale=${locale}`]),
    ['complete', `${paid}/complete`],
    ['error', `${expired}/error`],
    ['not found', `${origin}/404`],
    ['server error', `${origin}/500`],
    ['preview', `${origin}/preview`],
    ['preview of a receipt', `${origin}/preview?screen=complete`],
  ])
}

const run = async (browser: Browser, folder: string, seed: number): Promise<HostilePageReport> => {
  const copy = join(folder, 'copy')
  copyWithEntryCode(copy, hostileScript(WAYS_OUT))
  const carriedOut = await withProgram(copy, async (program) =>
    carryOut(browser, program, await created(program), Object.keys(WAYS_OUT)),
  )
  printProgress(`tried ${carriedOut.ways} ways out; in browsers without the allowlist these stay open:`)
  for (const line of carriedOut.openWithoutAllowlist) printProgress(`  ${line}`)

  const build = await readPageBuild()
  const payloads = generatePayloads(seededRandom(seed), DRAWN_PAYLOADS)
  const [flipped, opened] = await withProgram(ROOT, async (program) => {
    const scripts = await flipAll(browser, program, await screensOf(browser, program), Object.keys(build.integrity))
    printProgress(`opened ${scripts.visits} pages with a changed script`)
    const step = DRAWN_PAYLOADS / OPENED_PAYLOADS
    const chosen = payloads.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
    return [scripts, await openPayloads(browser, program, chosen.slice(0, OPENED_PAYLOADS))] as const
  })
  printProgress(`opened ${opened.opened} payloads`)
  const page = await browser.newPage()
  const drawn = await drawPayloads(page, build, payloads, (count) => {
    if (count % 2000 === 0) printProgress(`drew ${count} payloads`)
  })
  return { chromium: browser.version(), seed, carriedOut, flipped, drawn, opened }
}

export const parameters = '[seed]'

/** Everything that it starts ends with it. */
export const measure = async ([seedText = '1']: readonly string[]): Promise<Figures> => {
  const seed = wholeNumber('seed', seedText, SEED_RANGE)
  await ensureBuilt()
  const folder = mkdtempSync(join(tmpdir(), 'kaikei-hostile-'))
  const browser = await launchChromium()
  try {
    const report = await run(browser, folder, seed)
    for (const line of problemsOf(report).slice(0, 100)) printProgress(line)
    return figuresOf(report)
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
