import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS, loadCommand } from './commands.mjs'
import { ROOT } from './setup/setup.mjs'
import { environmentOutsideTests } from './testing/child-processes.ts'

test('every npm script that the launcher runs has a command, and every command can be loaded', async () => {
  const scripts = readFileSync(join(ROOT, 'package.json'), 'utf8').matchAll(/tools\/launch\.mjs (\w+)/g)
  const launched = new Set(Array.from(scripts, ([, name = '']) => name))
  assert.deepEqual([...launched].toSorted(), Object.keys(COMMANDS))
  for (const command of launched) assert.equal(typeof (await loadCommand(command)), 'function')
})

test('an unknown command is refused with the names of the known ones', async () => {
  for (const command of ['pay', 'constructor', ''])
    await assert.rejects(loadCommand(command), /^Error: there is no command .*: name one of bench, build, kaikei/)
})

test('every command passes on its arguments, and ends with 1 and one line when they are refused', () => {
  const refusals: Readonly<Record<string, readonly [line: RegExp, ...args: string[]]>> = {
    prove: [/^canaries takes nothing, not 5: npm run prove -- canaries\n$/, 'canaries', '5'],
    screens: [/^there is no screen reciept: name one of card, .*\n$/, 'reciept'],
    start: [/^start does not know --later: .*\n$/, '--later'],
    test: [/^npm test does not know --onyl: .*\n$/, '--onyl', 'unit'],
  }
  for (const [name, [line, ...args]] of Object.entries(refusals)) {
    const launcher = [join(ROOT, 'tools', 'launch.mjs'), name, ...args]
    const run = spawnSync(process.execPath, launcher, { encoding: 'utf8', env: environmentOutsideTests() })
    assert.match(run.stderr, line)
    assert.deepEqual([run.status, run.stdout], [1, name === 'test' ? '0 passed, 1 failed, 0 skipped\n' : ''])
  }
})
