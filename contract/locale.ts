/** Locales: the page's six codes, their codes on the wire, and how a browser language is matched. */

/** The page's own codes, also the values of `?locale=`. */
export const PAGE_LOCALES = ['ja', 'en-US', 'ko', 'zh-Hans', 'zh-Hant', 'th'] as const
export type PageLocale = (typeof PAGE_LOCALES)[number]

/** How a locale is written on the wire: in the checkout, the pay body and the merchant API. */
export const WIRE_LOCALES = ['ja_JP', 'en_US', 'ko_KR', 'zh_CN', 'zh_TW', 'th_TH'] as const
export type WireLocale = (typeof WIRE_LOCALES)[number]

export const DEFAULT_PAGE_LOCALE: PageLocale = 'en-US'

const wireOf: Record<PageLocale, WireLocale> = {
  ja: 'ja_JP',
  'en-US': 'en_US',
  ko: 'ko_KR',
  'zh-Hans': 'zh_CN',
  'zh-Hant': 'zh_TW',
  th: 'th_TH',
}

const pageOf: Record<WireLocale, PageLocale> = {
  ja_JP: 'ja',
  en_US: 'en-US',
  ko_KR: 'ko',
  zh_CN: 'zh-Hans',
  zh_TW: 'zh-Hant',
  th_TH: 'th',
}

/** Each language's name in that language, as the picker shows it. */
export const LOCALE_LABELS: Record<PageLocale, string> = {
  ja: '日本語',
  'en-US': 'English (US)',
  ko: '한국어',
  'zh-Hans': '中文 (简体)',
  'zh-Hant': '中文 (繁體)',
  th: 'ภาษาไทย',
}

export const isPageLocale = (text: string): text is PageLocale => PAGE_LOCALES.some((locale) => locale === text)
export const isWireLocale = (text: string): text is WireLocale => WIRE_LOCALES.some((locale) => locale === text)

export const toWireLocale = (locale: PageLocale): WireLocale => wireOf[locale]

export const toPageLocale = (text: string | undefined): PageLocale | undefined =>
  text !== undefined && isWireLocale(text) ? pageOf[text] : undefined

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

/** Specification, section 9: the browser language is matched by substring, in this order. */
export const matchLanguage = (languageTag: string): PageLocale => {
  const tag = languageTag.toLowerCase()
  if (tag.includes('ja')) return 'ja'
  if (tag.includes('en')) return 'en-US'
  if (tag.includes('ko')) return 'ko'
  if (tag.includes('zh')) return chineseLocale(tag)
  if (tag.includes('th')) return 'th'
  return DEFAULT_PAGE_LOCALE
}

/** The first tag of an Accept-Language header, or undefined when there is none. */
export const firstLanguage = (acceptLanguage: string | undefined): string | undefined => {
  const tag = acceptLanguage?.split(',')[0]?.split(';')[0]?.trim()
  return tag === undefined || tag === '' || tag === '*' ? undefined : tag
}
