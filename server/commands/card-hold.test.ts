import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../proof/harness/run-command.ts'
import { parseCardHoldKeys } from '../card-hold/keys-file.ts'

test('card-hold key prints one key, a line of the keys file, and another at each call', async () => {
  const keys: string[] = []
  for (const _ of [1, 2]) {
    const { code, printed } = await runCommand(['card-hold', 'key'], {})
    assert.deepEqual([code, printed.length], [0, 1])
    keys.push(...printed)
  }
  assert.equal(new Set(keys).size, 2)
  assert.equal('problem' in parseCardHoldKeys(keys.join('\n')), false)
})
