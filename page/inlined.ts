import { DEFAULT_PAGE_LOCALE, isPageLocale, matchLanguage, type PageLocale } from '#contract/locale.ts'
import type { FooterFacts } from '#contract/page.ts'
import { readCheckoutAnswer, type PageCheckout } from './answers.ts'

/** What the page knows when it begins. */
export interface Beginning {
  readonly checkout: PageCheckout | null
  readonly locale: PageLocale
  readonly now: number
  readonly timeScale: number
  readonly footer: FooterFacts
  readonly release: string
}

const NEUTRAL_FOOTER: FooterFacts = { aboutUrl: '/', privacyUrl: '/', badgeText: null }

const parse = (text: string | null | undefined): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

const readFooter = (value: unknown): FooterFacts => {
  if (typeof value !== 'object' || value === null) return NEUTRAL_FOOTER
  const { aboutUrl, privacyUrl, badgeText }: { aboutUrl?: unknown; privacyUrl?: unknown; badgeText?: unknown } = value
  return {
    aboutUrl: typeof aboutUrl === 'string' ? aboutUrl : NEUTRAL_FOOTER.aboutUrl,
    privacyUrl: typeof privacyUrl === 'string' ? privacyUrl : NEUTRAL_FOOTER.privacyUrl,
    badgeText: typeof badgeText === 'string' ? badgeText : null,
  }
}

interface Browser {
  readonly language: string
  readonly search: string
  readonly now: number
}

const browserLocale = ({ language, search }: Browser): PageLocale => {
  const asked = new URLSearchParams(search).get('locale')
  if (asked !== null && isPageLocale(asked)) return asked
  return language === '' ? DEFAULT_PAGE_LOCALE : matchLanguage(language)
}

/** The document's inlined data; where it is missing, the browser's own facts, and the checkout is fetched. */
export const readInlined = (text: string | null | undefined, browser: Browser): Beginning => {
  const { checkout, locale, now, timeScale, footer, release } = parse(text)
  return {
    checkout: readCheckoutAnswer(checkout) ?? null,
    locale: typeof locale === 'string' && isPageLocale(locale) ? locale : browserLocale(browser),
    now: typeof now === 'number' ? now : browser.now,
    timeScale: typeof timeScale === 'number' ? timeScale : 1,
    footer: readFooter(footer),
    release: typeof release === 'string' ? release : '',
  }
}
