import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { field, makeTemporaryFolder, startSandboxProcess } from '../testing/acquirer.ts'
import {
  cardFields,
  createStripeClient,
  INTENT_FIELDS,
  STRIPE_CARD,
  STRIPE_CVC,
  STRIPE_KEY,
  type StripeClient,
} from '../testing/stripe.ts'

/** Of everything that an inquiry can show. */
const stateOf = async ({ get, control }: StripeClient, intents: readonly string[]): Promise<unknown[]> => [
  ...(await Promise.all(intents.map(async (intent) => (await get(`/payment_intents/${intent}`)).body))),
  (await get('/charges', { 'expand[]': 'data.refunds' })).body,
  (await get('/refunds')).body,
  (await get('/disputes')).body,
  (await control('/orders/order-1')).body,
]

describe('durability of what the double of Stripe has booked', { concurrency: true }, () => {
  test('intents, charges, refunds, disputes, idempotency keys and the clock survive SIGKILL', async (t) => {
    const folder = makeTemporaryFolder(t)
    const first = await startSandboxProcess(t, folder)
    const stripe = createStripeClient(first.client.port)
    const opened = await stripe.post('/payment_intents', INTENT_FIELDS, { idempotencyKey: 'order-1.open' })
    const { intent: charged, answer } = await stripe.pay()
    const { intent: declined } = await stripe.pay('4100000000750001')
    const canceled = await stripe.createIntent()
    await stripe.post(`/payment_intents/${canceled}/cancel`)
    await stripe.post('/refunds', { payment_intent: charged, amount: 80, 'metadata[refund]': 'r1' })
    await stripe.control(`/charges/${String(field(answer.body, 'latest_charge'))}/dispute`, {})
    const method = await stripe.createPaymentMethod()
    await stripe.control('/clock', { advanceSeconds: 3600 })
    const intents = [String(field(opened.body, 'id')), charged, declined, canceled]
    const before = await stateOf(stripe, intents)
    first.child.kill('SIGKILL')
    await first.exited

    const second = createStripeClient((await startSandboxProcess(t, folder)).client.port)
    assert.deepEqual(await stateOf(second, intents), before)
    const replayed = await second.post('/payment_intents', INTENT_FIELDS, { idempotencyKey: 'order-1.open' })
    assert.deepEqual(replayed.body, opened.body)
    const paid = await second.confirm(String(field(opened.body, 'id')), method)
    assert.equal(field(paid.body, 'status'), 'succeeded')
    const { created } = { created: Number(field(opened.body, 'created')) }
    const later = await second.post('/payment_intents', INTENT_FIELDS)
    assert.ok(Number(field(later.body, 'created')) >= created + 3600)
  })

  test('a late charge and a queued confirm end as they would have without the kill', async (t) => {
    const folder = makeTemporaryFolder(t)
    const first = await startSandboxProcess(t, folder, 0, { 'time-scale': '1' })
    const stripe = createStripeClient(first.client.port)
    const { intent: late, answer } = await stripe.pay('4100000000753005', { 'metadata[order]': 'late' })
    assert.equal(field(answer.body, 'status'), 'processing')
    const queued = await stripe.createIntent({ 'metadata[order]': 'queued' })
    await assert.rejects(stripe.confirm(queued, await stripe.createPaymentMethod('4100000000758004')))
    first.child.kill('SIGKILL')
    await first.exited

    const second = createStripeClient((await startSandboxProcess(t, folder)).client.port)
    await second.control('/clock', { advanceSeconds: 30 })
    for (const intent of [late, queued])
      assert.equal(field((await second.get(`/payment_intents/${intent}`)).body, 'status'), 'succeeded')
    assert.equal(field((await second.control('/orders/queued')).body, 'chargedYen'), 1980)
  })

  test('card number, security code and API key are in no file and in no output', async (t) => {
    const folder = makeTemporaryFolder(t)
    const { child, client, exited, output } = await startSandboxProcess(t, folder)
    const stripe = createStripeClient(client.port)
    await stripe.pay()
    await stripe.pay('4100000000750001')
    const unknown = '4539578763621486'
    await stripe.post('/payment_methods', cardFields(unknown), { idempotencyKey: 'card' })
    await stripe.post('/payment_methods', { ...cardFields(), 'card[numbr]': STRIPE_CARD })
    const queued = await stripe.createIntent()
    await assert.rejects(stripe.confirm(queued, await stripe.createPaymentMethod('4100000000758004')))

    const numbers = [STRIPE_CARD, '4100000000750001', unknown, '4100000000758004']
    const secrets = [...numbers, `"${STRIPE_CVC}"`, STRIPE_KEY]
    const check = (): void => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.startsWith('stripe'),
      )
      const contents = files.map((name) => readFileSync(join(folder, name)))
      for (const secret of secrets) assert.ok(!contents.some((content) => content.includes(secret)), secret)
      assert.ok(
        contents.some((content) => content.includes('"last4":"0100"')),
        'the search reads what is stored',
      )
    }
    check()
    child.kill('SIGTERM')
    await exited
    check()
    assert.equal(output(), '')
    assert.equal(statSync(join(folder, 'stripe.key')).mode & 0o777, 0o600)
  })
})
