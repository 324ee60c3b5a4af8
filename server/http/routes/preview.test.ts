import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import lz from 'lz-string'
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { gatewayNotConfigured } from '../../gateways/not-configured.ts'
import { COMMON_HEADERS, previewHeaders } from '../headers.ts'
import { readPageBuild, type PageBuild } from '../page-build.ts'
import { endApp } from '../../../proof/harness/end-server.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { PAGE_FACTS } from '../../../proof/harness/test-merchants.ts'

const NOW = Date.parse('2026-11-14T20:00:00Z')
const QUERY_MAX = 16 * 1024
const HEADER_MAX = 32 * 1024

describe('the preview of a merchant’s page', () => {
  let build: PageBuild
  let app: FastifyInstance
  let port: number
  before(async () => {
    build = await readPageBuild()
    app = (await openTestServer({ gateway: gatewayNotConfigured, build })).app
    port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  })
  after(() => endApp(app))

  const get = (url: string, host = 'tea.localhost:3000', language?: string): Promise<LightMyRequestResponse> =>
    app.inject({
      method: 'GET',
      url,
      headers: { host, ...(language === undefined ? {} : { 'accept-language': language }) },
    })

  const titleOf = (html: string): string | undefined => /<title>(.*?)<\/title>/.exec(html)?.[1]

  test('a trailing slash is redirected away with the query, unless it is too long to be repeated', async () => {
    const short = await get('/preview/?amount=4980')
    assert.deepEqual([short.statusCode, short.headers.location], [303, '/preview?amount=4980'])
    assert.equal((await get(`/preview/?subject=${'a'.repeat(3000)}`)).statusCode, 200)
  })

  for (const path of ['/preview', `/preview/?subject=${'a'.repeat(3000)}`]) {
    test(`${path.slice(0, 10)} answers with a policy of its own, and neither caches nor indexes`, async () => {
      const { statusCode, headers, body } = await get(path)
      const [, nonce = ''] = /<style nonce="(.*?)"/.exec(body) ?? []
      assert.equal(statusCode, 200)
      assert.match(nonce, /^[A-Za-z0-9+/]{24}$/)
      const {
        date: _date,
        connection: _connection,
        'content-length': _length,
        'request-id': requestId,
        ...pageHeaders
      } = headers
      assert.match(String(requestId), /^[a-z2-7]{32}$/)
      assert.match(
        headers['content-security-policy']?.toString() ?? '',
        /img-src 'self' https: data:;.* connect-src 'none';/,
      )
      const { 'x-frame-options': _denied, ...common } = COMMON_HEADERS
      assert.deepEqual(pageHeaders, {
        ...common,
        ...previewHeaders(nonce, new URL('http://localhost:3000')),
        vary: 'accept-encoding',
        'content-type': 'text/html; charset=utf-8',
      })
      assert.match(body, /<meta name="robots" content="noindex, nofollow">/)
    })
  }

  test('only hosts of known merchants have a preview; elsewhere there is the not found page', async () => {
    for (const host of ['nobody.localhost:3000', 'localhost:3000', '3ds.localhost:3000', 'tea.example.com']) {
      const { statusCode, body } = await get('/preview', host)
      assert.deepEqual([statusCode, titleOf(body)], [404, 'Page not found'], host)
    }
    assert.equal((await get('/preview', 'books.localhost:3000')).statusCode, 200)
    assert.equal((await app.inject({ method: 'POST', url: '/preview' })).statusCode, 404)
    const below = await get('/preview/creditcard')
    assert.equal(below.statusCode, 404)
  })

  test('the document is drawn with the colour, the texts and the language of its query, and its card form is inert', async () => {
    const query = new URLSearchParams({
      colorCode: '#2f6b4f',
      amount: '4980',
      shopName: lz.compressToEncodedURIComponent('青山茶舗'),
      subject: 'Plain & <simple>',
      locale: 'ja',
    })
    const { body } = await get(`/preview?${query}`)
    assert.match(body, /<html lang="ja">/)
    assert.equal(titleOf(body), '青山茶舗のプレビュー')
    assert.match(body, /:root\{--brand:#2f6b4f;/)
    assert.match(body, /Plain &amp; &lt;simple&gt;/)
    assert.match(body, /¥4,980/)
    const [, form = ''] = /<div class="[^"]*" inert="">(<form.*?<\/form>)<\/div>/s.exec(body) ?? []
    assert.equal(form.match(/<input/g)?.length, 5)
    assert.equal(body.match(/<input/g)?.length, 5)
    assert.doesNotMatch(body, /href="(?:tel|mailto|https:\/\/example\.com)/)
    assert.equal(body.match(/aria-disabled="true"/g)?.length, 3)
  })

  /** The watermark's words in the order in which they are drawn, each once. */
  const watermarkOf = (html: string): string[] => {
    const [, svg = ''] = /<svg class="[^"]*" aria-hidden="true">(<defs><pattern.*?)<\/svg>/s.exec(html) ?? []
    assert.match(svg, /<rect width="100%" height="100%" fill="url\(#preview-watermark\)"><\/rect>$/)
    assert.match(svg, /<pattern id="preview-watermark"/)
    return [
      ...new Set(
        [...svg.matchAll(/<text [^>]*lang="(.*?)"[^>]*>(.*?)<\/text>/g)].map((match) => match.slice(1).join(': ')),
      ),
    ]
  }
  const noticeOf = (html: string): string[] => {
    const [notice = ''] = /<aside.*?<\/aside>/s.exec(html) ?? []
    return [...notice.matchAll(/<div lang="(.*?)">(.*?)<\/div>/gs)].map(
      ([, locale, text = '']) => `${locale}: ${text.replaceAll(/<!-- -->|<[^>]*>/g, '')}`,
    )
  }
  const SAMPLE_WORDS: Readonly<Record<PageLocale, readonly [sample: string, notReal: string, notice: string]>> = {
    ja: ['見本', '実際のお支払いページではありません', 'ここではお支払いいただけません。'],
    'en-US': ['Sample', 'Not a real payment page', 'Nothing can be paid here.'],
    ko: ['견본', '실제 결제 페이지가 아닙니다', '여기서는 결제할 수 없습니다.'],
    'zh-Hans': ['样本', '并非真实支付页面', '此处无法支付。'],
    'zh-Hant': ['樣本', '並非真實付款頁面', '此處無法付款。'],
    th: ['ตัวอย่าง', 'ไม่ใช่หน้าชำระเงินจริง', 'ไม่สามารถชำระเงินที่นี่ได้'],
  }
  const inLanguages = (locales: readonly PageLocale[]): { watermark: string[]; notice: string[] } => ({
    watermark: locales.flatMap((locale) => SAMPLE_WORDS[locale].slice(0, 2).map((words) => `${locale}: ${words}`)),
    notice: locales.map((locale) => `${locale}: ${SAMPLE_WORDS[locale].join(' ')}`),
  })

  const SCREENS = ['creditcard', 'complete', 'refunded', 'error']
  for (const locale of PAGE_LOCALES) {
    test(`in ${locale} every screen has the watermark and its words in the notice, in the browser’s language besides`, async () => {
      const visitors: readonly (readonly [language: string | undefined, visitor: PageLocale])[] = [
        ['ko-KR,ko;q=0.9,en;q=0.8', 'ko'],
        ['zh-TW', 'zh-Hant'],
        ['fr-FR', 'en-US'],
        [undefined, 'en-US'],
        [locale, locale],
      ]
      for (const [language, visitor] of visitors) {
        for (const screen of SCREENS) {
          const { body } = await get(`/preview?locale=${locale}&screen=${screen}`, 'tea.localhost:3000', language)
          const languages = inLanguages(visitor === locale ? [locale] : [locale, visitor])
          assert.deepEqual(watermarkOf(body), languages.watermark, `${screen} for ${language}`)
          assert.deepEqual(noticeOf(body), languages.notice, `${screen} for ${language}`)
          assert.doesNotMatch(body, / style=/)
        }
      }
    })
  }

  test('no other page has a watermark, and no other page is told the visitor’s language', async () => {
    const { body } = await get('/404', 'tea.localhost:3000', 'ja')
    assert.doesNotMatch(body, /<pattern|"preview":|見本/)
    assert.match(
      (await get('/preview')).body,
      /"preview":\{"origin":"http:\/\/tea\.localhost:3000","visitorLocale":"en-US"\}/,
    )
  })

  const receipts: Readonly<Record<PageLocale, readonly [paid: string, refunded: string, transaction: string]>> = {
    ja: ['【見本】お支払いが完了しました', '【見本】返金が完了しました', '【見本】txn_0000000000'],
    'en-US': ['Sample: Payment complete', 'Sample: Refund complete', 'Sample: txn_0000000000'],
    ko: ['[견본] 결제가 완료되었습니다', '[견본] 환불이 완료되었습니다', '[견본] txn_0000000000'],
    'zh-Hans': ['【样本】支付成功', '【样本】退款成功', '【样本】txn_0000000000'],
    'zh-Hant': ['【樣本】付款完成', '【樣本】退款完成', '【樣本】txn_0000000000'],
    th: ['ตัวอย่าง: ชำระเงินเรียบร้อยแล้ว', 'ตัวอย่าง: คืนเงินเรียบร้อยแล้ว', 'ตัวอย่าง: txn_0000000000'],
  }
  for (const locale of PAGE_LOCALES) {
    test(`in ${locale} a previewed receipt says sample in its title and beside its transaction number`, async () => {
      const [paid, refunded, transaction] = receipts[locale]
      for (const [screen, title] of Object.entries({ complete: paid, refunded })) {
        const { body } = await get(`/preview?locale=${locale}&screen=${screen}`)
        assert.equal(withoutLineBreaks(/<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1] ?? ''), title)
        assert.ok(body.includes(`>${transaction}</span>`), screen)
      }
    })
  }

  /** Their places: the pictures themselves come when the page is live. */
  const pictureTags = (html: string): string[] => [...html.matchAll(/<img [^>]*>/g)].map(([tag]) => tag)

  test('pictures come from the own host, over https or inline, without a referrer; over plain http they leave colour and name', async () => {
    const previewWith = async (picture: string, screen: string): Promise<string> => {
      const query = new URLSearchParams({ coverImageUrl: picture, logoUrl: picture, shopName: 'Tea & Co', screen })
      return (await get(`/preview?${query}`)).body
    }
    const allowed = ['https://shop.example/a.png', 'http://tea.localhost:3000/demo/a.png', 'data:image/png;base64,AAAA']
    for (const picture of allowed) {
      for (const [screen, count] of [
        ['creditcard', 2],
        ['complete', 1],
      ] as const) {
        const tags = pictureTags(await previewWith(picture, screen))
        assert.equal(tags.length, count, `${picture} on ${screen}`)
        for (const tag of tags) assert.ok(tag.includes('referrerPolicy="no-referrer"') && !tag.includes(' src='), tag)
      }
    }
    for (const picture of ['http://shop.example/a.png', 'http://books.localhost:3000/a.png', 'javascript:alert(1)']) {
      for (const screen of ['creditcard', 'complete']) {
        const body = await previewWith(picture, screen)
        assert.deepEqual(pictureTags(body), [], picture)
        assert.match(body.split('<h1')[0] ?? '', />Tea &amp; Co</)
      }
    }
  })

  test('the settings of the merchant whose host it is are not disclosed', async () => {
    const { body } = await get('/preview')
    assert.doesNotMatch(body, /Aoyama|2f6b4f|shop\.example\.com/)
  })

  test('the preview’s code is a script of its own that no checkout’s page names', async () => {
    const { body } = await get('/404')
    const named = [...body.matchAll(/<(?:link rel="modulepreload" href|script type="module"[^>]* src)="([^"]+)"/g)]
    assert.ok(named.length >= 2)
    // The alphabet of compressed texts.
    const signs = 'abcdefghijklmnopqrstuvwxyz0123456789+-'
    for (const [, address = ''] of named) assert.ok(!build.assets.get(address)?.bytes.includes(signs), address)
    // The console compresses what it previews.
    const ofPage = Object.keys(build.integrity)
    const scripts = ofPage.filter((address) => build.assets.get(address)?.bytes.includes(signs) === true)
    assert.deepEqual(
      scripts.map((address) => address.startsWith('/assets/preview-page-')),
      [true],
    )
  })

  /** As a browser does it: sends everything, then reads what comes until the server closes. */
  const sendRaw = (search: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      socket.setEncoding('utf8')
      socket.on('data', (text: string) => (answer += text))
      socket.on('error', reject)
      socket.on('close', () => resolve(answer))
      socket.write(`GET /preview${search} HTTP/1.1\r\nHost: tea.localhost:3000\r\nConnection: close\r\n\r\n`)
    })
  const search = (length: number): string => `?subject=${'x'.repeat(length - '?subject='.length)}`

  test('an address of 16 KB is drawn, and one character more is refused with a readable message', async () => {
    assert.match(await sendRaw(search(QUERY_MAX)), /^HTTP\/1\.1 200 OK\r\n/)
    const refused = await sendRaw(search(QUERY_MAX + 1))
    assert.match(refused, /^HTTP\/1\.1 414 URI Too Long\r\n/)
    assert.match(refused, /content-type: text\/plain; charset=utf-8\r\n/)
    assert.match(
      refused,
      /\r\n\r\nThis preview's address is too long: it may carry 16384 characters and 50 parameters\. Shorten its texts\.\n$/,
    )
  })

  for (const length of [HEADER_MAX - 200, HEADER_MAX + 200, 80_000, 1_000_000, 8_000_000]) {
    test(`an address of ${length} characters is refused with 414 and a readable message, and the connection is not reset`, async () => {
      const refused = await sendRaw(search(length))
      assert.match(refused, /^HTTP\/1\.1 414 URI Too Long\r\n/)
      assert.match(refused, /\r\ncontent-security-policy: default-src 'none'/)
      assert.match(refused, /\r\n\r\n[^\n]*address is too long[^\n]*\n$/)
    })
  }

  test('a request that cannot be parsed is refused with 400 and a readable message', async () => {
    const refused = await sendRaw(' HTTP/1.1\r\nbroken header\r\n\r\n')
    assert.match(refused, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.match(refused, /\r\n\r\nThis is no request that can be read\.\n$/)
  })

  const NAMES = ['colorCode', 'amount', 'subject', 'validUntil', 'fontType', 'coverImageUrl', 'logoUrl', 'shopName']
  const name = fc.constantFrom(...NAMES, 'brands', 'remarks', 'screen', 'status', 'locale', 'mode', '__proto__')
  const texts = fc.string({ unit: 'binary', maxLength: 60 })
  const usual = fc.oneof(
    fc.constantFrom(
      'complete',
      'refunded',
      'error',
      'failed',
      'serif',
      'test',
      'visa,jcb,constructor',
      '9999999',
      '-0',
    ),
    fc.constantFrom(
      'javascript:alert(1)',
      'data:image/png;base64,+/=',
      'https://[',
      '0000-01-01',
      '9999-12-31',
      '</p>',
    ),
    texts,
    fc.string({ unit: fc.constantFrom(...'AQgz09+-$ '), maxLength: 80 }),
    texts.map((text) => lz.compressToEncodedURIComponent(text)),
    fc.webUrl(),
  )
  const long = fc
    .tuple(usual, fc.integer({ min: 1, max: 5000 }))
    .map(([text, times]) => text.repeat(times).slice(0, 5000))
  const value = fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: long })
  const spoilt = fc.string({
    unit: fc.constantFrom('%', '&', '=', '+', '#', '?', 'subject', '%F', '%00', '%FF', '\ud800'),
  })
  const anyQuery = fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .array(fc.tuple(name, value), { maxLength: 12 })
        .map((pairs) => `?${new URLSearchParams(pairs.map(([key, text]) => [key, text.toWellFormed()]))}`),
    },
    { weight: 1, arbitrary: spoilt },
  )

  const locales = fc.constantFrom(...PAGE_LOCALES)

  test('of five hundred queries each is drawn, with pictures and colours that can do no harm', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, locales, locales, async (query, locale, visitorLocale) => {
        const preview = { origin: 'http://tea.localhost:3000', visitorLocale }
        const drawn = await build.render(
          { path: '/preview', search: query },
          { ...PAGE_FACTS, checkout: null, locale, now: NOW, preview },
        )
        // React escapes every bracket and quote that is not its own, so what is found here are tags and attributes.
        assert.doesNotMatch(drawn.html, /<(script|style|iframe|object|base)/i)
        for (const [, address = ''] of drawn.html.matchAll(/ (?:src|href)="([^"]*)"/g)) {
          assert.match(address, /^(\/$|\/assets\/[\w.-]+\.svg#[a-z-]+$|https:\/\/|data:image\/)/)
        }
        for (const tag of pictureTags(drawn.html)) assert.match(tag, / referrerPolicy="no-referrer"/)
        const { watermark, notice } = inLanguages(visitorLocale === locale ? [locale] : [locale, visitorLocale])
        assert.deepEqual([watermarkOf(drawn.html), noticeOf(drawn.html)], [watermark, notice])
        assert.match(drawn.theme, /^:root\{(--[a-z-]+:[#\w ()%/]+;?)+\}$/)
        // The shop's links lead nowhere; the footer's two are the operator's.
        const links = drawn.html.match(/<a [^>]*>/g) ?? []
        assert.equal(links.filter((link) => link.includes(' href=')).length, 2)
        const disabled = links.filter((link) => link.includes(' aria-disabled="true"'))
        assert.ok(disabled.length >= 3 && disabled.length === links.length - 2, links.join())
        assert.notEqual(drawn.title, '')
      }),
      { numRuns: 500 },
    )
  })
})
