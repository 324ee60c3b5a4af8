import type { Page } from '@playwright/test'
import { axeViolations } from './harness/axe.ts'
import { expect, test } from './harness/fixtures.ts'
import type { Kaikei } from './harness/program.ts'

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const SMALL = { width: 320, height: 640 }

const open = async (page: Page, { merchantApi }: Kaikei, hash = ''): Promise<void> => {
  await page.goto(`${merchantApi}/reference${hash}`)
}

const sampleOf = (page: Page, call: string, kind: string) => page.locator(`#${call} figure.${kind}`)
const currentLink = (page: Page) => page.locator('nav a[aria-current="location"]')

/** What is wider than its box, or stands out of the window. */
const cutElements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *, nav *')]
      .filter((element) => element.checkVisibility() && element.closest('thead, .unseen, .skip') === null)
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect()
        const isCut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline'
        return isCut || left < 0 || right > document.documentElement.clientWidth + 1
      })
      .map((element) => `${element.tagName} ${element.textContent.slice(0, 60)}`),
  )

test('a developer searches the reference by keyboard alone', async ({ page, kaikei }) => {
  await page.setViewportSize(WIDE)
  await open(page, kaikei)
  // Behind the link to the content and the name of the page.
  for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab')
  const input = page.getByRole('searchbox', { name: 'Search' })
  await expect(input).toBeFocused()
  await page.keyboard.type('refund checkout')
  const results = page.locator('#results a')
  await expect(results.first()).toHaveAttribute('href', '#refundCheckout')
  await expect(page.getByRole('status').filter({ hasText: 'found' })).toHaveText(/^\d+ found.*\.$/)
  await expect(page.locator('nav details')).toBeHidden()
  await page.keyboard.press('ArrowDown')
  await expect(results.nth(0)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(results.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(input).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#refundCheckout$/)
  await expect(page.locator('#refundCheckout h3')).toBeInViewport()

  await input.focus()
  await page.keyboard.press('Escape')
  await expect(input).toHaveValue('')
  await expect(page.locator('nav details')).toBeVisible()
  // By a field, an error, and something that is nowhere; what is found is bounded.
  await input.fill('registrationNumber')
  await expect(results.first()).toContainText('registrationNumber')
  await input.fill('idempotency_key_reused')
  await expect(results.first()).toHaveAttribute('href', '#error-idempotency_key_reused')
  await input.fill('bitcoin')
  await expect(page.getByText('Nothing found.')).toBeVisible()
  await input.fill('e')
  await expect(results).toHaveCount(30)
})

test('a developer chooses PHP once and copies an example as it stands', async ({ page, context, kaikei }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(kaikei.merchantApi).origin })
  await page.setViewportSize(WIDE)
  await open(page, kaikei, '#createCheckout')
  await expect(sampleOf(page, 'createCheckout', 'shell')).toBeVisible()
  await expect(sampleOf(page, 'createCheckout', 'php')).toBeHidden()
  const php = page.locator('#createCheckout').getByRole('radio', { name: 'PHP' })
  const heightBefore = (await php.boundingBox())?.y ?? 0
  await php.check()
  await expect(sampleOf(page, 'createCheckout', 'php')).toBeVisible()
  await expect(sampleOf(page, 'createCheckout', 'shell')).toBeHidden()
  await expect(sampleOf(page, 'refundCheckout', 'php')).toBeVisible()
  expect(Math.abs(((await php.boundingBox())?.y ?? 0) - heightBefore)).toBeLessThan(2)

  const sample = sampleOf(page, 'createCheckout', 'php')
  await sample.getByRole('button', { name: /^Copy: / }).click()
  await expect(sample.getByRole('button')).toHaveText('Copied')
  await expect(page.locator('#copied')).toHaveText(/^Copied: .+: PHP$/)
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(await sample.locator('code').evaluate((code) => code.textContent))
  expect(copied).toMatch(/^<\?php\n\$call = curl_init\(/)
})

test('the contents of the reference say where the reader is', async ({ page, kaikei }) => {
  await page.setViewportSize(WIDE)
  await open(page, kaikei)
  await page.evaluate(() => document.querySelector('#listRefunds')?.scrollIntoView())
  await expect(currentLink(page)).toHaveAttribute('href', '#listRefunds')
  await expect(currentLink(page)).toBeInViewport()
  // The last section cannot come to the top of the window.
  const last = page.locator('nav details a').last()
  await last.click()
  await expect(currentLink(page)).toHaveAttribute('href', (await last.getAttribute('href')) ?? '')
  await expect(currentLink(page)).toHaveCount(1)
})

const UNCUT = 'nothing of the reference is cut on a desk, a phone and a small phone, in any language'
test(UNCUT, { tag: '@proof' }, async ({ page, kaikei }) => {
  test.slow()
  await open(page, kaikei)
  for (const size of [WIDE, PHONE, SMALL]) {
    await page.setViewportSize(size)
    for (const language of ['curl', 'TypeScript', 'PHP']) {
      await page.locator('#createCheckout').getByRole('radio', { name: language }).check()
      expect(await cutElements(page), `${size.width} ${language}`).toEqual([])
    }
    await page.getByRole('searchbox').fill('refund')
    expect(await cutElements(page), `${size.width} found`).toEqual([])
    await page.getByRole('searchbox').fill('')
  }
  await page.locator('#createCheckout .php pre').evaluate((pre) => (pre.style.whiteSpace = 'pre'))
  expect((await cutElements(page)).join()).toContain('PRE <?php')
})

test(
  'axe finds nothing in the reference, with its contents and with what was found',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    test.slow()
    await page.setViewportSize(WIDE)
    await open(page, kaikei, '#createCheckout')
    await expect(currentLink(page)).toBeVisible()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('searchbox').fill('refund')
    await expect(page.locator('#results a').first()).toBeVisible()
    // The sections were judged, and take axe most of its time.
    await page.locator('main section').evaluateAll((sections) => sections.forEach((section) => section.remove()))
    expect(await axeViolations(page)).toEqual([])
  },
)

test.describe('without its script', () => {
  test.use({ javaScriptEnabled: false })
  test('the reference is whole: contents, every example in its language, nothing that does nothing', async ({
    page,
    kaikei,
  }) => {
    await page.setViewportSize(WIDE)
    await open(page, kaikei)
    await expect(page.getByRole('searchbox')).toBeHidden()
    await expect(page.getByRole('button')).toHaveCount(0)
    await page.locator('nav details a[href="#cancelMerchantCheckout"]').click()
    const call = page.locator('#cancelMerchantCheckout')
    await expect(call.locator('h3')).toBeInViewport()
    await expect(sampleOf(page, 'cancelMerchantCheckout', 'shell')).toBeVisible()
    await call.getByRole('radio', { name: 'TypeScript' }).check()
    await expect(sampleOf(page, 'cancelMerchantCheckout', 'typescript')).toBeVisible()
    await expect(sampleOf(page, 'cancelMerchantCheckout', 'shell')).toBeHidden()
  })
})
