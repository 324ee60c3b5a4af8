import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field } from '../testing/acquirer.ts'
import { dataOf, errorOf, serveStripe, type StripeClient } from '../testing/stripe.ts'

const chargeOf = async ({ get }: StripeClient, intent: string): Promise<unknown> =>
  dataOf(await get('/charges', { payment_intent: intent }))[0]

test('a charge is refunded in parts, and its metadata is found again by intent', async (t) => {
  const stripe = await serveStripe(t)
  const { intent } = await stripe.pay()
  const fields = {
    payment_intent: intent,
    amount: 980,
    'metadata[refund]': 'refund-1',
    reason: 'requested_by_customer',
  }
  const refund = await stripe.post('/refunds', fields)
  assert.equal(refund.status, 200)
  assert.deepEqual([field(refund.body, 'status'), field(refund.body, 'amount')], ['succeeded', 980])
  assert.deepEqual(field(refund.body, 'metadata'), { refund: 'refund-1' })
  assert.equal(field(refund.body, 'payment_intent'), intent)
  const inquired = await stripe.get(`/refunds/${String(field(refund.body, 'id'))}`)
  assert.deepEqual(inquired.body, refund.body)
  assert.deepEqual(dataOf(await stripe.get('/refunds', { payment_intent: intent })), [refund.body])
  const partly = await chargeOf(stripe, intent)
  assert.deepEqual([field(partly, 'amount_refunded'), field(partly, 'refunded')], [980, false])

  const rest = await stripe.post('/refunds', { charge: String(field(partly, 'id')) })
  assert.equal(field(rest.body, 'amount'), 1000)
  const wholly = await chargeOf(stripe, intent)
  assert.deepEqual([field(wholly, 'amount_refunded'), field(wholly, 'refunded')], [1980, true])
})

test('a refund never exceeds what is left of the charge', async (t) => {
  const stripe = await serveStripe(t)
  const { intent } = await stripe.pay()
  await stripe.post('/refunds', { payment_intent: intent, amount: 980 })
  const over = await stripe.post('/refunds', { payment_intent: intent, amount: 1001 })
  assert.equal(over.status, 400)
  assert.deepEqual([errorOf(over, 'param'), errorOf(over, 'code')], ['amount', undefined])
  assert.match(
    String(errorOf(over, 'message')),
    /^Refund amount \(¥1,001\) is greater than unrefunded amount on charge/,
  )
  assert.equal((await stripe.post('/refunds', { payment_intent: intent, amount: 1000 })).status, 200)
  for (const fields of [{}, { amount: 1 }]) {
    const answer = await stripe.post('/refunds', { payment_intent: intent, ...fields })
    assert.deepEqual([answer.status, errorOf(answer, 'code')], [400, 'charge_already_refunded'])
  }
  const none = await stripe.post('/refunds', { payment_intent: intent, amount: 0 })
  assert.deepEqual([none.status, errorOf(none, 'param')], [400, 'amount'])
  assert.equal(field((await stripe.control('/orders/order-1')).body, 'refundedYen'), 1980)
})

