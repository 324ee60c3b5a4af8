import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { runKept } from './spawn.mjs'
import { root } from '../setup/setup.mjs'
import { folderWith, isAlive, outsideTests, pidOf, until } from '../testing/stand-ins.ts'

const leashed = JSON.stringify(join(root, 'tools', 'leashed.mjs'))

/** A command that has a child and may ignore SIGTERM, run on a leash by a holder. */
const start = async (
  t: TestContext,
  trap = '',
): Promise<{ folder: string; pids: Record<'holder' | 'leash' | 'command' | 'child', number> }> => {
  const folder = folderWith(t, {
    'scratch/file': '',
    'command.sh': `${trap}echo $$ > command.pid; sleep 600 & echo $! > child.pid; wait; sleep 600`,
    'holder.mjs': `import { writeFileSync } from 'node:fs'
      import { leashed } from ${leashed}
      const leash = leashed('sh', ['command.sh'], { remove: 'scratch' })
      writeFileSync('leash.pid', String(leash.pid))
      leash.on('exit', () => process.exit(1))`,
  })
  const holder = spawn(process.execPath, ['holder.mjs'], { cwd: folder, stdio: 'ignore', env: outsideTests() })
  const pids = {
    holder: holder.pid ?? 0,
    leash: await pidOf(folder, 'leash'),
    command: await pidOf(folder, 'command'),
    child: await pidOf(folder, 'child'),
  }
  t.after(() => {
    for (const pid of Object.values(pids)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  return { folder, pids }
}

test('a command that ignores the request to end is killed', async (t) => {
  const { pids } = await start(t, "trap '' TERM; ")
  process.kill(pids.holder, 'SIGTERM')
  await until('all are gone', () => !Object.values(pids).some(isAlive), 2000)
})

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
  test(`a command ends with all it started when its holder gets ${signal}`, async (t) => {
    const { folder, pids } = await start(t)
    process.kill(pids.holder, signal)
    await until('all are gone', () => !Object.values(pids).some(isAlive), 2000)
    assert.equal(existsSync(join(folder, 'scratch')), false)
  })
}

test('a command ends when its leash itself is killed', async (t) => {
  const { pids } = await start(t)
  process.kill(pids.leash, 'SIGKILL')
  await until('all are gone', () => !Object.values(pids).some(isAlive), 2000)
})

test('a command that ends by itself hands on its exit code and all it printed', async () => {
  const { code, output } = await runKept('sh', ['-c', 'echo one; echo two >&2; exit 7'])
  assert.equal(code, 7)
  assert.deepEqual(output.trimEnd().split('\n').toSorted(), ['one', 'two'])
})

test('a command that does not exist is named', async () => {
  const { code, output } = await runKept('no-such-command', [])
  assert.equal(code, 127)
  assert.match(output, /^no-such-command: /)
})
