import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageCheckout } from '../answers.ts'
import { CallFailed, type Failure } from '../api.ts'
import { truthfulReading, type TruthfulReading } from './truthful-reading.ts'

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

const open = (): { reading: TruthfulReading; calls: string[]; fail: (failure: Failure | null) => void } => {
  const calls: string[] = []
  let failure: Failure | null = null
  const reading = truthfulReading(
    {
      reportChallengeError: async (orderCode) => {
        calls.push(`give up ${orderCode}`)
        if (failure !== null) throw new CallFailed(failure)
        return true
      },
      readCheckout: async (id) => {
        calls.push(`read ${id}`)
        return READ
      },
    },
    'c',
  )
  return { reading, calls, fail: (next) => (failure = next) }
}

const retryable = (code: number | 'network_error'): Failure => ({ kind: 'retryable', type: 'unknown', code })

test('a checkout is simply read while every payment was answered', async () => {
  const { reading, calls } = open()
  assert.equal(await reading.read(), READ)
  assert.deepEqual(calls, ['read c'])
})

test('after a payment without an answer its order is given up before the checkout is read, once', async () => {
  const { reading, calls } = open()
  reading.distrust('o')
  await reading.read()
  await reading.read()
  assert.deepEqual(calls, ['give up o', 'read c', 'read c'])
})

test('an order that cannot be given up, because its money is moving or it is over, is read all the same', async () => {
  const { reading, calls, fail } = open()
  reading.distrust('o')
  fail(retryable(409))
  assert.equal(await reading.read(), READ)
  assert.deepEqual(calls, ['give up o', 'read c'])
})

test('nothing is read until somebody has answered that the order is given up', async () => {
  const { reading, calls, fail } = open()
  reading.distrust('o')
  for (const code of ['network_error', 429, 500, 503] as const) {
    fail(retryable(code))
    await assert.rejects(reading.read(), CallFailed)
  }
  fail(null)
  await reading.read()
  assert.deepEqual(calls, [...Array.from({ length: 5 }, () => 'give up o'), 'read c'])
})
