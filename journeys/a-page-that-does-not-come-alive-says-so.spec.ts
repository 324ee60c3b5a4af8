import type { Page } from '@playwright/test'
import { withLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { abortRoute, CARDS, payWithCard, START_CALL } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { openHydrated, waitUntilLive } from './harness/hydration.ts'

/** Reported by the page's script for its lost language file. */
const LOST_FILE = /Failed to fetch dynamically imported module|error loading dynamically imported module/
test.use({ toleratedConsoleError: LOST_FILE })

const MAIN = '**/assets/main-*.js'
const WORDS = /\/assets\/(ja|en-US|ko|zh-Hans|zh-Hant|th)-[^/]+\.js$/
const LOSSES = { 'script file': [MAIN], 'language file': [WORDS], 'script and language file': [MAIN, WORDS] }

const TITLES: Readonly<Record<PageLocale, string>> = {
  ja: 'ページの一部を読み込めませんでした',
  'en-US': 'This page did not load completely.',
  ko: '페이지를 완전히 불러오지 못했습니다.',
  'zh-Hans': '页面未能完全加载。',
  'zh-Hant': '頁面未能完全載入。',
  th: 'โหลดหน้านี้ไม่สมบูรณ์',
}

const notice = (page: Page) => page.getByRole('alert').filter({ has: page.locator('a[href=""]') })

const expectNoticeInsteadOfPage = async (page: Page, locale: PageLocale): Promise<void> => {
  await expect(notice(page).getByRole('heading', { level: 1 })).toHaveText(withLineBreaks(TITLES[locale], locale))
  await expect(notice(page).locator('a[href=""]')).toBeVisible()
  await expect(notice(page).locator('a[href^="mailto:"]')).toBeVisible()
  await expect(notice(page).locator('a[href^="tel:"]')).toBeVisible()
  await expect(page.locator('form')).toBeHidden()
  await expect(page.getByRole('button')).toHaveCount(0)
}

for (const [what, files] of Object.entries(LOSSES)) {
  for (const locale of PAGE_LOCALES) {
    const tag = locale === 'en-US' && what === 'script file' ? [] : ['@proof']
    test(
      `${locale}: a lost ${what} is told, nothing looks payable, and trying again brings the page`,
      { tag },
      async ({ page, kaikei }) => {
        const { url } = await kaikei.createCheckout()
        for (const file of files) await page.route(file, abortRoute)
        await page.goto(`${url}/creditcard?locale=${locale}&mode=test`)
        await expectNoticeInsteadOfPage(page, locale)
        await page.unrouteAll()
        await notice(page).locator('a[href=""]').click()
        await waitUntilLive(page)
        await expect(page).toHaveURL(`${url}/creditcard?locale=${locale}&mode=test`)
        await expect(page.locator('form')).toBeVisible()
        await expect(notice(page)).toHaveCount(0)
      },
    )
  }
}

test('a file that never arrives is told 10 seconds after loading, and when it arrives after all the page comes alive', async ({
  page,
  kaikei,
}) => {
  const { url } = await kaikei.createCheckout()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await page.route(WORDS, async (route) => {
    await promise
    await route.continue()
  })
  await page.clock.install()
  await page.goto(`${url}/creditcard`)
  await page.clock.runFor(9000)
  await expect(notice(page)).toHaveCount(0)
  await page.clock.runFor(1500)
  await expectNoticeInsteadOfPage(page, 'en-US')
  resolve(undefined)
  await waitUntilLive(page)
  await expect(notice(page)).toHaveCount(0)
  await expect(page.locator('form')).toBeVisible()
  await page.clock.runFor(60_000)
  await expect(notice(page)).toHaveCount(0)
})

test(
  'a script that hangs, so that the page never ends loading, is told after 30 seconds',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    await page.route(MAIN, () => undefined)
    await page.clock.install()
    await page.goto(`${(await kaikei.createCheckout()).url}/creditcard`, { waitUntil: 'commit' })
    await page.locator('#failure').waitFor({ state: 'attached' })
    await page.clock.runFor(31_000)
    await expectNoticeInsteadOfPage(page, 'en-US')
  },
)

test('a receipt stays readable without its script, below the notice', { tag: '@proof' }, async ({ page, links }) => {
  await page.route(MAIN, abortRoute)
  await page.goto(`${links.paid}/complete`)
  await expect(notice(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
})

test.describe('when the page’s own code throws', () => {
  test.use({ toleratedConsoleError: /broken on purpose/ })

  test('at its start, it is told', { tag: '@proof' }, async ({ page, kaikei }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'fetch', {
        get: () => {
          throw new Error('broken on purpose')
        },
      })
    })
    await page.goto((await kaikei.createCheckout()).url)
    await expectNoticeInsteadOfPage(page, 'en-US')
  })

  test('later, a notice in the chosen language replaces the screen, and trying again shows where the payment stands', async ({
    page,
    kaikei,
  }) => {
    const { url } = await kaikei.createCheckout()
    await page.addInitScript(() => {
      HTMLDialogElement.prototype.showModal = () => {
        throw new Error('broken on purpose')
      }
    })
    await page.route(START_CALL, abortRoute)
    await openHydrated(page, url)
    await page.getByRole('combobox').click()
    await page.getByRole('option', { name: '한국어' }).click()
    await payWithCard(page, CARDS.good)
    await expect(page.getByRole('heading', { name: '페이지에 오류가 발생했습니다.' })).toBeFocused()
    await expect(page.locator('form')).toHaveCount(0)
    await expect(notice(page).locator('a[href^="mailto:"]')).toBeVisible()
    await notice(page).locator('a[href=""]').click()
    await expect(page.locator('form')).toBeVisible()
  })
})
