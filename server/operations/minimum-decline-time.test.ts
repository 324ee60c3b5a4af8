import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '#contract/errors.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { MINIMUM_DECLINE_MS, withMinimumDeclineTime } from './minimum-decline-time.ts'

const timed = async (takesMs: number, answer: object): Promise<number> => {
  const clock = virtualClock(0)
  const parts = { clock, elapsed: clock.now, minimumDeclineMs: MINIMUM_DECLINE_MS }
  const given = await withMinimumDeclineTime(parts, async () => {
    await clock.sleep(takesMs)
    return answer
  })
  assert.equal(given, answer)
  return clock.now()
}

test('a decline that is known at once takes as long as one that an acquirer needed a moment for', async () => {
  for (const takesMs of [0, 1, 700, MINIMUM_DECLINE_MS])
    assert.equal(await timed(takesMs, refuse('card_declined')), MINIMUM_DECLINE_MS)
  assert.equal(await timed(MINIMUM_DECLINE_MS + 1, refuse('card_declined')), MINIMUM_DECLINE_MS + 1)
})

test('a payment and every other refusal are answered as soon as they are known', async () => {
  for (const answer of [{ paid: true }, refuse('payment_in_progress'), refuse('too_many_attempts')])
    assert.equal(await timed(5, answer), 5)
})
