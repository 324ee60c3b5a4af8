import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../limits/limits.ts'
import { growthFigures, growthLimits, growthsOf, growthTable } from './growth-limits.ts'

const measured = (pages: Readonly<Record<string, number>>): Map<string, number> => new Map(Object.entries(pages))

const FEW = measured({ read: 10, expiry: 20 })

const judgements = (many: ReadonlyMap<string, number>): string[] =>
  growthLimits(growthsOf('SQLite', FEW, many)).map((limit) => `${limit.name}: ${judge(limit)}`)

test('an operation may cost 1.3 times the pages and no more', () => {
  const many = measured({ read: 13, expiry: 26.1 })
  assert.deepEqual(judgements(many), ['SQLite, read: holds', 'SQLite, expiry: does not hold'])
})

test('an operation that was not measured at the second size does not hold', () => {
  assert.deepEqual(judgements(measured({ read: 10 })), ['SQLite, read: holds', 'SQLite, expiry: does not hold'])
})

test('an operation that reads no page at either size has not grown; one that reads pages only among many has', () => {
  const of = (many: number) => growthLimits(growthsOf('SQLite', measured({ x: 0 }), measured({ x: many }))).map(judge)
  assert.deepEqual(of(0), ['holds'])
  assert.deepEqual(of(1), ['does not hold'])
})

test('table and figures have both sizes of each operation', () => {
  const growths = growthsOf('SQLite', measured({ read: 10.004 }), measured({ read: 11.5 }))
  assert.match(growthTable(growths, [10_000, 1_000_000]), /at 10000 {2}at 1000000\n.*\nSQLite, read +10 +11\.5$/)
  assert.deepEqual(growthFigures(growths), {
    'SQLite, read: pages among the fewest': 10,
    'SQLite, read: pages among the most': 11.5,
  })
})
