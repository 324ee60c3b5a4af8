/** Locales: the table of the page's languages, their codes on the wire, and how a browser language is matched. */

/**
 * A row makes a language; `tools/test/languages.test.ts` names every place that lacks its words. The key is the page's own code
 * and a value of `?locale=`. `wire`: in the checkout, the pay body and the merchant API. `label`: its name in that language, as
 * the picker shows it. `code`: what a browser language must contain; the first row that fits counts (specification, section 9).
 */
const LANGUAGES = {
  ja: { wire: 'ja_JP', label: '日本語', code: 'ja' },
  'en-US': { wire: 'en_US', label: 'English (US)', code: 'en' },
  ko: { wire: 'ko_KR', label: '한국어', code: 'ko' },
  'zh-Hans': { wire: 'zh_CN', label: '中文 (简体)', code: 'zh' },
  'zh-Hant': { wire: 'zh_TW', label: '中文 (繁體)', code: 'zh' },
  th: { wire: 'th_TH', label: 'ภาษาไทย', code: 'th' },
} as const

export type PageLocale = keyof typeof LANGUAGES
export type WireLocale = (typeof LANGUAGES)[PageLocale]['wire']

export const isPageLocale = (text: string): text is PageLocale => Object.hasOwn(LANGUAGES, text)

export const PAGE_LOCALES: readonly PageLocale[] = Object.keys(LANGUAGES).filter(isPageLocale)
export const DEFAULT_PAGE_LOCALE: PageLocale = 'en-US'

export const toWireLocale = (locale: PageLocale): WireLocale => LANGUAGES[locale].wire
export const WIRE_LOCALES: readonly WireLocale[] = PAGE_LOCALES.map(toWireLocale)
export const isWireLocale = (text: string): text is WireLocale => WIRE_LOCALES.some((locale) => locale === text)

export const toPageLocale = (text: string | undefined): PageLocale | undefined =>
  PAGE_LOCALES.find((locale) => toWireLocale(locale) === text)

export const localeLabel = (locale: PageLocale): string => LANGUAGES[locale].label

/** Where the substring rule is silent (zh-HK, zh-MO, zh-SG) the script that region writes decides. */
const chineseScript = (tag: string): PageLocale => {
  try {
    return new Intl.Locale(tag).maximize().script === 'Hant' ? 'zh-Hant' : 'zh-Hans'
  } catch {
    return 'zh-Hans'
  }
}

const chineseLocale = (tag: string): PageLocale => {
  if (tag.includes('hans') || tag.includes('cn')) return 'zh-Hans'
  if (tag.includes('hant') || tag.includes('tw')) return 'zh-Hant'
  return chineseScript(tag)
}

export const matchLanguage = (languageTag: string): PageLocale => {
  const tag = languageTag.toLowerCase()
  const locale = PAGE_LOCALES.find((each) => tag.includes(LANGUAGES[each].code)) ?? DEFAULT_PAGE_LOCALE
  return LANGUAGES[locale].code === 'zh' ? chineseLocale(tag) : locale
}

/** The first tag of an Accept-Language header, or undefined when there is none. */
export const firstLanguage = (acceptLanguage: string | undefined): string | undefined => {
  const tag = acceptLanguage?.split(',')[0]?.split(';')[0]?.trim()
  return tag === undefined || tag === '' || tag === '*' ? undefined : tag
}
