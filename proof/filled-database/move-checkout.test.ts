import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { earlier } from './move-checkout.ts'

test('a day earlier, instants are a day earlier wherever they stand, and amounts stay', () => {
  assert.equal(earlier(1_790_000_000_000, DAY_MS), 1_789_913_600_000)
  assert.equal(earlier(1980, DAY_MS), 1980)
  assert.equal(
    earlier('{"approvedAt":1790000000000,"at":"2026-11-18T01:00:00.000Z","id":"1790000000000"}', DAY_MS),
    '{"approvedAt":1789913600000,"at":"2026-11-17T01:00:00.000Z","id":"1790000000000"}',
  )
  assert.equal(earlier(null, DAY_MS), null)
})
