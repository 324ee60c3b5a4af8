/** Initial data: what the server inlined into the document, so that opening a link makes no call. */
import { DEFAULT_PAGE_LOCALE, isPageLocale, matchLanguage, type PageLocale } from '#contract/locale.ts'
import type { FooterFacts, PreviewFacts } from '#contract/page.ts'
import { parseCheckoutAnswer, parseShop, type PageCheckout, type PageShop } from './parse-answers.ts'
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

const DEFAULT_FOOTER: FooterFacts = { aboutUrl: '/', privacyUrl: '/', badgeText: null }

const parseJsonObject = (text: string | null | undefined): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const parseFooter = (value: unknown): FooterFacts => {
  if (typeof value !== 'object' || value === null) return DEFAULT_FOOTER
  const { aboutUrl, privacyUrl, badgeText }: { aboutUrl?: unknown; privacyUrl?: unknown; badgeText?: unknown } = value
  return {
    aboutUrl: typeof aboutUrl === 'string' ? aboutUrl : DEFAULT_FOOTER.aboutUrl,
    privacyUrl: typeof privacyUrl === 'string' ? privacyUrl : DEFAULT_FOOTER.privacyUrl,
    badgeText: typeof badgeText === 'string' ? badgeText : null,
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
  const facts: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {}
  const { origin: inlinedOrigin, visitorLocale } = facts
  return {
    origin: isOrigin(inlinedOrigin) ? inlinedOrigin : origin,
    visitorLocale:
      typeof visitorLocale === 'string' && isPageLocale(visitorLocale) ? visitorLocale : localeOfLanguage(language),
  }
}

/** Where the inlined data is missing or broken, the browser's own facts are used, and the checkout is fetched. */
export const parseInitialData = (text: string | null | undefined, browser: BrowserFacts): InitialData => {
  const { drawnPath, checkout, locale, now, timeScale, threeDS, footer, sendsMail, release, shop, preview } =
    parseJsonObject(text)
  return {
    drawnPath: typeof drawnPath === 'string' ? drawnPath : browser.path,
    checkout: parseCheckoutAnswer(checkout) ?? null,
    locale: typeof locale === 'string' && isPageLocale(locale) ? locale : browserLocale(browser),
    now: typeof now === 'number' ? now : browser.now,
    timeScale: typeof timeScale === 'number' ? timeScale : 1,
    threeDS,
    footer: parseFooter(footer),
    sendsMail: sendsMail === true,
    release: typeof release === 'string' ? release : '',
    shop: parseShop(shop) ?? null,
    preview: parsePreview(preview, browser),
  }
}
