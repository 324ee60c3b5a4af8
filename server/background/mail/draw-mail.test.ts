import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invoiceWords } from '#contract/invoice-words.ts'
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES, toWireLocale } from '#contract/locale.ts'
import type { MailFacts } from '#contract/mail-facts.ts'
import { MAIL_KINDS, type MailKind } from '#payment/mail.ts'
import { drawMail, type DrawnMail, type MailToDraw } from './draw-mail.ts'
import { words as english } from './words/en-US.ts'
import { mailWords } from './words/mail-words.ts'

const PAID_AT = Date.parse('2026-11-22T12:34:00+09:00')
const REFUNDED_AT = Date.parse('2026-11-24T00:01:00+09:00')
const RECEIPT_URL = 'https://tea.pay.example.com/abc'

const paid = {
  mode: 'live',
  amountYen: 3240,
  subject: 'Sencha 100g',
  card: { brand: 'visa', lastFour: '4242' },
  transactionId: 'txn_1',
  paidAt: PAID_AT,
} as const
const issuer = { registrationNumber: 'T1234567890123', issuer: 'Aoyama Tea', content: 'Sencha 100g（一部※）' }
const totals = [
  { rate: 10, amount: 2200, tax: 200 },
  { rate: 8, amount: 1040, tax: 77 },
] as const

const receipt: MailFacts = {
  kind: 'receipt',
  ...paid,
  invoice: { ...issuer, date: '2026-11-22', totals: [...totals], isSample: false },
}
const refund: MailFacts = {
  kind: 'refund',
  ...paid,
  refundedYen: 1040,
  refundedAt: REFUNDED_AT,
  invoice: { ...issuer, soldOn: '2026-11-22', returnedOn: '2026-11-24', totals: [totals[1]], isSample: false },
}
const nothingCharged: MailFacts = {
  kind: 'nothing_charged',
  mode: 'live',
  amountYen: 3240,
  subject: 'Sencha 100g',
  card: { brand: 'visa', lastFour: '4242' },
}
const FACTS: Readonly<Record<MailKind, MailFacts>> = {
  receipt,
  reissue: receipt,
  refund,
  nothing_charged: nothingCharged,
}

const shop = {
  shopName: 'Aoyama Tea',
  shopAddress: 'Tokyo',
  shopPhoneNumber: '03-0000-0000',
  shopEmail: 'shop@example.com',
  shopUrl: 'https://shop.example.com',
  colorCode: '#2f6b4f',
}
const draw = (more: Partial<MailToDraw> = {}): DrawnMail =>
  drawMail({ kind: 'receipt', locale: 'ja_JP', facts: receipt, shop, receiptUrl: RECEIPT_URL, ...more })

const textOfHtml = (html: string): string =>
  withoutLineBreaks(html)
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')

