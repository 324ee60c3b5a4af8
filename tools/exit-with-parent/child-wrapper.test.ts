import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { runAndCapture } from './spawn.mjs'
import { ROOT } from '../setup/setup.mjs'
import { isAlive, environmentOutsideTests, readPid, waitUntil } from '../testing/child-processes.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const SPAWN_MODULE = JSON.stringify(join(ROOT, 'tools', 'exit-with-parent', 'spawn.mjs'))

/** A command that has a child and may ignore SIGTERM, run in the wrapper by a parent process. */
const startCommand = async (
  t: TestContext,
  trap = '',
): Promise<{
  readonly folder: string
  readonly pids: Readonly<Record<'parent' | 'wrapper' | 'command' | 'child', number>>
}> => {
  const folder = temporaryFolder(t, {
    'scratch/file': '',
    'command.sh': `${trap}echo $$ > command.pid; sleep 600 & echo $! > child.pid; wait; sleep 600`,
    'parent.mjs': `import { writeFileSync } from 'node:fs'
      import { spawnExitingWithParent } from ${SPAWN_MODULE}
      const wrapper = spawnExitingWithParent('sh', ['command.sh'], { removeFolder: 'scratch' })
      writeFileSync('wrapper.pid', String(wrapper.pid))
      wrapper.on('exit', () => process.exit(1))`,
  })
  const parent = spawn(process.execPath, ['parent.mjs'], {
    cwd: folder,
    stdio: 'ignore',
    env: environmentOutsideTests(),
  })
  const pids = {
    parent: parent.pid ?? 0,
    wrapper: await readPid(folder, 'wrapper'),
    command: await readPid(folder, 'command'),
    child: await readPid(folder, 'child'),
  }
  t.after(() => {
    for (const pid of Object.values(pids)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  return { folder, pids }
}

test('a command that ignores the request to end is killed', async (t) => {
  const { pids } = await startCommand(t, "trap '' TERM; ")
  process.kill(pids.parent, 'SIGTERM')
  await waitUntil('all are gone', () => !Object.values(pids).some(isAlive), 2000)
})

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
  test(`a command ends with all it started when its parent gets ${signal}`, async (t) => {
    const { folder, pids } = await startCommand(t)
    process.kill(pids.parent, signal)
    await waitUntil('all are gone', () => !Object.values(pids).some(isAlive), 2000)
    assert.equal(existsSync(join(folder, 'scratch')), false)
  })
}

test('a command ends when its wrapper itself is killed', async (t) => {
  const { pids } = await startCommand(t)
  process.kill(pids.wrapper, 'SIGKILL')
  await waitUntil('all are gone', () => !Object.values(pids).some(isAlive), 2000)
})

test('a command that ends by itself passes on its exit code and all it printed', async () => {
  const { code, output } = await runAndCapture('sh', ['-c', 'echo one; echo two >&2; exit 7'])
  assert.equal(code, 7)
  assert.deepEqual(output.trimEnd().split('\n').toSorted(), ['one', 'two'])
})

test('a command that does not exist is named', async () => {
  const { code, output } = await runAndCapture('no-such-command', [])
  assert.equal(code, 127)
  assert.match(output, /^no-such-command: /)
})
