import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../setup/setup.mjs'
import { batchesOf, FILES_ALONE } from './test-batches.ts'

const filesOf = (folder: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) => `${folder}/${String(place).padStart(2, '0')}.test.ts`)

test('neighbours of one room share a process, up to twenty-four files of equal share; proofs start first, and every file runs once', () => {
  const files = [...filesOf('server/store', 13), ...filesOf('server/http', 12), ...filesOf('proof/fuzz', 2)]
  const batches = batchesOf(files)
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [2, 13, 12],
  )
  assert.deepEqual(batches.flat().toSorted(), files.toSorted())
  assert.deepEqual(batchesOf(filesOf('server/store', 24)).length, 1)
  assert.deepEqual(batchesOf([]), [])
})

test('a file of the list runs by itself and starts before the others; each of them exists', () => {
  const [slow = '', slower = ''] = FILES_ALONE.slice(0, 2).toReversed()
  assert.deepEqual(batchesOf(['server/a.test.ts', slow, slower]), [[slower], [slow], ['server/a.test.ts']])
  assert.deepEqual(
    FILES_ALONE.filter((file) => !existsSync(join(ROOT, file))),
    [],
  )
})
