import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveriesAgain } from './deliveries-again.ts'

const NOW = Date.parse('2026-11-18T12:00:00.000Z')
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString()

test('deliveries that have ended are not read again', () => {
  assert.equal(deliveriesAgain([], NOW), false)
  assert.equal(
    deliveriesAgain(
      (['delivered', 'failed', 'dropped'] as const).map((status) => ({ status, tries: [1] })),
      NOW,
    ),
    false,
  )
})

test('a delivery that was just made, or is being tried, is read again after moments, one that is tried in hours each minute', () => {
  const tried = { status: 'pending', tries: [1] } as const
  assert.equal(deliveriesAgain([{ status: 'pending', tries: [], nextTryAt: at(0) }], NOW), 3000)
  assert.equal(deliveriesAgain([{ ...tried, nextTryAt: at(30) }], NOW), 3000)
  assert.equal(deliveriesAgain([{ ...tried, nextTryAt: at(7200) }], NOW), 60_000)
  assert.equal(
    deliveriesAgain(
      [
        { ...tried, nextTryAt: at(7200) },
        { ...tried, nextTryAt: at(2) },
      ],
      NOW,
    ),
    3000,
  )
})
