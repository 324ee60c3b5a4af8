import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { localeLabel, PAGE_LOCALES } from '#contract/locale.ts'
import { openLanguageMenu } from './harness/card-form.ts'
import { openHydrated } from './harness/hydration.ts'
import { fetchFromServer } from './harness/server-response.ts'
import { expect, test } from './harness/fixtures.ts'
import { waitForChallengeHelp } from './harness/payment-screens.ts'
import { INVOICE_SCREEN, addressOf, screenGroups } from './harness/screens.ts'
import { MERCHANT_TEXTS, type ScreenLinks, type Screen } from './harness/screen.ts'

const sha384 = (text: string): string => `sha384-${createHash('sha384').update(text).digest('base64')}`

/** A built script of English words with the pseudo-language around them. */
const pseudoScript = async (file: string): Promise<{ english: string; pseudo: string }> => {
  const english = await readFile(`dist/client${file}`, 'utf8')
  const source = (await readFile('page/words/pseudo-locale.mjs', 'utf8')).replaceAll(/^export /gm, '')
  const [exported, name] = /export\s*\{\s*(\w+) as words\s*\};?\s*$/.exec(english) ?? []
  if (exported === undefined) throw new Error(`${file} exports no words`)
  return { english, pseudo: english.replace(exported, () => `${source}\nexport const words = pseudoWords(${name})`) }
}

/** English is replaced by the pseudo-language on its way to the browser; the document gets the hash of the replaced script. */
const replaceEnglishByPseudo = async (page: Page): Promise<void> => {
  // A document that Playwright answers does not count as local, and could not frame anything of this machine.
  await page.context().grantPermissions(['local-network-access'])
  await page.route('**/assets/en-US-*.js', async (route) => {
    const { pseudo } = await pseudoScript(new URL(route.request().url()).pathname)
    await route.fulfill({ body: pseudo, contentType: 'text/javascript' })
  })
  await page.route('**/*', async (route) => {
    const request = route.request()
    // The card company's page in its frame has its own language.
    if (request.resourceType() !== 'document' || request.frame() !== page.mainFrame()) return route.fallback()
    const response = await fetchFromServer(route)
    const html = await response.text()
    const [, file = ''] = /"(\/assets\/en-US-[\w-]+\.js)"/.exec(html) ?? []
    const { english, pseudo } = await pseudoScript(file)
    return route.fulfill({ response, body: html.replaceAll(sha384(english), sha384(pseudo)) })
  })
}

/** Every text that a shopper sees or a screen reader reads. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isShown = (element: Element | null): boolean =>
      element?.checkVisibility({ visibilityProperty: true, opacityProperty: false }) === true
    const texts = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode() !== null) {
      const node = walker.currentNode
      if (isShown(node.parentElement)) texts.push(node.textContent ?? '')
    }
    for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'alt', 'title', 'placeholder']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (isShown(element)) texts.push(element.getAttribute(name) ?? '')
      }
    }
    return texts.map((text) => text.trim()).filter((text) => text !== '')
  })

const CONSENT_NOTICE =
  '不正利用の検知・防止のため、お客様が入力された情報（氏名、メールアドレスなど）およびご利用の端末に関する情報を、ご利用のカードを発行したカード会社へ提供します。カード会社が外国にある場合は、その国へ情報が移転されることがあります。お支払いいただくことで、これに同意いただいたものとみなします。'

/** A Japanese browser: the server draws a preview's watermark in its language, and must not draw English that the browser then replaces. */
test.use({ locale: 'ja-JP' })
const WATERMARK = ['見本', '実際のお支払いページではありません', 'ここではお支払いいただけません。']

