import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportDays } from './export-days.ts'

const NOW = Date.parse('2026-11-18T12:00:00+09:00')

test('without a range the file has the last 366 days, and says so', () => {
  assert.deepEqual(exportDays(null, NOW), { from: '2025-11-18', to: '2026-11-18' })
})

test('a range is exported as it was chosen, up to today', () => {
  const from = '2026-11-01'
  assert.deepEqual(exportDays({ from, to: '2026-11-10' }, NOW), { from, to: '2026-11-10' })
  assert.deepEqual(exportDays({ from, to: '2026-12-31' }, NOW), { from, to: '2026-11-18' })
})

test('a range of more days than a file may have is refused before it is asked for', () => {
  const to = '2026-11-18'
  assert.deepEqual(exportDays({ from: '2025-11-18', to }, NOW), { from: '2025-11-18', to })
  assert.equal(exportDays({ from: '2025-11-17', to }, NOW), null)
})
