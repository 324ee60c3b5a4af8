import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '#contract/errors.ts'
import { writeCursor } from './cursor.ts'
import { readFilters, readPageQuery } from './lists.ts'
import { readDayRange } from './reports.ts'

const NOW = Date.parse('2026-11-15T16:00:00Z')

const fieldOf = (result: object): unknown => {
  if (!isRefusal(result)) assert.fail(JSON.stringify(result))
  return result.params?.['field']
}

test('a page has twenty items unless its caller says otherwise, from where the last one ended', () => {
  assert.deepEqual(readPageQuery({}), { after: null, limit: 20 })
  assert.deepEqual(readPageQuery({ limit: '100', after: writeCursor([5, 'a']) }), { after: [5, 'a'], limit: 100 })
  assert.equal(fieldOf(readPageQuery({ after: 'x' })), 'after')
  assert.equal(fieldOf(readPageQuery({ after: writeCursor([5, 'a']) }, 2)), 'after')
})

test('a date is the whole day in Japan: its beginning where a range begins, its end where it ends', () => {
  const filters = readFilters({ createdFrom: '2026-11-16', createdTo: '2026-11-16', paidFrom: '2026-11-16T00:00:00Z' })
  if (isRefusal(filters)) assert.fail()
  const iso = (instant = 0): string => new Date(instant).toISOString()
  assert.deepEqual(
    [iso(filters.createdFrom), iso(filters.createdTo), iso(filters.paidFrom), filters.paidTo],
    ['2026-11-15T15:00:00.000Z', '2026-11-16T14:59:59.999Z', '2026-11-16T00:00:00.000Z', undefined],
  )
  for (const name of ['createdFrom', 'createdTo', 'paidFrom', 'paidTo'])
    for (const text of ['', 'soon', '2026-02-30', '1']) assert.equal(fieldOf(readFilters({ [name]: text })), name)
})

test('pending is read as yes, no, or not asked', () => {
  const pendingOf = (query: Parameters<typeof readFilters>[0]): unknown => {
    const filters = readFilters(query)
    return isRefusal(filters) ? assert.fail() : filters.pending
  }
  assert.deepEqual(
    [pendingOf({ pending: 'true' }), pendingOf({ pending: 'false' }), pendingOf({})],
    [true, false, undefined],
  )
})

test('a report is of the thirty days up to today in Japan, or of the days that are asked for', () => {
  const range = readDayRange({}, NOW)
  if (isRefusal(range)) assert.fail()
  assert.deepEqual([range.fromDate, range.toDate], ['2026-10-18', '2026-11-16'])
  assert.equal(range.to - range.from, 30 * 86_400_000 - 1)
  const day = readDayRange({ from: '2026-11-01', to: '2026-11-01' }, NOW)
  if (isRefusal(day)) assert.fail()
  assert.equal(new Date(day.from).toISOString(), '2026-10-31T15:00:00.000Z')
  assert.equal(day.to - day.from, 86_400_000 - 1)
})

test('a range that is no range, or longer than 366 days, is refused by the name of its field', () => {
  assert.equal(fieldOf(readDayRange({ from: '2026-02-30' }, NOW)), 'from')
  assert.equal(fieldOf(readDayRange({ to: '2026-02-30' }, NOW)), 'to')
  assert.equal(fieldOf(readDayRange({ from: '2026-11-02', to: '2026-11-01' }, NOW)), 'from')
  assert.equal(fieldOf(readDayRange({ from: '2025-11-15' }, NOW)), 'from')
  assert.ok(!isRefusal(readDayRange({ from: '2025-11-16' }, NOW)))
})
