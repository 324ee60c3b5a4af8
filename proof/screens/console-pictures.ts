/** Console pictures: every screen of the console in both languages, to be looked at, and those few that the documents show. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { CONSOLE_LOCALES } from '#contract/console/locale.ts'
import { launchChromium } from '../../tools/browser/browser.ts'
import { onParentExit } from '../../tools/exit-with-parent.ts'
import { printProgress, secondsSince } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
import { chooseConsoleScreens } from './console-screens.ts'
import { fitHeight, takeStableScreenshot } from './take-screenshot.ts'
import { visitConsole } from './visit-console.ts'

const FOLDER = join(ROOT, 'screens', 'console')
const WIDTHS = [390, 1280]

/** Screens with a button to print them, and how wide a sheet of A4 is between its margins. */
const PRINTED: readonly string[] = ['checkout-paid', 'link', 'link-shared']
const SHEET_WIDTH = 718

const fileOf = (name: string, locale: string, width: number | 'print'): string => `${name}-${locale}-${width}.png`

/** In a document a picture shows a desktop in English beside a phone in Japanese, both of this height: home down to its plots. */
const SHOWN: ReadonlyMap<string, number> = new Map([
  ['home', 1240],
  ['checkout-paid', 900],
  ['new-link', 900],
  ['look', 900],
])
const DESKTOP_WIDTH = 1280
const PHONE_WIDTH = 390
const GAP = 24

const dataUrl = (picture: Buffer): string => `data:image/png;base64,${picture.toString('base64')}`

const pair = async (browser: Browser, height: number, desktop: Buffer, phone: Buffer): Promise<Buffer> => {
  const viewport = { width: DESKTOP_WIDTH + PHONE_WIDTH + 3 * GAP, height: height + 2 * GAP }
  const page = await browser.newPage({ viewport })
  await page.setContent(`<!doctype html><style>
body{display:flex;gap:${GAP}px;margin:${GAP}px;background:#dfe3ec}
img{border-radius:10px}
</style><img src="${dataUrl(desktop)}"><img src="${dataUrl(phone)}">`)
  const picture = await page.screenshot()
  await page.close()
  return picture
}

/** The upper part of a screen, as its window shows it. */
const windowOf = async (page: Page, width: number, height: number): Promise<Buffer> => {
  await page.setViewportSize({ width, height })
  await page.evaluate(() => window.scrollTo(0, 0))
  return takeStableScreenshot(page)
}

const contactSheetHtml = (names: readonly string[]): string => {
  const image = (file: string): string => `<a href="${file}"><img src="${file}" alt="${file}" height="500"></a>`
  const rows = names.map((name) => {
    const files = CONSOLE_LOCALES.flatMap((locale) => WIDTHS.map((width) => fileOf(name, locale, width)))
    return `<h2>${name}</h2>${files.map(image).join('\n')}`
  })
  return `<!doctype html><meta charset="utf-8"><title>Console</title><body style="background:#ccd2da">${rows.join('\n')}\n`
}

const writeShown = async (windows: ReadonlyMap<string, Buffer>): Promise<void> => {
  const browser = await launchChromium()
  try {
    for (const [name, height] of SHOWN) {
      const [desktop, phone] = [windows.get(`${name} desktop`), windows.get(`${name} phone`)]
      if (desktop !== undefined && phone !== undefined)
        writeFileSync(join(ROOT, 'docs', `console-${name}.png`), await pair(browser, height, desktop, phone))
    }
  } finally {
    await browser.close()
  }
}

/** npm run screens -- console: every screen of the console, or the named ones; writes those of the documents again. */
export const takeConsolePictures = async (names: readonly string[]): Promise<number> => {
  onParentExit(() => process.exit(1))
  const chosen = chooseConsoleScreens(names)
  const started = performance.now()
  if (names.length === 0) rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const windows = new Map<string, Buffer>()
  let pictures = 0
  await visitConsole(chosen, async ({ name, locale, page }) => {
    const [device, deviceWidth] = locale === 'ja' ? ['phone', PHONE_WIDTH] : ['desktop', DESKTOP_WIDTH]
    const height = SHOWN.get(name)
    if (height !== undefined) windows.set(`${name} ${device}`, await windowOf(page, deviceWidth, height))
    for (const width of WIDTHS) {
      await fitHeight(page, width)
      writeFileSync(join(FOLDER, fileOf(name, locale, width)), await takeStableScreenshot(page))
      pictures += 1
    }
    if (!PRINTED.includes(name)) return
    await page.emulateMedia({ media: 'print' })
    await fitHeight(page, SHEET_WIDTH)
    writeFileSync(join(FOLDER, fileOf(name, locale, 'print')), await takeStableScreenshot(page))
    await page.emulateMedia({ media: null })
  })
  await writeShown(windows)
  writeFileSync(join(FOLDER, 'index.html'), contactSheetHtml(chosen.map(({ name }) => name)))
  printProgress(`${pictures} pictures of ${chosen.length} screens of the console in ${secondsSince(started)}`)
  process.stdout.write(`contact sheet: ${join(FOLDER, 'index.html')}\n`)
  return 0
}
