import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAIL_AHEAD_MAX_MS, MAIL_LEASE_MS, MAIL_LIFETIME_MS, mailTryAfter, nextMailTry } from './mail-retries.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** All tries of a mail whose server always says "later", as times since the event. */
const triesOf = (share: number): number[] => {
  const tries: number[] = []
  let next: number | null = 0
  while (next !== null) {
    tries.push(next)
    next = nextMailTry({ createdAt: 0, tries: tries.length, share }, next)
  }
  return tries
}

test('a mail that is put off is tried after 1, 5, 15 and 30 minutes, 1, 2, 4 and 8 hours, then every 8 hours', () => {
  const tries = triesOf(0)
  const waits = tries.slice(1).map((at, place) => (at - (tries[place] ?? 0)) / MINUTE)
  assert.deepEqual(waits.slice(0, 9), [1, 5, 15, 30, 60, 120, 240, 480, 480])
  assert.equal(tries.length, 17)
})

test('the last try is made at 72 hours, and then no more', () => {
  for (const share of [0, 0.5, 1]) assert.equal(triesOf(share).at(-1), 72 * HOUR)
  const mail = { createdAt: 1000, tries: 5, share: 0 }
  assert.equal(nextMailTry(mail, 1000 + MAIL_LIFETIME_MS - 1), 1000 + MAIL_LIFETIME_MS)
  assert.equal(nextMailTry(mail, 1000 + MAIL_LIFETIME_MS), null)
  assert.equal(nextMailTry(mail, 1000 + MAIL_LIFETIME_MS + 1), null)
})

test('mails that failed together come back apart, a tenth of their wait at most', () => {
  assert.equal(nextMailTry({ createdAt: 0, tries: 5, share: 0 }, 0), 60 * MINUTE)
  assert.equal(nextMailTry({ createdAt: 0, tries: 5, share: 1 }, 0), 66 * MINUTE)
})

test('a mail that waits for a day comes back within its first hour, at the end of its lifetime at the latest, and then never', () => {
  const NOW = Date.parse('2026-11-15T03:00:00Z')
  const until = NOW + 1000
  const at = (share: number, now: number, wanted = until) => mailTryAfter({ createdAt: NOW, share }, wanted, now)
  assert.equal(at(0, NOW), until)
  assert.equal(at(1, NOW), until + 3_600_000)
  assert.equal(at(0, NOW, NOW + 2 * MAIL_LIFETIME_MS), NOW + MAIL_LIFETIME_MS)
  assert.equal(at(0, NOW + MAIL_LIFETIME_MS - 1), until)
  assert.equal(at(0, NOW + MAIL_LIFETIME_MS), null)
})

test('no wait and no lease is longer than what a clock that was set back is told by', () => {
  const waits = Array.from({ length: 20 }, (_each, tries) =>
    nextMailTry({ createdAt: 0, tries: tries + 1, share: 1 }, 0),
  )
  const aDayAndItsSpread = mailTryAfter({ createdAt: 0, share: 1 }, 24 * HOUR, 0) ?? 0
  assert.equal(Math.max(...waits.map((wait) => wait ?? 0)), 528 * MINUTE)
  for (const wait of [528 * MINUTE, MAIL_LEASE_MS, aDayAndItsSpread]) assert.ok(MAIL_AHEAD_MAX_MS > wait)
})
