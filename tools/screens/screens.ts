import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import type { Screen } from '../../journeys/harness/screen.ts'
import { onParentGone } from '../exit-with-parent/parent-exit.mjs'
import { printProgress, secondsSince } from '../progress.mjs'
import { chooseScreens, walkScreens } from './screen-walk.ts'
import { root } from '../setup/setup.mjs'

const folder = join(root, 'screens')

const usualWidths = [390, 1280]
/** Where a layout breaks first: the narrowest phone, the tablet between the layouts, the widest desk. */
const furtherWidths = [320, 768, 1920]
const lookedAtClosely: readonly PageLocale[] = ['ja', 'en-US', 'th']

const widthsOf = (locale: PageLocale): number[] =>
  [...usualWidths, ...(lookedAtClosely.includes(locale) ? furtherWidths : [])].toSorted((a, b) => a - b)

const fileOf = (screen: string, locale: PageLocale, width: number): string => `${screen}/${locale}-${width}.png`

/** The page hears of its new size later than we do; a picture taken before that is put together from two sizes. */
const resize = async (page: Page, width: number, height: number): Promise<void> => {
  await page.setViewportSize({ width, height })
  await page.evaluate(
    async (size) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let frames = 0; frames < 100; frames += 1) {
        if (window.innerWidth === size.width && window.innerHeight === size.height) break
        await frame()
      }
      await frame()
      await frame()
    },
    { width, height },
  )
}

/** As high as the page, at least a window: nothing lies beyond it, so nothing has to be put together. */
const fitHeight = async (page: Page, width: number): Promise<void> => {
  await resize(page, width, width < 720 ? 844 : 900)
  const height = await page.evaluate(async () => {
    await document.fonts.ready
    await Promise.allSettled([...document.images].map((image) => image.decode()))
    return document.documentElement.scrollHeight
  })
  await resize(page, width, height)
}

/** On a busy machine one picture in thirty shows the top of the page twice. No two in a row do: what two agree on is true. */
const takePicture = async (page: Page): Promise<Buffer> => {
  let last = await page.screenshot({ animations: 'disabled' })
  for (let tries = 0; tries < 6; tries += 1) {
    const next = await page.screenshot({ animations: 'disabled' })
    if (next.equals(last)) break
    last = next
  }
  return last
}

const photograph = async (page: Page, screen: Screen, locale: PageLocale): Promise<void> => {
  for (const width of widthsOf(locale)) {
    await fitHeight(page, width)
    writeFileSync(join(folder, fileOf(screen.name, locale, width)), await takePicture(page))
  }
}

/** One row a language; every picture at the same scale, so that sizes can be compared. */
const sheetHtml = (chosen: readonly Screen[], scale: number): string => {
  const picture = (name: string, locale: PageLocale, width: number): string => {
    const file = fileOf(name, locale, width)
    return `<a href="${file}"><img src="${file}" alt="${name}, ${locale}, ${width} px" width="${width * scale}" loading="lazy"></a>`
  }
  const row = (name: string, locale: PageLocale): string =>
    `<tr><th>${locale}</th><td>${widthsOf(locale)
      .map((width) => picture(name, locale, width))
      .join('')}</td></tr>`
  const sections = chosen.map(
    ({ name }) =>
      `<section id="${name}"><h2>${name}</h2><table>${PAGE_LOCALES.map((locale) => row(name, locale)).join('')}</table></section>`,
  )
  return `<!doctype html><meta charset="utf-8"><title>Screens</title><style>
body{margin:16px;font:14px system-ui;background:#ccd2da}th{text-align:left;vertical-align:top;padding:8px}
td{display:flex;gap:12px;align-items:flex-start;padding:8px 0}img{display:block;box-shadow:0 0 0 1px #8a94a6}
</style>${sections.join('\n')}\n`
}

/** The contact sheet as a page, and one picture a screen for those who look without a browser. */
const writeSheets = async (browser: Browser, chosen: readonly Screen[]): Promise<void> => {
  writeFileSync(join(folder, 'index.html'), sheetHtml(chosen, 0.5))
  const page = await browser.newPage({ viewport: { width: 2560, height: 1000 } })
  for (const screen of chosen) {
    const file = join(folder, 'sheet.html')
    writeFileSync(file, sheetHtml([screen], 0.5).replaceAll(' loading="lazy"', ''))
    await page.goto(pathToFileURL(file).href)
    await page.screenshot({ path: join(folder, `${screen.name}.png`), fullPage: true })
    rmSync(file)
  }
}

export const photographScreens = async (names: readonly string[]): Promise<number> => {
  onParentGone(() => process.exit(1))
  const chosen = chooseScreens(names)
  const started = performance.now()
  if (names.length === 0) rmSync(folder, { recursive: true, force: true })
  for (const { name } of chosen) mkdirSync(join(folder, name), { recursive: true })
  let pictures = 0
  await walkScreens(
    chosen,
    async ({ screen, locale, page }) => {
      await photograph(page, screen, locale)
      pictures += widthsOf(locale).length
    },
    (browser) => writeSheets(browser, chosen),
  )
  printProgress(`${pictures} pictures of ${chosen.length} screens in ${secondsSince(started)}`)
  process.stdout.write(`contact sheet: ${join(folder, 'index.html')}\n`)
  return 0
}
