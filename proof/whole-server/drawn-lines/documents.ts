/** Documents with every text of ours in one language: the screens of the page below each other, the mails, the pages without a script. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { PageLocale } from '#contract/locale.ts'
import { letterOf } from '../../../server/background/mail/send-mail.ts'
import { ABOUT_PAGES } from '../../../server/http/pages/about-page-words.ts'
import { drawAboutPage } from '../../../server/http/pages/about-pages.ts'
import { drawConfirmationPage } from '../../../server/http/pages/confirmation-page.ts'
import { readPageBuild } from '../../../server/http/page-build.ts'
import { SAMPLE_NOW, sampleMails } from '../../harness/sample-mails.ts'
import { MERCHANT_SETTINGS } from '../../harness/test-merchants.ts'

export interface DrawnDocument {
  readonly name: string
  readonly locale: PageLocale
  readonly html: string
}

interface Screens {
  drawScreens(locale: PageLocale): Promise<readonly { readonly name: string; readonly html: string }[]>
  readonly theme: string
}

const isScreens = (module: unknown): module is Screens =>
  typeof module === 'object' && module !== null && 'drawScreens' in module && 'theme' in module

/** The page's own components, built as the page is. */
const buildScreens = async (): Promise<Screens> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-screens-'))
  try {
    const vite = ['node_modules/vite/bin/vite.js', 'build', '--mode', 'screens', '--outDir', folder]
    await promisify(execFile)(process.execPath, vite)
    const module: unknown = await import(pathToFileURL(join(folder, 'draw-screens.js')).href)
    if (!isScreens(module)) throw new Error('vite build --mode screens made no drawScreens')
    // The words of a language are files of their own, read when they are asked for.
    await module.drawScreens('ja')
    return module
  } finally {
    await rm(folder, { recursive: true })
  }
}

const section = (name: string, html: string): string => `<div data-screen="${name}">${html}</div>`

/** A dialog and a footer stand where they are in the document, not where a window would hold them. What is around a form is measured once, not with each state. */
const TEST_STYLE =
  '[data-screen]{position:relative}dialog{display:block;position:static}footer{position:static!important}[data-screen^="form:"] :is(section,address,footer,h1){display:none}'

const documentOf = (locale: PageLocale, style: string, body: string): string =>
  `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><style>${style}${TEST_STYLE}</style></head><body>${body}</body></html>`

const partOf = (html: string, name: 'style' | 'body'): string =>
  new RegExp(`<${name}[^>]*>([\\s\\S]*)</${name}>`).exec(html)?.[1] ?? ''

const SHOP = {
  label: 'tea',
  settings: { ...MERCHANT_SETTINGS, receipt: { ...MERCHANT_SETTINGS.receipt, shopName: '青山茶舗 Aoyama Tea' } },
}
const PUBLIC_BASE = new URL('https://pay.example.com')

const mailsOf = (locale: PageLocale): string =>
  Array.from(sampleMails(locale), ([name, mail]) => {
    const letter = letterOf(mail, { shop: SHOP, publicBase: PUBLIC_BASE, sentAt: SAMPLE_NOW, token: 'a'.repeat(32) })
    return section(`mail: ${name}`, partOf(letter.html, 'body'))
  }).join('')

const CONFIRMATION_LINKS = ['open', 'confirmed', 'gone'] as const

/** Pages of one style in one document. */
const pagesOf = (locale: PageLocale, pages: ReadonlyMap<string, string>): string => {
  const [first = ''] = pages.values()
  return documentOf(
    locale,
    partOf(first, 'style'),
    Array.from(pages, ([name, html]) => section(name, partOf(html, 'body'))).join(''),
  )
}

export const createDocuments = async (): Promise<(locale: PageLocale) => Promise<readonly DrawnDocument[]>> => {
  const [{ style: css }, { drawScreens, theme }] = await Promise.all([readPageBuild(), buildScreens()])
  return async (locale) => {
    const screens = (await drawScreens(locale)).map(({ name, html }) => section(name, html)).join('')
    const about = new Map(ABOUT_PAGES.map((page) => [page, drawAboutPage(page, locale, 'nonce')]))
    const confirmation = new Map(
      CONFIRMATION_LINKS.map((link) => [
        `confirmation ${link}`,
        drawConfirmationPage(link, locale, 'tea.pay.example.com'),
      ]),
    )
    return [
      { name: 'screens', locale, html: documentOf(locale, css.first + css.later + theme, screens) },
      { name: 'mails', locale, html: documentOf(locale, 'body{margin:0}', mailsOf(locale)) },
      { name: 'about', locale, html: pagesOf(locale, about) },
      { name: 'confirmation', locale, html: pagesOf(locale, confirmation) },
    ]
  }
}
