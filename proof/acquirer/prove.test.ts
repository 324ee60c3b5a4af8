import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measure, type RunAccount } from './prove.ts'

const KEYS = {
  STRIPE_TEST_KEY: 'sk_test_12345678',
  ADYEN_TEST_API_KEY: 'key',
  ADYEN_TEST_MERCHANT_ACCOUNT: 'KaikeiTEST',
  ADYEN_TEST_HMAC_KEY: '00',
}
const neverRun: RunAccount = () => assert.fail('no account may be asked')

test('without the keys of a test account no acquirer is asked, and the figures say that it was not run', async () => {
  assert.deepEqual(await measure([], {}, neverRun), {
    stripe: { ran: 'not run', missing: 'STRIPE_TEST_KEY' },
    adyen: { ran: 'not run', missing: 'ADYEN_TEST_API_KEY, ADYEN_TEST_MERCHANT_ACCOUNT, ADYEN_TEST_HMAC_KEY' },
  })
  const { ADYEN_TEST_HMAC_KEY: _left, ...partly } = KEYS
  const { adyen } = await measure(['adyen'], partly, neverRun)
  assert.deepEqual(adyen, { ran: 'not run', missing: 'ADYEN_TEST_HMAC_KEY' })
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
