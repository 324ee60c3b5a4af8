import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { caughtByTest, findCatcher, firstBrokenPromise } from './catch-planted-bug.ts'
import { assertApplies, createPatchedCopy } from './patched-copy.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import { argumentsFor } from '../simulation/regressions.ts'

describe('bugs that have cost others money, patched into a copy of the code', () => {
  test('every planted bug still applies to the code; `npm run prove -- planted-bugs` catches them all', () => {
    for (const bug of PLANTED_BUGS) assertApplies(bug)
  })

  for (const bug of PLANTED_BUGS.filter(({ isInEveryRun }) => isInEveryRun)) {
    test(`"${bug.name}" is caught`, async (t) => {
      const catcher = await findCatcher(bug)
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

  test('code without a bug breaks no promise and fails no test', async () => {
    const { file, find } = PLANTED_BUGS[0] ?? { file: '', find: '' }
    const { folder, remove } = createPatchedCopy({
      name: 'none',
      file,
      find,
      replace: find,
      caughtBy: 'x.test.ts',
    })
    assert.equal(await caughtByTest(folder, 'payment/charge.test.ts'), undefined)
    assert.equal(
      await firstBrokenPromise(folder, argumentsFor({ workload: 'storm', seed: 1, checkouts: 5, crashAt: null })),
      undefined,
    )
    remove()
  })
})
