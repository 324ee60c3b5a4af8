import type { Page } from '@playwright/test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { axeViolations } from './harness/axe.ts'
import { expect, test } from './harness/fixtures.ts'
import type { Kaikei } from './harness/program.ts'

/** Packed by lz-string 1.5.0, compressToEncodedURIComponent, as a merchant's own tools do it. */
const PACKED = {
  shopName: { text: '青山茶舗 Aoyama Tea', packed: 'krpkcdRswY6EEAQIIPYE8CGBbJUAqBTJQ' },
  subject: { text: '煎茶「山霧」 Sencha', packed: 'nKOjZgwwDIjjqOTpiwDABAZQKYDsDGALAhkA' },
  remarks: { text: 'ギフト包装\n承りました。', packed: 'nUMlWGQTDIoMqKMRBQj+RoKIZB+DIdQZD6DIIAYg' },
}
const GREEN_DOT =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="8" height="8"%3E%3Ccircle r="8" fill="green"/%3E%3C/svg%3E'
const BROKEN = 'data:image/png;base64,AAAA'

const openPreview = async (page: Page, kaikei: Kaikei, query: Readonly<Record<string, string>>): Promise<void> => {
  const { origin } = new URL((await kaikei.createCheckout()).url)
  const response = await page.goto(`${origin}/preview?${new URLSearchParams(query)}`)
  expect(response?.status()).toBe(200)
}

/** What the notice says, one line for each language. */
const notices = (page: Page) => page.getByRole('complementary').locator('> div')
const ENGLISH_NOTICE = 'Sample Not a real payment page Nothing can be paid here.'

const watermark = (page: Page) => page.locator('svg:has(pattern)')
const watermarkTexts = (page: Page): Promise<string[]> =>
  watermark(page)
    .locator('text')
    .evaluateAll((texts) => [...new Set(texts.map((text) => text.textContent))])

/** Everything that the Tab key reaches, once round the page. */
const reachedByTab = async (page: Page): Promise<string[]> => {
  const reached: string[] = []
  for (let steps = 0; steps < 20; steps += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => {
      const { activeElement } = document
      return activeElement === null || activeElement === document.body
        ? ''
        : `${activeElement.tagName} ${activeElement.textContent}`
    })
    if (name === '' || reached.includes(name)) break
    reached.push(name)
  }
  return reached
}

/** A preview makes no call, and loads nothing from another host. */
let calls: string[] = []
let foreign: string[] = []
test.beforeEach(({ page }) => {
  calls = []
  foreign = []
  page.on('request', (request) => {
    const { hostname, pathname, protocol } = new URL(request.url())
    if (pathname.startsWith('/api/') || request.method() !== 'GET') calls.push(`${request.method()} ${pathname}`)
    if (protocol !== 'data:' && hostname !== 'demo.localhost') foreign.push(request.url())
  })
})
test.afterEach(() => {
  expect(calls).toEqual([])
  expect(foreign).toEqual([])
})

const textsByLocale = {
  'en-US': {
    notices: [ENGLISH_NOTICE],
    title: 'Preview of 青山茶舗 Aoyama Tea',
    pay: 'Pay ¥4,980 JPY',
    paid: 'Sample: Payment complete',
    refunded: 'Sample: Refund complete',
    refund: '-¥4,980 JPY',
    failed: 'Payment with the invoice failed.',
    contact: 'Contact',
  },
  ja: {
    notices: ['見本 実際のお支払いページではありません ここではお支払いいただけません。', ENGLISH_NOTICE],
    title: '青山茶舗 Aoyama Teaのプレビュー',
    pay: '¥4,980を支払う',
    paid: '【見本】お支払いが完了しました',
    refunded: '【見本】返金が完了しました',
    refund: '-¥4,980',
    failed: 'このご請求のお支払いに失敗しました。',
    contact: 'お問い合わせ先',
  },
}

