import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../testing/acquirer.ts'
import { dataOf, errorOf, serveStripe } from '../testing/stripe.ts'

test('a card is charged once, and an inquiry shows the same intent and its charge', async (t) => {
  const { pay, get } = await serveStripe(t)
  const { intent, answer } = await pay()
  assert.equal(answer.status, 200)
  assert.equal(field(answer.body, 'status'), 'succeeded')
  assert.equal(field(answer.body, 'amount_received'), 1980)
  const expanded = await get(`/payment_intents/${intent}`, { 'expand[]': 'latest_charge' })
  const charge = field(expanded.body, 'latest_charge')
  assert.equal(field(answer.body, 'latest_charge'), field(charge, 'id'))
  assert.equal(field(charge, 'status'), 'succeeded')
  assert.equal(field(charge, 'transfer_group'), 'order-1')
  assert.deepEqual(field(charge, 'metadata'), { order: 'order-1' })
  assert.equal(dataOf(await get('/charges', { transfer_group: 'order-1' })).length, 1)
})

test('a declined card is answered 402 and leaves the intent open for another card', async (t) => {
  const { pay } = await serveStripe(t)
  const { answer } = await pay('4100000000750001')
  assert.equal(answer.status, 402)
  assert.equal(errorOf(answer, 'code'), 'card_declined')
})
