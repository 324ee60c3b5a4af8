import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { checkStripeAccount } from './check.ts'
import { balanceAnswer, listOf, paymentMethodAnswer, requestError } from './testing/answers.ts'
import { startScriptedStripe, type ScriptedAnswer } from './testing/scripted-stripe.ts'

type Answers = Readonly<Record<string, ScriptedAnswer>>

/** As Stripe answers a key that may do everything: the empty requests are malformed. */
const ALLOWS: Answers = {
  'GET /v1/balance': { status: 200, body: balanceAnswer() },
  'POST /v1/payment_intents': { status: 400, body: requestError({ code: 'parameter_missing', param: 'amount' }) },
  'POST /v1/payment_methods': { status: 200, body: paymentMethodAnswer },
  'POST /v1/refunds': { status: 400, body: requestError({ code: 'parameter_missing' }) },
  'GET /v1/charges': { status: 200, body: listOf([]) },
  'GET /v1/disputes': { status: 200, body: listOf([]) },
}
const FORBIDS: ScriptedAnswer = { status: 403, body: requestError({ message: 'rk_test_12345678 lacks a permission' }) }

const check = async (
  t: TestContext,
  changes: Answers = {},
  key = 'rk_test_12345678',
  mode: 'test' | 'live' = 'test',
) => {
  const limit = new AbortController()
  const answers = { ...ALLOWS, ...changes }
  const { account, received } = await startScriptedStripe(t, ({ method, path }) => {
    const answer = answers[`${method} ${path}`] ?? assert.fail(`nobody expected ${method} ${path}`)
    if (answer === 'silence') limit.abort()
    return answer
  })
  const options = { timeLimit: () => limit.signal }
  const problems = await checkStripeAccount({ ...account, secretKey: key }, mode, options)
  const texts = problems.map(({ problem, mend }) => `${problem}. Mend: ${mend}`)
  for (const text of texts)
    assert.ok(!text.includes(key) && !text.includes('12345678'), 'a problem never holds the key')
  return { texts, calls: received.length }
}

test('an account whose key works in this mode and has every permission has no problem', async (t) => {
  assert.deepEqual((await check(t)).texts, [])
  const live = { 'GET /v1/balance': { status: 200, body: balanceAnswer({ livemode: true }) } }
  const declined = { status: 402, body: { error: { type: 'card_error', code: 'card_declined' } } }
  const answers = { ...live, 'POST /v1/payment_methods': declined }
  assert.deepEqual((await check(t, answers, 'sk_live_12345678', 'live')).texts, [])
})

test('a key of the other mode, a publishable key and no key at all are refused before anybody is asked', async (t) => {
  const cases = [
    ['rk_live_12345678', /key is one of live mode, and the account is for test mode.*rk_test_/],
    ['pk_test_12345678', /publishable key.*rk_test_/],
    ['12345678\r\nx: y', /no secret key of Stripe.*rk_test_/],
  ] as const
  for (const [key, words] of cases) {
    const { texts, calls } = await check(t, {}, key)
    assert.equal(texts.length, 1)
    assert.match(texts.join(), words)
    assert.equal(calls, 0)
  }
})

test('a key that Stripe does not accept, or takes for the other mode, is one problem', async (t) => {
  const refused = await check(t, {
    'GET /v1/balance': { status: 401, body: requestError({ code: 'api_key_expired' }) },
  })
  assert.match(refused.texts.join(), /^Stripe does not accept the key.*create a new one/)
  const live = await check(t, { 'GET /v1/balance': { status: 200, body: balanceAnswer({ livemode: true }) } })
  assert.match(live.texts.join(), /^Stripe says that the key is not one of test mode/)
  for (const { calls } of [refused, live]) assert.equal(calls, 1)
})

test('every permission that is missing is named, with how to add it', async (t) => {
  const { texts } = await check(t, Object.fromEntries(Object.keys(ALLOWS).map((call) => [call, FORBIDS])))
  const named = texts.map((text) => /lacks the permission (.+)\. Mend: add it/.exec(text)?.[1])
  const all = [
    'Balance: Read',
    'PaymentIntents: Write',
    'PaymentMethods: Write',
    'Charges and Refunds: Write',
    'Charges and Refunds: Read',
    'Disputes: Read',
  ]
  assert.deepEqual(named, all)
  const message = "The provided key 'rk_test_12345678' … Having the 'rak_charge_write' permission would allow this"
  const worded = await check(t, { 'POST /v1/refunds': { status: 403, body: requestError({ message }) } })
  assert.match(
    worded.texts.join(),
    /^the key lacks the permission Charges and Refunds: Write \(rak_charge_write\)\. Mend/,
  )
  assert.deepEqual((await check(t, { 'POST /v1/refunds': FORBIDS })).texts.length, 1)
})

test('an account that may not send card numbers is told whom to ask', async (t) => {
  const message =
    'Sending credit card numbers directly to the Stripe API is generally unsafe. If you are qualified to handle card data directly, see https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis.'
  for (const status of [400, 402]) {
    const { texts } = await check(t, { 'POST /v1/payment_methods': { status, body: requestError({ message }) } })
    assert.match(texts.join(), /^Stripe takes no card numbers.*raw card data/)
  }
})

test('a Stripe that does not answer, or answers like something else, is a problem with a mend', async (t) => {
  for (const call of Object.keys(ALLOWS))
    for (const answer of ['silence', 'connection lost'] as const)
      assert.match(
        (await check(t, { [call]: answer })).texts.join(),
        /^Stripe did not answer\. Mend: check the API base/,
      )
  for (const call of Object.keys(ALLOWS))
    assert.match(
      (await check(t, { [call]: { status: 404, body: '<html>' } })).texts.join(),
      /^Stripe answered HTTP 404\./,
    )
})