for (const [locale, texts] of Object.entries(textsByLocale)) {
  const tag = locale === 'ja' ? [] : ['@proof']
  test(
    `a merchant sees all four screens of its page in its colour and texts (${locale})`,
    { tag },
    async ({ page, kaikei }) => {
      const query = {
        locale,
        amount: '4980',
        colorCode: '#7a1f2b',
        shopName: PACKED.shopName.packed,
        subject: PACKED.subject.packed,
        remarks: PACKED.remarks.packed,
        validUntil: '2026-12-24',
        brands: 'JCB,visa',
      }
      const contactIsDisabled = async (): Promise<void> => {
        await expect(notices(page)).toHaveText(texts.notices)
        await expect(watermark(page)).toBeVisible()
        await expect(page).toHaveTitle(texts.title)
        await expect(page.getByText(texts.contact, { exact: true })).toBeVisible()
        await expect(page.locator('address a')).toHaveCount(3)
        await expect(page.locator('address a[href]')).toHaveCount(0)
        await expect(page.locator('address a[aria-disabled="true"]')).toHaveCount(3)
      }

      await openPreview(page, kaikei, query)
      const button = page.locator('button[type="submit"]')
      await expect(button).toBeEnabled()
      await expect(button).toHaveText(texts.pay)
      await expect(button).toHaveCSS('background-color', 'rgb(122, 31, 43)')
      await expect(page.getByText(PACKED.subject.text)).toBeVisible()
      await expect(page.getByText(PACKED.remarks.text)).toBeVisible()
      await expect(page.locator('main')).toContainText(PACKED.shopName.text)
      await expect(page.locator('main')).toContainText(/2026.*23:59/)
      const brands = page.locator('form ul svg')
      expect(await brands.evaluateAll((logos) => logos.map((logo) => logo.getAttribute('aria-label')))).toEqual([
        'Visa',
        'JCB',
      ])
      await contactIsDisabled()

      await openPreview(page, kaikei, { ...query, screen: 'complete' })
      await expect(page.getByRole('heading', { name: texts.paid })).toBeVisible()
      await expect(page.getByText('•••• 4242')).toBeVisible()
      await expect(page.locator('main')).toContainText('¥4,980')
      await contactIsDisabled()

      await openPreview(page, kaikei, { ...query, screen: 'refunded' })
      await expect(page.getByRole('heading', { name: texts.refunded })).toBeVisible()
      await expect(page.getByText(texts.refund, { exact: true })).toBeVisible()
      await contactIsDisabled()

      await openPreview(page, kaikei, { ...query, screen: 'error', status: 'failed' })
      await expect(page.getByText(texts.failed)).toBeVisible()
      await contactIsDisabled()
    },
  )
}

test('nothing in the previewed form can be reached, by key, by click or by script, and nothing is sent', async ({
  page,
  kaikei,
}) => {
  await openPreview(page, kaikei, {})
  await expect(page.locator('button[type="submit"]')).toBeEnabled()
  const footerAlone = ['A About this service', 'A Privacy policy', expect.stringMatching(/^BUTTON English/)]
  expect(await reachedByTab(page)).toEqual(footerAlone)
  const fields = page.locator('form input')
  await expect(fields).toHaveCount(5)
  for (const field of [...(await fields.all()), page.locator('form button')]) {
    const isFocused = await field.evaluate((element: HTMLElement) => {
      element.focus()
      return document.activeElement === element
    })
    expect(isFocused).toBe(false)
    await field.scrollIntoViewIfNeeded()
    const box = await field.boundingBox()
    await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
    await page.keyboard.type('4242')
    await page.keyboard.press('Enter')
  }
  expect(await fields.evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value).join(''))).toBe('')
  await expect(page).toHaveTitle('Preview of Your shop')
})

test(
  'neither the contact nor the print button of a previewed receipt does anything',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    await page.addInitScript(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '')
    })
    await openPreview(page, kaikei, { screen: 'complete' })
    const print = page.locator('main button')
    await expect(print).toBeEnabled()
    for (const target of [print, ...(await page.locator('address a').all())]) {
      await target.scrollIntoViewIfNeeded()
      const box = await target.boundingBox()
      await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 5)
    }
    await expect(page.locator('html')).not.toHaveAttribute('data-printed')
    await expect(page.getByRole('heading', { name: 'Sample: Payment complete' })).toBeVisible()
    expect(page.context().pages()).toHaveLength(1)
  },
)

test(
  'plain texts are kept as they are, and survive a change of language that rewrites the address',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    const plain = { subject: 'Order 42: 100%25 <b>tea</b>', shopName: 'Tea & Co', remarks: 'a+b' }
    await openPreview(page, kaikei, { ...plain, logoUrl: GREEN_DOT })
    const shown = async (): Promise<void> => {
      await expect(page.getByText(plain.subject)).toBeVisible()
      await expect(page.getByText(plain.remarks, { exact: true })).toBeVisible()
      await expect(page.getByRole('img', { name: plain.shopName })).toHaveAttribute('src', GREEN_DOT)
    }
    await expect(page.locator('button[type="submit"]')).toBeEnabled()
    await shown()
    await page.getByRole('combobox').click()
    await page.getByRole('option', { name: '한국어' }).click()
    const koreanAndEnglish = ['견본 실제 결제 페이지가 아닙니다 여기서는 결제할 수 없습니다.', ENGLISH_NOTICE]
    await expect(notices(page)).toHaveText(koreanAndEnglish)
    expect(await watermarkTexts(page)).toEqual([
      '견본',
      '실제 결제 페이지가 아닙니다',
      'Sample',
      'Not a real payment page',
    ])
    await shown()
    await page.reload()
    await expect(notices(page)).toHaveText(koreanAndEnglish)
    await shown()
  },
)

