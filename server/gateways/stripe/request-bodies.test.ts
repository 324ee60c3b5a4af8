import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import Stripe from 'stripe'
import { Compile } from 'typebox/schema'
import type { Gateway } from '#payment/ports.ts'
import { createStripeGateway } from './gateway.ts'
import {
  AMOUNT_YEN,
  INTENT,
  ORDER,
  PAYMENT_METHOD,
  chargeOrder,
  intentAnswer,
  listOf,
  paidIntent,
  paymentMethodAnswer,
  refundAnswer,
  refundOrder,
  sentOrder,
} from './testing/answers.ts'
import { startScriptedStripe, type ReceivedRequest, type ScriptedAnswer } from './testing/scripted-stripe.ts'
import schema from './vendor/request-bodies.schema.json' with { type: 'json' }
import { STRIPE_VERSION } from './wire.ts'

/**
 * Stripe's own library, pointed at the same scripted server, is asked for the same calls. Its parameters are written by hand in
 * this file, so that the compiler proves their names, and its bytes prove ours.
 */
const ANSWERS: readonly (readonly [call: RegExp, body: object])[] = [
  [/^POST .*\/payment_methods$/, paymentMethodAnswer],
  [/^POST .*\/confirm$/, paidIntent()],
  [/^POST .*\/cancel$/, intentAnswer({ status: 'canceled' })],
  [/^POST .*\/payment_intents$/, intentAnswer()],
  [/^GET .*\/payment_intents\//, paidIntent()],
  [/^POST .*\/refunds$/, refundAnswer()],
  [/^GET /, listOf([])],
]

const answerTo = ({ method, path }: ReceivedRequest): ScriptedAnswer => {
  const [, body] = ANSWERS.find(([call]) => call.test(`${method} ${path}`)) ?? assert.fail(path)
  return { status: 200, body }
}

/** What counts of a request: its form fields in order, the version, and the key where one is set on purpose. */
const shown = ({ method, path, query, body, headers }: ReceivedRequest, withKey: boolean) => ({
  call: `${method} ${path}`,
  query: query.split('&').toSorted(),
  body: body.split('&').toSorted(),
  version: headers['stripe-version'],
  type: method === 'POST' ? headers['content-type'] : null,
  authorization: headers.authorization,
  key: withKey ? headers['idempotency-key'] : null,
})

const assertSameRequests = async (
  t: TestContext,
  ours: (gateway: Gateway) => Promise<unknown>,
  theirs: (stripe: Stripe) => Promise<unknown>,
): Promise<ReceivedRequest[]> => {
  const adapter = await startScriptedStripe(t, answerTo)
  await ours(createStripeGateway(adapter.account, 20_000))
  const library = await startScriptedStripe(t, answerTo)
  const { hostname, port } = new URL(library.account.apiBase)
  const options = { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false } as const
  await theirs(new Stripe(library.account.secretKey, options))
  const keys = adapter.received.map(({ headers }) => headers['idempotency-key'] !== undefined)
  const shownAll = (requests: readonly ReceivedRequest[]) => requests.map((each, at) => shown(each, keys[at] ?? true))
  assert.deepEqual(shownAll(adapter.received), shownAll(library.received))
  return adapter.received
}

const NUMBERS: readonly string[] = ['amount', 'exp_month', 'exp_year', 'limit', 'gte', 'lt']

type Scalar = string | number | boolean
interface Nested {
  [name: string]: Scalar | Nested
}

const valueOf = (name: string, text: string): Scalar => {
  if (NUMBERS.includes(name)) return Number(text)
  return text === 'true' ? true : text
}

const put = (place: Nested, [key = '', ...rest]: readonly string[], text: string): Nested => {
  const inner = place[key]
  place[key] = rest.length === 0 ? valueOf(key, text) : put(typeof inner === 'object' ? inner : {}, rest, text)
  return place
}

/** A form as the nested object that Stripe reads it as. */
const parseForm = (form: string): Nested =>
  [...new URLSearchParams(form)].reduce<Nested>(
    (root, [name, text]) => put(root, name.replaceAll(']', '').split('['), text),
    {},
  )

const isList = (value: object): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key))

const withLists = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return Object.values(value).map(withLists)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withLists(inner)]))
}

type Params =
  | 'PaymentIntentCreateParams'
  | 'PaymentMethodCreateParams'
  | 'PaymentIntentConfirmParams'
  | 'PaymentIntentCancelParams'
  | 'RefundCreateParams'
  | 'RefundListParams'
  | 'ChargeListParams'

const assertValid = (params: Params, { query, body }: ReceivedRequest): void => {
  const validator = Compile({ ...schema, $ref: `#/definitions/${params}` })
  const fields = withLists(parseForm(body === '' ? query : body))
  assert.deepEqual(validator.Errors(fields)[1], [], params)
  assert.ok(!validator.Check({ ...Object(fields), amout: 1 }), 'the schema refuses a misspelt field')
}

const period = { from: 1_234_567_000_000, to: 1_234_567_890_000 }
const created = { gte: 1_234_567_000, lt: 1_234_567_890 }

test('Stripe’s library speaks the version that the adapter is pinned to', () => {
  assert.equal(Stripe.API_VERSION, STRIPE_VERSION)
})

