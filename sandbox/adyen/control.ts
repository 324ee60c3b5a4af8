/** Test control of the Adyen double: no part of Adyen's API, and without a key. */
import Type, { type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { parseJsonObject, type JsonObject } from '../http/json.ts'
import { json, type Call, type Reply, type Route } from '../http/router.ts'
import { hashOfKey } from './api-keys.ts'
import type { Bookings } from './bookings.ts'
import type { Deliveries } from './deliveries.ts'
import { DISPUTE_EVENT_CODES, type Disputes } from './disputes.ts'
import type { LaterEvents } from './later-events.ts'
import { parseItem } from './notifications.ts'
import { capturedYen, chargebackYen, refundedYen, type PaymentState } from './payment-rules.ts'
import { REPORT_FOLDER } from './report-download.ts'
import type { AdyenStore } from './store.ts'

interface Controlled {
  readonly store: AdyenStore
  readonly bookings: Bookings
  readonly later: LaterEvents
  readonly disputes: Disputes
  readonly deliveries: Deliveries
  advanceClock(advanceMs: number): number
  readonly wake: () => void
}

const closed = { additionalProperties: false } as const
const MerchantAccount = Type.String({ pattern: '^[A-Za-z0-9_-]{1,80}$' })
const Key = Type.String({ minLength: 1, maxLength: 256 })
const PspReference = Type.String({ minLength: 1, maxLength: 80 })

const OpenAccount = Type.Object(
  {
    merchantAccount: MerchantAccount,
    apiKey: Key,
    reportKey: Key,
    webhookUrl: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()]),
    hmacKey: Type.Union([Type.String({ pattern: '^([0-9A-Fa-f]{2}){16,64}$' }), Type.Null()]),
    /** Left out: an account of the test platform. */
    live: Type.Optional(Type.Boolean()),
  },
  closed,
)
const OfAccount = Type.Object({ merchantAccount: MerchantAccount }, closed)
const OfReference = Type.Object({ pspReference: PspReference }, closed)
const NextPayment = Type.Object(
  { merchantAccount: MerchantAccount, resultCode: Type.Enum(['Error', 'Pending', 'Received', 'Cancelled']) },
  closed,
)
const Decide = Type.Object({ pspReference: PspReference, resultCode: Type.Enum(['Authorised', 'Refused']) }, closed)
const Dispute = Type.Object(
  {
    pspReference: PspReference,
    event: Type.Enum(DISPUTE_EVENT_CODES),
    amountYen: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
)
const SendAgain = Type.Object({ merchantAccount: MerchantAccount, pspReference: PspReference }, closed)
const Clock = Type.Object({ advanceMs: Type.Integer({ minimum: 0, maximum: 10 ** 12 }) }, closed)

const notFound = (error: string): Reply => json(404, { error })

export const controlRoutes = ({
  store,
  bookings,
  later,
  disputes,
  deliveries,
  advanceClock,
  wake,
}: Controlled): Route[] => {
  const post = <Schema extends TSchema>(
    path: string,
    schema: Schema,
    work: (body: Static<Schema>, call: Call) => Reply | Promise<Reply>,
  ): Route => ({
    method: 'POST',
    path: `/adyen/control/${path}`,
    handle: (call) => {
      const body: unknown = parseJsonObject(call.body)
      return Check(schema, body)
        ? work(body, call)
        : json(400, { error: 'invalid_request', message: `the body must match ${JSON.stringify(schema)}` })
    },
  })

  const orders: Route = {
    method: 'GET',
    path: '/adyen/control/orders/:reference',
    handle: (call) => {
      const reference = call.param('reference')
      const states = store.paymentsOf(reference).flatMap(({ pspReference }) => bookings.state(pspReference) ?? [])
      return json(200, orderBody(reference, states))
    },
  }

  const notifications: Route = {
    method: 'GET',
    path: '/adyen/control/webhooks',
    handle: (call) => {
      const items = store.notifications(call.query.get('merchantAccount') ?? '').map((each) => {
        const { eventCode, pspReference, merchantReference, success } = parseItem(each.item)
        const { sequence, attempts } = each
        const delivered = each.nextAttemptAt === null
        return { sequence, eventCode, pspReference, merchantReference, success, delivered, attempts }
      })
      return json(200, { items })
    },
  }

  return [
    orders,
    notifications,
    post(
      'accounts',
      OpenAccount,
      ({ merchantAccount, apiKey, reportKey, webhookUrl, hmacKey, live: isLive = false }) => {
        const hashes = { apiKeyHash: hashOfKey(apiKey), reportKeyHash: hashOfKey(reportKey) }
        store.saveAccount({ merchantAccount, webhookUrl, hmacKey, isLive, ...hashes })
        wake()
        return json(200, { merchantAccount })
      },
    ),
    post('next-payment', NextPayment, ({ merchantAccount, resultCode }) => {
      store.setNextResult(merchantAccount, resultCode)
      return json(200, { merchantAccount, resultCode })
    }),
    post('decide', Decide, ({ pspReference, resultCode }) => {
      const payment = store.atomically(() => bookings.decide(pspReference, resultCode === 'Authorised'))
      wake()
      return payment === undefined ? notFound('no_undecided_payment') : json(200, { status: payment.status })
    }),
    post('fail', OfReference, ({ pspReference }) => {
      const outcome = store.atomically(() => later.fail(pspReference))
      wake()
      if (outcome === 'not_processed') return notFound('no_processed_capture_or_refund')
      return outcome === 'failed' ? json(200, { pspReference }) : json(409, { error: outcome })
    }),
    post('disputes', Dispute, ({ pspReference, event, amountYen }) => {
      const outcome = store.atomically(() => disputes.tell(pspReference, event, amountYen ?? null))
      wake()
      if (outcome.kind === 'told') return json(200, { pspReference: outcome.pspReference })
      return outcome.kind === 'out_of_turn' ? json(409, { error: outcome.kind }) : notFound(outcome.kind)
    }),
    post('reports', OfAccount, ({ merchantAccount }, call) => {
      if (store.account(merchantAccount) === undefined) return notFound('no_account')
      const folder = `${call.origin}${REPORT_FOLDER}/${merchantAccount}`
      const report = store.atomically(() => later.closeReport(merchantAccount, folder))
      wake()
      return json(200, report)
    }),
    post('webhooks/deliver', OfAccount, async ({ merchantAccount }) => {
      const outcome = await deliveries.sendAll(merchantAccount)
      wake()
      return json(200, outcome)
    }),
    post('webhooks/again', SendAgain, ({ merchantAccount, pspReference }) => {
      const events = store.sendAgain(merchantAccount, pspReference, bookings.now())
      wake()
      return json(200, { events })
    }),
    post('clock', Clock, ({ advanceMs }) => {
      const now = advanceClock(advanceMs)
      wake()
      return json(200, { now })
    }),
  ]
}

const statusOf = (states: readonly PaymentState[]): string => {
  const ranks = ['captured', 'authorised', 'undecided', 'cancelled', 'error', 'refused']
  const all = states.map((state): string => (capturedYen(state) > 0 ? 'captured' : state.payment.status))
  return ranks.find((status) => all.includes(status))?.replace('undecided', 'pending') ?? 'none'
}

const sum = (states: readonly PaymentState[], yenOf: (state: PaymentState) => number): number =>
  states.reduce((total, state) => total + yenOf(state), 0)

const orderBody = (reference: string, states: readonly PaymentState[]): JsonObject => ({
  reference,
  status: statusOf(states),
  chargedYen: sum(states, capturedYen),
  refundedYen: sum(states, refundedYen),
  chargebackYen: sum(states, chargebackYen),
  payments: states.map((state) => ({
    pspReference: state.payment.pspReference,
    merchantAccount: state.payment.merchantAccount,
    status: statusOf([state]),
    amountYen: state.payment.amountYen,
    chargedYen: capturedYen(state),
    refundedYen: refundedYen(state),
    chargebackYen: chargebackYen(state),
    lastFour: state.payment.lastFour,
    modifications: state.modifications.map(({ pspReference, kind, reference: own, amountYen, status }) => ({
      pspReference,
      kind,
      reference: own,
      amountYen,
      status,
    })),
  })),
})
