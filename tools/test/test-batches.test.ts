import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ROOT } from '../root.ts'
import { environmentOutsideTests } from '../testing/child-processes.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { batchesOf, FILES_ALONE, runTestFiles } from './test-batches.ts'

const testFile = (t: TestContext, body: string): string =>
  join(
    temporaryFolder(t, {
      'hang.test.ts': `import { createRequire } from 'node:module'
import { test } from 'node:test'
const require = createRequire(import.meta.url)
test('pays once', () => { ${body} })`,
    }),
    'hang.test.ts',
  )

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

for (const [what, body] of [
  ['a test that never ends', 'while (true);'],
  ['a server that a test left open', "require('node:http').createServer().listen(0)"],
] as const)
  test(`a batch ends, and has failed, after ${what}`, async (t) => {
    const result = await runTestFiles([testFile(t, body)], environmentOutsideTests(), 2000)
    assert.match('problem' in result ? result.problem : '', /hang\.test\.ts/)
  })

test('a batch ends when a program that one of its tests has started goes on and holds its streams', async (t) => {
  const body = "require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit', detached: true }).unref()"
  const began = performance.now()
  const result = await runTestFiles([testFile(t, body)], environmentOutsideTests())
  assert.deepEqual(result, { passed: 1, failed: 0, skipped: 0, postgres: 0 })
  assert.ok(performance.now() - began < 30_000)
})
