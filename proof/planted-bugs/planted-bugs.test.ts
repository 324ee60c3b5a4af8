import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testPostgresUrl } from '../harness/databases.ts'
import { assertPassWithoutBug, findCatcher } from './catch-planted-bug.ts'
import { assertApplies, createPatchedCopy } from './patched-copy.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'

describe('bugs that have cost others money, patched into a copy of the code', () => {
  test('every planted bug still applies to the code; `npm run prove -- planted-bugs` catches them all', () => {
    for (const bug of PLANTED_BUGS) assertApplies(bug)
  })

  for (const bug of PLANTED_BUGS.filter(({ isInEveryRun }) => isInEveryRun)) {
    test(`"${bug.name}" is caught`, async (t) => {
      const catcher = await findCatcher(bug, testPostgresUrl())
      assert.ok(catcher !== undefined, 'no schedule and no test noticed it')
      t.diagnostic(`caught by ${catcher}`)
    })
  }

  test('a bug that no longer applies to the code is a failure', () => {
    const edit = { file: 'payment/charge.ts', find: 'no such code', replace: '' }
    assert.throws(
      () => createPatchedCopy({ name: 'gone', ...edit, caughtBy: 'x.test.ts' }),
      /no longer applies to payment\/charge\.ts/,
    )
  })

  test('a test that cannot be loaded, or misses its database, can catch nothing: the proof fails', async () => {
    const files = ['payment/checkout.test.ts', 'payment/no-such.test.ts']
    await assert.rejects(assertPassWithoutBug(files, 'postgres://none'), /fails without a bug: payment\/no-such\.test/)
    const onPostgres = assertPassWithoutBug(['server/store/engine/heartbeat.test.ts'], 'postgres://127.0.0.1:1/none')
    await assert.rejects(onPostgres, /fails without a bug: server\/store\/engine\/heartbeat\.test\.ts: /)
  })
})
