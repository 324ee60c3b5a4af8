import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import { confirmationOf, invitationMailAt, isSessionOver, mayMailLink } from './person-session.ts'

const NOW = 1_800_000_000_000

test('a session ends after twelve hours, after half an hour without a call, and when the clock was set back', () => {
  const used = { createdAt: NOW, lastUsedAt: NOW + 11 * HOUR_MS + 45 * MINUTE_MS }
  assert.equal(isSessionOver(used, NOW + 12 * HOUR_MS - 1), false)
  assert.equal(isSessionOver(used, NOW + 12 * HOUR_MS), true)
  const idle = { createdAt: NOW, lastUsedAt: NOW }
  assert.equal(isSessionOver(idle, NOW + 30 * MINUTE_MS - 1), false)
  assert.equal(isSessionOver(idle, NOW + 30 * MINUTE_MS), true)
  // Of another server, whose clock is a little ahead.
  assert.equal(isSessionOver(idle, NOW - 10_000), false)
  assert.equal(isSessionOver(idle, NOW - 10_001), true)
})

test('a refund is confirmed by a passkey of the last five minutes', () => {
  const last = { at: NOW, confirmsFrom: 0 }
  assert.equal(confirmationOf(null, NOW).state, 'passkey needed')
  assert.equal(confirmationOf(last, NOW + 5 * MINUTE_MS).state, 'confirmed')
  assert.equal(confirmationOf(last, NOW + 5 * MINUTE_MS + 1).state, 'passkey needed')
  assert.equal(confirmationOf(last, NOW - 10_000).state, 'confirmed')
  assert.equal(confirmationOf(last, NOW - 10_001).state, 'passkey needed')
})

test('a passkey that was enrolled after a recovery confirms no refund before its day is over', () => {
  const last = { at: NOW, confirmsFrom: NOW + 10_002 }
  assert.deepEqual(confirmationOf(last, NOW + 1), { state: 'passkey too new', until: NOW + 10_002 })
  // But for the seconds that the clocks of two servers may differ by.
  assert.deepEqual(confirmationOf(last, NOW + 2), { state: 'confirmed' })
})

test('of the five links that an address gets in an hour one is kept for other networks than the first', () => {
  const [own, theirs] = ['192.0.2.1', '192.0.2.2']
  const asked = (times: number, network: string | null) => Array.from({ length: times }, () => network)
  assert.deepEqual(
    [3, 4, 5].map((times) => mayMailLink(asked(times, theirs), theirs)),
    [true, false, false],
  )
  assert.deepEqual([mayMailLink(asked(4, theirs), own), mayMailLink(asked(5, theirs), own)], [true, false])
  // Of a release before this one nobody knows the network.
  assert.deepEqual([mayMailLink(asked(4, null), own), mayMailLink(asked(5, null), own)], [true, false])
})

test('the mail of an invitation goes at once, an hour after the twentieth before it, or never if that is a day away', () => {
  const planned = (at: number, mails = 20) => Array.from({ length: mails }, () => at)
  assert.equal(invitationMailAt(planned(NOW, 19), NOW), NOW)
  assert.equal(invitationMailAt(planned(NOW - HOUR_MS), NOW), NOW)
  assert.equal(invitationMailAt(planned(NOW - HOUR_MS + 1), NOW), NOW + 1)
  assert.equal(invitationMailAt([...planned(NOW + HOUR_MS, 19), NOW], NOW), NOW + HOUR_MS)
  assert.equal(invitationMailAt(planned(NOW + DAY_MS - HOUR_MS - 1), NOW), NOW + DAY_MS - 1)
  assert.equal(invitationMailAt(planned(NOW + DAY_MS - HOUR_MS), NOW), null)
})
