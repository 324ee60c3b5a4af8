import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../testing/acquirer.ts'
import {
  cardFields,
  errorOf,
  INTENT_FIELDS,
  serveStripe,
  STRIPE_KEY,
  THREE_D_SECURE,
  type StripeResponse,
} from '../testing/stripe.ts'
import { parseForm } from './form.ts'

const isRefused = (answer: StripeResponse, code: string | undefined, param: string | undefined): void => {
  assert.equal(answer.status, 400, JSON.stringify(answer.body))
  assert.equal(errorOf(answer, 'type'), 'invalid_request_error')
  assert.deepEqual([errorOf(answer, 'code'), errorOf(answer, 'param')], [code, param])
}

test('a misspelt field is refused by its name, wherever it stands', async (t) => {
  const { post, get, createIntent, createPaymentMethod } = await serveStripe(t)
  const intent = await createIntent()
  const method = await createPaymentMethod()
  const secure = 'payment_method_options[card][three_d_secure]'
  const misspelt: [answer: StripeResponse, param: string][] = [
    [await post('/payment_intents', { ...INTENT_FIELDS, amuont: 1 }), 'amuont'],
    [await post('/payment_intents', { ...INTENT_FIELDS, 'payment_method_types[]': 'card' }), 'payment_method_types'],
    [await post('/payment_methods', { ...cardFields(), 'card[numbr]': '4242424242424242' }), 'card[numbr]'],
    [
      await post(`/payment_intents/${intent}/confirm`, {
        payment_method: method,
        ...THREE_D_SECURE,
        [`${secure}[eci]`]: '05',
      }),
      `${secure}[eci]`,
    ],
    [await post(`/payment_intents/${intent}/cancel`, { reason: 'abandoned' }), 'reason'],
    [await post('/refunds', { payment_intent: intent, amount_yen: 1 }), 'amount_yen'],
    [await get('/charges', { 'created[after]': 1 }), 'created[after]'],
    [await get('/refunds', { metadata: 'x' }), 'metadata'],
    [await get('/balance', { limit: 1 }), 'limit'],
    [await get(`/payment_intents/${intent}`, { expanded: 'x' }), 'expanded'],
  ]
  for (const [answer, param] of misspelt) {
    isRefused(answer, 'parameter_unknown', param)
    assert.equal(errorOf(answer, 'message'), `Received unknown parameter: ${param}`)
  }
  assert.equal(field((await get(`/payment_intents/${intent}`)).body, 'status'), 'requires_payment_method')
})

test('a missing, wrong or unknown value is refused by the name of its field', async (t) => {
  const { post, get, createIntent, createPaymentMethod } = await serveStripe(t)
  const { amount: _amount, ...withoutAmount } = INTENT_FIELDS
  isRefused(await post('/payment_intents', withoutAmount), 'parameter_missing', 'amount')
  for (const amount of ['x', '1.5', '', '１００'])
    isRefused(await post('/payment_intents', { ...INTENT_FIELDS, amount }), 'parameter_invalid_integer', 'amount')
  isRefused(await post('/payment_intents', { ...INTENT_FIELDS, amount: 0 }), 'parameter_invalid_integer', 'amount')
  isRefused(await post('/payment_intents', { ...INTENT_FIELDS, currency: 'usd' }), undefined, 'currency')
  isRefused(await post('/payment_intents', { ...INTENT_FIELDS, capture_method: 'later' }), undefined, 'capture_method')
  isRefused(await get('/charges', { limit: 'many' }), 'parameter_invalid_integer', 'limit')
  isRefused(await get('/charges', { 'created[gte]': 'x' }), 'parameter_invalid_integer', 'created[gte]')
  const version = 'payment_method_options[card][three_d_secure][version]'
  const fields = { payment_method: await createPaymentMethod(), ...THREE_D_SECURE, [version]: '2.0' }
  isRefused(await post(`/payment_intents/${await createIntent()}/confirm`, fields), undefined, version)
})

test('a field that Stripe knows and this double would ignore is refused', async (t) => {
  const { post } = await serveStripe(t)
  const answer = await post('/payment_intents', { ...INTENT_FIELDS, confirm: 'true' })
  isRefused(answer, undefined, 'confirm')
  assert.match(String(errorOf(answer, 'message')), /does not act upon confirm/)
  isRefused(await post('/payment_intents', { ...INTENT_FIELDS, capture_method: 'manual' }), undefined, 'capture_method')
})

