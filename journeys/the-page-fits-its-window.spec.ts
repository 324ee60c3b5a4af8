import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { CARDS, payWithCard } from './harness/card-form.ts'
import { bankFrame } from './harness/challenge.ts'
import { expect, test } from './harness/fixtures.ts'
import { openHydrated } from './harness/hydration.ts'
import { runsAllJourneys } from './harness/runs-all-journeys.ts'

/** Windows: what a shopper must see without scrolling. */

/** In every run the language of most shops, and the one with the highest lines. */
const LOCALES_OF_EVERY_RUN: readonly PageLocale[] = ['ja', 'th']

test('amount, card fields and Pay of a bill of one line fit a phone of 390 by 844 px in every language', async ({
  page,
  kaikei,
}) => {
  const { url } = await kaikei.createCheckout({ amount: 4980, subject: 'Sencha gift box' })
  for (const locale of runsAllJourneys() ? PAGE_LOCALES : LOCALES_OF_EVERY_RUN) {
    await page.goto(`${url}/creditcard?locale=${locale}`)
    for (const font of ['system-ui', 'DejaVu Sans']) {
      await page.evaluate((family) => document.documentElement.style.setProperty('--sans', family), `'${font}'`)
      const box = await page.locator('button[type="submit"]').boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0), `${locale} in ${font}`).toBeLessThanOrEqual(844)
    }
  }
})

test('a window of 1280 by 800 px shows the whole sheet of the bank', async ({ page, kaikei }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openHydrated(page, (await kaikei.createCheckout()).url)
  await payWithCard(page, CARDS.challenged)
  const sheet = bankFrame(page).locator('html')
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  await expect(async () => {
    const [needed, shown] = await sheet.evaluate((html) => [html.scrollHeight, window.innerHeight])
    expect(needed).toBeLessThanOrEqual(shown ?? 0)
  }).toPass()
  const frame = await page.locator('section iframe').boundingBox()
  expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBeLessThanOrEqual(800)
})

test('at 960, 1280 and 1920 px bill and form meet at the middle, and the bill stays while the form scrolls', async ({
  page,
  links,
}) => {
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox()
    return box ?? { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN }
  }
  await page.goto(`${links.open}/creditcard`)
  for (const [width, height] of [
    [960, 700],
    [1280, 800],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.evaluate(() => window.scrollTo(0, 0))
    const [amount, form, footer] = [await boxOf('main h1'), await boxOf('form'), await boxOf('footer')]
    // As far from the middle, and as wide, on both sides; the footer below the bill.
    expect(footer.x + footer.width + form.x).toBeCloseTo(width, 0)
    expect(amount.x).toBeCloseTo(footer.x, 0)
    expect(footer.width).toBeCloseTo(form.width, 0)
    expect(footer.y + footer.height).toBeCloseTo(height, 0)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect.poll(async () => (await boxOf('form')).y).toBeLessThan(form.y)
    expect((await boxOf('main h1')).y).toBeCloseTo(amount.y, 0)
    expect(Math.abs((await boxOf('footer')).y - footer.y)).toBeLessThanOrEqual(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

test('the last line of a bill that is longer than its window stands above the footer at the end of the page', async ({
  page,
  kaikei,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const { url } = await kaikei.createCheckout({ amount: 4980, remarks: 'line\n'.repeat(79).concat('the last line') })
  await page.goto(`${url}/creditcard`)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const section = page.locator('section', { hasText: 'the last line' })
  await expect(async () => {
    const [bill, footer] = [await section.boundingBox(), await page.locator('footer').boundingBox()]
    expect((bill?.y ?? 0) + (bill?.height ?? 0)).toBeLessThanOrEqual(footer?.y ?? 0)
    expect((bill?.y ?? 0) + (bill?.height ?? 0)).toBeGreaterThan(0)
  }).toPass()
})

test('on a wide window, name and value of each line of the receipt stand on the same line', async ({ page, links }) => {
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.goto(`${links.paid}/complete`)
  const differences = await page.locator('dl > div').evaluateAll((rows) =>
    rows.map((row) => {
      const baselineOf = (part: Element | null): number => {
        const mark = document.createElement('span')
        mark.style.display = 'inline-block'
        part?.append(mark)
        return part === null ? Number.NaN : mark.getBoundingClientRect().bottom
      }
      const value = row.querySelector('dd > span') ?? row.querySelector('dd')
      return Math.abs(baselineOf(row.querySelector('dt')) - baselineOf(value))
    }),
  )
  expect(differences.length).toBe(5)
  expect(Math.max(...differences), differences.join()).toBeLessThan(1)
})
