import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exemptionFor, type Enrolment } from './authentication.ts'

test('a card is exempt only when it is not enrolled and its merchant bears the risk', () => {
  const rows: readonly (readonly [Enrolment, merchantAllows: boolean, string | undefined])[] = [
    ['enrolled', false, undefined],
    ['enrolled', true, undefined],
    ['not_enrolled', false, undefined],
    ['not_enrolled', true, 'not_enrolled'],
  ]
  for (const [enrolment, merchantAllows, expected] of rows)
    assert.equal(exemptionFor(enrolment, merchantAllows), expected, `${enrolment}, ${merchantAllows}`)
})
