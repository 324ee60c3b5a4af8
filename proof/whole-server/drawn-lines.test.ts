import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { chromium, type Browser, type Page } from '@playwright/test'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { ensureBrowser, FONTS } from '../../tools/browser/browser.ts'
import { createDocuments, type DrawnDocument } from './drawn-lines/documents.ts'
import { lineFault } from './drawn-lines/line-faults.ts'
import { measureLosses } from './drawn-lines/measure-losses.ts'
import { measureTexts } from './drawn-lines/measure-texts.ts'

/** The lines of every text of every screen and mail, drawn with the fonts of Debian. */

/** 320 px is also a window of 1280 px that is enlarged four times; a text of 200 % is measured on a phone and on a desktop. */
const WINDOWS = [
  { width: 320, rootSize: '100%', looksFor: ['faults', 'losses'] },
  { width: 390, rootSize: '100%', looksFor: ['faults'] },
  { width: 1280, rootSize: '100%', looksFor: ['faults'] },
  { width: 1280, rootSize: '200%', looksFor: ['losses'] },
  { width: 390, rootSize: '200%', looksFor: ['losses'] },
] as const

/** Every run draws the two languages without spaces between words; `npm run prove -- axe`, ALL_LANGUAGES=1, all six. */
const LOCALES: readonly PageLocale[] = process.env['ALL_LANGUAGES'] === '1' ? PAGE_LOCALES : ['ja', 'th']

/** Text that may be lost, by the reason. */
const MAY_BE_LOST: Readonly<Record<string, RegExp>> = {
  'a name of 80 letters is cut after five lines on the cover; the contact below has all of it':
    /^screens at 390 px, 200%: long texts: cut off: 東京南青山/,
}
const mayBeLost = (loss: string): boolean => Object.values(MAY_BE_LOST).some((pattern) => pattern.test(loss))

/** Lines measured with whatever else is there would prove nothing. */
const missingFonts = (page: Page): Promise<string[]> =>
  page.evaluate((fonts) => {
    const pen = document.createElement('canvas').getContext('2d')
    const widthIn = (family: string): number => {
      if (pen === null) return 0
      pen.font = `40px ${family}`
      return pen.measureText('Wiiiill').width
    }
    return Object.entries(fonts)
      .filter(([, family]) => widthIn(`'${family}', monospace`) === widthIn('monospace'))
      .map(([debianPackage]) => debianPackage)
  }, FONTS)

describe('lines', () => {
  let browser: Browser
  let page: Page
  let documentsOf: (locale: PageLocale) => Promise<readonly DrawnDocument[]>

  before(async () => {
    documentsOf = await createDocuments()
    browser = await chromium.launch({
      executablePath: await ensureBrowser(process.env),
      args: ['--no-sandbox', '--disable-gpu'],
    })
    page = await browser.newPage()
    const missing = await missingFonts(page)
    assert.deepEqual(missing, [], `the lines are measured with Debian’s fonts: apt-get install ${missing.join(' ')}`)
  })
  after(() => browser.close())

  const lookFor = {
    faults: async (): Promise<string[]> => (await page.evaluate(measureTexts)).flatMap((text) => lineFault(text) ?? []),
    losses: (): Promise<string[]> => page.evaluate(measureLosses),
  } as const

  for (const locale of LOCALES) {
    test(`${locale}: no heading, button, label or error of a screen or mail ends a line inside a word, paragraphs fill their lines, and in text of 200 % or a window that is enlarged four times nothing is cut off, covered or beside the window`, async () => {
      const found: string[] = []
      for (const { name, html } of await documentsOf(locale)) {
        await page.setContent(html)
        for (const { width, rootSize, looksFor } of WINDOWS) {
          // A mail has the size that its program gives it.
          const sought = looksFor.filter((each) => name !== 'mails' || each === 'faults')
          if (sought.length === 0) continue
          await page.setViewportSize({ width, height: 844 })
          await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), rootSize)
          for (const each of sought)
            found.push(...(await lookFor[each]()).map((text) => `${name} at ${width} px, ${rootSize}: ${text}`))
        }
      }
      assert.deepEqual(
        found.filter((each) => !mayBeLost(each)),
        [],
      )
    })
  }

  test('the marks of line breaks are in drawn texts alone: no attribute, no amount and no address of a screen or mail has one', async () => {
    for (const locale of PAGE_LOCALES)
      for (const { name, html } of await documentsOf(locale)) {
        const attributes = html.match(/ [\w-]+="[^"]*[\u200b\u2060][^"]*"/g) ?? []
        assert.deepEqual(attributes, [], `${locale} ${name}`)
        assert.doesNotMatch(html, /[\d@.,¥•][\u200b\u2060][\d@.,]/, `${locale} ${name}`)
      }
  })

  /** The tops of the labels of one form, and the bottom of what is wrong with its second row. */
  const measureForm = (screen: string): Promise<{ readonly labels: number[]; readonly problemEnd: number }> =>
    page.evaluate((name) => {
      const form = document.querySelector(`[data-screen="${name}"] form`)
      const boxes = Array.from(form?.querySelectorAll('label') ?? [], (label) => label.getBoundingClientRect())
      const problems = Array.from(form?.querySelectorAll('[aria-live]') ?? [], (each) => each.getBoundingClientRect())
      // Expiry and security code stand in one row.
      return {
        labels: boxes.filter((_, at) => at !== 2).map(({ top }) => top),
        problemEnd: Math.max(...problems.slice(1, 3).map(({ bottom }) => bottom)),
      }
    }, screen)

  test('the fields of the form at rest stand at equal distances; a problem of two lines pushes the next ones, and stays 12 px above them', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const locale of LOCALES) {
      const [screens] = await documentsOf(locale)
      await page.setContent(screens?.html ?? '')
      for (const screen of ['card', 'form: required']) {
        const { labels } = await measureForm(screen)
        const distances = labels.slice(1).map((top, at) => Math.round(top - (labels[at] ?? 0)))
        assert.equal(distances.length, 3, locale)
        assert.equal(new Set(distances).size, 1, `${locale}, ${screen}: ${distances.join(', ')}`)
      }
      const { labels, problemEnd } = await measureForm('form: expiry')
      assert.equal(Math.round((labels[2] ?? 0) - problemEnd), 12, locale)
    }
  })
})
