import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { BrowserFacts } from '#payment/authentication-verdict.ts'
import { browserColorDepth, browserInfo, browserLanguage, cut } from './browser-info.ts'

const SCREEN = { javaEnabled: false, colorDepth: 24, height: 900, width: 1440, timeZoneOffset: -540 }
const FACTS: BrowserFacts = {
  acceptHeader: 'text/html,application/xhtml+xml',
  userAgent: 'Mozilla/5.0',
  ip: '203.0.113.7',
  language: 'ja',
  screen: SCREEN,
}
const infoOf = (facts: Partial<BrowserFacts>) => browserInfo({ ...FACTS, ...facts }) as Record<string, unknown>
const infoOfScreen = (screen: Partial<typeof SCREEN>) => infoOf({ screen: { ...SCREEN, ...screen } })

describe('the browser data that an issuer is sent', () => {
  test('a browser with scripts is described in full, its numbers as text', () => {
    assert.deepEqual(browserInfo(FACTS), {
      browserAcceptHeader: 'text/html,application/xhtml+xml',
      browserUserAgent: 'Mozilla/5.0',
      browserLanguage: 'ja',
      browserIP: '203.0.113.7',
      browserJavascriptEnabled: true,
      browserJavaEnabled: false,
      browserColorDepth: '24',
      browserScreenHeight: '900',
      browserScreenWidth: '1440',
      browserTZ: '-540',
    })
  })

  test('without scripts nothing is sent that only a script can read', () => {
    assert.deepEqual(browserInfo({ ...FACTS, screen: null }), {
      browserAcceptHeader: 'text/html,application/xhtml+xml',
      browserUserAgent: 'Mozilla/5.0',
      browserLanguage: 'ja',
      browserIP: '203.0.113.7',
      browserJavascriptEnabled: false,
    })
  })

  const LANGUAGES: readonly [tag: string, sent: string][] = [
    ['ja', 'ja'],
    ['en-US', 'en-US'],
    ['zh-Hans', 'zh-Hans'],
    ['sl-rozaj', 'sl-rozaj'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['sgn-BE-FR', 'sgn-BE'],
    ['th-u-ca-iso8601', 'th'],
    ['en-x-private', 'en'],
    ['abcdefgh', 'abcdefgh'],
    ['abcdefghi', 'ja'],
    ['de-', 'de'],
    ['ko-ninechars', 'ko'],
    ['i-klingon', 'ja'],
    ['', 'ja'],
    ['*', 'ja'],
    ['日本語', 'ja'],
  ]
  for (const [tag, language] of LANGUAGES)
    test(`the language “${tag}” is sent as “${language}”`, () => assert.equal(browserLanguage(tag), language))

  test('every language, however it is spelled, fits in 8 characters and ends with a whole subtag', () => {
    const subtag = fc.stringMatching(/^[A-Za-z0-9]{0,9}$/)
    fc.assert(
      fc.property(fc.array(subtag), (subtags) =>
        assert.match(browserLanguage(subtags.join('-')), /^(?=.{2,8}$)[A-Za-z]+(-[A-Za-z0-9]{2,})*$/),
      ),
    )
  })

  const DEPTHS: readonly [depth: number, sent: string][] = [
    [1, '1'],
    [2, '1'],
    [12, '8'],
    [15, '15'],
    [16, '16'],
    [24, '24'],
    [30, '24'],
    [32, '32'],
    [47, '32'],
    [48, '48'],
    [64, '48'],
    [0, '24'],
    [-1, '24'],
    [Number.NaN, '24'],
  ]
  for (const [depth, colors] of DEPTHS)
    test(`a colour depth of ${depth} is sent as ${colors}`, () => assert.equal(browserColorDepth(depth), colors))

  test('a screen has at most six digits and is never negative', () => {
    const heights = [0, -1, 999_999, 1_000_000, 12.7, Number.NaN, Number.POSITIVE_INFINITY]
    assert.deepEqual(
      heights.map((height) => infoOfScreen({ height })['browserScreenHeight']),
      ['0', '0', '999999', '999999', '12', '0', '999999'],
    )
    assert.equal(infoOfScreen({ width: 1_000_000 })['browserScreenWidth'], '999999')
    assert.equal(infoOfScreen({ width: -5 })['browserScreenWidth'], '0')
  })

  test('a time zone has a sign and at most four digits', () => {
    const zones = [-540, 0, -0, 720, -9999, -10_000, 9999, 10_000, -329.5]
    assert.deepEqual(
      zones.map((timeZoneOffset) => infoOfScreen({ timeZoneOffset })['browserTZ']),
      ['-540', '0', '0', '720', '-9999', '-9999', '9999', '9999', '-329'],
    )
  })

  test('headers are cut at 2048 characters, and an absent one is sent as */* or unknown', () => {
    for (const length of [2048, 2049]) {
      const long = infoOf({ acceptHeader: 'a'.repeat(length), userAgent: 'u'.repeat(length) })
      assert.equal(long['browserAcceptHeader'], 'a'.repeat(2048))
      assert.equal(long['browserUserAgent'], 'u'.repeat(2048))
    }
    const withoutHeaders = infoOf({ acceptHeader: '', userAgent: '' })
    assert.equal(withoutHeaders['browserAcceptHeader'], '*/*')
    assert.equal(withoutHeaders['browserUserAgent'], 'unknown')
  })

  test('a cut leaves no half of a character', () => {
    assert.equal(cut('ab😀', 3), 'ab')
    assert.equal(cut('ab😀', 4), 'ab😀')
  })

  test('an IP address is sent whole or not at all', () => {
    const longest = 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255'
    assert.equal(longest.length, 45)
    assert.equal(infoOf({ ip: longest })['browserIP'], longest)
    assert.equal(infoOf({ ip: '2001:db8::1' })['browserIP'], '2001:db8::1')
    assert.equal(infoOf({ ip: '::ffff:203.0.113.7' })['browserIP'], '203.0.113.7')
    for (const ip of ['', 'unknown', '203.0.113', `fe80:1111:2222:3333:4444:5555:6666:7777%${'e'.repeat(6)}`])
      assert.equal('browserIP' in infoOf({ ip }), false, ip)
  })
})
