import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDay, rangeProblem } from './date-range.ts'

test('a day is one that exists', () => {
  for (const text of ['2026-11-18', '2028-02-29']) assert.ok(isDay(text), text)
  for (const text of ['2026-02-30', '2027-02-29', '2026-13-01', '2026-1-1', '2026-11-18T00:00:00Z', '', '0000-00-00'])
    assert.ok(!isDay(text), text)
})

test('a range is used once both days are whole, in order and none that nothing can have happened on', () => {
  const problem = (from: string, to: string) => rangeProblem({ from, to }, '2026-11-18')
  assert.equal(problem('2026-11-01', '2026-11-18'), undefined)
  assert.equal(problem('2026-11-18', '2026-11-18'), undefined)
  assert.equal(problem('2026-11-18', '2026-11-01'), 'reversed')
  assert.equal(problem('0002-11-01', '2026-11-01'), 'too early')
  assert.equal(problem('2026-11-01', '0202-11-01'), 'too early')
  assert.equal(problem('2026-11-01', '2026-11-19'), 'too late')
  assert.equal(problem('2026-02-30', '2026-11-01'), 'not whole')
  assert.equal(rangeProblem({ from: '2026-11-01', to: '2030-11-01' }), undefined)
})
