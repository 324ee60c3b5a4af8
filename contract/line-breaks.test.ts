import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BREAK, NO_BREAK, withLineBreaks, withoutLineBreaks } from './line-breaks.ts'
import { PAGE_LOCALES, type PageLocale } from './locale.ts'

const marked = (text: string, locale: PageLocale): string =>
  withLineBreaks(text, locale).replaceAll(BREAK, '/').replaceAll(NO_BREAK, '~')

const EXPECTED: Readonly<Partial<Record<PageLocale, readonly string[]>>> = {
  ja: [
    '処理中です。閉じないでください',
    'この/ご請求は/お支払い期限を/過ぎています。',
    'カード会社による/本人認証',
    '本人認証サービス/（3Dセキュア）について',
    'メールアドレスの/形式が/正しくありません',
    'もう一度試す',
    '404 ページが/見つかりません',
    'を/支払う',
  ],
  'zh-Hans': [
    '信用卡卡号/格式/不正确',
    '服务器/错误',
    '持卡人/姓名/（拼音/或英文）',
    '返回/填写/信用卡/信息',
    '此账单/已过期。',
  ],
  'zh-Hant': ['信用卡卡號/格式/不正確', '伺服器/錯誤', '此欄位/為必填'],
  th: ['วัน~หมด~อายุไม่~ถูก~ต้อง', 'กำลังชำระ~เงิน กรุณาอย่าปิดหน้า~นี้', 'ใบ~แจ้ง~หนี้นี้หมด~อายุแล้ว'],
  'en-US': ['The credit card number entered is incorrect'],
  ko: ['카드 번호 형식이 올바르지 않습니다'],
}

for (const locale of PAGE_LOCALES)
  test(`${locale}: a line of a heading, button, label or error may end where a phrase ends`, () => {
    const texts = EXPECTED[locale] ?? []
    assert.ok(texts.length > 0)
    assert.deepEqual(
      texts.map((text) => marked(text.replaceAll(/[/~]/g, ''), locale)),
      texts,
    )
  })

test('marks change nothing that a shopper reads, and stand neither at the beginning nor at the end', () => {
  const parts = fc.constantFrom('お', '支払い', 'を', '（', '）', '不', '卡', '号', 'ไม่', 'ถูกต้อง', ' ', '。', 'A', '1')
  fc.assert(
    fc.property(fc.array(parts), fc.constantFrom(...PAGE_LOCALES), (texts, locale) => {
      const text = texts.join('')
      const result = withLineBreaks(text, locale)
      assert.equal(withoutLineBreaks(result), text)
      assert.doesNotMatch(result, /^[\u200b\u2060]|[\u200b\u2060]$/)
    }),
  )
})
