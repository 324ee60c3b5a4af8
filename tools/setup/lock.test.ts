import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { withLock } from './lock.mjs'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const TIMES = { heartbeatMs: 20, staleMs: 200, pollMs: 5 }

test('two commands started at once do their work one after the other', async (t) => {
  const file = join(temporaryFolder(t, {}), 'locks', 'install')
  let running = 0
  let mostAtOnce = 0
  const work = async (): Promise<void> => {
    running += 1
    mostAtOnce = Math.max(mostAtOnce, running)
    for (let turns = 0; turns < 100; turns += 1) await turn()
    running -= 1
  }
  await Promise.all([1, 2, 3].map(() => withLock(file, work, TIMES)))
  assert.equal(mostAtOnce, 1)
  assert.equal(existsSync(file), false)
})

test('work that takes longer than the stale time keeps its lock', async (t) => {
  const file = join(temporaryFolder(t, {}), 'install')
  const order: string[] = []
  const first = withLock(
    file,
    () =>
      new Promise<void>((resolve) => {
        setTimeout(() => {
          order.push('first is done')
          resolve()
        }, TIMES.staleMs * 2)
      }),
    TIMES,
  )
  const second = withLock(file, async () => order.push('second begins'), TIMES)
  await Promise.all([first, second])
  assert.deepEqual(order, ['first is done', 'second begins'])
})

test('the lock of a command that was killed is taken over', async (t) => {
  const file = join(temporaryFolder(t, { install: '' }), 'install')
  const started = performance.now()
  assert.equal(await withLock(file, async () => 'done', TIMES), 'done')
  assert.ok(performance.now() - started >= TIMES.staleMs)
  assert.equal(existsSync(file), false)
})

test('work that fails gives the lock back', async (t) => {
  const file = join(temporaryFolder(t, {}), 'install')
  await assert.rejects(
    withLock(file, () => Promise.reject(new Error('no network')), TIMES),
    /no network/,
  )
  assert.equal(existsSync(file), false)
})