test('the watermark lies over all of a preview, on screen and on paper, in the page’s and the visitor’s language', async ({
  page,
  kaikei,
}) => {
  const remarks = 'One more line\n'.repeat(100)
  await openPreview(page, kaikei, { locale: 'th', remarks, colorCode: '#000000' })
  await expect(page.locator('button[type="submit"]')).toBeEnabled()
  expect(await watermarkTexts(page)).toEqual(['ตัวอย่าง', 'ไม่ใช่หน้าชำระเงินจริง', 'Sample', 'Not a real payment page'])
  const sheetOf = (): Promise<{ top: number; left: number; width: number; height: number }> =>
    watermark(page).evaluate((sheet) => {
      const { top, left, width, height } = sheet.getBoundingClientRect()
      return { top: top + window.scrollY, left, width, height: Math.round(height) }
    })
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media })
    const whole = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      return { top: 0, left: 0, width: scrollWidth, height: scrollHeight }
    })
    expect(whole.height, media).toBeGreaterThan(2000)
    expect(await sheetOf(), media).toEqual(whole)
  }

  // Nothing else changes when it is taken away, so what differs is the watermark: drawn on screen, and printed without backgrounds.
  const printed = await page.pdf({ printBackground: false })
  await page.emulateMedia({ media: 'screen' })
  // A picture that is taken while the page is still laid out for paper equals no other.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  // Twice the same: nothing is drawn any more but what is taken away below.
  let seen = await page.screenshot({ fullPage: true })
  await expect(async () => {
    const before = seen
    seen = await page.screenshot({ fullPage: true })
    expect(seen.equals(before)).toBe(true)
  }).toPass()
  await watermark(page).evaluate((sheet) => sheet.remove())
  expect(seen.equals(await page.screenshot({ fullPage: true }))).toBe(false)
  expect(printed.length - (await page.pdf({ printBackground: false })).length).toBeGreaterThan(1000)
})

test(
  'in every language the watermark’s words fit between those beside them, and a click goes through them',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    const GAP = 24
    for (const locale of PAGE_LOCALES) {
      await openPreview(page, kaikei, { locale })
      const [tileWidth, widths] = await watermark(page).evaluate((sheet) => [
        Number(sheet.querySelector('pattern')?.getAttribute('width')),
        [...sheet.querySelectorAll('text')].map((text) => text.getComputedTextLength()),
      ])
      expect(widths).toHaveLength(6)
      for (const width of widths) expect(width, locale).toBeLessThanOrEqual(tileWidth - GAP)
      await expect(watermark(page)).toHaveCSS('pointer-events', 'none')
    }
  },
)

test(
  'axe finds no accessibility violation on a preview in two languages',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    for (const screen of ['creditcard', 'complete', 'error']) {
      await openPreview(page, kaikei, { locale: 'ja', screen })
      await expect(notices(page)).toHaveCount(2)
      await expect(watermark(page)).toHaveAttribute('aria-hidden', 'true')
      expect(await axeViolations(page), screen).toEqual([])
      // Axe does not judge the contrast of texts below a drawing; page/preview/watermark.test.ts does.
      await watermark(page).evaluate((sheet) => sheet.setAttribute('display', 'none'))
      expect(await axeViolations(page), `${screen} without the watermark`).toEqual([])
    }
  },
)

test(
  'a foreign picture is fetched over https without a referrer, and over plain http not at all',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    const referrers: (string | undefined)[] = []
    await page.route('https://shop.example/**', async (route) => {
      referrers.push((await route.request().allHeaders())['referer'])
      await route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
      })
    })
    const https = { coverImageUrl: 'https://shop.example/cover.svg', logoUrl: 'https://shop.example/logo.svg' }
    await openPreview(page, kaikei, { ...https, shopName: 'Tea & Co' })
    await expect(page.getByRole('img', { name: 'Tea & Co' })).toHaveJSProperty('naturalWidth', 8)
    expect(referrers).toEqual([undefined, undefined])
    expect(foreign.toSorted()).toEqual(Object.values(https))

    foreign = []
    const http = { coverImageUrl: 'http://shop.example/cover.svg', logoUrl: 'http://shop.example/logo.svg' }
    await openPreview(page, kaikei, { ...http, shopName: 'Tea & Co' })
    await expect(page.locator('main p').filter({ hasText: 'Tea & Co' }).first()).toBeVisible()
    await expect(page.getByRole('img', { name: 'Tea & Co' })).toHaveCount(0)
  },
)

test(
  'a picture that does not load leaves the colour and the name in its place',
  { tag: '@proof' },
  async ({ page, kaikei }) => {
    await openPreview(page, kaikei, {
      colorCode: '#2f6b4f',
      shopName: 'Tea & Co',
      coverImageUrl: BROKEN,
      logoUrl: BROKEN,
    })
    const name = page.locator('main p').filter({ hasText: 'Tea & Co' }).first()
    await expect(name).toBeVisible()
    await expect(page.locator(`img[src="${BROKEN}"]`)).toHaveCount(0)
    const cover = name.locator('xpath=..')
    await expect(cover).toHaveCSS('background-color', 'rgb(47, 107, 79)')
  },
)
