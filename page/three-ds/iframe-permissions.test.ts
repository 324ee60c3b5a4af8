import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHALLENGE_ALLOW, IFRAME_SANDBOX } from './iframe-permissions.ts'

const allowed = (sandbox: string): string[] => sandbox.split(' ').toSorted()

test('a hidden frame may use forms, scripts and its own origin, as specified, and nothing else', () => {
  assert.deepEqual(allowed(IFRAME_SANDBOX.hidden), ['allow-forms', 'allow-same-origin', 'allow-scripts'])
})

test('a challenge may also open the bank’s own window, and can never navigate the shopper away from the payment', () => {
  assert.deepEqual(allowed(IFRAME_SANDBOX.challenge), [
    'allow-forms',
    'allow-popups',
    'allow-popups-to-escape-sandbox',
    'allow-same-origin',
    'allow-scripts',
  ])
})

test('a challenge may ask for a passkey or a payment confirmation, also in the frame inside its frame', () => {
  assert.equal(CHALLENGE_ALLOW, 'publickey-credentials-get *; payment *')
})
