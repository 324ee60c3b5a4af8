import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import type { NotificationFacts } from '#contract/mail-facts.ts'
import { sampleMails } from '../../../proof/harness/sample-mails.ts'
import { drawNotification } from './draw-notification.ts'
import { mailWords } from './words/mail-words.ts'

const SHOP = { shopName: 'Aoyama Tea', sender: 'pay.example.com' }

/** Every mail about payments that there is a sample of, by name. */
const samples = (locale: PageLocale) =>
  [...sampleMails(locale)].flatMap(([name, mail]) =>
    mail.to === 'shop' && mail.about === 'payments' && mail.locale !== null
      ? [{ name, facts: mail.facts, ...drawNotification({ ...SHOP, locale: mail.locale, facts: mail.facts }) }]
      : [],
  )

const sampleOf = (name: string): NotificationFacts =>
  samples('en-US').find((sample) => sample.name === name)?.facts ?? assert.fail(name)

const draw = (facts: NotificationFacts, shopName = SHOP.shopName) =>
  drawNotification({ ...SHOP, shopName, locale: 'en_US', facts }).drawn

const textOfHtml = (html: string): string =>
  withoutLineBreaks(html)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')

describe('a mail to a shop', () => {
  for (const locale of PAGE_LOCALES)
    test(`in ${locale} says the same in text and in HTML, with the shop in the subject, and leaves no word undefined`, () => {
      const all = samples(locale)
      assert.ok(all.length >= 10)
      for (const { name, drawn, languages } of all) {
        const { subject, text, html } = drawn
        assert.deepEqual(languages, [locale])
        assert.ok(subject.endsWith('Aoyama Tea'), subject)
        const shown = textOfHtml(html)
        for (const line of text.split('\n').flatMap((each) => each.split(': ')))
          assert.ok(shown.includes(line.replaceAll(/^(\*\*\*) | (\*\*\*)$|:$/g, '').trim()), `${name}: ${line}`)
        assert.doesNotMatch(`${subject}${text}${html}`, /undefined|null|\[object|NaN/)
        assert.doesNotMatch(html, /<(img|script|style|link|form|button|iframe|object|svg|video|input)\b/i)
        assert.doesNotMatch(html, /url\(|@import|src=|background=|javascript:|<a /i)
      }
    })

  test('carries amount and reference in its subject, in every language, and the subject of the checkout where there is no reference', () => {
    for (const locale of PAGE_LOCALES)
      for (const { facts, drawn } of samples(locale)) {
        if (facts.kind === 'shop_summary' || facts.kind === 'shop_card_testing') continue
        const amount = 'refundYen' in facts ? '¥11,040' : facts.amountYen === 13_240 ? '¥13,240' : '¥9,999,999'
        assert.ok(drawn.subject.includes(amount), drawn.subject)
        assert.match(drawn.subject, / · (A-2026-11-0042|R{39}…) · Aoyama Tea$/)
      }
    const paid = sampleOf('shop-paid')
    assert.ok(paid.kind === 'shop_paid')
    assert.equal(
      draw({ ...paid, reference: null }).subject,
      'Paid: ¥13,240 JPY · Sencha 100g and three more · Aoyama Tea',
    )
    assert.equal(draw({ ...paid, reference: null, subject: null }).subject, 'Paid: ¥13,240 JPY · Aoyama Tea')
    assert.equal(draw({ ...paid, reference: ' ', subject: null }).subject, 'Paid: ¥13,240 JPY · Aoyama Tea')
  })

  test('has a subject of one line in which no text of a merchant begins a header, cut between signs and not inside one', () => {
    const paid = sampleOf('shop-paid')
    assert.ok(paid.kind === 'shop_paid')
    const hostile = 'A\r\nBcc: b@example.com\u202e'
    const { subject } = draw({ ...paid, reference: hostile }, 'Tea\nShop')
    assert.equal(subject, 'Paid: ¥13,240 JPY · A Bcc: b@example.com · Tea Shop')
    const subjectWith = (reference: string): string => draw({ ...paid, reference }).subject
    assert.ok(subjectWith('🍵'.repeat(40)).includes(` · ${'🍵'.repeat(40)} · `))
    assert.ok(subjectWith('🍵'.repeat(41)).includes(` · ${'🍵'.repeat(39)}… · `))
  })

  test('never has the id of a checkout in its subject: mail servers write subjects to their logs, and the id opens the page', () => {
    for (const { drawn } of samples('ja')) assert.doesNotMatch(drawn.subject, /f3k5hvlgkz3x7tjx2jn3mcw4ap6tdoeb/)
  })

  test('shows markup in references and subjects as text', () => {
    const paid = sampleOf('shop-paid')
    assert.ok(paid.kind === 'shop_paid')
    const hostile = '<img src=x onerror=alert(1)>"\'&\r\nTotal: ¥1'
    const { text, html } = draw({ ...paid, reference: hostile, subject: hostile, transactionId: hostile }, hostile)
    assert.doesNotMatch(html, /<img|<script/)
    assert.ok(text.split('\n').every((line) => !line.startsWith('Total:')))
  })

  test('of a test says so in the subject and above all else', () => {
    for (const locale of PAGE_LOCALES) {
      const { drawn } = samples(locale).find(({ name }) => name === 'shop-paid-in-a-test') ?? assert.fail()
      const { asTest, test: warning } = mailWords[locale]
      assert.ok(drawn.subject.startsWith(asTest('')), drawn.subject)
      assert.ok(drawn.text.indexOf(warning) < drawn.text.indexOf(mailWords[locale].paidNewsTitle))
    }
  })

  test('that is the last of an hour says that those that follow are summed up, and no other does', () => {
    for (const locale of PAGE_LOCALES)
      for (const { name, drawn } of samples(locale))
        assert.equal(drawn.text.includes(mailWords[locale].lastOfHour), name === 'shop-paid-last-of-hour', name)
  })

  test('to a shop that has chosen no language is in Japanese and English, and its subject says each thing once', () => {
    const { drawn, languages } = drawNotification({ ...SHOP, locale: null, facts: sampleOf('shop-paid') })
    assert.deepEqual(languages, ['ja', 'en-US'])
    assert.equal(drawn.subject, '¥13,240のお支払いがありました / Paid: ¥13,240 JPY · A-2026-11-0042 · Aoyama Tea')
  })
})
