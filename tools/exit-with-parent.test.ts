import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { runAndCapture } from './exit-with-parent.ts'
import { ROOT } from './root.ts'
import { isAlive, environmentOutsideTests, readPid, waitUntil } from './testing/child-processes.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const MODULE = JSON.stringify(join(ROOT, 'tools', 'exit-with-parent.ts'))

/** A program that has a child and may ignore SIGTERM, started by a parent process. */
const startCommand = async (
  t: TestContext,
  trap = '',
): Promise<{
  readonly folder: string
  readonly pids: Readonly<Record<'parent' | 'command' | 'child', number>>
}> => {
  const folder = temporaryFolder(t, {
    'scratch/file': '',
    'command.sh': `${trap}echo $$ > command.pid; sleep 600 & echo $! > child.pid; wait; sleep 600`,
    'parent.ts': `import { spawnExitingWithParent } from ${MODULE}
      spawnExitingWithParent('sh', ['command.sh'], { removeFolder: 'scratch' }).on('exit', () => process.exit(1))`,
  })
  const parent = spawn(process.execPath, ['parent.ts'], {
    cwd: folder,
    stdio: 'ignore',
    env: environmentOutsideTests(),
  })
  const pids = {
    parent: parent.pid ?? 0,
    command: await readPid(folder, 'command'),
    child: await readPid(folder, 'child'),
  }
  t.after(() => {
    for (const pid of Object.values(pids)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  return { folder, pids }
}

test('a program that ignores the request to end is killed', async (t) => {
  const { pids } = await startCommand(t, "trap '' TERM; ")
  process.kill(pids.parent, 'SIGTERM')
  await waitUntil('all are gone', () => !Object.values(pids).some(isAlive), 2000)
})

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
  test(`a program ends with all it started when its parent gets ${signal}`, async (t) => {
    const { folder, pids } = await startCommand(t)
    process.kill(pids.parent, signal)
    await waitUntil('all are gone', () => !Object.values(pids).some(isAlive), 2000)
    await waitUntil('its folder is removed', () => !existsSync(join(folder, 'scratch')))
  })
}

test('when a program is killed, all that it has started ends, and its folder is removed', async (t) => {
  const { folder, pids } = await startCommand(t)
  process.kill(pids.command, 'SIGKILL')
  await waitUntil('all are gone', () => !Object.values(pids).some(isAlive), 2000)
  assert.equal(existsSync(join(folder, 'scratch')), false)
})

test('a program that ends by itself passes on its exit code and all it printed', async () => {
  const { code, output } = await runAndCapture('sh', ['-c', 'echo one; echo two >&2; exit 7'])
  assert.equal(code, 7)
  assert.deepEqual(output.trimEnd().split('\n').toSorted(), ['one', 'two'])
})

test('a program that does not exist is named', async () => {
  const { code, output } = await runAndCapture('no-such-command', [])
  assert.equal(code, 127)
  assert.match(output, /no-such-command: not found/)
})
