import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { MINUTE_MS } from '#contract/jst.ts'
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { previewedShop } from '#contract/merchant/previewed-shop.ts'
import type { ChangeSettingsBody, SettingsAnswer } from '#contract/merchant/settings.ts'
import { previewAddress, PREVIEW_SCREENS, type PreviewedView, type PreviewScreen } from '#contract/preview-address.ts'
import { readPageBuild } from '../../server/http/page-build.ts'
import { fixture } from '../../server/pictures/testing/fixtures.ts'
import { fakeGateway } from '../harness/fake-gateway.ts'
import { API_KEYS } from '../harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

const ORIGIN = 'http://tea.localhost:3000'
const MERCHANT = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }

/** Two shops: one with everything that its settings can say, one with as little as they allow. */
const SHOPS: Readonly<Record<string, ChangeSettingsBody>> = {
  'a shop that has set everything': {
    shopName: '神田 <書店> & Co',
    shopAddress: '東京都千代田区神田0-0',
    shopPhoneNumber: '03-9999-9999',
    shopEmail: 'books@example.com',
    shopUrl: 'https://books.example.com/',
    colorCode: '#aa0011',
    fontType: 'serif',
    acceptedCardBrands: ['visa', 'jcb'],
    registrationNumber: 'T1234567890123',
  },
  'a shop that has set nothing but its name': {
    shopName: 'Q',
    shopAddress: null,
    shopPhoneNumber: null,
    shopEmail: null,
    shopUrl: null,
    colorCode: '#ffffff',
    fontType: 'sans-serif',
    acceptedCardBrands: null,
    registrationNumber: null,
  },
}

const SALES = {
  full: {
    amount: 1980,
    subject: '煎茶と急須',
    remarks: 'ギフト包装\n承りました。',
    validUntil: '2027-03-31',
    links: { cancelUrl: 'https://books.example.com/cart', redirectUrl: 'https://books.example.com/thanks' },
    taxes: [{ rate: 8, amount: 980 } as const, { rate: 10, amount: 1000 } as const],
  },
  bare: { amount: 1, links: {} },
}

