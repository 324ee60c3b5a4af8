import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMANDS, loadCommand } from './commands.mjs'
import { ROOT } from './setup/setup.mjs'

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
