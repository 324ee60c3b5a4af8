import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, type ListPage } from './list-page.ts'

const MOST = 512 * 1024

const pageWith = (limit: number, ...lengths: number[]): ListPage<number> =>
  pageOf(
    lengths.map((length, place) => ({ place, text: 'x'.repeat(length) })),
    limit,
    { read: ({ place }) => place, placeOf: (place) => [place, ''] },
  )

test('a page ends at its limit, and says where to go on only where there is more', () => {
  assert.deepEqual(pageWith(2), { items: [], after: null })
  assert.deepEqual(pageWith(2, 1, 1), { items: [0, 1], after: null })
  assert.deepEqual(pageWith(2, 1, 1, 1), { items: [0, 1], after: [1, ''] })
})

test('a page of long texts ends before its limit, with the row that comes to 524,288 characters', () => {
  assert.deepEqual(pageWith(3, MOST - 1, 1, 1), { items: [0, 1], after: [1, ''] })
  assert.deepEqual(pageWith(3, MOST - 2, 1, 1), { items: [0, 1, 2], after: null })
  assert.deepEqual(pageWith(3, MOST, 1), { items: [0], after: [0, ''] })
  assert.deepEqual(pageWith(3, MOST), { items: [0], after: null })
})
