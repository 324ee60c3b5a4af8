import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderWith, until } from '../testing/stand-ins.ts'
import { watchSources } from './watch.ts'

test('a change is told once it has settled, one telling at a time, tests and hidden files left out', async (t) => {
  const folder = folderWith(t, { 'server/operations/pay.ts': '', 'page/main.ts': '' })
  const told: string[][] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const stop = watchSources(folder, ['server', 'page', 'not-there'], async (files) => {
    told.push([...files].toSorted())
    if (told.length === 1) await released
  })
  t.after(stop)
  writeFileSync(join(folder, 'server/operations/pay.test.ts'), 'x')
  writeFileSync(join(folder, 'server/.pay.ts.swp'), 'x')
  writeFileSync(join(folder, 'server/operations/pay.ts'), 'one')
  await until('the change is told', () => told.length === 1)
  writeFileSync(join(folder, 'server/operations/pay.ts'), 'two')
  writeFileSync(join(folder, 'page/main.ts'), 'two')
  release()
  await until('the next change is told', () => told.length === 2)
  assert.deepEqual(told, [['server/operations/pay.ts'], ['page/main.ts', 'server/operations/pay.ts']])
})
