import { DEFAULT_PAGE_LOCALE, isPageLocale, matchLanguage, type PageLocale } from '#contract/locale.ts'
import { THREE_DS_LIMITS, type FooterFacts, type ThreeDSFacts } from '#contract/page.ts'
import { readCheckoutAnswer, type PageCheckout } from './answers.ts'

/** What the page knows when it begins. */
export interface InitialData {
  readonly checkout: PageCheckout | null
  readonly locale: PageLocale
  readonly now: number
  readonly timeScale: number
  readonly threeDS: ThreeDSFacts
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
  /** Scheme, host and port of the page itself. */
  readonly origin: string
}

const browserLocale = ({ language, search }: Browser): PageLocale => {
  const asked = new URLSearchParams(search).get('locale')
  if (asked !== null && isPageLocale(asked)) return asked
  return language === '' ? DEFAULT_PAGE_LOCALE : matchLanguage(language)
}

const MESSAGE_DOMAINS_MOST = 2
/** Longer than any of them is meant; a timer beyond 24 days would fire at once. */
const LONGEST_MS = 86_400_000

/** `3ds` beside the merchant's own label. A host of two labels has none beside it: `3ds.com` is somebody else's. */
const bridgeBeside = (origin: string): readonly string[] => {
  const [, scheme, base, port = ''] =
    /^(https?:\/\/)[^.:/]+\.(localhost|[^:/]+\.[a-z][^.:/]*)(:\d+)?$/.exec(origin) ?? []
  return scheme === undefined || base === undefined ? [] : [`${scheme}3ds.${base}${port}`]
}

const isOrigin = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value

const readThreeDS = (value: unknown, { origin }: Browser): ThreeDSFacts => {
  const facts: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {}
  const given = facts['messageDomains']
  const domains = Array.isArray(given) ? given.filter(isOrigin).slice(0, MESSAGE_DOMAINS_MOST) : []
  const duration = (name: keyof typeof THREE_DS_LIMITS): number => {
    const found = facts[name]
    return typeof found === 'number' && found > 0 && found <= LONGEST_MS ? found : THREE_DS_LIMITS[name]
  }
  return {
    messageDomains: domains.length > 0 ? domains : bridgeBeside(origin),
    collectLimitMs: duration('collectLimitMs'),
    challengeLimitMs: duration('challengeLimitMs'),
    challengeHelpMs: duration('challengeHelpMs'),
  }
}

/** The document's inlined data; where it is missing, the browser's own facts, and the checkout is fetched. */
export const readInitialData = (text: string | null | undefined, browser: Browser): InitialData => {
  const { checkout, locale, now, timeScale, threeDS, footer, release } = parse(text)
  return {
    checkout: readCheckoutAnswer(checkout) ?? null,
    locale: typeof locale === 'string' && isPageLocale(locale) ? locale : browserLocale(browser),
    now: typeof now === 'number' ? now : browser.now,
    timeScale: typeof timeScale === 'number' ? timeScale : 1,
    threeDS: readThreeDS(threeDS, browser),
    footer: readFooter(footer),
    release: typeof release === 'string' ? release : '',
  }
}
