/** Type of a mail: its fonts and its words by language. */
import type { PageLocale } from '#contract/locale.ts'

/** By language: without its own font first, Chinese is drawn with Japanese glyphs. */
const FONTS: Readonly<Record<PageLocale, string | null>> = {
  ja: "'Hiragino Sans','Noto Sans JP','Noto Sans CJK JP','Yu Gothic',Meiryo",
  'en-US': null,
  ko: "'Apple SD Gothic Neo','Noto Sans KR','Noto Sans CJK KR','Malgun Gothic'",
  'zh-Hans': "'PingFang SC','Noto Sans SC','Noto Sans CJK SC','Microsoft YaHei'",
  'zh-Hant': "'PingFang TC','Noto Sans TC','Noto Sans CJK TC','Microsoft JhengHei'",
  th: "'Noto Sans Thai',Thonburi,'Leelawadee UI'",
}

export const fontOf = (locale: PageLocale): string =>
  [
    'font-family:-apple-system',
    "'Segoe UI'",
    'Roboto',
    ...(FONTS[locale] === null ? [] : [FONTS[locale]]),
    'sans-serif',
  ].join()

/** Korean has spaces between its words, and is not broken inside of one. */
export const wordsOf = (locale: PageLocale): string => (locale === 'ko' ? 'word-break:keep-all;' : '')
