import type { Page } from '@playwright/test'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { INSTANTS, referenceText, ZONES } from '#contract/testing/jst-reference.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { runsAllJourneys } from './harness/runs-all-journeys.ts'

/** Deadlines the server takes: both sides of the next midnights in Tokyo that begin a month. */
const DEADLINES: readonly number[] = [1, 2, 3, 4, 5].flatMap((months) => {
  const first = Temporal.Now.plainDateISO('Asia/Tokyo').with({ day: 1 }).add({ months })
  const { epochMilliseconds } = first.toZonedDateTime('Asia/Tokyo')
  return [epochMilliseconds - 1, epochMilliseconds]
})

/** Far behind Japan; the other zones are part of the proof `journeys`. */
const ZONES_OF_EVERY_RUN: readonly string[] = ['America/Los_Angeles']

const isoText = (instant: number): string => new Date(instant).toISOString()

type Times = { readonly validUntil: string } | { readonly status: 'paid'; readonly paidAt: string }

declare global {
  interface Window {
    /** The answers to the page's reads of its checkout, one after the other, then again from the first. */
    answers?: readonly Times[]
    hydrated: Promise<unknown>
    timesShown: () => string[]
    subjectShown: () => string | undefined
  }
}

/**
 * Runs in the browser before the page does. A read of the checkout gets the server's own answer with other times, another
 * status and another subject: the subject is the number of the answer.
 */
const stubCheckoutReads = (): void => {
  const fetchFromServer = window.fetch.bind(window)
  let reads = 0
  let serverAnswer: Promise<object> | undefined
  window.fetch = async (input, init) => {
    const { answers } = window
    const address = typeof input === 'string' ? input : ''
    const isRead = init?.method === 'GET' && /^\/api\/v1\/checkouts\/\w+$/.test(address)
    if (answers === undefined || !isRead) return fetchFromServer(input, init)
    serverAnswer ??= fetchFromServer(input, init).then((response) => response.json() as Promise<object>)
    const place = reads % answers.length
    reads += 1
    return Response.json({ ...(await serverAnswer), ...answers[place], subject: `answer ${place}` })
  }
  const textsShown = (): string[] => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.getElementById('page') ?? document, NodeFilter.SHOW_TEXT)
    while (walker.nextNode() !== null) texts.push(walker.currentNode.nodeValue ?? '')
    return texts
  }
  window.hydrated = new Promise((resolve) => document.addEventListener('kaikei-live', resolve))
  window.timesShown = () => textsShown().filter((text) => /\d:\d\d/.test(text))
  window.subjectShown = () => textsShown().find((text) => /^answer \d+$/.test(text))
}

const timesOn = (page: Page): Promise<string[]> => page.evaluate(() => window.timesShown())

/** The times in the markup of the page, before any script has touched it. */
const timesIn = (html: string): string[] => {
  const markup = html.slice(html.indexOf('<div id="page">'), html.indexOf('id="inlined"'))
  return [...markup.matchAll(/>([^<>]*\d:\d\d[^<>]*)</g)].map(([, text = '']) => text)
}

/** The document as the server drew it, and the page once it is hydrated, show this one time. */
const expectDrawn = async (page: Page, url: string, time: string): Promise<void> => {
  const response = await page.goto(url, { waitUntil: 'domcontentloaded' })
  expect(timesIn((await response?.text()) ?? '')).toEqual([time])
  await page.evaluate(() => window.hydrated.then(() => undefined))
  expect(await timesOn(page)).toEqual([time])
}

/** The page reads its checkout again when the browser comes back online: here it does so until all answers were drawn. */
const drawEach = (page: Page, answers: readonly Times[]): Promise<string[][]> =>
  page.evaluate(
    (given) =>
      new Promise<string[][]>((resolve) => {
        window.answers = given
        const drawn = new Map<string, string[]>()
        let last: string | undefined
        const comeBackOnline = (): void => {
          window.dispatchEvent(new Event('offline'))
          window.dispatchEvent(new Event('online'))
        }
        const observer = new MutationObserver(() => {
          const subject = window.subjectShown()
          if (subject === undefined || subject === last) return
          last = subject
          drawn.set(subject, window.timesShown())
          if (drawn.size < given.length) {
            comeBackOnline()
            return
          }
          observer.disconnect()
          resolve(given.map((_, place) => drawn.get(`answer ${place}`) ?? []))
        })
        observer.observe(document.body, { childList: true, characterData: true, subtree: true })
        comeBackOnline()
      }),
    answers,
  )

