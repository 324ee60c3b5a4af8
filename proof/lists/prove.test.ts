import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkoutFilters, describeFilters, pairsOf } from './filters.ts'
import { judge } from './prove.ts'
import { unmeasuredConsoleReadings } from './readings.ts'

const pagesOf = (most: number): ReadonlyMap<string, number> =>
  new Map(Array.from({ length: 100 }, (_, place) => [`filter ${place}`, place === 7 ? most : 5]))

test('the proof of lists names the dearest of what it measured', () => {
  const { figures, problems } = judge('SQLite', 100, 3, pagesOf(300))
  assert.deepEqual(figures, {
    'SQLite: measured': 100,
    'SQLite: firstPage': 100,
    'SQLite: dearestPage': 300,
    'SQLite: dearest': 'filter 7',
  })
  assert.deepEqual(problems, [])
})

test('what looks at more pages than the budget, or was not counted, fails the proof by its name', () => {
  assert.deepEqual(judge('SQLite', 100, 3, pagesOf(301)).problems, [
    'SQLite: filter 7 looks at 301 pages, the first page of all at 100',
  ])
  assert.equal(judge('SQLite', 100, 3, pagesOf(Number.NaN)).problems.length, 1)
})

test('every filter of checkouts stands alone and with every other one, each combination once', () => {
  const values = checkoutFilters(1000)
  const pairs = pairsOf(values).map(describeFilters)
  const names = Object.keys(values)
  assert.equal(new Set(pairs).size, pairs.length)
  for (const name of names) {
    assert.ok(
      pairs.some((pair) => pair.startsWith(`${name}=`) && !pair.includes(' ')),
      name,
    )
    for (const other of names.filter((each) => each !== name))
      assert.ok(
        pairs.some((pair) => pair.includes(`${name}=`) && pair.includes(`${other}=`)),
        `${name} with ${other}`,
      )
  }
})

test('no call of the console that reads is left out', () => {
  assert.deepEqual(unmeasuredConsoleReadings(), [])
})
