import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { LOGO_PLATES } from '#contract/logo-plate.ts'
import type { FooterFacts, Rendered, ShopFacts } from '#contract/page.ts'
import { readPageBuild, type PageBuild } from '../../server/http/page-build.ts'
import { PAGE_FACTS, MERCHANT_SETTINGS } from '../harness/test-merchants.ts'

/** Server-rendered pages: what a shopper sees before any script runs. */
const OPEN: CheckoutAnswer = {
  id: 'c',
  status: 'open',
  amount: 1_234_567,
  subject: 'Sencha gift box',
  validUntil: '2026-11-22T14:59:59.999Z',
  acceptedCardBrands: ['visa', 'master'],
  links: {},
  merchant: { setting: MERCHANT_SETTINGS.setting },
  receipt: MERCHANT_SETTINGS.receipt,
  paymentPending: false,
}
const PAID: CheckoutAnswer = {
  ...OPEN,
  status: 'paid',
  transactionId: 'txn_1',
  paidAt: '2026-11-14T15:05:00.000Z',
  card: { brand: 'jcb', number: '•••• 0505' },
}
const REFUNDED: CheckoutAnswer = { ...PAID, status: 'refunded' }
const WITHOUT_JAPANESE = PAGE_LOCALES.filter((locale) => locale !== 'ja')

interface RenderOptions {
  readonly locale?: PageLocale
  readonly search?: string
  readonly path?: string
  readonly footer?: FooterFacts
  readonly sendsMail?: boolean
  readonly shop?: ShopFacts
}

const SCREENS: Readonly<Record<string, string>> = { open: 'creditcard', paid: 'complete', refunded: 'complete' }

/** The text of a piece of markup, one space between words. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const elementOf = (html: string, tag: string): string =>
  new RegExp(`<${tag}[ >].*?</${tag}>`, 's').exec(html)?.[0] ?? ''
const attributeOf = (tag: string, name: string): string => new RegExp(` ${name}="(.*?)"`, 'i').exec(tag)?.[1] ?? ''
const tagsOf = (html: string, tag: string): string[] => html.match(new RegExp(`<${tag}[ >][^>]*>`, 'g')) ?? []

/** The names of the pictures that have one. Their places are drawn; what fills them comes when the page is live. */
const picturesIn = (html: string): (string | undefined)[] =>
  [...html.matchAll(/<svg [^>]*aria-label="([^"]*)"><\/svg>/g)].map(([, name]) => name)

