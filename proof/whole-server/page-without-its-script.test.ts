import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { readPageBuild, type PageBuild } from '../../server/http/page-build.ts'
import { MISSING_IN_SCRIPTS } from '../../journeys/harness/missing-features.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/** Page without its script: what the document holds for a script that fails, and what the built scripts ask of a browser. */
const TRY_AGAIN = {
  ja: 'もう一度試す',
  'en-US': 'Try again',
  ko: '다시 시도',
  'zh-Hans': '重试',
  'zh-Hant': '再試一次',
  th: 'ลองอีกครั้ง',
}

const NOT_LOADED = {
  ja: 'ページの一部を読み込めませんでした',
  'en-US': 'This page did not load completely.',
  ko: '페이지를 완전히 불러오지 못했습니다.',
  'zh-Hans': '页面未能完全加载。',
  'zh-Hant': '頁面未能完全載入。',
  th: 'โหลดหน้านี้ไม่สมบูรณ์',
}

const INLINE_LIMIT = 2048

describe('a document whose script may fail', () => {
  let server: TestServer
  let build: PageBuild
  before(async () => {
    build = await readPageBuild()
    server = await openTestServer({ gateway: fakeGateway(), build })
  })

  const read = async (url: string, host = 'tea.localhost:3000'): Promise<string> =>
    (await server.app.inject({ method: 'GET', url, headers: { host } })).body

  const noticeIn = (html: string): string =>
    withoutLineBreaks(/<template id="failure">(.*?)<\/template>/s.exec(html)?.[1] ?? '')

  for (const locale of PAGE_LOCALES) {
    test(`${locale}: holds a notice with the way to try again and the shop’s contact`, async () => {
      const notice = noticeIn(await read(`/${await server.createCheckout()}/creditcard?locale=${locale}`))
      assert.match(notice, /^<div role="alert"/)
      assert.ok(notice.includes(`${NOT_LOADED[locale]}</h1>`), notice)
      assert.match(notice, new RegExp(`<a [^>]*href="">${TRY_AGAIN[locale]}</a>`))
      assert.match(notice, /<address.*href="tel:.*href="mailto:/s)
    })
  }

  test('the notice hides the page only where there is a form, and on a host of no shop it names none', async () => {
    const hides = (html: string): boolean => /^<div role="alert" class="[^"]+">/.test(noticeIn(html))
    const id = await server.createCheckout()
    assert.equal(hides(await read(`/${id}/creditcard`)), true)
    await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${id}` })
    assert.equal(hides(await read(`/${id}/error`)), false)
    assert.equal(hides(await read('/404')), false)
    assert.match(noticeIn(await read('/404')), /<address/)
    assert.doesNotMatch(noticeIn(await read('/404', 'nobody.localhost:3000')), /<address/)
  })

  test(`its two inline scripts are below ${INLINE_LIMIT} bytes`, async () => {
    const html = await read(`/${await server.createCheckout()}/creditcard`)
    const scripts = [...html.matchAll(/<script nonce="[^"]*">(.*?)<\/script>/gs)].map(([, text = '']) => text)
    assert.equal(scripts.length, 2)
    const bytes = scripts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    assert.ok(bytes < INLINE_LIMIT, `${bytes} bytes`)
  })

  test('its scripts, libraries included, call no static method and hold no expression that a supported browser lacks', () => {
    // Not those of the console, which newer browsers open (docs/browsers.md).
    const scripts = [...build.assets].filter(
      ([address]) => address.endsWith('.js') && build.integrity[address] !== undefined,
    )
    assert.ok(scripts.length > 6)
    for (const [address, { bytes }] of scripts) {
      const text = bytes.toString('utf8')
      const called = [...text.matchAll(/\b([A-Z]\w*\.\w+)/g)].map(([, name = '']) => name)
      assert.deepEqual(
        called.filter((name) => MISSING_IN_SCRIPTS.statics.has(name)),
        [],
        address,
      )
      assert.doesNotMatch(text, /\(\?<[=!]/, address)
    }
  })
})