test('a charge is of ¥50 at least and ¥99,999,999 at most', async (t) => {
  const { post } = await serveStripe(t)
  const create = (amount: number) => post('/payment_intents', { ...INTENT_FIELDS, amount })
  isRefused(await create(49), 'amount_too_small', 'amount')
  isRefused(await create(100_000_000), 'amount_too_large', 'amount')
  for (const amount of [50, 99_999_999]) assert.equal(field((await create(amount)).body, 'amount'), amount)
})

test('only what can be expanded is expanded', async (t) => {
  const { get, pay } = await serveStripe(t)
  const { intent } = await pay()
  const paths: [path: string, expand: string][] = [
    [`/payment_intents/${intent}`, 'latest_chargé'],
    [`/payment_intents/${intent}`, 'latest_charge.dispute'],
    [`/payment_intents/${intent}`, 'latest_charge.payment_intent.latest_charge.payment_intent.latest_charge'],
    ['/charges', 'refunds'],
    ['/charges', 'data.refund'],
  ]
  for (const [path, expand] of paths) {
    const answer = await get(path, { 'expand[]': expand })
    assert.equal(answer.status, 400, expand)
    assert.match(String(errorOf(answer, 'message')), /cannot be expanded/)
  }
})

test('a call without a key, or with a text that is none, is refused with 401', async (t) => {
  const { get } = await serveStripe(t)
  for (const key of ['', 'sk_test_', 'pk_test_abcdefgh12345678', 'abcdefgh12345678', 'sk_prod_abcdefgh12345678']) {
    const answer = await get('/balance', {}, { key })
    assert.equal(answer.status, 401, key)
    assert.equal(errorOf(answer, 'type'), 'invalid_request_error')
  }
  const basic = await get('/balance', {}, { headers: { Authorization: 'Basic x' } })
  assert.equal(basic.status, 401)
})

test('a call names the version of the API, and a body is a form', async (t) => {
  const { get, post } = await serveStripe(t)
  for (const version of ['2026-09-30.endive', '']) {
    const answer = await get('/balance', {}, { headers: { 'Stripe-Version': version } })
    isRefused(answer, undefined, undefined)
  }
  const answer = await post('/payment_intents', INTENT_FIELDS, { headers: { 'Content-Type': 'application/json' } })
  isRefused(answer, undefined, undefined)
})

test('a restricted key without a permission is refused with 403 for that resource alone', async (t) => {
  const { get, post } = await serveStripe(t)
  const calls: [permission: string, call: (key: string) => Promise<StripeResponse>][] = [
    ['payment_intents', (key) => post('/payment_intents', INTENT_FIELDS, { key })],
    ['payment_methods', (key) => post('/payment_methods', cardFields(), { key })],
    ['refunds', (key) => get('/refunds', {}, { key })],
    ['charges', (key) => get('/charges', {}, { key })],
    ['disputes', (key) => get('/disputes', {}, { key })],
    ['balance', (key) => get('/balance', {}, { key })],
  ]
  for (const [permission] of calls) {
    for (const [resource, call] of calls) {
      const { status } = await call(`rk_test_no_${permission}_12345678`)
      assert.equal(status, resource === permission ? 403 : 200, `${permission}: ${resource}`)
      assert.equal((await call(`sk_test_no_${permission}_12345678`)).status, 200)
    }
  }
})

test('a key that lacks a permission is told which, a revoked key is unknown, and an account without raw card data sends no number', async (t) => {
  const { get, post } = await serveStripe(t)
  const words = async (call: Promise<StripeResponse>) => {
    const { status, body } = await call
    return [status, String(field(field(body, 'error'), 'message'))] as const
  }
  const [forbidden, permission] = await words(post('/refunds', {}, { key: 'rk_test_no_refunds_12345678' }))
  assert.equal(forbidden, 403)
  assert.match(permission, /Having the 'rak_charge_write' permission would allow/)
  assert.match((await words(get('/balance', {}, { key: 'rk_test_no_balance_12345678' })))[1], /'rak_balance_read'/)
  assert.equal((await words(get('/balance', {}, { key: 'rk_live_revoked_12345678' })))[0], 401)
  const key = 'sk_test_no_raw_card_data_12345678'
  const [refused, why] = await words(post('/payment_methods', cardFields(), { key }))
  assert.equal(refused, 402)
  assert.match(why, /enabling-access-to-raw-card-data-apis/)
  assert.equal((await post('/payment_intents', INTENT_FIELDS, { key })).status, 200)
})

