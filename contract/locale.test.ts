import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DEFAULT_PAGE_LOCALE,
  firstLanguage,
  isPageLocale,
  isWireLocale,
  LOCALE_LABELS,
  matchLanguage,
  PAGE_LOCALES,
  toPageLocale,
  toWireLocale,
  WIRE_LOCALES,
  type PageLocale,
} from './locale.ts'

test('the language of a browser is matched by substring, in the order of the specification', () => {
  const seen: Record<PageLocale, readonly string[]> = {
    ja: ['ja', 'ja-JP', 'JA', 'Ja-jp', 'ja-JP-u-ca-japanese', 'ja-Latn'],
    'en-US': ['en', 'en-US', 'en-GB', 'EN-gb', 'en-AU', 'en-IN', 'en-JP', 'en-ZA', 'en-150'],
    ko: ['ko', 'ko-KR', 'KO-kr', 'ko-KP', 'ko-Kore-KR'],
    'zh-Hans': ['zh', 'ZH', 'zh-CN', 'zh-cn', 'zh-Hans', 'zh-Hans-CN', 'zh-Hans-HK', 'zh-Hans-SG', 'zh-Hans-TW'],
    'zh-Hant': ['zh-TW', 'ZH-TW', 'zh-Hant', 'zh-Hant-TW', 'zh-Hant-HK', 'zh-Hant-MO', 'zh-hant-hk', 'zh-Hant-US'],
    th: ['th', 'th-TH', 'TH-th', 'th-TH-u-ca-buddhist', 'th-TH-u-nu-thai'],
  }
  for (const locale of PAGE_LOCALES) for (const tag of seen[locale]) assert.equal(matchLanguage(tag), locale, tag)
})

test('a shopper whose language the page does not have reads English', () => {
  const others = ['fr', 'fr-FR', 'fr-CA', 'de', 'de-CH', 'pt-BR', 'pt-PT', 'es-419', 'es-MX', 'it-IT', 'nl', 'sv-SE']
  for (const tag of [...others, 'ru-RU', 'vi-VN', 'id-ID', 'ms-MY', 'hi-IN', 'ar-SA', 'tr', 'fil-PH', 'und', '', 'xx'])
    assert.equal(matchLanguage(tag), 'en-US', tag)
  assert.equal(DEFAULT_PAGE_LOCALE, 'en-US')
})

test('where the rule is silent about Chinese, the script that the region writes decides', () => {
  const regions: readonly (readonly [string, PageLocale])[] = [
    ['zh-HK', 'zh-Hant'],
    ['zh-hk', 'zh-Hant'],
    ['zh-MO', 'zh-Hant'],
    ['zh-SG', 'zh-Hans'],
    ['zh-MY', 'zh-Hans'],
    ['zh-Latn', 'zh-Hans'],
    ['zh-', 'zh-Hans'],
    ['zh_HK', 'zh-Hans'],
  ]
  for (const [tag, locale] of regions) assert.equal(matchLanguage(tag), locale, tag)
})

test('a tag that holds two of the substrings goes to the one that the specification names first', () => {
  const both: readonly (readonly [string, PageLocale])[] = [
    ['zh-Hant-CN', 'zh-Hans'],
    ['zh-Hans-TW', 'zh-Hans'],
    ['kok-IN', 'ko'],
    ['ca-valencia', 'en-US'],
    ['th-TH-x-en', 'en-US'],
    ['en-x-ja', 'ja'],
    ['th-x-zh', 'zh-Hans'],
    ['ko-x-en', 'en-US'],
    ['zh-x-ko', 'ko'],
  ]
  for (const [tag, locale] of both) assert.equal(matchLanguage(tag), locale, tag)
})

test('of an Accept-Language header the first tag counts', () => {
  const headers: readonly (readonly [string | undefined, string | undefined])[] = [
    ['ja', 'ja'],
    ['ja,en-US;q=0.9,en;q=0.8', 'ja'],
    ['zh-TW;q=0.9, ja', 'zh-TW'],
    ['  th-TH , en', 'th-TH'],
    ['ko-KR;q=1.0', 'ko-KR'],
    [undefined, undefined],
    ['', undefined],
    ['   ', undefined],
    ['*', undefined],
    ['*;q=0.5, ja', undefined],
    [';q=0.5', undefined],
  ]
  for (const [header, tag] of headers) assert.equal(firstLanguage(header), tag, String(header))
})

test('every language of the page has its one name on the wire, and back', () => {
  const pairs = PAGE_LOCALES.map((locale) => [locale, toWireLocale(locale)])
  assert.deepEqual(pairs, [
    ['ja', 'ja_JP'],
    ['en-US', 'en_US'],
    ['ko', 'ko_KR'],
    ['zh-Hans', 'zh_CN'],
    ['zh-Hant', 'zh_TW'],
    ['th', 'th_TH'],
  ])
  for (const locale of PAGE_LOCALES) assert.equal(toPageLocale(toWireLocale(locale)), locale)
  for (const locale of WIRE_LOCALES) assert.equal(isWireLocale(locale), true)
})

test('an unknown locale on the wire is absent on the page, never guessed', () => {
  for (const text of [undefined, '', 'ja', 'ja-JP', 'ja_jp', 'JA_JP', 'en_GB', 'zh_HK', 'fr_FR', 'toString'])
    assert.equal(toPageLocale(text), undefined, String(text))
  for (const text of ['', 'ja_JP', 'en', 'EN-US', 'zh', 'th-u-ca-iso8601', 'constructor'])
    assert.equal(isPageLocale(text), false, text)
  for (const locale of PAGE_LOCALES) assert.equal(isPageLocale(locale), true)
})

test('the picker names each language in that language', () => {
  assert.deepEqual(LOCALE_LABELS, {
    ja: '日本語',
    'en-US': 'English (US)',
    ko: '한국어',
    'zh-Hans': '中文 (简体)',
    'zh-Hant': '中文 (繁體)',
    th: 'ภาษาไทย',
  })
})
