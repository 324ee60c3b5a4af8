import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { FindingAnswer } from '#contract/console/operator.ts'
import { openTestOperator, type TestOperator } from '../../../../proof/harness/test-operator.ts'

describe('an operator and the checks of doctor', () => {
  let operator: TestOperator
  const doctor = { runs: 0, end: (_findings: FindingAnswer[]): void => undefined }
  before(async () => {
    operator = await openTestOperator({
      runDoctor: () => {
        doctor.runs += 1
        return new Promise((resolve) => {
          doctor.end = resolve
        })
      },
    })
  })
  const call: TestOperator['call'] = (...sent) => operator.call(...sent)

  test('runs the checks of doctor, one run at a time', async () => {
    const answers = [call('POST', '/doctor'), call('POST', '/doctor')]
    while (doctor.runs === 0) await new Promise(setImmediate)
    // Until both have asked.
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    doctor.end([{ check: 'database', state: 'ok', says: 'takes writes' }])
    for (const answer of await Promise.all(answers))
      assert.deepEqual(answer.json<{ checks: object[] }>().checks, [
        { check: 'database', state: 'ok', says: 'takes writes' },
      ])
    assert.equal(doctor.runs, 1)
  })
})