/** What is the same in every language, and nothing else. */
const SAME_EVERYWHERE: readonly (string | RegExp)[] = [
  ...Object.values(MERCHANT_TEXTS),
  '青山茶舗 Aoyama Tea',
  '〒107-0062 東京都港区南青山0-0-0',
  /\b03-0000-0000\b/g,
  'shop@aoyama-tea.example',
  'shop@example.com',
  CONSENT_NOTICE,
  ...WATERMARK,
  ...PAGE_LOCALES.map(localeLabel),
  /^v1\.51\.0$/g,
  /-?¥[\d,]+( JPY)?/g,
  /^JPY$/g,
  /[A-Z][a-z]{2} \d{1,2}, \d{4}, \d\d:\d\d \(JST\)/g,
  /•••• \d{4}/g,
  /\btxn_\w+/g,
  // Longer names first: Visa is a part of Visa Secure.
  'Visa Secure',
  'Mastercard Identity Check',
  'JCB J/Secure',
  'American Express SafeKey',
  'Diners Club ProtectBuy',
  'American Express',
  'Diners Club',
  'Mastercard',
  'Discover',
  'Visa',
  'JCB',
]

/** From the inside out: a text may contain another one. */
const withoutPseudo = (text: string): string => {
  const rest = text.replaceAll(/\[‼(?:(?!\[‼|‼\]).)*‼\]/gs, '')
  return rest === text ? text : withoutPseudo(rest)
}

const isUntranslated = (text: string): boolean => {
  const rest = SAME_EVERYWHERE.reduce<string>((left, same) => left.replaceAll(same, ''), withoutPseudo(text))
  return /[^\s:|-]/.test(rest)
}

const openInPseudo = async (page: Page, screen: Screen, links: ScreenLinks): Promise<void> => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const address = addressOf(screen, links, 'ja')
  if (screen.act === undefined) await page.goto(address)
  else await openHydrated(page, address)
  await openLanguageMenu(page)
  await page.getByRole('option', { name: localeLabel('en-US') }).click()
  await expect(page.getByText('‼').first()).toBeVisible()
  await screen.act?.(page)
  await page.locator(screen.readySelector).first().waitFor()
}

const expectAllTranslated = async (page: Page, where: string): Promise<void> => {
  const texts = await textsOf(page)
  expect(texts.filter((text) => text.includes('‼')).length, where).toBeGreaterThan(5)
  expect(texts.filter(isUntranslated), where).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(390)
}

for (const [group, screensOfGroup] of Object.entries(screenGroups)) {
  const tag = '@proof'
  test(
    `every text of ${group} can be translated, and a third more of it still fits`,
    { tag },
    async ({ page, links }) => {
      expect(screensOfGroup).not.toHaveLength(0)
      // Its words come with the lazy parts, which are not replaced; `page/words/words.test.ts` holds that all are there.
      for (const screen of screensOfGroup.filter(({ name }) => name !== INVOICE_SCREEN)) {
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await screen.prepare?.(page)
        await replaceEnglishByPseudo(page)
        await openInPseudo(page, screen, links)
        await expectAllTranslated(page, screen.name)
        if (group !== 'a challenge') continue
        await waitForChallengeHelp(page)
        await expectAllTranslated(page, 'the help')
      }
    },
  )
}

