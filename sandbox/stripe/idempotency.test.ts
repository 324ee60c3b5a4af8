import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field, pollUntil } from '../testing/acquirer.ts'
import { cardFields, errorOf, INTENT_FIELDS, serveStripe, STRIPE_KEY } from '../testing/stripe.ts'

const KEY = { idempotencyKey: 'order-1.open' }
const DAY_SECONDS = 24 * 60 * 60

test('the same request under the same key gets the first answer again, and nothing is executed', async (t) => {
  const { post, control } = await serveStripe(t)
  const first = await post('/payment_intents', INTENT_FIELDS, KEY)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  const again = await post('/payment_intents', INTENT_FIELDS, KEY)
  assert.equal(again.status, 200)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const reordered = Object.fromEntries(Object.entries(INTENT_FIELDS).toReversed())
  assert.deepEqual((await post('/payment_intents', reordered, KEY)).body, first.body)
  const intents = field((await control('/orders/order-1')).body, 'intents')
  assert.equal([intents].flat().length, 1)
})

test('a replayed answer is the first one, although the intent has moved on', async (t) => {
  const stripe = await serveStripe(t)
  const first = await stripe.post('/payment_intents', INTENT_FIELDS, KEY)
  await stripe.post(`/payment_intents/${String(field(first.body, 'id'))}/cancel`)
  const again = await stripe.post('/payment_intents', INTENT_FIELDS, KEY)
  assert.equal(field(again.body, 'status'), 'requires_payment_method')
})

test('another request under the same key is refused: other parameters, another card number, another call', async (t) => {
  const stripe = await serveStripe(t)
  const first = await stripe.post('/payment_intents', INTENT_FIELDS, KEY)
  const intent = String(field(first.body, 'id'))
  const card = { idempotencyKey: 'card' }
  await stripe.post('/payment_methods', cardFields(), card)
  for (const answer of [
    await stripe.post('/payment_intents', { ...INTENT_FIELDS, amount: 1981 }, KEY),
    await stripe.post('/payment_methods', cardFields('4242424242424242'), card),
    await stripe.post(`/payment_intents/${intent}/cancel`, {}, KEY),
  ]) {
    assert.equal(answer.status, 400)
    assert.equal(errorOf(answer, 'type'), 'idempotency_error')
    assert.doesNotMatch(JSON.stringify(answer.body), /order-1\.open/)
  }
  assert.equal(field((await stripe.get(`/payment_intents/${intent}`)).body, 'status'), 'requires_payment_method')
})

test('a decline and an error 500 are replayed, and so is a wrong state', async (t) => {
  const stripe = await serveStripe(t)
  for (const [number, status] of [
    ['4100000000750001', 402],
    ['4100000000757006', 500],
    ['4100000000756008', 500],
  ] as const) {
    const extra = { idempotencyKey: `${number.slice(-4)}.confirm` }
    const [intent, method] = [await stripe.createIntent(), await stripe.createPaymentMethod(number)]
    const first = await stripe.confirm(intent, method, extra)
    assert.equal(first.status, status)
    const again = await stripe.confirm(intent, method, extra)
    assert.equal(again.status, status)
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
  }
  const { intent } = await stripe.pay()
  const cancel = () => stripe.post(`/payment_intents/${intent}/cancel`, {}, { idempotencyKey: 'cancel' })
  assert.equal((await cancel()).status, 400)
  assert.equal((await cancel()).headers.get('idempotent-replayed'), 'true')
})

test('a request that was never executed leaves its key free', async (t) => {
  const stripe = await serveStripe(t)
  const refused = [
    await stripe.post('/payment_intents', { ...INTENT_FIELDS, amuont: 1 }, KEY),
    await stripe.post('/payment_intents', { ...INTENT_FIELDS, amount: 49 }, KEY),
    await stripe.post('/payment_intents', INTENT_FIELDS, { ...KEY, key: 'rk_test_no_payment_intents_1' }),
    await stripe.post('/payment_intents/pi_unknown/cancel', {}, KEY),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [400, 400, 403, 404],
  )
  assert.equal((await stripe.post('/payment_intents', INTENT_FIELDS, KEY)).status, 200)
  const [intent, method] = [await stripe.createIntent(), await stripe.createPaymentMethod('4100000000755000')]
  await assert.rejects(stripe.confirm(intent, method, { idempotencyKey: 'confirm' }))
  const other = await stripe.confirm(intent, await stripe.createPaymentMethod(), { idempotencyKey: 'confirm' })
  assert.equal(field(other.body, 'status'), 'succeeded')
})

test('while the first request is being executed its key is in use, afterwards it gives the stored answer', async (t) => {
  const stripe = await serveStripe(t)
  const intent = await stripe.createIntent()
  const method = await stripe.createPaymentMethod('4100000000754003')
  const key = { idempotencyKey: 'order-1.confirm' }
  const giveUp = new AbortController()
  const held = stripe.confirm(intent, method, { ...key, signal: giveUp.signal })
  held.catch(() => undefined)
  await pollUntil(
    () => stripe.get(`/payment_intents/${intent}`),
    ({ body }) => field(body, 'status') === 'succeeded',
  )
  const conflict = await stripe.confirm(intent, method, key)
  assert.deepEqual([conflict.status, errorOf(conflict, 'code')], [409, 'idempotency_key_in_use'])
  giveUp.abort()
  await assert.rejects(held, { name: 'AbortError' })
  const replayed = await pollUntil(
    () => stripe.confirm(intent, method, key),
    ({ status }) => status !== 409,
  )
  assert.equal(field(replayed.body, 'status'), 'succeeded')
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  assert.equal(field((await stripe.control('/orders/order-1')).body, 'chargedYen'), 1980)
})

test('a key lapses after 24 hours: the same request is then a new one', async (t) => {
  const { post, control } = await serveStripe(t)
  const first = await post('/payment_intents', INTENT_FIELDS, KEY)
  await control('/clock', { advanceSeconds: DAY_SECONDS - 1 })
  assert.deepEqual((await post('/payment_intents', INTENT_FIELDS, KEY)).body, first.body)
  await control('/clock', { advanceSeconds: 1 })
  const later = await post('/payment_intents', INTENT_FIELDS, KEY)
  assert.notEqual(field(later.body, 'id'), field(first.body, 'id'))
  assert.equal(Number(field(later.body, 'created')) - Number(field(first.body, 'created')), DAY_SECONDS)
  assert.deepEqual((await post('/payment_intents', INTENT_FIELDS, KEY)).body, later.body)
})

test('a key belongs to its account, and has 1 to 255 characters', async (t) => {
  const { post } = await serveStripe(t)
  const first = await post('/payment_intents', INTENT_FIELDS, KEY)
  const other = await post('/payment_intents', INTENT_FIELDS, { ...KEY, key: STRIPE_KEY.replace('test', 'live') })
  assert.equal(other.status, 200)
  assert.notEqual(field(other.body, 'id'), field(first.body, 'id'))
  const send = (idempotencyKey: string) => post('/payment_intents', INTENT_FIELDS, { idempotencyKey })
  assert.equal((await send('a'.repeat(255))).status, 200)
  assert.equal((await send('a'.repeat(256))).status, 400)
  assert.equal((await send('')).status, 400)
})
