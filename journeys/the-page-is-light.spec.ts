import type { Page } from '@playwright/test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { abortRoute, CARDS, fieldOf, fillCard, payButton, payWithCard, START_CALL } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { openHydrated, waitUntilLive } from './harness/hydration.ts'
import type { Screen } from './harness/screen.ts'
import { addressOf, screenGroups, SCREENS_OF_EVERY_RUN } from './harness/screens.ts'

/** Reported by the page for the script that was lost. */
test.use({
  toleratedConsoleError: /Failed to fetch dynamically imported module|error loading dynamically imported module/,
})

const LAZY_PARTS = '**/assets/lazy-parts-*.js'

/** What the page has asked for since it was opened, its own document included. */
const recordRequests = (page: Page): string[] => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  return requested
}

test('the card page asks for at most nine files, and its field takes digits before any of them but the document', async ({
  page,
  links,
}) => {
  const requested = recordRequests(page)
  await page.route('**/assets/**', async (route) => {
    // No script has come: the field is grouped by what stands in the document itself.
    await expect(fieldOf(page, 'cardNumber')).toBeVisible()
    await route.continue()
  })
  await page.goto(`${links.open}/creditcard`, { waitUntil: 'commit' })
  await fieldOf(page, 'cardNumber').pressSequentially('42424')
  await expect(fieldOf(page, 'cardNumber')).toHaveValue('4242 4')
  await expect.poll(() => requested.some((path) => path.includes('/lazy-parts-'))).toBe(true)
  expect(requested.length, requested.join('\n')).toBeLessThanOrEqual(9)
  // The last file may still be held back: a check that the end of the test cuts off would fail it.
  await page.unrouteAll({ behavior: 'wait' })
})

test('nothing moves while the card page and the receipt come alive at 390 and at 1280 px', async ({ page, links }) => {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ('value' in entry && typeof entry.value === 'number') shifts.push(entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const address of [links.open, links.paid]) {
      await page.goto(address)
      await waitUntilLive(page)
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => ('shifts' in window ? window.shifts : undefined)), `${width} px`).toEqual([])
    }
  }
})

