import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDue, pauseBeforeDeadlineMs } from './deadline.ts'

const DEADLINE = 1_800_000_000_000

test('an open page sleeps until half a second after the deadline, then looks again every five seconds', () => {
  assert.equal(pauseBeforeDeadlineMs(DEADLINE, DEADLINE - 60_000), 60_500)
  assert.equal(pauseBeforeDeadlineMs(DEADLINE, DEADLINE), 500)
  assert.equal(pauseBeforeDeadlineMs(DEADLINE, DEADLINE + 499), 1)
  assert.equal(pauseBeforeDeadlineMs(DEADLINE, DEADLINE + 500), 5000)
  assert.equal(pauseBeforeDeadlineMs(DEADLINE, DEADLINE + 86_400_000), 5000)
})

test('a deadline months away sets no timer that the browser would fire at once', () => {
  assert.equal(pauseBeforeDeadlineMs(DEADLINE, DEADLINE - 180 * 86_400_000), 12 * 3_600_000)
})

test('a checkout is due one millisecond after its deadline and not at it', () => {
  assert.equal(isDue(DEADLINE, DEADLINE), false)
  assert.equal(isDue(DEADLINE, DEADLINE + 1), true)
})