test('a charge sends what Stripe’s library sends, and what Stripe’s schema allows', async (t) => {
  const requests = await assertSameRequests(
    t,
    (gateway) => gateway.charge(chargeOrder(), async () => true),
    async (stripe) => {
      const intent: Stripe.PaymentIntentCreateParams = {
        amount: AMOUNT_YEN,
        currency: 'jpy',
        allowed_payment_method_types: ['card'],
        capture_method: 'automatic',
        transfer_group: ORDER,
        metadata: { order: ORDER },
      }
      await stripe.paymentIntents.create(intent, { idempotencyKey: `${ORDER}.open` })
      await stripe.paymentMethods.create({
        type: 'card',
        card: { number: '4242424242424242', exp_month: 12, exp_year: 2099, cvc: '737' },
      })
      const confirmation: Stripe.PaymentIntentConfirmParams = {
        payment_method: PAYMENT_METHOD,
        error_on_requires_action: true,
        payment_method_options: {
          card: {
            three_d_secure: {
              version: '2.2.0',
              cryptogram: 'AAABBWcSNIdjeUZThmNHAAAAAAA=',
              transaction_id: '1f8a3a2b-7c7e-4b0c-8d1e-4a7f0d7e9b11',
              electronic_commerce_indicator: '05',
              ares_trans_status: 'Y',
            },
          },
        },
        expand: ['latest_charge'],
      }
      await stripe.paymentIntents.confirm(INTENT, confirmation, { idempotencyKey: `${ORDER}.confirm` })
    },
  )
  const [opening, card, confirmation, ...others] = requests
  if (opening === undefined || card === undefined || confirmation === undefined) assert.fail('three requests')
  assert.deepEqual(others, [])
  assertValid('PaymentIntentCreateParams', opening)
  assertValid('PaymentMethodCreateParams', card)
  assertValid('PaymentIntentConfirmParams', confirmation)
})

test('an inquiry and a fence send what Stripe’s library sends, and what Stripe’s schema allows', async (t) => {
  const [, cancellation, charges] = await assertSameRequests(
    t,
    async (gateway) => {
      await gateway.inquire(sentOrder)
      await gateway.fence(sentOrder)
      await gateway.fence({ ...sentOrder, reference: null })
      await gateway.ready()
    },
    async (stripe) => {
      await stripe.paymentIntents.retrieve(INTENT, { expand: ['latest_charge'] })
      await stripe.paymentIntents.cancel(INTENT)
      await stripe.charges.list({ transfer_group: ORDER, limit: 100 })
      await stripe.balance.retrieve()
    },
  )
  if (cancellation === undefined || charges === undefined) assert.fail('four requests')
  assertValid('PaymentIntentCancelParams', cancellation)
  assertValid('ChargeListParams', charges)
})

test('a refund sends what Stripe’s library sends, and what Stripe’s schema allows', async (t) => {
  const [list, refund] = await assertSameRequests(
    t,
    (gateway) => gateway.refund(refundOrder),
    async (stripe) => {
      await stripe.refunds.list({ payment_intent: INTENT, limit: 100 })
      const idempotencyKey = `${ORDER}.refund.refund-1`
      const params = { payment_intent: INTENT, amount: 980, metadata: { refund: 'refund-1' } }
      await stripe.refunds.create(params, { idempotencyKey })
    },
  )
  if (list === undefined || refund === undefined) assert.fail('two requests')
  assertValid('RefundListParams', list)
  assertValid('RefundCreateParams', refund)
})

test('a statement sends what Stripe’s library sends, and what Stripe’s schema allows', async (t) => {
  const [first, charges, refunds] = await assertSameRequests(
    t,
    async (gateway) => {
      await gateway.statement(period, null)
      await gateway.statement(period, 'charges:ch_1')
      await gateway.statement(period, 'refunds:re_1')
    },
    async (stripe) => {
      await stripe.charges.list({ created, limit: 100 })
      await stripe.charges.list({ created, limit: 100, starting_after: 'ch_1' })
      await stripe.refunds.list({ created, limit: 100, starting_after: 're_1', expand: ['data.payment_intent'] })
    },
  )
  if (first === undefined || charges === undefined || refunds === undefined) assert.fail('three requests')
  assertValid('ChargeListParams', first)
  assertValid('ChargeListParams', charges)
  assertValid('RefundListParams', refunds)
})

test('disputes are listed as Stripe’s library lists them, and as Stripe’s schema allows', async (t) => {
  const expand = ['data.payment_intent']
  const requests = await assertSameRequests(
    t,
    async (gateway) => {
      await gateway.disputes(period, null)
      await gateway.disputes(period, 'du_1')
      await gateway.statement(period, 'disputes:')
      await gateway.statement(period, 'disputes:du_1')
    },
    async (stripe) => {
      const opened: Stripe.DisputeListParams = { created, limit: 100, expand }
      await stripe.disputes.list(opened)
      await stripe.disputes.list({ ...opened, starting_after: 'du_1' })
      const moving = { ...opened, created: { gte: created.gte - 540 * 86_400, lt: created.lt + 86_400 } }
      await stripe.disputes.list(moving)
      await stripe.disputes.list({ ...moving, starting_after: 'du_1' })
    },
  )
  assert.equal(requests.length, 4)
  // Stripe's library gives a list of disputes the parameters of a list of refunds.
  for (const request of requests) assertValid('RefundListParams', request)
})