describe('a shopper’s page as it is drawn on the server', () => {
  let build: PageBuild
  before(async () => {
    build = await readPageBuild()
  })

  const draw = async (checkout: CheckoutAnswer | null, options: RenderOptions = {}): Promise<Rendered> => {
    const { locale = 'en-US', search = '', path, footer, sendsMail = false, shop } = options
    const screen = SCREENS[checkout?.status ?? ''] ?? 'error'
    const inlined = {
      checkout,
      locale,
      now: Date.parse('2026-11-15T00:00:00Z'),
      ...PAGE_FACTS,
      footer: footer ?? { aboutUrl: 'https://a.example/', privacyUrl: 'https://p.example/', badgeText: null },
      sendsMail,
      release: 'v7.8.9',
      ...(shop === undefined ? {} : { shop }),
    }
    return build.render({ path: path ?? `/c/${screen}`, search }, inlined)
  }
  const renderPage = async (checkout: CheckoutAnswer | null, options: RenderOptions = {}): Promise<string> =>
    (await draw(checkout, options)).html

  const fieldsOf = (html: string): string[][] =>
    tagsOf(elementOf(html, 'form'), 'input').map((input) => {
      const [, label = ''] = new RegExp(`<label[^>]* for="${attributeOf(input, 'id')}">(.*?)</label>`).exec(html) ?? []
      return [label, ...['placeholder', 'inputmode', 'autocomplete', 'name'].map((name) => attributeOf(input, name))]
    })

  test('the five fields of the card have their labels, examples, keyboards and autofill names, and no name for an address', async () => {
    assert.deepEqual(fieldsOf(await renderPage(OPEN)), [
      ['Card number', '1234 5678 9012 3456', 'numeric', 'cc-number', ''],
      ['Expiration date', 'MM / YY', 'numeric', 'cc-exp', ''],
      ['Security code (CVC)', '3 digits', 'numeric', 'cc-csc', ''],
      ['Name on card', 'As on the card', 'text', 'cc-name', ''],
      ['Email', 'you@example.com', 'email', 'email', ''],
    ])
    for (const locale of PAGE_LOCALES) {
      const fields = fieldsOf(await renderPage(OPEN, { locale }))
      assert.equal(new Set(fields.map(([label]) => label)).size, 5, locale)
      assert.ok(
        fields.every(([label, example]) => label !== '' && example !== ''),
        locale,
      )
    }
  })

  test('the accepted brands stand in their order, and one that nobody knows last', async () => {
    const acceptedCardBrands = ['unionpay', 'discover', 'diners', 'amex', 'jcb', 'master', 'visa']
    const logos = picturesIn(elementOf(await renderPage({ ...OPEN, acceptedCardBrands }), 'ul'))
    assert.deepEqual(logos, ['Visa', 'Mastercard', 'JCB', 'American Express', 'Diners Club', 'Discover', 'unionpay'])
  })

  test('the cover has a place for the shop’s picture and logo, which come when the page is live, and the shop’s name where it has no logo', async () => {
    const pictures = { logoUrl: '/logo.png', coverImageUrl: '/cover.jpg' }
    const both = await renderPage({ ...OPEN, merchant: { setting: { ...MERCHANT_SETTINGS.setting, ...pictures } } })
    const [cover = '', logo = ''] = tagsOf(elementOf(both, 'main'), 'img')
    assert.deepEqual(
      [cover, logo].map((tag) => [tag.includes(' src='), attributeOf(tag, 'alt')]),
      [
        [false, ''],
        [false, 'Aoyama Tea'],
      ],
    )
    // Until the logo is there its plate holds the name.
    const [beforeAmount = ''] = both.split('<h1')
    assert.equal(textOf(beforeAmount), 'Aoyama Tea Sencha gift box')

    const [bare = ''] = (await renderPage(OPEN)).split('<h1')
    assert.equal(textOf(bare), 'Aoyama Tea Sencha gift box')
    assert.doesNotMatch(elementOf(bare, 'main'), /<img/)
  })

  test('the bill names subject, amount and payment date, with JPY and (JST) for everybody but readers of Japanese', async () => {
    const billOf = async (checkout: CheckoutAnswer, locale: PageLocale): Promise<string> => {
      const [bill = ''] = elementOf(await renderPage(checkout, { locale }), 'main').split('<form')
      return textOf(bill)
    }
    assert.equal(
      await billOf(OPEN, 'en-US'),
      'Aoyama Tea Sencha gift box Amount ¥1,234,567 JPY Payment date Nov 22, 2026, 23:59 (JST)',
    )
    const { subject: _subject, ...without } = OPEN
    assert.match(await billOf(without, 'en-US'), /^Aoyama Tea Amount /)
    assert.match(await billOf(OPEN, 'ja'), /¥1,234,567 \D+ 2026年11月22日 23:59$/)
    for (const locale of WITHOUT_JAPANESE) assert.match(await billOf(OPEN, locale), /¥1,234,567 JPY .*\(JST\)$/, locale)
  })

  test('remarks are drawn with their lines, and without remarks there is no block for them', async () => {
    const html = await renderPage({ ...OPEN, remarks: 'Order A-1024\nGift wrapped' })
    assert.match(html, /<h2>Remarks<\/h2><p>Order A-1024\nGift wrapped<\/p>/)
    assert.doesNotMatch(await renderPage(OPEN), /Remarks/)
  })

  test('the consent notice stands in Japanese in every language, with the five secure-brand logos', async () => {
    for (const locale of PAGE_LOCALES) {
      const [, html = ''] = (await renderPage(OPEN, { locale })).split('</form>')
      const notice = elementOf(html, 'section')
      const [, japanese = ''] = /<p lang="ja">(.*?)<\/p>/.exec(notice) ?? []
      assert.match(japanese, /^不正利用の検知・防止のため、.*氏名、メールアドレス.*カード会社へ提供します。/, locale)
      assert.equal(notice.match(/<p[ >]/g)?.length, locale === 'ja' ? 1 : 2, locale)
      // Readers of another language read their own first, and that the Japanese is the original of it.
      assert.equal(/<p>[^<]+<\/p><h3[^>]*>[^<]+<\/h3><p lang="ja">/.test(notice), locale !== 'ja', locale)
      assert.deepEqual(picturesIn(notice), [
        'Visa Secure',
        'Mastercard Identity Check',
        'JCB J/Secure',
        'American Express SafeKey',
        'Diners Club ProtectBuy',
      ])
    }
  })

  test('every screen of a checkout ends with name, address, phone, separator and mail of the shop', async () => {
    for (const checkout of [OPEN, PAID, REFUNDED, { ...OPEN, status: 'expired' as const }]) {
      const contact = elementOf(await renderPage(checkout), 'address')
      assert.equal(textOf(contact), 'Contact Aoyama Tea Tokyo 03-0000-0000 | shop@example.com', checkout.status)
      assert.deepEqual(
        tagsOf(contact, 'a').map((link) => attributeOf(link, 'href')),
        ['https://shop.example.com', 'tel:0300000000', 'mailto:shop@example.com'],
      )
    }
  })

  test('the shop’s name is a link for http and https alone', async () => {
    const links: Readonly<Record<string, boolean>> = {
      'http://shop.example.com': true,
      'https://shop.example.com': true,
      'ftp://shop.example.com': false,
      'javascript:alert(1)': false,
      '': false,
    }
    for (const [shopUrl, isLink] of Object.entries(links)) {
      const contact = elementOf(await renderPage({ ...OPEN, receipt: { ...OPEN.receipt, shopUrl } }), 'address')
      assert.equal(/<a [^>]*>Aoyama Tea<\/a>/.test(contact), isLink, shopUrl)
      assert.match(contact, />Aoyama Tea</)
    }
  })

  test('every screen has a footer with about, privacy, badge, powered-by image, release and the chosen language', async () => {
    const footer = { aboutUrl: 'https://a.example/', privacyUrl: 'https://p.example/', badgeText: 'Certified' }
    const drawn = [
      await renderPage(OPEN, { footer }),
      await renderPage(PAID, { footer }),
      await renderPage({ ...OPEN, status: 'failed' }, { footer }),
      await renderPage(null, { footer, path: '/404' }),
      await renderPage(null, { footer, path: '/500' }),
      await renderPage(null, { footer, path: '/preview' }),
    ]
    for (const html of drawn) {
      const foot = elementOf(html, 'footer')
      assert.match(foot, /<a href="https:\/\/a\.example\/"[^>]*>About this service<\/a>/)
      assert.match(foot, /<a href="https:\/\/p\.example\/"[^>]*>Privacy policy<\/a>/)
      assert.match(foot, /<\/svg>Certified</)
      assert.deepEqual(picturesIn(foot), ['Powered by Kaikei'])
      assert.match(foot, />v7\.8\.9</)
      // The six come with the list, when it is opened.
      assert.match(
        foot,
        /<button [^>]*aria-label="Language: English \(US\)" aria-haspopup="listbox" aria-expanded="false"/,
      )
    }
    const own = { ...footer, privacyUrl: 'https://p.example/privacy?locale={locale}' }
    const thai = elementOf(await renderPage(OPEN, { footer: own, locale: 'th' }), 'footer')
    assert.match(thai, /href="https:\/\/p\.example\/privacy\?locale=th"/)
    assert.match(elementOf(await renderPage(OPEN), 'footer'), />Card data is encrypted in transit</)
  })

  const rowsOf = (html: string): string[] =>
    [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name, value = '']) => `${name}: ${textOf(value)}`)

  test('a receipt shows a check mark, its title and message, the shop, and its five rows in their order', async () => {
    const html = await renderPage(PAID)
    assert.match(html, /<svg.*?<path d="M8 12\.5l2\.8 2\.8L16 9\.5".*?<h1/s)
    assert.match(textOf(html), /^Aoyama Tea Payment complete Thank you\. Your payment has been received\. /)
    assert.deepEqual(rowsOf(html), [
      'Payment method: •••• 0505',
      'Transaction number: txn_1',
      'Payment date and time: Nov 15, 2026, 00:05 (JST)',
      'Subject: Sencha gift box',
      'Amount: ¥1,234,567 JPY',
    ])
    assert.deepEqual(picturesIn(elementOf(html, 'dl')), ['JCB'])
    const setting = { ...MERCHANT_SETTINGS.setting, logoUrl: '/logo.png' }
    const [aboveTitle = ''] = (await renderPage({ ...PAID, merchant: { setting } })).split('<h1')
    assert.match(elementOf(aboveTitle, 'p'), /<img [^>]*alt="Aoyama Tea"/)
    assert.equal(textOf(aboveTitle), 'Aoyama Tea')
  })

  test('a receipt without a subject has a dash in its place', async () => {
    const { subject: _subject, ...without } = PAID
    assert.equal(rowsOf(await renderPage(without))[3], 'Subject: -')
  })

  test('a subject and remarks that were given empty are drawn like none, as the page draws them once it is alive', async () => {
    assert.equal(rowsOf(await renderPage({ ...PAID, subject: '' }))[3], 'Subject: -')
    assert.equal(await renderPage({ ...OPEN, remarks: '' }), await renderPage(OPEN))
  })

  test('a receipt in Japanese names neither the currency nor the zone; every other language names both', async () => {
    const [, , paidAt, , amount] = rowsOf(await renderPage(PAID, { locale: 'ja' }))
    assert.match(paidAt ?? '', /: 2026年11月15日 00:05$/)
    assert.match(amount ?? '', /: ¥1,234,567$/)
    for (const locale of WITHOUT_JAPANESE) {
      const [, , time, , yen] = rowsOf(await renderPage(PAID, { locale }))
      assert.match(time ?? '', / 00:05 \(JST\)$/, locale)
      assert.match(yen ?? '', /: ¥1,234,567 JPY$/, locale)
    }
  })

  test('a refund has its own title, message and amount label, and a minus before the amount', async () => {
    const html = await renderPage(REFUNDED)
    assert.match(textOf(html), /^Aoyama Tea Refund complete Your payment has been refunded\. /)
    assert.equal(rowsOf(html)[4], 'Refund amount: -¥1,234,567 JPY')
    assert.match(rowsOf(await renderPage(REFUNDED, { locale: 'ja' }))[4] ?? '', /: -¥1,234,567$/)
  })

  test('the error page says why by status, then whom to ask', async () => {
    const reasons = {
      expired: 'This invoice has expired.',
      failed: 'Payment with the invoice failed.',
      cancelled: 'Cancelled invoice.',
    } as const
    for (const status of ['expired', 'failed', 'cancelled'] as const) {
      const main = textOf(elementOf(await renderPage({ ...OPEN, status }), 'main'))
      const expected = `Aoyama Tea This invoice cannot be paid ${reasons[status]} Please contact the store owner. Contact Aoyama Tea`
      assert.ok(main.startsWith(expected), main)
    }
  })

  const wayBackOf = (html: string): string => {
    const [link = ''] = [...elementOf(html, 'main').matchAll(/<a [^>]*>(?:<span>)?Back to the shop</g)].map(
      ([tag]) => tag,
    )
    return attributeOf(link, 'href')
  }

  test('a receipt and an error page show the shop and lead back to it, by the link that fits the status', async () => {
    const links = { redirectUrl: 'https://shop.example.com/thanks', cancelUrl: 'https://shop.example.com/cart' }
    assert.equal(wayBackOf(await renderPage({ ...PAID, links })), links.redirectUrl)
    assert.equal(wayBackOf(await renderPage({ ...REFUNDED, links })), 'https://shop.example.com')
    assert.equal(wayBackOf(await renderPage(PAID)), 'https://shop.example.com')
    for (const status of ['expired', 'failed', 'cancelled'] as const)
      assert.equal(wayBackOf(await renderPage({ ...OPEN, status, links })), links.cancelUrl, status)
    const setting = { ...MERCHANT_SETTINGS.setting, logoUrl: '/logo.png' }
    const [aboveTitle = ''] = (await renderPage({ ...OPEN, status: 'failed', merchant: { setting } })).split('<h1')
    assert.match(aboveTitle, /<img [^>]*alt="Aoyama Tea"/)
    const receipt = { ...OPEN.receipt, shopUrl: '' }
    assert.doesNotMatch(await renderPage({ ...PAID, receipt }), /Back to the shop/)
  })

  test('each plate of a logo is drawn as one of its own, and an unknown one is light', async () => {
    const plateOf = async (more: Partial<CheckoutAnswer['merchant']['setting']>): Promise<string> => {
      const setting = { ...MERCHANT_SETTINGS.setting, logoUrl: '/logo.png', ...more }
      const [cover = ''] = (await renderPage({ ...OPEN, merchant: { setting } })).split('<h1')
      return /<span class="([^"]*)"><span/.exec(cover)?.[1] ?? assert.fail(cover)
    }
    const plates = await Promise.all(LOGO_PLATES.map((logoPlate) => plateOf({ logoPlate })))
    assert.equal(new Set(plates).size, LOGO_PLATES.length)
    assert.equal(await plateOf({}), plates[LOGO_PLATES.indexOf('light')])
  })

  test('only a failed payment is drawn as an alarm; cancelled and expired have marks of their own', async () => {
    const markOf = async (status: 'failed' | 'cancelled' | 'expired'): Promise<string> =>
      /<path d="(.*?)"/.exec(await renderPage({ ...OPEN, status }))?.[1] ?? ''
    assert.deepEqual(
      [await markOf('failed'), await markOf('cancelled'), await markOf('expired')],
      ['M12 7.5v5.5M12 16v.5', 'M8.5 12h7', 'M12 7.5V12l3 2'],
    )
  })

  test('the not found and the server error page say what the specification says', async () => {
    const main = async (path: string): Promise<string> => textOf(elementOf(await renderPage(null, { path }), 'main'))
    assert.equal(await main('/404'), '404 Page not found The page you are looking for cannot be found.')
    assert.equal(
      await main('/500'),
      'Server error This page cannot be displayed due to system issues. Please try again in a little while.',
    )
  })

  test('where the server knows whose page it is, both also show the shop and its contact, in its colour and its font', async () => {
    const shop = {
      merchant: { setting: { ...MERCHANT_SETTINGS.setting, colorCode: '#7a1f2b', fontType: 'serif' as const } },
      receipt: MERCHANT_SETTINGS.receipt,
    }
    for (const [path, title] of [
      ['/404', '404 Page not found'],
      ['/500', 'Server error'],
    ] as const) {
      const { html, theme, failureNotice } = await draw(null, { path, shop })
      const main = textOf(elementOf(html, 'main'))
      assert.ok(main.startsWith(`Aoyama Tea ${title} `), main)
      assert.ok(main.endsWith(' Contact Aoyama Tea Tokyo 03-0000-0000 | shop@example.com'), main)
      assert.match(theme, /--brand:#7a1f2b/)
      assert.match(textOf(failureNotice), /Contact Aoyama Tea/)
      const neutral = await draw(null, { path })
      assert.doesNotMatch(neutral.html + neutral.failureNotice, /Aoyama|<address/)
    }
  })

  test('a page that is missing or unavailable is drawn without an alarm', async () => {
    const iconOf = (html: string): string => /<svg class="([^"]*)"/.exec(elementOf(html, 'main'))?.[1] ?? ''
    const alarm = iconOf(await renderPage({ ...OPEN, status: 'failed' }))
    assert.notEqual(alarm, '')
    for (const path of ['/404', '/500']) assert.notEqual(iconOf(await renderPage(null, { path })), alarm)
  })

  test('a Cancel button is drawn only for a checkout with a cancel link, and no button works before the page is alive', async () => {
    const buttonsOf = (html: string): string[] =>
      [...elementOf(html, 'form').matchAll(/<button.*?<\/button>/gs)].map(([button]) => button)
    const without = buttonsOf(await renderPage({ ...OPEN, links: { redirectUrl: 'https://shop.example.com/thanks' } }))
    assert.deepEqual(without.map(textOf), ['Pay ¥1,234,567 JPY'])
    const both = buttonsOf(await renderPage({ ...OPEN, links: { cancelUrl: 'https://shop.example.com/cart' } }))
    assert.deepEqual(both.map(textOf), ['Pay ¥1,234,567 JPY', 'Cancel'])
    for (const button of both) assert.match(button, / disabled=""/)
  })

  test('a payment in doubt promises a mail only where mails are sent, and else says where its result will stand', async () => {
    const pending = { ...OPEN, paymentPending: true }
    const toldWithMail = textOf(await renderPage(pending, { sendsMail: true }))
    const told = textOf(await renderPage(pending))
    assert.match(toldWithMail, /You may close this page\. We will email you the result\./)
    assert.match(told, /You may close this page\. Open this link again to see the result\./)
    assert.doesNotMatch(told, /email you/)
  })

  const MAIL: Readonly<Record<PageLocale, RegExp>> = {
    ja: /メール/g,
    'en-US': /email/gi,
    ko: /이메일/g,
    'zh-Hans': /邮/g,
    'zh-Hant': /郵/g,
    th: /อีเมล/g,
  }
  for (const locale of PAGE_LOCALES)
    test(`in ${locale} a payment in doubt alone promises a mail, and only where mails are sent`, async () => {
      const textsOf = (checkout: CheckoutAnswer): Promise<[string, string]> =>
        Promise.all([renderPage(checkout, { locale, sendsMail: true }), renderPage(checkout, { locale })])
      const [withMail, without] = (await textsOf({ ...OPEN, paymentPending: true })).map(textOf)
      const mentions = (text = ''): number => [...text.matchAll(MAIL[locale])].length
      assert.equal(mentions(withMail), mentions(without) + 1)
      for (const checkout of [OPEN, PAID, REFUNDED]) {
        const [sending, silent] = await textsOf(checkout)
        assert.equal(sending, silent, checkout.status)
      }
    })

  test('only mode=test says that only test cards are accepted', async () => {
    const notice = 'Test mode: only test cards are accepted and no money moves.'
    assert.ok((await renderPage(OPEN, { search: '?mode=test' })).includes(notice))
    for (const search of ['', '?mode=live', '?mode=TEST', '?mode=', '?mode=demo'])
      assert.ok(!(await renderPage(OPEN, { search })).includes(notice), search)
  })

  test('the classes and languages of what is drawn are told with it, and nothing that a merchant writes is one', async () => {
    const told = async (checkout: CheckoutAnswer | null, options: RenderOptions): Promise<Rendered['drawn']> => {
      const { html, failureNotice, drawn } = await draw(checkout, options)
      const valuesOf = (name: string): string[] =>
        [...`${html}${failureNotice}`.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value)
      for (const name of valuesOf('class').flatMap((value) => value.split(' ')))
        assert.ok(drawn.classes.has(name), name)
      for (const language of valuesOf('lang')) assert.ok(drawn.languages.has(language), language)
      return drawn
    }
    const hostile = { ...OPEN, subject: '"class="form" lang="th"', remarks: "' class='form'" }
    for (const locale of PAGE_LOCALES) {
      for (const checkout of [OPEN, PAID, REFUNDED, { ...OPEN, paymentPending: true }]) await told(checkout, { locale })
      for (const status of ['failed', 'expired', 'cancelled'] as const) await told({ ...OPEN, status }, { locale })
      for (const path of ['/404', '/500', '/preview']) await told(null, { locale, path })
      assert.deepEqual(await told(hostile, { locale }), await told({ ...OPEN, remarks: 'A' }, { locale }))
    }
    const [form, receipt] = [await told(OPEN, {}), await told(PAID, {})]
    assert.ok([...form.classes].filter((name) => !receipt.classes.has(name)).length > 10)
  })
})