describe('a mail', () => {
  for (const locale of PAGE_LOCALES)
    test(`in ${locale} says the same in text and in HTML, and leaves no word undefined`, () => {
      for (const kind of MAIL_KINDS) {
        const { subject, text, html } = draw({ kind, facts: FACTS[kind], locale: toWireLocale(locale) })
        assert.ok(subject.includes('Aoyama Tea'), subject)
        assert.ok(subject.includes(kind === 'refund' ? '¥1,040' : '¥3,240'), subject)
        const shown = textOfHtml(html)
        for (const line of text.split('\n').flatMap((each) => each.split(': ')))
          assert.ok(shown.includes(line.replaceAll(/^(\*\*\*|---) | (\*\*\*|---)$|:$/g, '').trim()), `${kind}: ${line}`)
        assert.doesNotMatch(`${subject}${text}${html}`, /undefined|null|\[object|NaN/)
      }
    })

  test('holds no picture, no script, no style sheet, no form and nothing that is fetched', () => {
    for (const kind of MAIL_KINDS) {
      const { html } = draw({ kind, facts: FACTS[kind] })
      assert.doesNotMatch(html, /<(img|script|style|link|form|button|iframe|object|svg|video|input)\b/i)
      assert.doesNotMatch(html, /url\(|@import|src=|background=|javascript:/i)
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
      assert.deepEqual(links, kind === 'nothing_charged' ? [] : [RECEIPT_URL])
    }
  })

  test('about a payment that did not go through leads nowhere: the page there is a card form', () => {
    const { text, html } = draw({ kind: 'nothing_charged', facts: nothingCharged })
    assert.ok(!text.includes(RECEIPT_URL) && !html.includes(RECEIPT_URL))
  })

  for (const locale of PAGE_LOCALES)
    test(`of a test payment says in ${locale} that no money moved, in subject, text and HTML; of a live one it does not`, () => {
      const words = mailWords[locale]
      for (const kind of MAIL_KINDS) {
        const facts = { ...FACTS[kind], mode: 'test' } as const
        const { subject, text, html } = draw({ kind, facts, locale: toWireLocale(locale) })
        assert.ok(subject.startsWith(words.asTest('')), subject)
        assert.ok(text.includes(words.test) && html.includes(words.test))
        assert.ok(!draw({ kind, facts: FACTS[kind], locale: toWireLocale(locale) }).text.includes(words.test))
      }
    })

  test('that was asked for again is marked 再発行 in every language', () => {
    for (const locale of PAGE_LOCALES) {
      const { subject, text, html } = draw({ kind: 'reissue', locale: toWireLocale(locale) })
      assert.ok(subject.startsWith(mailWords[locale].asReissued('')), subject)
      assert.ok(text.includes('再発行') && html.includes('再発行'), locale)
      assert.ok(!draw({ locale: toWireLocale(locale) }).text.includes('再発行'))
    }
  })

  test('is the 適格簡易請求書 where the payment has one: number, issuer, date, content, amount and tax of each rate', () => {
    const { text } = draw()
    for (const line of [
      '適格簡易請求書',
      '登録番号: T1234567890123',
      '発行者: Aoyama Tea',
      '取引日: 2026年11月22日',
      '取引内容: Sencha 100g（一部※）',
      '10%対象（税込）: ¥2,200\n  消費税額等: ¥200',
      '8%対象（税込） ※: ¥1,040\n  消費税額等: ¥77',
      '※ 軽減税率対象',
      'クレジットカード利用',
    ])
      assert.ok(text.includes(line), line)
    const plain = draw({ facts: { ...receipt, invoice: null } })
    assert.doesNotMatch(plain.text, /適格|登録番号/)
  })

  test('about a refund is the 適格返還請求書: number, both dates, content, amount and tax of each rate', () => {
    const { text, subject } = draw({ kind: 'refund', facts: refund })
    for (const line of [
      '適格返還請求書',
      '登録番号: T1234567890123',
      '元の取引日: 2026年11月22日',
      '返金日: 2026年11月24日',
      '8%対象（税込） ※: ¥1,040\n  消費税額等: ¥77',
      '返金額: -¥1,040',
      'お支払い金額: ¥3,240',
    ])
      assert.ok(text.includes(line), line)
    assert.doesNotMatch(text, /適格簡易請求書|クレジットカード利用/)
    assert.equal(subject, 'Aoyama Teaからの返金（¥1,040）')
  })

  test('about a refund says whether all or a part was given back', () => {
    const textOf = (refundedYen: number): string => draw({ kind: 'refund', facts: { ...refund, refundedYen } }).text
    assert.ok(textOf(3240).includes(mailWords.ja.refundedWhole))
    assert.ok(textOf(3239).includes(mailWords.ja.refundedPart))
  })

  test('of a test payment shows its invoice as a sample', () => {
    assert.ok(receipt.kind === 'receipt' && receipt.invoice !== null)
    assert.ok(draw({ facts: { ...receipt, mode: 'test' } }).text.includes('【見本】適格簡易請求書'))
  })

  test('in other languages has the Japanese words of the invoice beside its own', () => {
    const { text } = draw({ locale: 'th_TH' })
    assert.ok(text.includes(`${invoiceWords.th.number} 登録番号: T1234567890123`))
  })

  test('in a language that nobody knows is in English', () => {
    assert.equal(draw({ locale: 'xx_XX' }).subject, english.receiptSubject('Aoyama Tea', '¥3,240 JPY'))
  })

  test('shows markup and line breaks in names as text, and takes no colour that is none', () => {
    const hostile = '<img src=x onerror=alert(1)>"\'&\r\nTotal: ¥1'
    const { subject, text, html } = draw({
      shop: {
        ...shop,
        shopName: hostile,
        shopAddress: hostile,
        shopUrl: hostile,
        colorCode: 'red;background:url(//x)',
      },
      facts: { ...receipt, subject: hostile, transactionId: hostile },
      receiptUrl: 'https://tea.example/"><script>',
    })
    assert.doesNotMatch(html, /<img|<script|url\(/)
    assert.doesNotMatch(subject, /[\r\n]/)
    assert.ok(text.split('\n').every((line) => !line.startsWith('Total:')))
  })
})

test('mail words: no text is empty, left in English, or without its arguments', () => {
  for (const locale of PAGE_LOCALES)
    for (const [key, word] of Object.entries(mailWords[locale])) {
      const text = typeof word === 'function' ? word('‹shop›', '‹amount›') : word
      const original = Object.entries(english).find(([name]) => name === key)?.[1]
      assert.ok(text.trim() !== '' && text === text.trim(), `${locale} ${key}`)
      if (typeof word === 'function') {
        assert.ok(text.includes('‹shop›'), `${locale} ${key}`)
        assert.equal(text.includes('‹amount›'), word.length === 2, `${locale} ${key}`)
      }
      if (locale !== 'en-US')
        assert.notEqual(
          text,
          typeof original === 'function' ? original('‹shop›', '‹amount›') : original,
          `${locale} ${key}`,
        )
    }
})
