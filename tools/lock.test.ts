import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { withLock } from './lock.ts'
import { ROOT } from './root.ts'
import { environmentOutsideTests, readPid } from './testing/child-processes.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

test('commands started at once do their work one after the other', async (t) => {
  const folder = temporaryFolder(t, {})
  let running = 0
  let mostAtOnce = 0
  const work = async (): Promise<void> => {
    running += 1
    mostAtOnce = Math.max(mostAtOnce, running)
    for (let turns = 0; turns < 100; turns += 1) await turn()
    running -= 1
  }
  await Promise.all([1, 2, 3].map(() => withLock('build', work, folder)))
  assert.equal(mostAtOnce, 1)
})

test('the lock of a command that was killed is free', async (t) => {
  const folder = temporaryFolder(t, {
    'holder.ts': `import { writeFileSync } from 'node:fs'
      import { withLock } from ${JSON.stringify(join(ROOT, 'tools', 'lock.ts'))}
      await withLock('build', async () => {
        writeFileSync('holder.pid', String(process.pid))
        await new Promise(() => setInterval(() => {}, 1000))
      }, '.')`,
  })
  const holder = spawn(process.execPath, ['holder.ts'], {
    cwd: folder,
    env: environmentOutsideTests(),
    stdio: 'ignore',
  })
  t.after(() => holder.kill('SIGKILL'))
  const exited = once(holder, 'exit')
  await readPid(folder, 'holder')
  holder.kill('SIGKILL')
  await exited
  assert.equal(await withLock('build', async () => 'done', folder), 'done')
})

test('work that fails gives the lock back', async (t) => {
  const folder = temporaryFolder(t, {})
  await assert.rejects(
    withLock('build', () => Promise.reject(new Error('no network')), folder),
    /no network/,
  )
  assert.equal(await withLock('build', async () => 'done', folder), 'done')
})
