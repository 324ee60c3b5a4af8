import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nothingChargedMail, receiptMail, refundMail, reissueMail } from './mail.ts'
import type { Refund } from './refund.ts'
import { attemptIn, ATTEMPT_STATES, checkoutIn, NOW, payment, receipt } from './testing/records.ts'

const issued = { ...payment, invoiceIssuer: { registrationNumber: 'T1234567890123', name: 'Aoyama Tea' } }
const paid = checkoutIn(
  { status: 'paid', payment: issued },
  {
    subject: 'Sencha',
    amountYen: 3240,
    taxes: [
      { rate: 10, amount: 2200 },
      { rate: 8, amount: 1040 },
    ],
  },
)

const refund: Refund = {
  merchantId: 'm1',
  checkoutId: 'c1',
  refundId: 'r1',
  orderCode: 'o1',
  amountYen: 1070,
  taxes: [
    { rate: 8, amount: 40 },
    { rate: 10, amount: 1030 },
  ],
  requestedAt: NOW,
  state: { name: 'refunded', refundedAt: NOW },
}
const TWO_DAYS = 2 * 86_400_000

test('a receipt tells of the payment with its invoice, and of the card its brand and last four digits alone', () => {
  const mail = receiptMail(paid, issued, receipt)
  assert.equal(mail.kind, 'receipt')
  assert.deepEqual(mail.facts.card, { brand: 'visa', lastFour: '4242' })
  assert.ok(mail.facts.kind === 'receipt')
  assert.equal(mail.facts.invoice?.registrationNumber, 'T1234567890123')
  const plain = receiptMail({ ...paid, taxes: null }, payment, receipt)
  assert.ok(plain.facts.kind === 'receipt' && plain.facts.invoice === null)
})

test('a receipt asked for twice within a minute is one mail, and a minute later another', () => {
  const minute = Math.floor(NOW / 60_000) * 60_000
  const about = (now: number) => reissueMail(paid, issued, receipt, now).about
  assert.equal(about(minute), about(minute + 59_999))
  assert.notEqual(about(minute), about(minute + 60_000))
  assert.equal(reissueMail(paid, issued, receipt, minute).kind, 'reissue')
})

test('the mail about a refund is a return invoice: both dates, content with its mark, tax rounded down once a rate', () => {
  const mail = refundMail(paid, refund, { receipt, refundedAt: NOW + TWO_DAYS })
  assert.ok(mail?.facts.kind === 'refund')
  assert.deepEqual(mail.facts.invoice, {
    registrationNumber: 'T1234567890123',
    issuer: 'Aoyama Tea',
    soldOn: '2026-11-22',
    returnedOn: '2026-11-24',
    content: 'Sencha（一部※）',
    totals: [
      { rate: 10, amount: 1030, tax: 93 },
      { rate: 8, amount: 40, tax: 2 },
    ],
    isSample: true,
  })
  assert.deepEqual([mail.facts.refundedYen, mail.facts.amountYen, mail.about], [1070, 3240, 'r1'])
})

test('a refund of a plain payment has no invoice, and one whose shopper nobody knows has no mail', () => {
  const plain = { ...paid, state: { status: 'paid', payment } as const }
  const mail = refundMail(plain, refund, { receipt, refundedAt: NOW })
  assert.ok(mail?.facts.kind === 'refund' && mail.facts.invoice === null)
  assert.equal(refundMail(plain, refund, { receipt: null, refundedAt: NOW }), null)
})

test('a doubt that ended without a charge is written about once for each order', () => {
  const mail = nothingChargedMail(checkoutIn({ status: 'open' }), attemptIn(ATTEMPT_STATES.not_charged), receipt)
  assert.deepEqual([mail.kind, mail.about, mail.facts.kind], ['nothing_charged', 'o1', 'nothing_charged'])
})
