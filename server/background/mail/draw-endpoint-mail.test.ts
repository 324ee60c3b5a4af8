import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES, toWireLocale } from '#contract/locale.ts'
import { ENDPOINT_MAIL_KINDS } from '#payment/endpoint-mail.ts'
import { drawEndpointMail, type EndpointMailToDraw } from './draw-endpoint-mail.ts'
import { mailWords } from './words/mail-words.ts'

const SINCE = Date.parse('2026-11-21T12:34:00+09:00')
const WEBHOOK = 'https://pay.example.com/merchant/v1/webhooks/we_1'

const draw = (more: Partial<EndpointMailToDraw> = {}) =>
  drawEndpointMail({
    kind: 'endpoint_failing',
    locale: 'ja_JP',
    facts: {
      mode: 'live',
      endpointId: 'we_1',
      address: 'shop.example.com/hook',
      failingSince: SINCE,
      lastAnswer: { status: 503 },
    },
    shopName: 'Aoyama Tea',
    sender: 'pay.example.com',
    merchantApi: 'https://pay.example.com/merchant/v1',
    ...more,
  })

for (const locale of PAGE_LOCALES)
  test(`in ${locale} each kind says the same in text and HTML: address, since when, the last answer, what to do`, () => {
    const words = mailWords[locale]
    for (const kind of ENDPOINT_MAIL_KINDS) {
      const { drawn, languages } = draw({ kind, locale: toWireLocale(locale) })
      assert.deepEqual(languages, [locale])
      assert.ok(drawn.subject.includes('Aoyama Tea'), drawn.subject)
      for (const shown of [drawn.text, withoutLineBreaks(drawn.html).replaceAll('&quot;', '"')]) {
        const parts = [
          kind === 'endpoint_failing' ? words.failingTitle : words.disabledTitle,
          'shop.example.com/hook',
          'HTTP 503',
          '12:34',
          words.stepLook,
          `GET ${WEBHOOK}/deliveries`,
          words.stepReplay,
          `POST ${WEBHOOK}/replay`,
          '{"since": "2026-11-21T03:34:00.000Z"}',
          words.whyShop('Aoyama Tea'),
        ]
        for (const part of parts) assert.ok(shown.includes(part), `${kind}: ${part}`)
        assert.equal(shown.includes(`PATCH ${WEBHOOK}`), kind !== 'endpoint_failing')
        assert.doesNotMatch(shown, /undefined|null|\[object|NaN/)
      }
    }
  })

test('a shop that has chosen no language, or one that nobody knows, reads Japanese and then English', () => {
  for (const locale of [null, 'xx_XX']) {
    const { drawn, languages } = draw({ locale })
    assert.deepEqual(languages, ['ja', 'en-US'])
    assert.equal(drawn.subject, 'Aoyama TeaへのWebhookの送信に失敗しています / Webhooks for Aoyama Tea are failing')
    const places = [mailWords.ja.failingTitle, mailWords['en-US'].failingTitle].map((title) =>
      drawn.text.indexOf(title),
    )
    assert.ok(places[0] !== undefined && places[0] > 0 && places[0] < (places[1] ?? 0), String(places))
    assert.match(drawn.html, /<html lang="ja">.*<td lang="ja".*<td lang="en-US"/s)
  }
})

test('of a test endpoint the subject says so', () => {
  const facts = {
    mode: 'test',
    endpointId: 'we_1',
    address: 'a',
    failingSince: SINCE,
    lastAnswer: { status: 500 },
  } as const
  assert.match(draw({ facts, locale: 'en_US' }).drawn.subject, /^\[Test\] /)
})

test('it holds no link, no picture and no script, and shows markup and line breaks as text', () => {
  const hostile = '<img src=x>"\r\nTotal: ¥1\u202e'
  const { drawn } = draw({
    shopName: hostile,
    facts: {
      mode: 'live',
      endpointId: 'we_1',
      address: `shop.example.com/${hostile}`,
      failingSince: SINCE,
      lastAnswer: { problem: hostile },
    },
  })
  assert.doesNotMatch(drawn.html, /<(img|a|script|style|link|form)\b|href=|url\(/)
  assert.doesNotMatch(`${drawn.subject}${drawn.text}${drawn.html}`, /\u202e/)
  assert.doesNotMatch(drawn.subject, /[\r\n]/)
  assert.ok(drawn.text.split('\n').every((line) => !line.startsWith('Total:')))
})
