import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTotals, readJourneyResults } from './run-journeys.ts'

test('journeys are counted from the report, and one that passed only on a second try has failed', () => {
  const text = JSON.stringify({ stats: { expected: 7, unexpected: 1, flaky: 2, skipped: 3 }, suites: [] })
  assert.deepEqual(readTotals(text), { passed: 7, failed: 3, skipped: 3 })
})

test('a report without totals counts nothing', () => {
  assert.deepEqual(readTotals('{}'), { passed: 0, failed: 0, skipped: 0 })
})

test('journeys are read one by one with their annotations, however deep the suites are nested', () => {
  const spec = (title: string, ok: boolean, annotations: object[]) => ({ title, ok, tests: [{ annotations }] })
  const paid = spec('scenario 1: paid', true, [{ type: 'charges', description: '1' }])
  const report = { suites: [{ specs: [paid], suites: [{ specs: [spec('scenario 2: lost', false, [])] }] }] }
  assert.deepEqual(readJourneyResults(JSON.stringify(report)), [
    { title: 'scenario 1: paid', ok: true, annotations: new Map([['charges', '1']]) },
    { title: 'scenario 2: lost', ok: false, annotations: new Map() },
  ])
  assert.deepEqual(readJourneyResults('{}'), [])
})
