import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOlderRelease, isRelease } from './release-order.ts'

test('releases are ordered by their numbers, not by their letters', () => {
  for (const [one, other] of [
    ['1.9.0', '1.10.0'],
    ['1.51.9', '1.52.0'],
    ['1.52.0', '1.52.1'],
    ['1.52.0', '2.0.0'],
  ] as const)
    assert.deepEqual([isOlderRelease(one, other), isOlderRelease(other, one)], [true, false], `${one} and ${other}`)
  assert.equal(isOlderRelease('1.52.0', '1.52.0'), false)
})

test('what is no release number is older than every release, so that an unknown server is never run beside', () => {
  assert.deepEqual(['1.52.0', 'v1.52.0', '1.52', '', '1.52.0-rc'].map(isRelease), [true, false, false, false, false])
  assert.deepEqual([isOlderRelease('', '1.0.0'), isOlderRelease('1.0.0', 'v2.0.0')], [true, false])
})
