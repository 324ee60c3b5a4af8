import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageCheckout } from '../parse-answers.ts'
import { CallFailed, type Failure } from '../api.ts'
import { createCheckoutReader, type CheckoutReader } from './read-after-unanswered-pay.ts'

const READ: PageCheckout = {
  id: 'c',
  status: 'open',
  amount: 1980,
  subject: '',
  remarks: '',
  validUntil: '',
  acceptedCardBrands: [],
  links: {},
  merchant: { setting: { colorCode: '#29abe9', fontType: 'sans-serif' } },
  receipt: { shopName: '', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' },
  paymentPending: false,
}

const createReader = (): { reader: CheckoutReader; calls: string[]; fail: (failure: CallFailed | null) => void } => {
  const calls: string[] = []
  let failure: CallFailed | null = null
  const reader = createCheckoutReader(
    {
      reportChallengeError: async (orderCode) => {
        calls.push(`give up ${orderCode}`)
        if (failure !== null) throw failure
        return true
      },
      readCheckout: async (id) => {
        calls.push(`read ${id}`)
        return READ
      },
    },
    'c',
  )
  return { reader, calls, fail: (next) => (failure = next) }
}

const retryable = (code: number | 'network_error'): Failure => ({ kind: 'retryable', type: 'unknown', code })
const gone: Failure = { kind: 'final', type: 'checkout', code: 'checkout_closed', message: 'Closed.', params: {} }
const answered = (failure: Failure): CallFailed => new CallFailed(failure, 'order_over')
const unanswered = (failure: Failure): CallFailed => new CallFailed(failure)

test('while every payment was answered the checkout is only read', async () => {
  const { reader, calls } = createReader()
  assert.equal(await reader.read(), READ)
  assert.deepEqual(calls, ['read c'])
})

test('after an unanswered payment its order is given up once, before the checkout is read', async () => {
  const { reader, calls } = createReader()
  reader.notePayUnanswered('o')
  await reader.read()
  await reader.read()
  assert.deepEqual(calls, ['give up o', 'read c', 'read c'])
})

test('when an order cannot be given up, because it is being charged or has ended, the checkout is read all the same', async () => {
  for (const refusal of [retryable(409), gone]) {
    const { reader, calls, fail } = createReader()
    reader.notePayUnanswered('o')
    fail(answered(refusal))
    assert.equal(await reader.read(), READ)
    assert.equal(await reader.read(), READ)
    assert.deepEqual(calls, ['give up o', 'read c', 'read c'])
  }
})

test('nothing is read until our server has answered that the order is given up', async () => {
  const { reader, calls, fail } = createReader()
  reader.notePayUnanswered('o')
  const failures = [
    unanswered(retryable('network_error')),
    ...[402, 429, 500, 503].map((code) => answered(retryable(code))),
    ...[404, 409, 500, 502, 503, 504, 520, 522, 524].map((code) => unanswered(retryable(code))),
    unanswered(gone),
  ]
  for (const failure of failures) {
    fail(failure)
    await assert.rejects(reader.read(), failure)
  }
  fail(null)
  await reader.read()
  assert.deepEqual(calls, [...failures.map(() => 'give up o'), 'give up o', 'read c'])
})
