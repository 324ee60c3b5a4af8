import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HALF_TYPED } from '../../forms/date-range.ts'
import { changeOf, limitsOf } from './limits.ts'

const BEFORE = limitsOf({ maxPayments: 20, validUntil: '2026-12-02T14:59:59.999Z' })

test('a link’s limit and end are shown as people write them', () => {
  assert.deepEqual(BEFORE, { maxPayments: '20', until: '2026-12-02' })
  assert.deepEqual(limitsOf({}), { maxPayments: '', until: null })
})

test('only what was changed is sent', () => {
  assert.deepEqual(changeOf(BEFORE, BEFORE), {})
  assert.deepEqual(changeOf(BEFORE, { ...BEFORE, maxPayments: '３０件' }), { maxPayments: 30 })
  assert.deepEqual(changeOf(BEFORE, { maxPayments: '', until: null }), { maxPayments: null, validUntil: null })
  assert.deepEqual(changeOf(BEFORE, { ...BEFORE, until: '2026-12-24' }), { validUntil: '2026-12-24' })
})

test('a day of which a part is missing is not sent as no end', () => {
  assert.equal(changeOf(BEFORE, { ...BEFORE, until: HALF_TYPED }), null)
})

test('what is no number of payments is not sent', () => {
  for (const maxPayments of ['0', '-1', '1.5', '多数', '1000000'])
    assert.equal(changeOf(BEFORE, { ...BEFORE, maxPayments }), null, maxPayments)
})
