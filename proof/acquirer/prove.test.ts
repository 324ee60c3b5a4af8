import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CannotRunHere } from '../../tools/command-error.mjs'
import { measure, type RunAccount } from './prove.ts'

const KEYS = {
  STRIPE_TEST_KEY: 'sk_test_12345678',
  ADYEN_TEST_API_KEY: 'key',
  ADYEN_TEST_MERCHANT_ACCOUNT: 'KaikeiTEST',
  ADYEN_TEST_HMAC_KEY: '00',
}
const neverRun: RunAccount = () => assert.fail('no account may be asked')

test('without the keys of a test account no acquirer is asked, and the keys are named', async () => {
  const { ADYEN_TEST_HMAC_KEY: _left, ...partly } = KEYS
  await assert.rejects(measure([], {}, neverRun), /: set STRIPE_TEST_KEY, or ADYEN_TEST_API_KEY, .* test account$/)
  await assert.rejects(measure(['adyen'], partly, neverRun), (error) => error instanceof CannotRunHere)
  const figures = await measure([], partly, async () => ({ passed: 50, failed: 0 }))
  assert.partialDeepStrictEqual(figures, { stripe: { clauses: 50 }, adyen: { missing: 'ADYEN_TEST_HMAC_KEY' } })
})

test('with its keys the named acquirer alone is asked, and what was not tried is said', async () => {
  const asked: string[] = []
  const figures = await measure(['stripe'], KEYS, async (file) => {
    asked.push(file)
    return { passed: 50, failed: 0 }
  })
  assert.deepEqual(asked, ['stripe-account.ts'])
  assert.partialDeepStrictEqual(figures, {
    stripe: { ran: 'against a real test account', clauses: 50 },
    adyen: { ran: 'not run' },
  })
})

test('one clause that does not hold, or no clause at all, is no proof', async () => {
  await assert.rejects(
    measure(['stripe'], KEYS, async () => ({ passed: 49, failed: 1 })),
    /1 of 50 clauses do not hold/,
  )
  await assert.rejects(
    measure(['adyen'], KEYS, async () => ({ passed: 0, failed: 0 })),
    /no clause was tried/,
  )
})

test('an acquirer that is not known is refused by name', async () => {
  for (const args of [['paypal'], ['stripe', 'adyen'], ['constructor']])
    await assert.rejects(measure(args, KEYS, neverRun), /stripe or adyen/)
})