test('the objects of another key, or of the other mode, are not found', async (t) => {
  const stripe = await serveStripe(t)
  const { intent } = await stripe.pay()
  const refund = await stripe.post('/refunds', { payment_intent: intent, amount: 100 })
  const method = await stripe.createPaymentMethod()
  for (const key of [STRIPE_KEY.replace('test', 'live'), `${STRIPE_KEY}0`, STRIPE_KEY.replace('sk', 'rk')]) {
    const own = await stripe.createIntent({}, { key })
    const missing = [
      await stripe.get(`/payment_intents/${intent}`, {}, { key }),
      await stripe.post(`/payment_intents/${intent}/cancel`, {}, { key }),
      await stripe.post(`/payment_intents/${intent}/confirm`, { payment_method: method }, { key }),
      await stripe.get(`/refunds/${String(field(refund.body, 'id'))}`, {}, { key }),
      await stripe.post('/refunds', { payment_intent: intent }, { key }),
      await stripe.get('/charges', { payment_intent: intent }, { key }),
    ]
    for (const answer of missing) assert.deepEqual([answer.status, errorOf(answer, 'code')], [404, 'resource_missing'])
    const foreign = await stripe.confirm(own, method, { key })
    assert.deepEqual([foreign.status, errorOf(foreign, 'code')], [400, 'resource_missing'])
    assert.deepEqual(field((await stripe.get('/charges', {}, { key })).body, 'data'), [])
    assert.equal(
      field((await stripe.get(`/payment_intents/${own}`, {}, { key })).body, 'livemode'),
      key.includes('live'),
    )
  }
})

test('a number outside the table is a real card in test mode, and no message quotes a number', async (t) => {
  const { post } = await serveStripe(t)
  const faults: [change: Record<string, string | number>, code: string, declineCode?: string][] = [
    [{ 'card[number]': '4539578763621486' }, 'card_declined', 'test_mode_live_card'],
    [{ 'card[number]': '4242424242424241' }, 'incorrect_number'],
    [{ 'card[exp_month]': 13 }, 'invalid_expiry_month'],
    [{ 'card[exp_year]': 2020 }, 'invalid_expiry_year'],
    [{ 'card[cvc]': '12' }, 'invalid_cvc'],
  ]
  for (const [change, code, declineCode] of faults) {
    const answer = await post('/payment_methods', { ...cardFields(), ...change })
    assert.equal(answer.status, 402, code)
    assert.equal(errorOf(answer, 'type'), 'card_error')
    assert.deepEqual([errorOf(answer, 'code'), errorOf(answer, 'decline_code')], [code, declineCode])
    assert.doesNotMatch(JSON.stringify(answer.body), /\d{12,}/)
  }
  const misplaced = await post('/payment_methods', { ...cardFields(), 'card[4242424242424242]': '1' })
  isRefused(misplaced, 'parameter_unknown', 'card[…]')
})

test('a payment method shows brand, last four digits and the same fingerprint for the same number', async (t) => {
  const { post } = await serveStripe(t)
  const cards: [number: string, brand: string][] = [
    ['4242424242424242', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['3528000000000106', 'jcb'],
    ['340000000000108', 'amex'],
    ['36000000000008', 'diners'],
    ['6440000000000104', 'discover'],
  ]
  const prints = new Set<unknown>()
  for (const [number, brand] of cards) {
    const [first, second] = [
      await post('/payment_methods', cardFields(number)),
      await post('/payment_methods', cardFields(number)),
    ]
    const card = field(first.body, 'card')
    assert.deepEqual([field(card, 'brand'), field(card, 'last4')], [brand, number.slice(-4)])
    assert.equal(field(card, 'fingerprint'), field(field(second.body, 'card'), 'fingerprint'))
    assert.doesNotMatch(JSON.stringify(first.body), new RegExp(number))
    prints.add(field(card, 'fingerprint'))
  }
  assert.equal(prints.size, cards.length)
})

test('a form with brackets is read as texts, lists and objects, and a contradiction is refused', () => {
  assert.deepEqual(parseForm('amount=1&card[number]=4&a[b][c]=d&expand[]=x&expand[]=y&list[0]=p&list[1]=q'), {
    kind: 'form',
    values: { amount: '1', card: { number: '4' }, a: { b: { c: 'd' } }, expand: ['x', 'y'], list: ['p', 'q'] },
  })
  const refused = [
    'a=1&a=2',
    'a=1&a[b]=2',
    'a[b]=1&a=2',
    'a[]=1&a[b]=2',
    'a[][b]=1',
    'a[b=1',
    '[a]=1',
    '=1',
    'a[b][c][d][e][f][g]=1',
  ]
  for (const text of refused) assert.equal(parseForm(text).kind, 'malformed', text)
  assert.equal(parseForm(Array.from({ length: 501 }, (_, index) => `a${index}=1`).join('&')).kind, 'malformed')
  assert.deepEqual(Object.getPrototypeOf(parseForm('__proto__[x]=1')), Object.prototype)
})
