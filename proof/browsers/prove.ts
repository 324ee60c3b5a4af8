/** Proof, browsers: old ones in Chromium without what they lack, and a real Firefox and a real WebKit, all pay with a challenge. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startKaikei, type Kaikei } from '../../journeys/harness/program.ts'
import { MISSING_IN_SCRIPTS } from '../../journeys/harness/missing-features.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
import { findFirefox, startFirefox } from './firefox.ts'
import { expectNotice, payInDrivenBrowser, waitUntilLive, type DrivenBrowser } from './payment.ts'
import { findWebKit, startWebKit } from './webkit.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { annotatedNumbers, runPassingJourneys, type RunJourneys } from '../journeys/journey-proof.ts'

const JOURNEYS = [
  'an-old-browser-pays',
  'a-page-that-does-not-come-alive-says-so',
  'every-address-is-drawn-and-alive-the-same',
]

/** A receipt is looked at by a person: the pictures are left here. */
const PICTURES = join(ROOT, 'screens', 'browsers')
const WIDTHS = [360, 390] as const
/** A whole receipt. */
const PICTURE_HEIGHT = 1250

const MAIN = '/assets/main-'
const WORDS = '/assets/en-US-'
const LOSSES = [MAIN, WORDS, `${MAIN}|${WORDS}`].map((files) => new RegExp(files))

const payInRealBrowser = async (browser: DrivenBrowser, kaikei: Kaikei) => {
  try {
    const unpaid = await kaikei.createCheckout()
    for (const files of LOSSES) await expectNotice(browser, unpaid.url, files)
    const beforePaying = browser.errors().length
    const checkout = await kaikei.createCheckout({ subject: 'Sencha gift box' })
    await payInDrivenBrowser(browser, checkout.url)
    const name = browser.label.split(' ')[0]?.toLowerCase() ?? ''
    mkdirSync(PICTURES, { recursive: true })
    for (const width of WIDTHS) {
      await browser.resize(width, PICTURE_HEIGHT)
      await browser.open(`${checkout.url}/complete`)
      await waitUntilLive(browser)
      writeFileSync(join(PICTURES, `receipt-${name}-${width}.png`), await browser.screenshot())
    }
    const { status } = await kaikei.readCheckout(checkout.id)
    printProgress(`${browser.label}: ${status}`)
    // Lost files are errors too, and were asked for.
    const errors = browser.errors().slice(beforePaying)
    return { label: browser.label, notices: LOSSES.length, status, pictures: WIDTHS.length, errors }
  } finally {
    await browser.close()
  }
}

export type RealBrowserReport = Awaited<ReturnType<typeof payInRealBrowser>>

export const figuresOfRealBrowsers = (reports: readonly RealBrowserReport[]): Figures => {
  for (const { label, status, errors } of reports) {
    if (status !== 'paid') throw new CommandError(`${label} left its checkout ${status}`)
    if (errors.length > 0) throw new CommandError(`${label} reported ${errors.join('; ')}`)
  }
  if (reports.length === 0) throw new CommandError('no real browser was used, which shows nothing')
  const sum = (name: 'notices' | 'pictures'): number => reports.reduce((total, each) => total + each[name], 0)
  return {
    realBrowsers: reports.map(({ label }) => label).join(', '),
    paidInRealBrowsers: reports.length,
    noticesInRealBrowsers: sum('notices'),
    receiptsPhotographed: sum('pictures'),
  }
}

export const parameters = ''

export const measure = async (_: readonly string[], run?: RunJourneys): Promise<Figures> => {
  const [firefox, webKit] = [findFirefox(process.env), findWebKit(process.env)]
  const { passed, failed, journeys } = await runPassingJourneys(JOURNEYS, 'all', run)
  const { globals, statics, members } = MISSING_IN_SCRIPTS
  const count = (pattern: RegExp): number => journeys.filter(({ title }) => pattern.test(title)).length
  await ensureBuilt()
  const { kaikei, stop } = await startKaikei()
  try {
    const reports = [
      await payInRealBrowser(await startFirefox(firefox), kaikei),
      await payInRealBrowser(await startWebKit(webKit), kaikei),
    ]
    return {
      journeys: passed,
      failures: failed,
      interfacesDeletedOneByOne: count(/^without \w+\.\w+ a shopper pays/),
      namesDeletedTogether: globals.size + statics.size + members.size,
      noticesInChromium: count(/: a lost .* is told/),
      oddAddresses: Math.max(...annotatedNumbers(journeys, 'addresses')),
      oddAddressesWithAPage: Math.max(...annotatedNumbers(journeys, 'pages')),
      ...figuresOfRealBrowsers(reports),
    }
  } finally {
    await stop()
  }
}
