import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf } from './test-batches.ts'

const filesOf = (folder: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) => `${folder}/${String(place).padStart(2, '0')}.test.ts`)

test('the files of a folder share a process, up to eight of them, and every file runs once', () => {
  const files = [...filesOf('server/store', 9), ...filesOf('server/http', 8), ...filesOf('server/http/routes', 1)]
  const batches = batchesOf(files, 1)
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [8, 5, 4, 1],
  )
  assert.deepEqual(batches.flat().toSorted(), files.toSorted())
  assert.deepEqual(batchesOf([], 1), [])
})

test('the few files of one folder are shared out among the processes, twice as many batches as there are of these', () => {
  assert.equal(batchesOf(filesOf('proof/simulation', 7), 3).length, 4)
  assert.equal(batchesOf(filesOf('proof/simulation', 6), 3).length, 6)
})