/** What stands outside its frame, or broken, in a receipt: the texts of its rows and of the contact, line by line. */
const receiptFaults = (page: Page, font: string): Promise<string[]> =>
  page.evaluate((family) => {
    document.documentElement.style.setProperty('--sans', `'${family}'`)
    const panel = document.querySelector('main > div')
    const contact = document.querySelector('address')
    if (panel === null || contact === null) return ['no receipt']
    const style = getComputedStyle(panel)
    const frame = panel.getBoundingClientRect()
    const [left, right] = [frame.left + parseFloat(style.paddingLeft), frame.right - parseFloat(style.paddingRight)]
    const faults: string[] = []
    /** The lines that the text of an element takes, each from its first letter to its last. */
    const linesOf = (element: Element | null): { left: number; right: number }[] => {
      const lines = new Map<number, { left: number; right: number }>()
      const texts = document.createTreeWalker(element ?? document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode() !== null) {
        const range = document.createRange()
        range.selectNodeContents(texts.currentNode)
        for (const rect of range.getClientRects()) {
          const line = lines.get(Math.round(rect.bottom)) ?? rect
          lines.set(Math.round(rect.bottom), {
            left: Math.min(line.left, rect.left),
            right: Math.max(line.right, rect.right),
          })
        }
      }
      return [...lines.values()]
    }
    for (const element of panel.querySelectorAll('h1, p:not(address p), dt, dd, address a, button')) {
      const isOutside = linesOf(element).some((line) => line.left < left - 0.5 || line.right > right + 0.5)
      if (isOutside) faults.push(`outside its frame: ${element.textContent}`)
    }
    for (const name of panel.querySelectorAll('dt'))
      if (linesOf(name).length > 2) faults.push(`a label of three lines: ${name.textContent}`)
    const widths = linesOf(panel.querySelector('dl > div:nth-child(2) dd')).map((line) => line.right - line.left)
    if (Math.min(...widths) < Math.max(...widths) / 2) faults.push('a stray end of the transaction number')
    const separator = contact.querySelector('[aria-hidden]')?.getBoundingClientRect()
    const [phone, mail] = [...contact.querySelectorAll('p:last-of-type a')].map((link) => link.getBoundingClientRect())
    if (separator === undefined || phone === undefined || mail === undefined) return [...faults, 'no contact']
    const isOnOneLine = Math.abs(phone.top - mail.top) < 2
    const isCutOff = separator.right < contact.getBoundingClientRect().left - 8
    if (isOnOneLine === isCutOff) faults.push(`a separator that ${isOnOneLine ? 'is missing' : 'ends a line'}`)
    if (document.documentElement.scrollWidth > window.innerWidth) faults.push('the page can be scrolled sideways')
    return faults
  }, font)

/** The narrowest and the widest phone in every test run; those between them in the proof `journeys`. */
const RECEIPT_WIDTHS = { 'the narrowest and the widest phone': [320, 430], 'the phones between': [360, 375, 390] }
/** Wider and narrower than the fonts of any phone. */
const RECEIPT_FONTS = ['DejaVu Sans', 'Liberation Sans Narrow']
/** As long as acquirers make a transaction number, and the highest amount, refunded. */
const LONGEST = { 2: 'ch_3MmlLrLkdIwHu7ix0snN0B15', 5: '-¥9,999,999 JPY' }

const showLongest = (page: Page): Promise<void> =>
  page.evaluate((texts) => {
    for (const [row, text] of Object.entries(texts)) {
      const shown = document.querySelector(`dl > div:nth-child(${row}) dd span`)
      if (shown !== null) shown.textContent = text
    }
  }, LONGEST)

/** Every run measures receipts at 320 px, in the type of Debian: proof/whole-server/drawn-lines.test.ts. */
for (const [phones, widths] of Object.entries(RECEIPT_WIDTHS))
  test(
    `no text of a receipt leaves its frame or breaks badly on ${phones}, in any language, in wide and narrow type`,
    { tag: '@proof' },
    async ({ page, links }) => {
      for (const locale of PAGE_LOCALES) {
        for (const link of [links.invoiced, links.paid]) {
          await page.goto(`${link}/complete?locale=${locale}`)
          for (const width of widths) {
            await page.setViewportSize({ width, height: 844 })
            for (const font of RECEIPT_FONTS)
              expect(await receiptFaults(page, font), `${locale} in ${font} at ${width} px`).toEqual([])
          }
        }
        await showLongest(page)
        for (const width of [430, 320]) {
          await page.setViewportSize({ width, height: 844 })
          expect(await receiptFaults(page, 'DejaVu Sans'), `${locale}, the longest texts at ${width} px`).toEqual([])
        }
      }
    },
  )

test('no shopper is sent the pseudo-language', async () => {
  const scripts = globSync('dist/client/assets/*.js')
  expect(scripts.length).toBeGreaterThan(6)
  for (const script of scripts) expect(await readFile(script, 'utf8'), script).not.toContain('‼')
})
