import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf } from './test-batches.ts'

const filesOf = (folder: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) => `${folder}/${String(place).padStart(2, '0')}.test.ts`)

test('the files of a folder share a process, up to twelve of them, and every file runs once', () => {
  const files = [...filesOf('server/store', 13), ...filesOf('server/http', 12), ...filesOf('server/http/routes', 1)]
  const batches = batchesOf(files)
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [12, 7, 6, 1],
  )
  assert.deepEqual(batches.flat().toSorted(), files.toSorted())
  assert.deepEqual(batchesOf([]), [])
})
