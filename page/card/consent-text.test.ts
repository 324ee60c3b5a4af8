import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { CONSENT_VERSION } from '#contract/consent.ts'
import { CONSENT_NOTICE } from './consent-text.ts'

test('the consent notice cannot change without a new version', () => {
  const hash = createHash('sha256').update(CONSENT_NOTICE).digest('hex').slice(0, 16)
  assert.deepEqual([CONSENT_VERSION, hash], ['2026-11-16', '471ceb20a3b217ed'])
})
