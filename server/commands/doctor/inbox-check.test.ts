import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeInbox, UNHANDLED_FAIL_MS } from './inbox-check.ts'

const NOW = Date.parse('2026-11-16T03:00:00Z')
const NONE = { setAside: 0, oldestSetAside: null, oldestUnhandled: null }

test('an inbox in which everything is handled is well', () => {
  assert.equal(judgeInbox(NONE, NOW).state, 'ok')
  assert.equal(judgeInbox({ ...NONE, oldestUnhandled: NOW - UNHANDLED_FAIL_MS }, NOW).state, 'ok')
})

test('a notification that nobody has handled for more than a minute is a failure', () => {
  const { state, says } = judgeInbox({ ...NONE, oldestUnhandled: NOW - UNHANDLED_FAIL_MS - 1 }, NOW)
  assert.deepEqual([state, says], ['fail', 'notifications of acquirers wait since 2026-11-16 11:58 JST'])
})

test('what is set aside is a warning that says how many and since when', () => {
  const { state, says } = judgeInbox({ ...NONE, setAside: 2, oldestSetAside: NOW - 60_000 }, NOW)
  assert.equal(state, 'warn')
  assert.match(says, /^2 that cannot be read are set aside, the oldest since 2026-11-16 11:59 JST$/)
})