/** Every second language in one zone, the others in the next: each is drawn in more than one zone. */
const localesIn = (zoneIndex: number): PageLocale[] => PAGE_LOCALES.filter((_, place) => place % 2 === zoneIndex % 2)

/** The instants are divided among the zones, and in a zone among its languages: each is drawn as a deadline and as a payment. */
const shareOf = (zoneIndex: number, localeIndex: number): number[] =>
  INSTANTS.filter(
    (_, place) =>
      place % ZONES.length === zoneIndex &&
      Math.floor(place / ZONES.length) % localesIn(zoneIndex).length === localeIndex,
  )

const expectEachDrawn = async (page: Page, instants: readonly number[], locale: PageLocale): Promise<void> => {
  const expected = instants.map((instant) => [referenceText(instant, locale)])
  const deadlines = instants.map((instant) => ({ validUntil: isoText(instant) }))
  expect(await drawEach(page, deadlines)).toEqual(expected)
  // The first of these closes the checkout: the page itself goes on to the receipt.
  const payments = instants.map((instant) => ({ status: 'paid' as const, paidAt: isoText(instant) }))
  expect(await drawEach(page, payments)).toEqual(expected)
}

/** The instant of the charge, from the server. */
const paidAtOf = (page: Page, checkoutId: string): Promise<number> =>
  page.evaluate(async (id) => {
    const headers = { merchant: window.location.hostname.split('.')[0] ?? '' }
    const response = await window.fetch(`/api/v1/checkouts/${id}`, { headers })
    const { paidAt } = (await response.json()) as { paidAt: string }
    return Date.parse(paidAt)
  }, checkoutId)

const expectZone = async (page: Page, minutesInJuly: number): Promise<void> => {
  expect(await page.evaluate(() => new Date('2026-07-01T12:00:00Z').getTimezoneOffset())).toBe(minutesInJuly)
}

test.beforeEach(({ page }) => page.addInitScript(stubCheckoutReads))

for (const [zoneIndex, [zone, minutesInJuly]] of ZONES.entries()) {
  test.describe(`to a shopper in ${zone}`, () => {
    test.use({ timezoneId: zone })

    const tag = ZONES_OF_EVERY_RUN.includes(zone) ? [] : ['@proof']
    test(
      'deadline and payment are shown by the clock in Japan, in its share of the languages',
      { tag },
      async ({ page, kaikei }) => {
        await expectZone(page, minutesInJuly)
        const locales = localesIn(zoneIndex)
        for (const [localeIndex, locale] of (runsAllJourneys() ? locales : locales.slice(0, 1)).entries()) {
          const deadline = DEADLINES[(zoneIndex * PAGE_LOCALES.length + localeIndex) % DEADLINES.length] ?? 0
          const checkout = await kaikei.createCheckout({ validUntil: isoText(deadline) })
          await expectDrawn(page, `${checkout.url}/creditcard?locale=${locale}`, referenceText(deadline, locale))
          await expectEachDrawn(page, shareOf(zoneIndex, localeIndex), locale)
          await expect(page).toHaveURL(`${checkout.url}/complete?locale=${locale}`)
        }
      },
    )
  })
}

test(
  'a receipt says when the card was charged by the clock in Japan, wherever it is opened again',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    const checkout = await kaikei.createCheckout()
    await page.goto(checkout.url)
    await fillCard(page, CARDS.good)
    await payButton(page).click()
    await expect(page).toHaveURL(`${checkout.url}/complete`)
    const paidAt = await paidAtOf(page, checkout.id)
    expect(await timesOn(page)).toEqual([referenceText(paidAt, 'en-US')])
    const browser = await page.context().newCDPSession(page)
    for (const [timezoneId, minutesInJuly] of ZONES) {
      await browser.send('Emulation.setTimezoneOverride', { timezoneId })
      await expectZone(page, minutesInJuly)
      for (const locale of ['ja', 'th'] as const)
        await expectDrawn(page, `${checkout.url}/complete?locale=${locale}`, referenceText(paidAt, locale))
    }
  },
)