test('simultaneous refunds of a whole charge refund it once', async (t) => {
  const stripe = await serveStripe(t)
  const { intent } = await stripe.pay()
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      stripe.post('/refunds', { payment_intent: intent, amount: 1980 }, { idempotencyKey: `refund.${index}` }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(field((await stripe.control('/orders/order-1')).body, 'refundedYen'), 1980)
})

test('what was not charged cannot be refunded', async (t) => {
  const stripe = await serveStripe(t)
  const open = await stripe.createIntent()
  const { intent: declined } = await stripe.pay('4100000000750001')
  const { intent: processing } = await stripe.pay('4100000000753005')
  for (const intent of [open, declined, processing]) {
    const answer = await stripe.post('/refunds', { payment_intent: intent })
    assert.equal(answer.status, 400)
    assert.match(String(errorOf(answer, 'message')), /does not have a successful charge to refund/)
  }
  const unknown = await stripe.post('/refunds', { payment_intent: 'pi_unknown' })
  assert.deepEqual([unknown.status, errorOf(unknown, 'code')], [404, 'resource_missing'])
  const neither = await stripe.post('/refunds', { amount: 1 })
  assert.deepEqual([neither.status, errorOf(neither, 'code')], [400, 'parameter_missing'])
})

test('a pending refund succeeds later, and counts from the start', async (t) => {
  const stripe = await serveStripe(t)
  const { intent } = await stripe.pay('4000000000007726')
  const refund = await stripe.post('/refunds', { payment_intent: intent, amount: 980 })
  assert.equal(field(refund.body, 'status'), 'pending')
  assert.equal(field(await chargeOf(stripe, intent), 'amount_refunded'), 980)
  await stripe.control('/clock', { advanceSeconds: 3 })
  const { body } = await stripe.get(`/refunds/${String(field(refund.body, 'id'))}`)
  assert.equal(field(body, 'status'), 'succeeded')
})

test('a refund that fails later gives the money back to the merchant, and can be made again', async (t) => {
  const stripe = await serveStripe(t)
  const { intent } = await stripe.pay('4000000000005126')
  const refund = await stripe.post('/refunds', { payment_intent: intent })
  assert.equal(field(refund.body, 'status'), 'succeeded')
  await stripe.control('/clock', { advanceSeconds: 3 })
  const { body } = await stripe.get(`/refunds/${String(field(refund.body, 'id'))}`)
  assert.deepEqual([field(body, 'status'), field(body, 'failure_reason')], ['failed', 'expired_or_canceled_card'])
  assert.equal(field(await chargeOf(stripe, intent), 'amount_refunded'), 0)
  assert.equal(field((await stripe.control('/orders/order-1')).body, 'refundedYen'), 0)
  assert.equal((await stripe.post('/refunds', { payment_intent: intent })).status, 200)
})

test('a dispute shows on the charge and in the list of disputes, and stops refunds until it is won', async (t) => {
  const stripe = await serveStripe(t)
  const { intent, answer } = await stripe.pay()
  const charge = String(field(answer.body, 'latest_charge'))
  assert.equal(field(await chargeOf(stripe, intent), 'disputed'), false)
  const opened = await stripe.control(`/charges/${charge}/dispute`, {})
  assert.equal(field(opened.body, 'status'), 'needs_response')
  assert.equal(field(await chargeOf(stripe, intent), 'disputed'), true)
  const disputes = () => stripe.get('/disputes', { payment_intent: intent, 'expand[]': 'data.charge' })
  const [dispute] = dataOf(await disputes())
  assert.equal(field(dispute, 'id'), field(opened.body, 'dispute'))
  assert.equal(field(field(dispute, 'charge'), 'id'), charge)
  assert.deepEqual([field(dispute, 'status'), field(dispute, 'amount')], ['needs_response', 1980])
  const refused = await stripe.post('/refunds', { payment_intent: intent })
  assert.deepEqual([refused.status, errorOf(refused, 'code')], [400, 'charge_disputed'])

  const close = (status: string) => stripe.control(`/disputes/${String(field(dispute, 'id'))}/close`, { status })
  assert.equal((await close('settled')).status, 400)
  assert.equal((await close('won')).status, 200)
  assert.equal((await close('lost')).status, 409)
  assert.equal(field(dataOf(await disputes())[0], 'status'), 'won')
  assert.equal((await stripe.post('/refunds', { payment_intent: intent })).status, 200)
})

test('a dispute takes the amount and a fee apart, one that is won gives the amount back, and an inquiry takes nothing', async (t) => {
  const stripe = await serveStripe(t)
  const disputeOf = async (body: object) => {
    const { intent, answer } = await stripe.pay()
    const opened = await stripe.control(`/charges/${String(field(answer.body, 'latest_charge'))}/dispute`, body)
    const id = String(field(opened.body, 'dispute'))
    return {
      close: (status: string) => stripe.control(`/disputes/${id}/close`, { status }),
      read: async () => {
        const [dispute] = dataOf(await stripe.get('/disputes', { payment_intent: intent }))
        const due = field(field(dispute, 'evidence_details'), 'due_by')
        const transactions = field(dispute, 'balance_transactions')
        const moved = (Array.isArray(transactions) ? transactions : []).map((each: unknown) =>
          ['amount', 'currency', 'fee', 'net', 'reporting_category'].map((name) => field(each, name)),
        )
        return { status: field(dispute, 'status'), isDue: typeof due === 'number', moved }
      },
    }
  }
  const balance = async () => JSON.stringify(field((await stripe.get('/balance')).body, 'available'))
  const dispute = await disputeOf({})
  const taken = [-1980, 'jpy', 1500, -3480, 'dispute']
  assert.deepEqual(await dispute.read(), { status: 'needs_response', isDue: true, moved: [taken] })
  assert.match(await balance(), /"amount":0,/)
  await stripe.control('/clock', { advanceSeconds: 60 })
  await dispute.close('won')
  const given = [1980, 'jpy', 0, 1980, 'dispute_reversal']
  assert.deepEqual(await dispute.read(), { status: 'won', isDue: false, moved: [taken, given] })
  assert.match(await balance(), /"amount":1980,/)

  const inquiry = await disputeOf({ inquiry: true })
  assert.deepEqual(await inquiry.read(), { status: 'warning_needs_response', isDue: true, moved: [] })
  assert.equal((await inquiry.close('lost')).status, 409)
  await inquiry.close('won')
  assert.deepEqual(await inquiry.read(), { status: 'warning_closed', isDue: false, moved: [] })
})

test('a lost dispute stays on its charge', async (t) => {
  const stripe = await serveStripe(t)
  const { intent, answer } = await stripe.pay()
  const opened = await stripe.control(`/charges/${String(field(answer.body, 'latest_charge'))}/dispute`, {})
  await stripe.control(`/disputes/${String(field(opened.body, 'dispute'))}/close`, { status: 'lost' })
  assert.equal(errorOf(await stripe.post('/refunds', { payment_intent: intent }), 'code'), 'charge_disputed')
  assert.equal(field(await chargeOf(stripe, intent), 'disputed'), true)
})

test('the control refuses what cannot be', async (t) => {
  const stripe = await serveStripe(t)
  const { answer } = await stripe.pay()
  const charge = String(field(answer.body, 'latest_charge'))
  await stripe.control(`/charges/${charge}/dispute`, {})
  assert.equal((await stripe.control(`/charges/${charge}/dispute`, {})).status, 409)
  assert.equal((await stripe.control('/charges/ch_unknown/dispute', {})).status, 404)
  assert.equal((await stripe.control('/disputes/du_unknown/close', { status: 'won' })).status, 404)
  const { answer: declined } = await stripe.pay('4100000000750001')
  assert.equal((await stripe.control(`/charges/${String(errorOf(declined, 'charge'))}/dispute`, {})).status, 409)
  for (const advanceSeconds of [-1, 1.5, '1', null])
    assert.equal((await stripe.control('/clock', { advanceSeconds })).status, 400)
})

test('the control tells what is booked for an order, without a key', async (t) => {
  const stripe = await serveStripe(t)
  const { intent, answer } = await stripe.pay()
  const refund = await stripe.post('/refunds', { payment_intent: intent, amount: 80, 'metadata[refund]': 'r1' })
  assert.deepEqual((await stripe.control('/orders/order-1')).body, {
    order: 'order-1',
    chargedYen: 1980,
    refundedYen: 80,
    intents: [
      {
        id: intent,
        status: 'succeeded',
        chargedYen: 1980,
        refundedYen: 80,
        charges: [{ id: field(answer.body, 'latest_charge'), status: 'succeeded', amountYen: 1980, disputed: false }],
        refunds: [{ id: field(refund.body, 'id'), status: 'succeeded', amountYen: 80, metadata: { refund: 'r1' } }],
      },
    ],
  })
  assert.deepEqual((await stripe.control('/orders/unknown')).body, {
    order: 'unknown',
    chargedYen: 0,
    refundedYen: 0,
    intents: [],
  })
})
