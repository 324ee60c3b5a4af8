import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHECKOUT_STATUSES } from './checkout.ts'
import { beginsWithCardForm, isScreen, isScreenForStatus, screenForStatus, SCREENS, type Screen } from './screens.ts'

/** Every status of a checkout, and some that nobody knows. */
const leadsTo: readonly (readonly [string, Screen])[] = [
  ['open', 'creditcard'],
  ['paid', 'complete'],
  ['refunded', 'complete'],
  ['failed', 'error'],
  ['cancelled', 'error'],
  ['expired', 'error'],
  ['disputed', 'error'],
  ['OPEN', 'error'],
  ['Paid', 'error'],
  ['', 'error'],
]

test('the root of a checkout leads to the screen of its status, and an unknown status to the error screen', () => {
  for (const status of CHECKOUT_STATUSES)
    assert.ok(
      leadsTo.some(([known]) => known === status),
      status,
    )
  for (const [status, screen] of leadsTo) assert.equal(screenForStatus(status), screen, status)
})

test('a screen is shown for its own statuses alone, so no two screens can redirect to each other', () => {
  for (const [status, home] of leadsTo)
    for (const screen of SCREENS)
      assert.equal(isScreenForStatus(screen, status), screen === home, `${screen} while ${status}`)
})

test('below a checkout there are three screens and nothing else', () => {
  assert.deepEqual(SCREENS, ['creditcard', 'complete', 'error'])
  for (const screen of SCREENS) assert.equal(isScreen(screen), true)
  for (const text of ['', 'Error', 'creditcard/', '404', 'preview', 'toString'])
    assert.equal(isScreen(text), false, text)
})

test('only an open checkout without a payment in doubt begins with the card form, and only at its own address', () => {
  const open = { status: 'open', paymentPending: false }
  assert.equal(beginsWithCardForm('/id/creditcard', open), true)
  assert.equal(beginsWithCardForm('/id/creditcard', { ...open, paymentPending: true }), false)
  assert.equal(beginsWithCardForm('/id/creditcard', { ...open, status: 'paid' }), false)
  assert.equal(beginsWithCardForm('/id/creditcard', null), false)
  for (const path of ['/id/complete', '/404', '/preview', '/id']) assert.equal(beginsWithCardForm(path, open), false)
})
