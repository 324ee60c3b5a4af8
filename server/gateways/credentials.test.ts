import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenCredentials, hintOf, secretsIn, storedCredentials } from './credentials.ts'

const LIVE = { mode: 'live', hasApiBase: false } as const
const TEST = { mode: 'test', hasApiBase: false } as const
const HMAC = 'A1'.repeat(32)
const ADYEN = { apiKey: 'AQEyhm-canary', merchantAccount: 'AoyamaTeaJP', hmacKey: HMAC, liveUrlPrefix: '1797a841-Tea' }

const problemOf = (given: ReturnType<typeof givenCredentials>): string => {
  if (!('problem' in given)) assert.fail('it was accepted')
  return `${given.problem}. Mend: ${given.mend}`
}

test('a key of Stripe is taken for the mode that it is of, with or without a line break behind it', () => {
  for (const [key, options] of [
    ['sk_live_0123456789', LIVE],
    ['rk_live_51Abc_0123456789', LIVE],
    ['sk_test_0123456789', TEST],
  ] as const)
    assert.deepEqual(givenCredentials('stripe', `${key}\n`, options), { kind: 'stripe', secretKey: key })
})

test('a key of Stripe that is of the other mode, publishable, or none at all is refused with what to give, and not quoted', () => {
  const refusals = [
    [
      givenCredentials('stripe', 'sk_test_canary0000', LIVE),
      /test key, and the account is for live mode.*sk_live_.*--mode test/,
    ],
    [givenCredentials('stripe', 'rk_live_canary0000', TEST), /live key, and the account is for test mode.*sk_test_/],
    [givenCredentials('stripe', 'pk_live_canary0000', LIVE), /publishable key.*secret key/],
    [givenCredentials('stripe', 'canary', LIVE), /no key of Stripe.*begins with sk_live_/],
    [givenCredentials('stripe', '{"secretKey":"sk_live_canary0000"}', LIVE), /no key of Stripe/],
    [givenCredentials('stripe', 'sk_live_canary0000\nsk_live_canary1111', LIVE), /no key of Stripe/],
  ] as const
  for (const [refused, words] of refusals) {
    assert.match(problemOf(refused), words)
    assert.doesNotMatch(problemOf(refused), /canary/)
  }
})

test('an account of Adyen is several values in JSON; each that is missing or wrong is named, and none is quoted', () => {
  const given = givenCredentials('adyen', JSON.stringify(ADYEN), LIVE)
  assert.deepEqual(given, { kind: 'adyen', ...ADYEN })
  const { liveUrlPrefix: _prefix, ...withoutPrefix } = ADYEN
  assert.match(
    problemOf(givenCredentials('adyen', JSON.stringify(withoutPrefix), LIVE)),
    /liveUrlPrefix is missing.*--api-base/,
  )
  for (const options of [TEST, { ...LIVE, hasApiBase: true }])
    assert.equal('problem' in givenCredentials('adyen', JSON.stringify(withoutPrefix), options), false)
  for (const [change, words] of [
    [{ apiKey: undefined }, /right form: apiKey\./],
    [{ apiKey: 'canary\ncanary', merchantAccount: 'a/canary' }, /right form: apiKey, merchantAccount\./],
    [{ hmacKey: 'canary' }, /right form: hmacKey\./],
    [{ reportApiKey: '' }, /right form: reportApiKey\./],
    [{ liveUrlPrefix: 'canary.example.com' }, /right form: liveUrlPrefix\./],
    [{ canary: 'canary' }, /names beside those/],
  ] as const) {
    const problem = problemOf(givenCredentials('adyen', JSON.stringify({ ...ADYEN, ...change }), LIVE))
    assert.match(problem, words)
    assert.doesNotMatch(problem, /canary/)
  }
  for (const text of ['canary', 'null', '"canary"', ''])
    assert.match(problemOf(givenCredentials('adyen', text, LIVE)), /no JSON object/)
})

test('what was stored is read back for its own kind alone, and of the key only the last four signs are shown', () => {
  const stripe = { kind: 'stripe', secretKey: 'sk_live_0123456789' } as const
  const adyen = { kind: 'adyen', ...ADYEN, reportApiKey: 'report' } as const
  assert.deepEqual(storedCredentials('stripe', JSON.stringify(stripe)), stripe)
  assert.deepEqual(storedCredentials('adyen', JSON.stringify(adyen)), adyen)
  assert.equal(storedCredentials('adyen', JSON.stringify(stripe)), null)
  assert.equal(storedCredentials('stripe', JSON.stringify(adyen)), null)
  assert.equal(storedCredentials('stripe', 'no JSON'), null)
  assert.deepEqual([hintOf(stripe), hintOf(adyen)], ['6789', 'nary'])
  assert.deepEqual(secretsIn(stripe), [stripe.secretKey])
  assert.deepEqual(secretsIn(adyen), [ADYEN.apiKey, HMAC, 'report'])
})
