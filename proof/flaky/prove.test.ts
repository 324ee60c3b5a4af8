import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { measure } from './prove.ts'

const PASSED = { code: 0, output: 'unit 1.0 s\n7 passed, 0 failed, 0 skipped\n' }
const FAILED = { code: 1, output: '  flaky: pays once (server/pay.test.ts)\n6 passed, 1 failed, 0 skipped\n' }

test('all tests run as often as is asked, quiet and busy, and their longest times are the figures', async () => {
  let runs = 0
  const figures = await measure(['3'], () => Promise.resolve((runs += 1) > 0 ? PASSED : FAILED))
  assert.equal(runs, 6)
  assert.deepEqual(figures, { runs: 3, quietSecondsMost: 0, busySecondsMost: 0, failures: 0 })
})

test('one failure in all runs fails the proof, after all of them', async () => {
  let runs = 0
  const run = () => Promise.resolve((runs += 1) === 2 ? FAILED : PASSED)
  await assert.rejects(measure(['2'], run), new CommandError('1 of 4 runs failed, see above'))
  assert.equal(runs, 4)
})

test('the tests are repeated 1 to 100 times', async () => {
  for (const times of ['0', '101', '1.5', 'often'])
    await assert.rejects(
      measure([times], () => Promise.resolve(PASSED)),
      CommandError,
    )
})
