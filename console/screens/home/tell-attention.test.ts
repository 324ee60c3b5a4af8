import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttentionItem } from '#contract/merchant/attention-items.ts'
import { attentionWords } from './attention-words.ts'
import { tellItem, tellWarning } from './tell-attention.ts'

const AT = '2026-11-18T12:00:00.000Z'
const time = (): string => 'TIME'
const doubt = { amount: 1980, since: AT, nextInquiryAt: AT, inquiries: 1, isLong: false }

const told = (item: AttentionItem, isOwner = true) => tellItem(item, attentionWords['en-US'], time, isOwner)

test('a payment in doubt is told with its checkout and the list of all of them, and that it must not be asked for again', () => {
  const item: AttentionItem = { kind: 'payments_in_doubt', count: 2, items: [{ checkoutId: 'abcdefghij', ...doubt }] }
  const { title, text, href, things, count } = told(item)
  assert.equal(title, '2 payments are in doubt')
  assert.match(text, /do not ask for the money a second time/)
  assert.deepEqual(
    things.map((thing) => ({ ...thing, id: '' })),
    [{ id: '', name: 'abcdefgh…', amount: 1980, href: '/checkouts/abcdefghij' }],
  )
  assert.deepEqual([href, count], ['/checkouts?status=pending', 2])
  assert.equal(tellItem(item, attentionWords.ja, time, true).title, '結果を確認中の決済が2件あります')
})

test('where counting has stopped, there may be more than are counted', () => {
  const titleOf = (count: number, language: 'ja' | 'en-US') =>
    tellItem({ kind: 'payments_in_doubt', count, items: [] }, attentionWords[language], time, true).title
  assert.deepEqual(
    [titleOf(99, 'en-US'), titleOf(100, 'en-US'), titleOf(100, 'ja')],
    ['99 payments are in doubt', '100 or more payments are in doubt', '結果を確認中の決済が100件以上あります'],
  )
})

test('breaks of a reconciliation lead to it, a missing address to the settings', () => {
  const hrefs = (
    [
      { kind: 'reconciliation_breaks', reconciliationId: 'r1', at: AT, breaks: 1, isComplete: true },
      { kind: 'notification_address', problem: 'none' },
      { kind: 'card_testing', until: AT },
    ] satisfies AttentionItem[]
  ).map((item) => told(item).href)
  assert.deepEqual(hrefs, ['/money/reconciliations/r1', '/look', null])
})

test('a webhook that fails leads an owner to it, and nobody else to a screen that is not theirs', () => {
  const item: AttentionItem = {
    kind: 'webhooks_failing',
    count: 1,
    items: [{ webhookId: 'w1', address: 'shop.example.com/hook', since: AT }],
  }
  const [owner, staff] = [told(item), told(item, false)]
  assert.deepEqual(
    [owner.href, ...owner.things.map(({ href }) => href)],
    ['/developers/webhooks', '/developers/webhooks/w1'],
  )
  assert.deepEqual([staff.href, ...staff.things.map(({ href }) => href)], [null, null])
  assert.equal(staff.things[0]?.name, 'shop.example.com/hook')
})

test('two events that one webhook did not take are two things', () => {
  const delivery = { webhookId: 'w1', eventId: 'e1', type: 'checkout.paid', checkoutId: 'abc', at: AT }
  const { things } = told({
    kind: 'deliveries_given_up',
    count: 2,
    items: [delivery, { ...delivery, eventId: 'e2' }],
  })
  assert.equal(new Set(things.map(({ id }) => id)).size, 2)
})

test('what the check of the account found is told', () => {
  const found = ['charges are not enabled', 'the webhook is missing']
  const item: AttentionItem = { kind: 'acquirer_account', acquirer: 'stripe', problem: 'check_failed', found }
  assert.deepEqual(told(item).found, found)
})

test('why a mail did not arrive is told in words, not by its code', () => {
  const item: AttentionItem = {
    kind: 'mails_not_sent',
    count: 1,
    items: [{ checkoutId: 'abc', mail: 'receipt', why: 'cap', at: AT }],
  }
  assert.match(told(item).text, /the newest: too many on that day/)
})

test('an operator is told of the clock and of the certificate', () => {
  const skewed = tellWarning({ kind: 'clock_skew', aheadMs: -7000 }, attentionWords['en-US'], time)
  assert.match(skewed.text, /7 seconds/)
  const ending = tellWarning(
    { kind: 'certificate_expires', host: 'pay.example.com', validTo: AT },
    attentionWords.ja,
    time,
  )
  assert.match(ending.text, /pay\.example\.com の証明書は TIME に切れます/)
})
