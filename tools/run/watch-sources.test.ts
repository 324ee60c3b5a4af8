import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { waitUntil } from '../testing/child-processes.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { watchSources } from './watch-sources.ts'

test('a change is reported once the file is written, one call at a time, without tests and hidden files', async (t) => {
  const folder = temporaryFolder(t, { 'server/operations/pay.ts': '', 'page/main.ts': '' })
  const reported: string[][] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const stop = watchSources(folder, ['server', 'page', 'not-there'], async (files) => {
    reported.push([...files].toSorted())
    if (reported.length === 1) await released
  })
  t.after(stop)
  writeFileSync(join(folder, 'server/operations/pay.test.ts'), 'x')
  writeFileSync(join(folder, 'server/.pay.ts.swp'), 'x')
  writeFileSync(join(folder, 'server/operations/pay.ts'), 'one')
  await waitUntil('the change is reported', () => reported.length === 1)
  writeFileSync(join(folder, 'server/operations/pay.ts'), 'two')
  writeFileSync(join(folder, 'page/main.ts'), 'two')
  release()
  await waitUntil('the next change is reported', () => reported.length === 2)
  assert.deepEqual(reported, [['server/operations/pay.ts'], ['page/main.ts', 'server/operations/pay.ts']])
})
