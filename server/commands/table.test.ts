import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factLines, tableLines, timeText } from './table.ts'

test('columns line up, also behind letters that take two places of a terminal, and nothing is a hyphen', () => {
  assert.deepEqual(
    tableLines(
      ['label', 'name', 'closed'],
      [
        ['tea', '青山茶舗 Aoyama', null],
        ['books', 'ｶﾅ 한국 B', '2026'],
      ],
    ),
    ['label   name              closed', 'tea     青山茶舗 Aoyama   -', 'books   ｶﾅ 한국 B         2026'],
  )
})

test('facts that are not set are left out, and times are in UTC to the second', () => {
  assert.deepEqual(factLines({ id: 'x', name: null, at: timeText(1_794_711_600_123) }), [
    'id: x',
    'at: 2026-11-15T03:00:00Z',
  ])
  assert.equal(timeText(null), null)
})
