import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_PAGE_LOCALE, firstLanguage, matchLanguage, PAGE_LOCALES, type PageLocale } from './locale.ts'

type Row = readonly [tag: string, expected: PageLocale]

/** `navigator.language` as Chrome, Safari, Firefox, Edge and the web views of phones give it. */
const BROWSERS: readonly Row[] = [
  ['ja', 'ja'],
  ['ja-JP', 'ja'],
  ['ja-JP-u-ca-japanese', 'ja'],
  ['en', 'en-US'],
  ['en-US', 'en-US'],
  ['en-GB', 'en-US'],
  ['en-GB-oxendict', 'en-US'],
  ['en-US-POSIX', 'en-US'],
  ['en-AU', 'en-US'],
  ['en-CA', 'en-US'],
  ['en-IN', 'en-US'],
  ['en-JP', 'en-US'],
  ['en-TH', 'en-US'],
  ['en-ZA', 'en-US'],
  ['en-150', 'en-US'],
  ['ko', 'ko'],
  ['ko-KR', 'ko'],
  ['ko-KP', 'ko'],
  ['ko-Kore-KR', 'ko'],
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-Hans', 'zh-Hans'],
  ['zh-Hans-CN', 'zh-Hans'],
  ['zh-Hans-HK', 'zh-Hans'],
  ['zh-Hans-SG', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh-MY', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zh-Hant', 'zh-Hant'],
  ['zh-Hant-TW', 'zh-Hant'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['zh-Hant-MO', 'zh-Hant'],
  ['zh-Hant-US', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-MO', 'zh-Hant'],
  ['zh-TW-u-co-stroke', 'zh-Hant'],
  ['th', 'th'],
  ['th-TH', 'th'],
  ['th-TH-u-ca-buddhist', 'th'],
  ['th-TH-u-nu-thai', 'th'],
  ['fr', 'en-US'],
  ['fr-FR', 'en-US'],
  ['fr-CA', 'en-US'],
  ['de', 'en-US'],
  ['de-DE', 'en-US'],
  ['de-CH-1996', 'en-US'],
  ['de-DE-u-co-phonebk', 'en-US'],
  ['es-ES', 'en-US'],
  ['es-419', 'en-US'],
  ['es-MX', 'en-US'],
  ['pt-BR', 'en-US'],
  ['pt-PT', 'en-US'],
  ['it-IT', 'en-US'],
  ['nl', 'en-US'],
  ['sv-SE', 'en-US'],
  ['nb-NO', 'en-US'],
  ['ru-RU', 'en-US'],
  ['uk-UA', 'en-US'],
  ['pl-PL', 'en-US'],
  ['tr', 'en-US'],
  ['sr-Latn-RS', 'en-US'],
  ['uz-Cyrl', 'en-US'],
  ['ca-ES-valencia', 'en-US'],
  ['vi-VN', 'en-US'],
  ['id-ID', 'en-US'],
  ['ms-MY', 'en-US'],
  ['fil-PH', 'en-US'],
  ['hi-IN', 'en-US'],
  ['ar-EG', 'en-US'],
  ['he-IL', 'en-US'],
  ['mn-MN', 'en-US'],
  ['my-MM', 'en-US'],
  ['haw-US', 'en-US'],
]

/**
 * By the substring rule, not by the language. Konkani and Jamaican Creole hold "ko" and "ja"; Cantonese and Mandarin
 * under codes of their own hold no "zh".
 */
const BY_SUBSTRING: readonly Row[] = [
  ['kok', 'ko'],
  ['kok-IN', 'ko'],
  ['jam', 'ja'],
  ['jam-JM', 'ja'],
  ['yue-Hant-HK', 'en-US'],
  ['cmn-Hans-CN', 'en-US'],
  ['zh-Hant-CN', 'zh-Hans'],
  ['zh-Hans-TW', 'zh-Hans'],
  ['ko-x-en', 'en-US'],
  ['zh-x-ko', 'ko'],
  ['th-x-zh', 'zh-Hans'],
  ['th-TH-x-en', 'en-US'],
  ['en-x-ja', 'ja'],
  ['ja-Latn', 'ja'],
]

/** Not what a browser sends, but what a header or an address may hold. */
const MALFORMED: readonly Row[] = [
  ['', 'en-US'],
  ['und', 'en-US'],
  ['xx', 'en-US'],
  ['C', 'en-US'],
  ['zh-', 'zh-Hans'],
  ['zh_CN', 'zh-Hans'],
  ['zh_TW', 'zh-Hant'],
  ['zh_HK', 'zh-Hans'],
  ['zh-yue-HK', 'zh-Hans'],
  ['zh-Latn', 'zh-Hans'],
  ['ja_JP', 'ja'],
  ['ja-JP-mac', 'ja'],
  ['ko_KR.UTF-8', 'ko'],
]

const check = (rows: readonly Row[]): void => {
  for (const [tag, expected] of rows)
    for (const written of [tag, tag.toLowerCase(), tag.toUpperCase()])
      assert.equal(matchLanguage(written), expected, written)
}

test('a shopper reads the page in the language of the browser, or in English when the page does not have it', () => {
  assert.ok(BROWSERS.length >= 60, String(BROWSERS.length))
  assert.equal(new Set(BROWSERS.map(([tag]) => tag)).size, BROWSERS.length)
  for (const [tag] of BROWSERS) assert.doesNotThrow(() => new Intl.Locale(tag), tag)
  for (const locale of PAGE_LOCALES)
    assert.ok(
      BROWSERS.some(([, expected]) => expected === locale),
      locale,
    )
  check(BROWSERS)
})

test('the language is matched by substring, and a tag that holds two goes to the one that is named first', () => {
  check(BY_SUBSTRING)
})

test('a shopper whose browser names no language that can be read still gets a page', () => {
  check(MALFORMED)
  assert.equal(DEFAULT_PAGE_LOCALE, 'en-US')
})

type Header = readonly [header: string | undefined, first: string | undefined, expected: PageLocale]

/** Accept-Language as browsers send it: Chrome, Safari, Firefox and Edge with several languages, then curl and crawlers. */
const HEADERS: readonly Header[] = [
  ['ja', 'ja', 'ja'],
  ['ja,en-US;q=0.9,en;q=0.8', 'ja', 'ja'],
  ['ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7', 'ja-JP', 'ja'],
  ['ja,en-US;q=0.7,en;q=0.3', 'ja', 'ja'],
  ['en-US,en;q=0.9,ja;q=0.8', 'en-US', 'en-US'],
  ['en-GB,en;q=0.5', 'en-GB', 'en-US'],
  ['ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7', 'ko-KR', 'ko'],
  ['ko-KR;q=1.0', 'ko-KR', 'ko'],
  ['zh-CN,zh;q=0.9', 'zh-CN', 'zh-Hans'],
  ['zh-CN,zh;q=0.8,zh-TW;q=0.7,zh-HK;q=0.5,en-US;q=0.3,en;q=0.2', 'zh-CN', 'zh-Hans'],
  ['zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'zh-TW', 'zh-Hant'],
  ['zh-TW;q=0.9, ja', 'zh-TW', 'zh-Hant'],
  ['zh-HK,zh-Hant;q=0.9', 'zh-HK', 'zh-Hant'],
  ['zh-HK,zh;q=0.9,en;q=0.8', 'zh-HK', 'zh-Hant'],
  ['zh-SG,zh-Hans;q=0.9,zh;q=0.8', 'zh-SG', 'zh-Hans'],
  ['th-TH,th;q=0.9', 'th-TH', 'th'],
  ['  th-TH , en', 'th-TH', 'th'],
  ['th,en-US;q=0.7,en;q=0.3', 'th', 'th'],
  ['fr-CA,fr;q=0.9,en-CA;q=0.8,ja;q=0.7', 'fr-CA', 'en-US'],
  ['es-419,es;q=0.9', 'es-419', 'en-US'],
  ['*', undefined, 'en-US'],
  ['*;q=0.5, ja', undefined, 'en-US'],
  [';q=0.5', undefined, 'en-US'],
  ['', undefined, 'en-US'],
  ['   ', undefined, 'en-US'],
  [undefined, undefined, 'en-US'],
]

test('of an Accept-Language header the first tag counts', () => {
  for (const [header, first, expected] of HEADERS) {
    assert.equal(firstLanguage(header), first, String(header))
    assert.equal(matchLanguage(firstLanguage(header) ?? ''), expected, String(header))
  }
})
