import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { withLock } from './lock.mjs'
import { folderWith } from '../testing/stand-ins.ts'

const times = { beatMs: 20, stale: 200, pollMs: 5 }

test('two starts at once do their work one after the other', async (t) => {
  const file = join(folderWith(t, {}), 'locks', 'install')
  let atWork = 0
  let most = 0
  const work = async (): Promise<void> => {
    atWork += 1
    most = Math.max(most, atWork)
    for (let turns = 0; turns < 100; turns += 1) await turn()
    atWork -= 1
  }
  await Promise.all([1, 2, 3].map(() => withLock(file, work, times)))
  assert.equal(most, 1)
  assert.equal(existsSync(file), false)
})

test('work that takes longer than a dead holder’s lock is kept is not disturbed', async (t) => {
  const file = join(folderWith(t, {}), 'install')
  const order: string[] = []
  const first = withLock(
    file,
    () =>
      new Promise<void>((resolve) => {
        setTimeout(() => {
          order.push('first is done')
          resolve()
        }, times.stale * 2)
      }),
    times,
  )
  const second = withLock(file, async () => order.push('second begins'), times)
  await Promise.all([first, second])
  assert.deepEqual(order, ['first is done', 'second begins'])
})

test('the lock of a start that was killed is taken over', async (t) => {
  const file = join(folderWith(t, { install: '' }), 'install')
  const started = performance.now()
  assert.equal(await withLock(file, async () => 'done', times), 'done')
  assert.ok(performance.now() - started >= times.stale)
  assert.equal(existsSync(file), false)
})

test('work that fails gives the lock back', async (t) => {
  const file = join(folderWith(t, {}), 'install')
  await assert.rejects(
    withLock(file, () => Promise.reject(new Error('no network')), times),
    /no network/,
  )
  assert.equal(existsSync(file), false)
})
