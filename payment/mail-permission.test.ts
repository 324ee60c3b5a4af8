import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINT_MAIL_KINDS } from './endpoint-mail.ts'
import { MAIL_KINDS } from './mail.ts'
import {
  MAIL_CAPS,
  MAIL_CLASSES,
  mailDay,
  mailRuleOf,
  nextMailDay,
  overCap,
  type MailCounts,
} from './mail-permission.ts'

const NONE: MailCounts = { toOneFromMerchant: 0, toOneFromAll: 0, fromMerchant: 0 }

test('of a test every mail needs a registered address; of a live payment none does', () => {
  for (const kind of [...MAIL_KINDS, ...ENDPOINT_MAIL_KINDS])
    assert.deepEqual(mailRuleOf(kind, 'test'), { class: 'test', needsRegistration: true })
  for (const kind of MAIL_KINDS) assert.equal(mailRuleOf(kind, 'live').needsRegistration, false)
})

test('a mail to a shop goes to a registered address also when it is live: a key has set the address', () => {
  for (const kind of ENDPOINT_MAIL_KINDS)
    assert.deepEqual(mailRuleOf(kind, 'live'), { class: 'on_request', needsRegistration: true })
})

test('each cap holds at its number and is passed by one more', () => {
  for (const mailClass of MAIL_CLASSES)
    for (const name of ['toOneFromMerchant', 'toOneFromAll', 'fromMerchant'] as const) {
      const cap = MAIL_CAPS[mailClass][name]
      if (cap === null) continue
      assert.equal(overCap(mailClass, { ...NONE, [name]: cap }), null)
      assert.match(
        overCap(mailClass, { ...NONE, [name]: cap + 1 }) ?? '',
        new RegExp(`^cap: ${cap} mails a day of the class ${mailClass} (to|from) one`),
      )
    }
})

test('a shop of any size has no cap on receipts and refunds, which are one for each payment', () => {
  for (const mailClass of ['receipt', 'refund'] as const) {
    assert.equal(overCap(mailClass, { ...NONE, fromMerchant: 1_000_000 }), null)
    assert.equal(MAIL_CAPS[mailClass].over, 'waits for the next day')
  }
})

test('a day of mails begins at midnight in Japan', () => {
  const midnight = Date.parse('2026-11-15T00:00:00+09:00')
  const nextMidnight = Date.parse('2026-11-16T00:00:00+09:00')
  for (const now of [midnight, midnight + 1, nextMidnight - 1])
    assert.deepEqual([mailDay(now), nextMailDay(now)], [midnight, nextMidnight])
  assert.equal(mailDay(midnight - 1), midnight - 86_400_000)
})
