/** Screenshots: every screen in every language at several widths, to be looked at by a person. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import type { Screen } from '../../journeys/harness/screen.ts'
import { onParentExit } from '../../tools/exit-with-parent.ts'
import { printProgress, secondsSince } from '../../tools/progress.mjs'
import { takeConsolePictures } from './console-pictures.ts'
import { takeMailPictures } from './mail-pictures.ts'
import { fitHeight, takeStableScreenshot } from './take-screenshot.ts'
import { chooseScreens, visitScreens } from './visit-screens.ts'
import { ROOT } from '../../tools/root.ts'
import { runCommand } from '../../tools/run-command.ts'

const FOLDER = join(ROOT, 'screens')

const WIDTHS = [360, 390, 1280]
/** Where a layout breaks first: the narrowest phone, the tablet between the layouts, the widest desktop. */
const FURTHER_WIDTHS = [320, 768, 1920]
const LOCALES_AT_ALL_WIDTHS: readonly PageLocale[] = ['ja', 'en-US', 'th']

const widthsOf = (locale: PageLocale): number[] =>
  [...WIDTHS, ...(LOCALES_AT_ALL_WIDTHS.includes(locale) ? FURTHER_WIDTHS : [])].toSorted((a, b) => a - b)

const fileOf = (screen: string, locale: PageLocale, width: number): string => `${screen}/${locale}-${width}.png`

const saveScreenshots = async (page: Page, screen: Screen, locale: PageLocale): Promise<void> => {
  for (const width of widthsOf(locale)) {
    await fitHeight(page, width)
    writeFileSync(join(FOLDER, fileOf(screen.name, locale, width)), await takeStableScreenshot(page))
  }
}

/** One row for each language; every screenshot at the same scale, so that sizes can be compared. */
const contactSheetHtml = (chosen: readonly Screen[]): string => {
  const image = (name: string, locale: PageLocale, width: number): string => {
    const file = fileOf(name, locale, width)
    return `<a href="${file}"><img src="${file}" alt="${name}, ${locale}, ${width} px" width="${width / 2}" loading="lazy"></a>`
  }
  const row = (name: string, locale: PageLocale): string =>
    `<tr><th>${locale}</th><td>${widthsOf(locale)
      .map((width) => image(name, locale, width))
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

/** Takes those of the named screens, or of all, and writes a contact sheet. */
const takeScreenshots = async (names: readonly string[]): Promise<number> => {
  onParentExit(() => process.exit(1))
  const chosen = chooseScreens(names)
  const started = performance.now()
  if (names.length === 0) rmSync(FOLDER, { recursive: true, force: true })
  for (const { name } of chosen) mkdirSync(join(FOLDER, name), { recursive: true })
  let screenshots = 0
  await visitScreens(chosen, async ({ screen, locale, page }) => {
    await saveScreenshots(page, screen, locale)
    screenshots += widthsOf(locale).length
  })
  writeFileSync(join(FOLDER, 'index.html'), contactSheetHtml(chosen))
  printProgress(`${screenshots} pictures of ${chosen.length} screens in ${secondsSince(started)}`)
  process.stdout.write(`contact sheet: ${join(FOLDER, 'index.html')}\n`)
  return 0
}

/** npm run screens: every screen of the page, or the named ones; npm run screens -- mails, -- console: every mail, the console. */
export const takePictures = ([first = '', ...names]: readonly string[]): Promise<number> => {
  if (first === 'mails') return takeMailPictures()
  if (first === 'console') return takeConsolePictures(names)
  return takeScreenshots(first === '' ? [] : [first, ...names])
}

if (import.meta.main) await runCommand(takePictures)
