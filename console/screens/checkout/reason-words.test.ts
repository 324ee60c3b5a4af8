import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonWords, tellReason, tellRefundReason } from './reason-words.ts'

const { ja, 'en-US': english } = reasonWords

test('both languages know the same reasons', () => {
  for (const table of ['attempt', 'mail', 'refund'] as const)
    assert.deepEqual(Object.keys(ja[table]), Object.keys(english[table]), table)
})

test('why a try ended is told in the person’s language, and no word of the server is shown as it is', () => {
  const why = (to: string, reason: string): string | null =>
    tellReason({ what: 'attempt', to, by: 'shopper', why: reason }, ja)
  assert.equal(why('abandoned', 'deadline'), '有効期限が切れたため')
  assert.equal(why('refused', 'start'), 'カードが3Dセキュアの対象ではないため')
  // A reason that only repeats the state, one of a newer server, and one named like a method of objects.
  assert.deepEqual(
    [why('declined', 'declined'), why('abandoned', 'new reason'), why('valueOf', '')],
    [null, null, null],
  )
})

test('what a mail server said is told as its words, what an operator wrote without its code', () => {
  const mail = { what: 'mail', to: 'refused', by: 'worker', why: '550 5.1.1' }
  assert.equal(tellReason(mail, ja), 'メールサーバーの返答：550 5.1.1')
  assert.equal(tellReason({ ...mail, to: 'sent' }, ja), null)
  const capped = { ...mail, why: 'cap: 3 mails a day of the class receipt to one address' }
  assert.equal(tellReason(capped, english), 'There were too many mails on that day')
  const settled = { what: 'attempt', to: 'charged', by: 'operator', why: 'charged: seen in the dashboard' }
  assert.equal(tellReason(settled, english), 'seen in the dashboard')
})

test('a refused refund has a reason in words, one without words of its own a general one', () => {
  assert.equal(tellRefundReason('charge_disputed', ja), 'チャージバックの申し立てがあるため')
  assert.equal(tellRefundReason('toString', ja), '決済会社が受け付けなかったため')
})
