import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttentionItem } from '#contract/merchant/attention-items.ts'
import { attentionWords } from './attention-words.ts'
import { checkoutAddress, tellItem, tellWarning } from './tell-attention.ts'

const AT = '2026-11-18T12:00:00.000Z'
const time = (): string => 'TIME'
const doubt = { amount: 1980, since: AT, nextInquiryAt: AT, inquiries: 1, isLong: false }

test('a payment in doubt is told with its checkout, and that it must not be asked for again', () => {
  const item: AttentionItem = { kind: 'payments_in_doubt', count: 2, items: [{ checkoutId: 'abc', ...doubt }] }
  const told = tellItem(item, attentionWords['en-US'], time)
  assert.equal(told.title, '2 payments are in doubt')
  assert.match(told.text, /do not ask for the money a second time/)
  assert.deepEqual(told.checkouts, [{ checkoutId: 'abc', amount: 1980 }])
  assert.equal(checkoutAddress('abc'), '/checkouts/abc')
  assert.equal(tellItem(item, attentionWords.ja, time).title, '結果を確認中の決済が2件あります')
})

test('breaks of a reconciliation lead to it, a webhook to the developers’ screen, a missing address to the settings', () => {
  const hrefs = (
    [
      { kind: 'reconciliation_breaks', reconciliationId: 'r1', at: AT, breaks: 1, isComplete: true },
      { kind: 'webhooks_failing', count: 1, items: [] },
      { kind: 'notification_address', problem: 'none' },
      { kind: 'card_testing', until: AT },
    ] satisfies AttentionItem[]
  ).map((item) => tellItem(item, attentionWords['en-US'], time).href)
  assert.deepEqual(hrefs, ['/money/reconciliations/r1', '/developers', '/look', null])
})

test('an operator is told of the clock and of the certificate', () => {
  const told = tellWarning({ kind: 'clock_skew', aheadMs: -7000 }, attentionWords['en-US'], time)
  assert.match(told.text, /7 seconds/)
  const ending = tellWarning(
    { kind: 'certificate_expires', host: 'pay.example.com', validTo: AT },
    attentionWords.ja,
    time,
  )
  assert.match(ending.text, /pay\.example\.com の証明書は TIME に切れます/)
})