test('no picture is fetched before the script has come; then each brand has its logo, and the shop its pictures', async ({
  page,
  links,
}) => {
  const requested = recordRequests(page)
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route(/\/assets\/main-/, async (route) => {
    held.resolve()
    await release.promise
    await route.continue()
  })
  await page.goto(links.open, { waitUntil: 'commit' })
  await held.promise
  await expect(fieldOf(page, 'cardNumber')).toBeVisible()
  expect(requested.filter((path) => /pictures|\/demo\//.test(path))).toEqual([])
  // Whose page it is stands there all the same, on the plate of the logo.
  const name = page.locator('main span').filter({ hasText: /^青山茶舗 Aoyama Tea$/ })
  await expect(name.first()).toBeVisible()
  release.resolve()
  const symbols = page.locator('ul').first().locator('svg use')
  await expect(symbols).toHaveCount(6)
  for (const [at, brand] of ['visa', 'master', 'jcb', 'amex', 'diners', 'discover'].entries())
    await expect(symbols.nth(at)).toHaveAttribute('href', new RegExp(`^/assets/pictures-[\\w-]+\\.svg#${brand}$`))
  for (const picture of ['/demo/cover.jpg', '/demo/logo.png'])
    await expect.poll(() => requested.some((path) => path.includes(picture)), picture).toBe(true)
  await expect(page.getByRole('img', { name: '青山茶舗 Aoyama Tea' })).toBeVisible()
  await expect(name).toHaveCount(0)
})

test('a payment whose script cannot be fetched is not begun; the form says so, and the next try pays', async ({
  page,
  kaikei,
}) => {
  let lost = 0
  await page.route(LAZY_PARTS, (route) => {
    lost += 1
    return lost <= 2 ? route.abort() : route.continue()
  })
  const requested = recordRequests(page)
  await openHydrated(page, (await kaikei.createCheckout()).url)
  await expect.poll(() => lost).toBe(1)
  await payWithCard(page)
  await expect(page.getByText('Nothing was charged.')).toBeVisible()
  expect(requested.filter((path) => path.endsWith('/3ds'))).toEqual([])
  await expect(fieldOf(page, 'cardNumber')).toHaveValue('4242 4242 4242 4242')
  await payButton(page).click()
  await expect(page.getByRole('heading', { name: 'Payment complete' })).toBeVisible()
})

test('a payment whose script never comes offers to load the page again, and nothing was sent', async ({
  page,
  kaikei,
}) => {
  await page.route(LAZY_PARTS, abortRoute)
  let started = 0
  await page.route(START_CALL, (route) => {
    started += 1
    return route.continue()
  })
  await openHydrated(page, (await kaikei.createCheckout()).url)
  await fillCard(page, CARDS.good)
  for (let tries = 0; tries < 2; tries += 1) {
    await payButton(page).click()
    await expect(page.getByText('Nothing was charged.')).toHaveCount(1)
  }
  await expect(page.getByRole('alert').getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('form')).toBeHidden()
  expect(started).toBe(0)
})

/** Runs in the browser: what looks otherwise without the style behind the page, by element and property. */
const changedByStyleBehind = (): { readonly elements: number; readonly changed: readonly string[] } => {
  const sheet = document.querySelector<HTMLStyleElement>('body > style')?.sheet
  const elements = [...document.querySelectorAll('html, body, #page *')]
  /** What no style of the page sets, none of them can change: to compare all 479 properties would take four times as long. */
  const names = new Set<string>()
  const noteNames = (rules: CSSRuleList): void => {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule) for (const name of rule.style) names.add(name)
      if (rule instanceof CSSStyleRule || rule instanceof CSSGroupingRule) noteNames(rule.cssRules)
    }
  }
  for (const { cssRules } of document.styleSheets) noteNames(cssRules)
  const looksOf = (element: Element): ReadonlyMap<string, string> => {
    const looks = new Map([['box', JSON.stringify(element.getBoundingClientRect())]])
    for (const pseudo of ['', '::before', '::after']) {
      const style = window.getComputedStyle(element, pseudo)
      if (pseudo !== '' && style.content === 'none') continue
      for (const name of names) looks.set(`${pseudo} ${name}`, style.getPropertyValue(name))
    }
    return looks
  }
  const all = elements.map(looksOf)
  if (sheet) sheet.disabled = true
  const first = elements.map(looksOf)
  if (sheet) sheet.disabled = false
  const changed = elements.flatMap((element, at) =>
    [...(all[at] ?? [])]
      .filter(([name, value]) => first[at]?.get(name) !== value)
      .map(([name]) => `${name} of ${element.outerHTML.slice(0, 80)}`),
  )
  return { elements: sheet ? elements.length : 0, changed }
}

const OPENED = screenGroups['the page as it is opened'] ?? []
const isOfEveryRun = ({ name }: Screen): boolean => SCREENS_OF_EVERY_RUN.includes(name)

for (const [which, width, looked, tag] of [
  ['the card page, a receipt and an error are', 390, OPENED.filter(isOfEveryRun), []],
  ['every other screen is', 390, OPENED.filter((screen) => !isOfEveryRun(screen)), ['@proof']],
  ['every screen is', 1280, OPENED, ['@proof']],
] as const) {
  const title = `${which} painted at ${width} px as it stays: the style in front of it leaves out nothing that it needs`
  test(title, { tag: [...tag] }, async ({ browser, links }) => {
    expect(looked).not.toHaveLength(0)
    // Without scripts: what the server has drawn, as it is first painted.
    const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width, height: 844 } })
    for (const [at, screen] of looked.entries()) {
      await page.goto(addressOf(screen, links, PAGE_LOCALES[at % PAGE_LOCALES.length] ?? 'ja'))
      const { elements, changed } = await page.evaluate(changedByStyleBehind)
      expect(elements, screen.name).toBeGreaterThan(20)
      expect(changed, screen.name).toEqual([])
    }
    await page.close()
  })
}
