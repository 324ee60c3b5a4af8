import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { field, pollUntil } from '../testing/acquirer.ts'
import { dataOf, errorOf, serveStripe, THREE_D_SECURE, type StripeClient } from '../testing/stripe.ts'
import { fixtureOf } from './vendor.ts'

const bookedYen = async ({ control }: StripeClient, order = 'order-1'): Promise<unknown> =>
  field((await control(`/orders/${order}`)).body, 'chargedYen')

test('a card is charged once, and an inquiry shows the same intent and its charge', async (t) => {
  const stripe = await serveStripe(t)
  const { intent, answer } = await stripe.pay()
  assert.equal(answer.status, 200)
  assert.equal(field(answer.body, 'status'), 'succeeded')
  assert.equal(field(answer.body, 'amount_received'), 1980)
  assert.match(String(field(answer.body, 'latest_charge')), /^ch_/)
  const plain = await stripe.get(`/payment_intents/${intent}`)
  assert.deepEqual(plain.body, answer.body)

  const expanded = await stripe.get(`/payment_intents/${intent}`, { 'expand[]': 'latest_charge' })
  const charge = field(expanded.body, 'latest_charge')
  assert.equal(field(charge, 'id'), field(answer.body, 'latest_charge'))
  assert.equal(field(charge, 'status'), 'succeeded')
  assert.equal(field(charge, 'paid'), true)
  assert.equal(field(charge, 'amount_captured'), 1980)
  assert.equal(field(charge, 'transfer_group'), 'order-1')
  assert.deepEqual(field(charge, 'metadata'), { order: 'order-1' })
  assert.equal(field(charge, 'payment_intent'), intent)
  const card = field(field(charge, 'payment_method_details'), 'card')
  assert.deepEqual([field(card, 'brand'), field(card, 'last4')], ['visa', '0100'])
  assert.equal(field(field(card, 'three_d_secure'), 'electronic_commerce_indicator'), '05')
  assert.equal(dataOf(await stripe.get('/charges', { transfer_group: 'order-1' })).length, 1)
  assert.equal(await bookedYen(stripe), 1980)
})

test('every object has the fields of Stripe’s own sample', async (t) => {
  const { pay, get, post, createPaymentMethod } = await serveStripe(t)
  const { intent } = await pay()
  const refund = await post('/refunds', { payment_intent: intent, amount: 100 })
  const method = await createPaymentMethod()
  assert.match(method, /^pm_/)
  const { body } = await get(`/payment_intents/${intent}`, {
    'expand[0]': 'latest_charge.refunds',
    'expand[1]': 'payment_method',
  })
  const objects = {
    payment_intent: body,
    charge: field(body, 'latest_charge'),
    payment_method: field(body, 'payment_method'),
    refund: refund.body,
    balance: (await get('/balance')).body,
  }
  for (const [kind, object] of Object.entries(objects)) {
    assert.equal(field(object, 'object'), kind)
    const names = Object.keys(fixtureOf(asKind(kind)))
    assert.deepEqual(
      names.filter((name) => field(object, name) === undefined),
      [],
      kind,
    )
  }
  const sampleCard = field(field(fixtureOf('charge'), 'payment_method_details'), 'card')
  const card = field(field(objects.charge, 'payment_method_details'), 'card')
  assert.deepEqual(namesOf(card), namesOf(sampleCard))
  assert.deepEqual(namesOf(field(objects.payment_method, 'card')), namesOf(field(fixtureOf('payment_method'), 'card')))
})

const namesOf = (value: unknown): string[] => Object.keys(value instanceof Object ? value : {}).toSorted()

const asKind = (kind: string): Parameters<typeof fixtureOf>[0] => {
  const known = (['payment_intent', 'charge', 'refund', 'payment_method', 'balance'] as const).find(
    (each) => each === kind,
  )
  if (known === undefined) throw new Error(kind)
  return known
}

test('the balance is what was charged and not refunded', async (t) => {
  const { pay, post, get } = await serveStripe(t)
  const { intent } = await pay()
  await post('/refunds', { payment_intent: intent, amount: 80 })
  const [available] = [field((await get('/balance')).body, 'available')].flat()
  assert.deepEqual(available, { amount: 1900, currency: 'jpy', source_types: { card: 1900 } })
})