/** What a preview must have of its own. Each is taken away, and all else is the page's. */
const SAMPLE_PARTS: readonly (readonly [what: string, pattern: RegExp, page: string])[] = [
  ['the notice above the page', /<aside .*?<\/aside>/s, ''],
  ['the watermark over it', /<svg class="[^"]*" aria-hidden="true"><defs><pattern.*?<\/svg>/s, ''],
  ['the element around them', /^<div class="[^"]*">(.*)<\/div>$/s, '$1'],
  ['form and buttons that nobody reaches', / inert=""/g, ''],
]
/** In both: a link of a preview leads nowhere, its form misses nothing, ids are counted over the whole document. */
const SAME_IN_BOTH: readonly (readonly [what: string, pattern: RegExp, both: string])[] = [
  ['where a link of the shop leads', / (?:href="(?:https?:|tel:|mailto:)[^"]*"|role="link"|aria-disabled="true")/g, ''],
  ['how such a link is opened', / target="_blank" rel="noopener noreferrer"/g, ''],
  ['which fields the form misses', /(-missing" class="[^"]*">)[^<]*(?=<\/p>)/g, '$1'],
  ['ids', /_R_\w*_/g, '_R_'],
]
/** Before the title and the transaction number of a previewed receipt, and of any sample of an invoice. */
const SAMPLE_WORD: Readonly<Record<PageLocale, string>> = {
  ja: '【見本】',
  'en-US': 'Sample: ',
  ko: '[견본] ',
  'zh-Hans': '【样本】',
  'zh-Hant': '【樣本】',
  th: 'ตัวอย่าง: ',
}

describe('the preview of a page is the page', () => {
  let server: TestServer
  before(async () => {
    const gateway = fakeGateway()
    server = await openTestServer({
      gateway: {
        ...gateway,
        charge: async ({ orderCode, amountYen }, remember) => {
          assert.ok(await remember(orderCode))
          return { outcome: 'charged', transactionId: 'txn_0000000000', approvedAt: server.clock.now(), amountYen }
        },
        refund: async ({ amountYen }) => ({ outcome: 'refunded', amountYen, refundedAt: server.clock.now() }),
      },
      build: await readPageBuild(),
    })
  })

  const settingsAfter = async (change: ChangeSettingsBody, pictures: readonly string[]): Promise<SettingsAnswer> => {
    const url = '/merchant/v1/settings'
    for (const place of ['logo', 'cover']) {
      const picture = { url: `${url}/${place}`, headers: MERCHANT }
      const answer = await server.app.inject(
        pictures.includes(place)
          ? { ...picture, method: 'PUT', payload: fixture('canvas.png') }
          : { ...picture, method: 'DELETE' },
      )
      assert.equal(answer.statusCode, 200, answer.body)
    }
    const headers = { ...MERCHANT, 'if-match': '*' }
    const answer = await server.app.inject({ method: 'PATCH', url, headers, payload: change })
    // To the next minute: a preview is paid now, and the page shows the minute of its payment.
    server.clock.advance(MINUTE_MS - (server.clock.now() % MINUTE_MS))
    return answer.json<SettingsAnswer>()
  }

  const call = async (path: string, payload: object): Promise<void> => {
    const answer = await server.app.inject({
      method: 'POST',
      url: `/merchant/v1/checkouts/${path}`,
      headers: MERCHANT,
      payload,
    })
    assert.ok(answer.statusCode < 300, answer.body)
  }

  /** A checkout that stands on this screen. */
  const checkoutOn = async (screen: PreviewScreen, sale: (typeof SALES)['full' | 'bare']): Promise<string> => {
    const id = await server.createCheckout(sale)
    if (screen === 'complete' || screen === 'refunded')
      assert.equal((await server.pay(id, await server.startAttempt(id))).statusCode, 200)
    if (screen === 'refunded') await call(`${id}/refunds`, { refundId: 'all' })
    if (screen === 'error') await call(`${id}/cancel`, {})
    return id
  }

  interface Drawn {
    readonly page: string
    readonly theme: string | undefined
  }
  const draw = async (url: string, locale: PageLocale): Promise<Drawn> => {
    const { statusCode, body } = await server.app.inject({
      url,
      headers: { host: 'tea.localhost:3000', 'accept-language': locale },
    })
    assert.equal(statusCode, 200, body.slice(0, 200))
    const [, page = ''] = /<div id="page">(.*)<\/div>\n<style/s.exec(body) ?? []
    return { page, theme: /:root\{--brand[^}]*\}/.exec(body)?.[0] }
  }
  const applied = (html: string, parts: typeof SAME_IN_BOTH): string =>
    parts.reduce((text, [, pattern, other]) => text.replace(pattern, other), html)

  for (const [name, change] of Object.entries(SHOPS))
    for (const screen of PREVIEW_SCREENS) {
      const isFull = change.registrationNumber !== null
      test(`${name}: ${screen}, in six languages`, async () => {
        const sale = isFull ? SALES.full : SALES.bare
        const settings = await settingsAfter(change, isFull ? ['logo', 'cover'] : [])
        const id = await checkoutOn(screen, sale)
        const { validUntil, status } = (await server.readCheckout(id)).json<CheckoutAnswer>()
        assert.equal(status, { creditcard: 'open', complete: 'paid', refunded: 'refunded', error: 'cancelled' }[screen])
        for (const locale of PAGE_LOCALES) {
          const view: PreviewedView = { screen, status: 'cancelled', locale, mode: isFull ? 'live' : 'test' }
          const preview = previewAddress(ORIGIN, { shop: previewedShop(settings), sale: { validUntil, ...sale }, view })
          const at = screen === 'refunded' ? 'complete' : screen
          const real = await draw(`/${id}/${at}?locale=${locale}&mode=${view.mode}`, locale)
          const shown = await draw(preview.slice(ORIGIN.length), locale)
          const expected = withoutLineBreaks(applied(real.page, SAME_IN_BOTH)).split(SAMPLE_WORD[locale])
          const found = withoutLineBreaks(applied(applied(shown.page, SAMPLE_PARTS), SAME_IN_BOTH)).split(
            SAMPLE_WORD[locale],
          )
          assert.equal(found.join(''), expected.join(''))
          assert.equal(found.length - expected.length, at === 'complete' ? 2 : 0, 'title and transaction number')
          assert.equal(shown.theme, real.theme)
          assert.ok(real.theme !== undefined && real.page.includes('<main'))
        }
      })
    }
})
