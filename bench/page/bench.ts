/** Page bench: the page and two static controls, visited in turn on a slow phone. npm run bench -- page [rounds] */
import type { Browser } from '@playwright/test'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { fillCard } from '../../journeys/harness/card-form.ts'
import { ensureBrowser, launchChromium } from '../../tools/browser/browser.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress } from '../../tools/progress.mjs'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'
import { calibrate, calmestRounds, highest, medians, type Measures, type Round } from './calmest.ts'
import { controlFiles, SHOP_PATH } from './control-files.ts'
import { startControlServer } from './control-server.ts'
import { figuresOf, limitsTable } from './page-figures.ts'
import { judge, type ScreenFigures } from './limits.ts'
import { SCREENS, withProgram, type ScreenAddresses, type ScreenName } from './program.ts'
import { sentBytes } from './sent-bytes.ts'
import { openBrowser, type DevtoolsBrowser } from './devtools.ts'
import { startSlowLink } from './slow-link.ts'
import { countTraffic, PHONE, PHONE_LINK, visit, type Moments } from './visit.ts'

const DEFAULT_ROUNDS = '9'
const ROUNDS = { from: 1, to: 99 }
/** The other screens are measured in these languages alone, the card page in all. */
const LOCALES_OF_ALL_SCREENS: readonly PageLocale[] = ['ja', 'en-US', 'th']

interface Place {
  readonly screen: ScreenName
  readonly locale: PageLocale
  readonly ours: string
  readonly control: string
  readonly shop: string
}

const placesOf = (addresses: ScreenAddresses, controlPort: number): Place[] =>
  SCREENS.flatMap((screen) =>
    PAGE_LOCALES.filter((locale) => screen === 'card' || LOCALES_OF_ALL_SCREENS.includes(locale)).map((locale) => ({
      screen,
      locale,
      ours: `${addresses[screen]}?locale=${locale}`,
      control: `http://control.localhost:${controlPort}/${screen}/${locale}`,
      shop: `http://shop.localhost:${controlPort}${SHOP_PATH}`,
    })),
  )

interface PlannedVisit {
  readonly page: string
  readonly address: string
  readonly moments: Moments
  readonly slowdown: number
}

const visitsOf = ({ screen, ours, control }: Place): PlannedVisit[] => {
  const hasField = screen === 'card'
  const live = { hasField, isHydrated: true }
  const still = { hasField, isHydrated: false }
  return [
    { page: 'ours', address: ours, moments: live, slowdown: 4 },
    { page: 'sameWords', address: `${control}/same-words`, moments: still, slowdown: 4 },
    ...(hasField ? [{ page: 'bareForm', address: `${control}/bare-form`, moments: still, slowdown: 4 }] : []),
    { page: 'oursAtTwice', address: ours, moments: live, slowdown: 2 },
  ]
}

/** Every page once, each time beginning with another, with the calibration task between them. */
const runRound = async (browser: DevtoolsBrowser, place: Place, round: number): Promise<Round> => {
  const planned = visitsOf(place)
  const first = round % planned.length
  const pages: Record<string, Measures> = {}
  let calibrationMs = calibrate()
  for (const { page, address, moments, slowdown } of [...planned.slice(first), ...planned.slice(0, first)]) {
    pages[page] = await visit(browser, place.shop, address, moments, slowdown)
    calibrationMs += calibrate()
  }
  return { calibrationMs, pages }
}

/** That the page's word "live" is true: the filled form can be paid. */
const checkPayButton = async (browser: Browser, address: string): Promise<void> => {
  const page = await browser.newPage(PHONE)
  await page.goto(address)
  await page.locator('html[data-live]').waitFor({ state: 'attached' })
  await fillCard(page, '4242424242424242')
  await page.locator('button[type="submit"]:enabled').waitFor()
  await page.close()
}

const measurePlaces = async (
  browser: DevtoolsBrowser,
  places: readonly Place[],
  rounds: number,
): Promise<ScreenFigures[]> => {
  const roundsOf = new Map<Place, Round[]>(places.map((place) => [place, []]))
  for (let round = 0; round < rounds; round += 1) {
    printProgress(`round ${round + 1} of ${rounds}`)
    for (const [place, done] of roundsOf) done.push(await runRound(browser, place, round))
  }
  const all: ScreenFigures[] = []
  for (const [place, done] of roundsOf) {
    const { screen, locale, ours } = place
    const calm = calmestRounds(done)
    const measured: Record<string, Measures> = {}
    for (const { page, address } of visitsOf(place))
      measured[page] = { ...(await countTraffic(browser, place.shop, address)), ...medians(calm, page) }
    const { ours: page = {}, sameWords = {}, bareForm = {}, oursAtTwice = {} } = measured
    all.push({
      screen,
      locale,
      rounds,
      ours: { ...page, layoutShift: highest(done, 'ours', 'layoutShift') },
      sameWords,
      bareForm,
      oursAtTwice,
      sent: await sentBytes(ours),
    })
  }
  return all
}

/** A browser that reaches the program and the controls over the slow link, and the shop that links to them at once. */
const withPhone = async <T>(
  places: readonly Place[],
  measureIn: (browser: DevtoolsBrowser) => Promise<T>,
): Promise<T> => {
  const hosts = new Set(places.flatMap(({ ours, control }) => [new URL(ours).host, new URL(control).host]))
  const startLink = async (host: string) => ({ host, ...(await startSlowLink(Number(host.split(':')[1]), PHONE_LINK)) })
  const links = await Promise.all([...hosts].map(startLink))
  const ports = Object.fromEntries(links.map(({ host, port }) => [host, port]))
  const browser = await openBrowser(await ensureBrowser(process.env), ports)
  try {
    return await measureIn(browser)
  } finally {
    await browser.close()
    for (const link of links) await link.stop()
  }
}

export const parameters = '[rounds]'

export const measure = async ([given = DEFAULT_ROUNDS]: readonly string[]): Promise<Figures> => {
  const rounds = wholeNumber('rounds', given, ROUNDS)
  await ensureBuilt()
  const browser = await launchChromium()
  try {
    return await withProgram(browser, async (addresses) => {
      const before = placesOf(addresses, 0)
      const controls = await startControlServer(await controlFiles(browser, before))
      try {
        const places = placesOf(addresses, controls.port)
        for (const { screen, ours } of places) if (screen === 'card') await checkPayButton(browser, ours)
        // A second browser would take its part of the machine.
        await browser.close()
        const all = await withPhone(places, (phone) => measurePlaces(phone, places, rounds))
        const limits = judge(all)
        printProgress(limitsTable(limits))
        return figuresOf(rounds, all, limits)
      } finally {
        await controls.stop()
      }
    })
  } finally {
    await browser.close()
  }
}