const DECLINED: [number: string, code: string, declineCode: string][] = [
  ['4100000000750001', 'card_declined', 'generic_decline'],
  ['4100000000751009', 'expired_card', 'expired_card'],
  ['4100000000752007', 'card_declined', 'card_not_supported'],
  ['4000000000000002', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
  ['4000000000009987', 'card_declined', 'lost_card'],
  ['4000000000009979', 'card_declined', 'stolen_card'],
  ['4000000000000069', 'expired_card', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error', 'processing_error'],
]

test('a declined card is answered 402 with its codes, and a failed charge stays on the intent', async (t) => {
  const stripe = await serveStripe(t)
  for (const [number, code, declineCode] of DECLINED) {
    const { intent, answer } = await stripe.pay(number)
    assert.equal(answer.status, 402, number)
    assert.equal(errorOf(answer, 'type'), 'card_error')
    assert.deepEqual([errorOf(answer, 'code'), errorOf(answer, 'decline_code')], [code, declineCode], number)
    const embedded = errorOf(answer, 'payment_intent')
    assert.equal(field(embedded, 'status'), 'requires_payment_method')
    assert.equal(field(embedded, 'payment_method'), null)
    assert.equal(field(field(embedded, 'last_payment_error'), 'code'), code)
    assert.equal(errorOf(answer, 'charge'), field(embedded, 'latest_charge'))
    const { body } = await stripe.get(`/payment_intents/${intent}`, { 'expand[]': 'latest_charge' })
    const charge = field(body, 'latest_charge')
    assert.deepEqual([field(charge, 'status'), field(charge, 'paid')], ['failed', false])
    assert.equal(field(charge, 'failure_code'), code)
  }
  assert.equal(await bookedYen(stripe), 0)
})

test('after a decline the same intent is charged with another card', async (t) => {
  const stripe = await serveStripe(t)
  const { intent } = await stripe.pay('4100000000750001')
  const answer = await stripe.confirm(intent, await stripe.createPaymentMethod())
  assert.equal(field(answer.body, 'status'), 'succeeded')
  assert.equal(field(answer.body, 'last_payment_error'), null)
  assert.equal(await bookedYen(stripe), 1980)
})

test('a payment method that was used is not used again', async (t) => {
  const stripe = await serveStripe(t)
  const method = await stripe.createPaymentMethod()
  await stripe.confirm(await stripe.createIntent(), method)
  const again = await stripe.confirm(await stripe.createIntent(), method)
  assert.equal(again.status, 400)
  assert.equal(errorOf(again, 'param'), 'payment_method')
  assert.equal(await bookedYen(stripe), 1980)
})

test('an intent that was charged is not charged again, and the error carries it', async (t) => {
  const stripe = await serveStripe(t)
  const { intent } = await stripe.pay()
  const again = await stripe.confirm(intent, await stripe.createPaymentMethod())
  assert.equal(again.status, 400)
  assert.equal(errorOf(again, 'code'), 'payment_intent_unexpected_state')
  assert.equal(field(errorOf(again, 'payment_intent'), 'status'), 'succeeded')
  assert.equal(await bookedYen(stripe), 1980)
})

test('twenty simultaneous confirms of one intent charge it once', async (t) => {
  const stripe = await serveStripe(t)
  const intent = await stripe.createIntent()
  const methods = await Promise.all(Array.from({ length: 20 }, () => stripe.createPaymentMethod()))
  const answers = await Promise.all(methods.map((method) => stripe.confirm(intent, method)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(await bookedYen(stripe), 1980)
})

test('a canceled intent is never charged, and is canceled once', async (t) => {
  const stripe = await serveStripe(t)
  const intent = await stripe.createIntent()
  const canceled = await stripe.post(`/payment_intents/${intent}/cancel`, { cancellation_reason: 'abandoned' })
  assert.equal(canceled.status, 200)
  assert.equal(field(canceled.body, 'status'), 'canceled')
  assert.equal(field(canceled.body, 'cancellation_reason'), 'abandoned')
  assert.equal(typeof field(canceled.body, 'canceled_at'), 'number')
  for (const answer of [
    await stripe.confirm(intent, await stripe.createPaymentMethod()),
    await stripe.post(`/payment_intents/${intent}/cancel`),
  ]) {
    assert.equal(answer.status, 400)
    assert.equal(errorOf(answer, 'code'), 'payment_intent_unexpected_state')
    assert.equal(field(errorOf(answer, 'payment_intent'), 'status'), 'canceled')
  }
  assert.equal(await bookedYen(stripe), 0)
})

test('an intent that was charged is not canceled', async (t) => {
  const stripe = await serveStripe(t)
  const { intent } = await stripe.pay()
  const answer = await stripe.post(`/payment_intents/${intent}/cancel`)
  assert.equal(answer.status, 400)
  assert.equal(errorOf(answer, 'code'), 'payment_intent_unexpected_state')
  assert.equal(field(errorOf(answer, 'payment_intent'), 'status'), 'succeeded')
})

test('a confirm without 3-D Secure data is refused where the card demands it', async (t) => {
  const stripe = await serveStripe(t)
  const intent = await stripe.createIntent()
  const method = await stripe.createPaymentMethod()
  const path = `/payment_intents/${intent}/confirm`
  const answer = await stripe.post(path, { payment_method: method, error_on_requires_action: 'true' })
  assert.equal(answer.status, 402)
  assert.equal(errorOf(answer, 'code'), 'authentication_required')
  assert.equal(field(errorOf(answer, 'payment_intent'), 'status'), 'requires_payment_method')
  assert.equal(field(errorOf(answer, 'payment_intent'), 'latest_charge'), null)

  const waiting = await stripe.post(path, { payment_method: await stripe.createPaymentMethod() })
  assert.equal(waiting.status, 200)
  assert.equal(field(waiting.body, 'status'), 'requires_action')
  const paid = await stripe.post(path, THREE_D_SECURE)
  assert.equal(field(paid.body, 'status'), 'succeeded')

  const other = await stripe.createIntent()
  const notEnrolled = await stripe.createPaymentMethod('5105105105105100')
  const charged = await stripe.post(`/payment_intents/${other}/confirm`, { payment_method: notEnrolled })
  assert.equal(field(charged.body, 'status'), 'succeeded')
})

test('3-D Secure data needs version, cryptogram and transaction id', async (t) => {
  const stripe = await serveStripe(t)
  const intent = await stripe.createIntent()
  const method = await stripe.createPaymentMethod()
  for (const name of ['version', 'cryptogram', 'transaction_id']) {
    const param = `payment_method_options[card][three_d_secure][${name}]`
    const fields = Object.fromEntries(Object.entries(THREE_D_SECURE).filter(([each]) => each !== param))
    const answer = await stripe.post(`/payment_intents/${intent}/confirm`, { payment_method: method, ...fields })
    assert.equal(answer.status, 400, name)
    assert.deepEqual([errorOf(answer, 'code'), errorOf(answer, 'param')], ['parameter_missing', param])
  }
})

test('a card that asks for a challenge in spite of the data is declined, and no charge is made', async (t) => {
  const stripe = await serveStripe(t)
  const { answer } = await stripe.pay('4000002760003184')
  assert.equal(answer.status, 402)
  assert.equal(errorOf(answer, 'code'), 'authentication_required')
  assert.equal(await bookedYen(stripe), 0)
})

test('a confirm without a payment method, or with one that is not there, charges nothing', async (t) => {
  const stripe = await serveStripe(t)
  const intent = await stripe.createIntent()
  const without = await stripe.post(`/payment_intents/${intent}/confirm`, THREE_D_SECURE)
  assert.deepEqual([without.status, errorOf(without, 'code')], [400, 'payment_intent_unexpected_state'])
  const unknown = await stripe.confirm(intent, 'pm_unknown')
  assert.deepEqual([unknown.status, errorOf(unknown, 'code')], [400, 'resource_missing'])
  assert.equal(errorOf(unknown, 'param'), 'payment_method')
})

describe('a charge in doubt', { concurrency: true }, () => {
  test('a late charge is processing, cannot be canceled or confirmed, and then succeeds', async (t) => {
    const stripe = await serveStripe(t)
    const { intent, answer } = await stripe.pay('4100000000753005')
    assert.equal(answer.status, 200)
    assert.equal(field(answer.body, 'status'), 'processing')
    assert.equal(field(answer.body, 'amount_received'), 0)
    const [charge] = dataOf(await stripe.get('/charges', { payment_intent: intent }))
    assert.deepEqual([field(charge, 'status'), field(charge, 'paid')], ['pending', false])
    for (const refused of [
      await stripe.post(`/payment_intents/${intent}/cancel`),
      await stripe.confirm(intent, await stripe.createPaymentMethod()),
    ])
      assert.deepEqual([refused.status, errorOf(refused, 'code')], [400, 'payment_intent_unexpected_state'])
    await stripe.control('/clock', { advanceSeconds: 3 })
    const after = await stripe.get(`/payment_intents/${intent}`, { 'expand[]': 'latest_charge' })
    assert.equal(field(after.body, 'status'), 'succeeded')
    assert.equal(field(field(after.body, 'latest_charge'), 'status'), 'succeeded')
    assert.equal(await bookedYen(stripe), 1980)
  })

  test('a charge that times out is booked, and an inquiry finds it', async (t) => {
    const stripe = await serveStripe(t)
    const intent = await stripe.createIntent()
    const method = await stripe.createPaymentMethod('4100000000754003')
    const giveUp = new AbortController()
    const held = stripe.confirm(intent, method, { signal: giveUp.signal })
    held.catch(() => undefined)
    await pollUntil(
      () => stripe.get(`/payment_intents/${intent}`),
      ({ body }) => field(body, 'status') === 'succeeded',
    )
    giveUp.abort()
    await assert.rejects(held, { name: 'AbortError' })
    assert.equal(await bookedYen(stripe), 1980)
  })

  test('a charge that times out drops the connection without an answer after its longest wait', async (t) => {
    const stripe = await serveStripe(t, undefined, 0.001)
    await assert.rejects(stripe.pay('4100000000754003'), { message: 'fetch failed' })
    assert.equal(await bookedYen(stripe), 1980)
  })

  test('a dropped connection and an error 500 book nothing, and the intent can be canceled', async (t) => {
    const stripe = await serveStripe(t)
    await assert.rejects(stripe.pay('4100000000755000'), { message: 'fetch failed' })
    const { intent, answer } = await stripe.pay('4100000000757006')
    assert.equal(answer.status, 500)
    assert.equal(errorOf(answer, 'type'), 'api_error')
    assert.equal(await bookedYen(stripe), 0)
    assert.equal(field((await stripe.post(`/payment_intents/${intent}/cancel`)).body, 'status'), 'canceled')
  })

  test('an error 500 can come after the charge was booked', async (t) => {
    const stripe = await serveStripe(t)
    const { intent, answer } = await stripe.pay('4100000000756008')
    assert.equal(answer.status, 500)
    assert.equal(field((await stripe.get(`/payment_intents/${intent}`)).body, 'status'), 'succeeded')
    assert.equal(await bookedYen(stripe), 1980)
  })

  test('a confirm that arrives late charges the intent, unless it was canceled meanwhile', async (t) => {
    const stripe = await serveStripe(t)
    const queue = async (order: string): Promise<string> => {
      const intent = await stripe.createIntent({ 'metadata[order]': order })
      const method = await stripe.createPaymentMethod('4100000000758004')
      await assert.rejects(stripe.confirm(intent, method, { idempotencyKey: `${order}.confirm` }))
      return intent
    }
    const [late, canceled] = [await queue('late'), await queue('canceled')]
    assert.equal(field((await stripe.get(`/payment_intents/${late}`)).body, 'status'), 'requires_payment_method')
    assert.equal((await stripe.post(`/payment_intents/${canceled}/cancel`)).status, 200)
    await stripe.control('/clock', { advanceSeconds: 1 })
    assert.equal(field((await stripe.get(`/payment_intents/${late}`)).body, 'status'), 'succeeded')
    assert.equal(field((await stripe.get(`/payment_intents/${canceled}`)).body, 'status'), 'canceled')
    assert.deepEqual([await bookedYen(stripe, 'late'), await bookedYen(stripe, 'canceled')], [1980, 0])
  })

  test('a confirm that was sent twice and arrives late twice charges once', async (t) => {
    const stripe = await serveStripe(t)
    const intent = await stripe.createIntent()
    const method = await stripe.createPaymentMethod('4100000000758004')
    for (const idempotencyKey of ['order-1.confirm', 'order-1.confirm', 'another'])
      await assert.rejects(stripe.confirm(intent, method, { idempotencyKey }))
    await stripe.control('/clock', { advanceSeconds: 1 })
    assert.equal(await bookedYen(stripe), 1980)
    const replayed = await stripe.confirm(intent, method, { idempotencyKey: 'order-1.confirm' })
    assert.equal(field(replayed.body, 'status'), 'succeeded')
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  })
})
