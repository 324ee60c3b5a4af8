import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isPageLocale,
  isWireLocale,
  localeLabel,
  PAGE_LOCALES,
  toPageLocale,
  toWireLocale,
  WIRE_LOCALES,
} from './locale.ts'

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
  assert.deepEqual(Object.fromEntries(PAGE_LOCALES.map((locale) => [locale, localeLabel(locale)])), {
    ja: '日本語',
    'en-US': 'English (US)',
    ko: '한국어',
    'zh-Hans': '中文 (简体)',
    'zh-Hant': '中文 (繁體)',
    th: 'ภาษาไทย',
  })
})
