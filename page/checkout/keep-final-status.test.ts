import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { CHECKOUT_STATUSES } from '#contract/checkout.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { keepFinalStatus } from './keep-final-status.ts'

const checkout = (status: string, id = 'c', paymentPending = false): PageCheckout => ({
  id,
  status,
  amount: 1980,
  validUntil: '2026-11-22T14:59:59.999Z',
  acceptedCardBrands: ['visa'],
  links: {},
  merchant: { setting: { colorCode: '#29abe9', fontType: 'sans-serif' } },
  receipt: { shopName: 'Shop', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' },
  paymentPending,
})

const STATUSES = [...CHECKOUT_STATUSES, 'held_by_a_later_release']

test('every answer is accepted, except one that would reopen a checkout', () => {
  for (const before of STATUSES) {
    for (const after of STATUSES) {
      const known = checkout(before)
      const answer = checkout(after)
      const kept = keepFinalStatus(known, answer)
      assert.equal(kept, before !== 'open' && after === 'open' ? known : answer, `${before} then ${after}`)
    }
  }
})

test('the first answer is accepted, whatever its status', () => {
  for (const status of STATUSES) {
    const answer = checkout(status)
    assert.equal(keepFinalStatus(undefined, answer), answer)
  }
})

test('while the checkout is open, paymentPending may change both ways', () => {
  const undoubted = checkout('open')
  const inDoubt = checkout('open', 'c', true)
  assert.equal(keepFinalStatus(undoubted, inDoubt), inDoubt)
  assert.equal(keepFinalStatus(inDoubt, undoubted), undoubted)
})

test('an answer about another checkout is accepted', () => {
  const other = checkout('open', 'd')
  assert.equal(keepFinalStatus(checkout('paid'), other), other)
})

test('no order of answers reopens a closed checkout', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STATUSES)), (statuses) => {
      let known: PageCheckout | undefined
      let closed = false
      for (const status of statuses) {
        known = keepFinalStatus(known, checkout(status))
        assert.ok(!closed || known.status !== 'open')
        closed ||= known.status !== 'open'
      }
    }),
  )
})
