import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayToDeadlineMs, isPastDeadline } from './deadline.ts'

const DEADLINE = 1_800_000_000_000

test('an open page reads the checkout half a second after its deadline, then every five seconds', () => {
  assert.equal(delayToDeadlineMs(DEADLINE, DEADLINE - 60_000), 60_500)
  assert.equal(delayToDeadlineMs(DEADLINE, DEADLINE), 500)
  assert.equal(delayToDeadlineMs(DEADLINE, DEADLINE + 499), 1)
  assert.equal(delayToDeadlineMs(DEADLINE, DEADLINE + 500), 5000)
  assert.equal(delayToDeadlineMs(DEADLINE, DEADLINE + 86_400_000), 5000)
})

test('a deadline months away sets no timer that the browser would fire at once', () => {
  assert.equal(delayToDeadlineMs(DEADLINE, DEADLINE - 180 * 86_400_000), 12 * 3_600_000)
})

test('a checkout is past its deadline one millisecond after it and not at it', () => {
  assert.equal(isPastDeadline(DEADLINE, DEADLINE), false)
  assert.equal(isPastDeadline(DEADLINE, DEADLINE + 1), true)
})
