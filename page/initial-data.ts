/** Initial data: what the server inlined into the document, so that opening a link makes no call. */
import { DEFAULT_PAGE_LOCALE, isPageLocale, matchLanguage, type PageLocale } from '#contract/locale.ts'
import type { FooterFacts, PreviewFacts } from '#contract/page.ts'
import {
  isJsonObject,
  isText,
  parseCheckoutAnswer,
  parseShop,
  type PageCheckout,
  type PageShop,
} from './parse-answers.ts'
import { isOrigin } from './urls.ts'

export interface InitialData {
  /** The path whose screen the server has drawn; it may stand at another address, as `/404` does at every unknown one. */
  readonly drawnPath: string
  readonly checkout: PageCheckout | null
  readonly locale: PageLocale
  readonly now: number
  readonly timeScale: number
  /** As inlined: `three-ds/three-ds-facts.ts` parses them when a payment needs them. */
  readonly threeDS: unknown
  readonly footer: FooterFacts
  readonly sendsMail: boolean
  readonly release: string
  /** Of an error page on the host of a shop. */
  readonly shop: PageShop | null
  readonly preview: PreviewFacts
}

/** What is no object has no fields. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {})

const parseJson = (text: string | null | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const parseFooter = (value: unknown): FooterFacts => {
  const { aboutUrl, privacyUrl, badgeText } = fieldsOf(value)
  return {
    aboutUrl: isText(aboutUrl) ? aboutUrl : '/',
    privacyUrl: isText(privacyUrl) ? privacyUrl : '/',
    badgeText: isText(badgeText) ? badgeText : null,
  }
}

interface BrowserFacts {
  readonly language: string
  readonly path: string
  readonly search: string
  readonly now: number
  /** Scheme, host and port of the page itself. */
  readonly origin: string
}

const localeOfLanguage = (language: string): PageLocale =>
  language === '' ? DEFAULT_PAGE_LOCALE : matchLanguage(language)

const browserLocale = ({ language, search }: BrowserFacts): PageLocale => {
  const requested = new URLSearchParams(search).get('locale')
  if (requested !== null && isPageLocale(requested)) return requested
  return localeOfLanguage(language)
}

const parsePreview = (value: unknown, { origin, language }: BrowserFacts): PreviewFacts => {
  const { origin: inlinedOrigin, visitorLocale } = fieldsOf(value)
  return {
    origin: isOrigin(inlinedOrigin) ? inlinedOrigin : origin,
    visitorLocale: isText(visitorLocale) && isPageLocale(visitorLocale) ? visitorLocale : localeOfLanguage(language),
  }
}

/** Where the inlined data is missing or broken, the browser's own facts are used, and the checkout is fetched. */
export const parseInitialData = (text: string | null | undefined, browser: BrowserFacts): InitialData => {
  const { drawnPath, checkout, locale, now, timeScale, threeDS, footer, sendsMail, release, shop, preview } = fieldsOf(
    parseJson(text),
  )
  return {
    drawnPath: isText(drawnPath) ? drawnPath : browser.path,
    checkout: parseCheckoutAnswer(checkout) ?? null,
    locale: isText(locale) && isPageLocale(locale) ? locale : browserLocale(browser),
    now: typeof now === 'number' ? now : browser.now,
    timeScale: typeof timeScale === 'number' ? timeScale : 1,
    threeDS,
    footer: parseFooter(footer),
    sendsMail: sendsMail === true,
    release: isText(release) ? release : '',
    shop: parseShop(shop) ?? null,
    preview: parsePreview(preview, browser),
  }
}
