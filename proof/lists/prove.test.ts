import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { combinationsOf, describeFilters } from './combinations.ts'
import { judge } from './prove.ts'

const NOW = Date.parse('2026-11-17T03:00:00Z')

const pagesOf = (most: number, count = 100): ReadonlyMap<string, number> =>
  new Map(Array.from({ length: count }, (_, place) => [`filter ${place}`, place === 7 ? most : 5]))

test('the proof of lists names the dearest of its combinations', () => {
  assert.deepEqual(judge('SQLite', 100, pagesOf(300)), {
    'SQLite: firstPage': 100,
    'SQLite: dearestPage': 300,
    'SQLite: dearest': 'filter 7',
  })
})

test('a combination that reads more than three first pages, or one too few, fails the proof', () => {
  assert.throws(() => judge('SQLite', 100, pagesOf(301)), /filter 7 reads 301 pages/)
  assert.throws(() => judge('SQLite', 100, pagesOf(5, 99)), CommandError)
})

test('a hundred different combinations hold every filter alone, and many together', () => {
  const combinations = combinationsOf(100, NOW)
  assert.equal(new Set(combinations.map(describeFilters)).size, 100)
  assert.deepEqual(combinations, combinationsOf(100, NOW), 'the same each time')
  const sizes = combinations.map((filters) => Object.keys(filters).length)
  assert.equal(new Set(combinations.filter((_filters, place) => sizes[place] === 1).flatMap(Object.keys)).size, 15)
  assert.ok(sizes.filter((size) => size > 1).length > 50)
})
