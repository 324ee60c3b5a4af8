/** Shopper requests: what a shopper with one canary card sends to the server under scan, from the checkout to the payment. */
import { Type, type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { MERCHANT_BASE, MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import { isTestNumber } from '#contract/test-cards.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import { systemClock } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import type { SimulatedBrowser } from '../harness/simulated-browser.ts'
import type { Canary } from './canary.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts'

/** What a flow uses to call the running server. */
export interface FlowContext {
  readonly client: HttpClient
  readonly browser: SimulatedBrowser
  readonly port: string
  readonly merchantKey: string
  /** A second connection to the server's database. */
  readonly database: Database
  /** Has the acquirer of live mode charge this number. */
  nameToAcquirer(number: string): Promise<void>
}

/** One flow with a canary; returns how it ended, as statuses and error codes. */
export interface Flow {
  readonly name: string
  readonly expected: string
  /** A published number where the sandbox must behave in one way; else the canary's own. */
  readonly number?: string
  run(context: FlowContext, canary: Canary): Promise<string>
}

export interface Order {
  readonly checkoutId: string
  readonly orderCode: string
}

export const parseBody = <T extends TSchema>(schema: T, { status, body }: HttpAnswer): Static<T> => {
  const value: unknown = JSON.parse(body)
  if (!Check(schema, value)) throw new Error(`not the answer that was expected: ${status} ${body.slice(0, 300)}`)
  return value
}

const CreateBody = Type.Object({ id: Type.String() })
const StartBody = Type.Object({
  orderCode: Type.String(),
  threeDSRequired: Type.Boolean(),
  collectUrl: Type.Optional(Type.String()),
})
const AuthenticateBody = Type.Object({ threeDSType: Type.String(), challengeUrl: Type.Optional(Type.String()) })
const CheckoutBody = Type.Object({ status: Type.String(), paymentPending: Type.Boolean() })
const ErrorBody = Type.Object({ code: Type.String() })

const JSON_HEADERS = { 'content-type': 'application/json' }
export const SHOPPER_HEADERS = { [MERCHANT_HEADER]: DEMO_LABEL }
export const SHOPPER_JSON_HEADERS = { ...SHOPPER_HEADERS, ...JSON_HEADERS }

export const cardFields = ({ number, cvc, email, holderName }: Canary): object => ({
  number,
  expiryMonth: 12,
  expiryYear: 2039,
  cvc,
  email,
  name: holderName,
})

/** The pay call, with these fields of its body changed. */
export const payRequest = (canary: Canary, { checkoutId, orderCode }: Order, changes: object = {}): HttpRequest => ({
  method: 'PATCH',
  path: `${SHOPPER_BASE}/checkouts/${checkoutId}/3ds/${orderCode}/pay`,
  headers: SHOPPER_JSON_HEADERS,
  body: JSON.stringify({ cvc: canary.cvc, locale: 'ja_JP', receiptEmail: canary.email, ...changes }),
})

/** A call of the merchant API with this body as JSON. */
export const merchantRequest = (
  method: HttpRequest['method'],
  path: string,
  key: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest => ({
  method,
  path: MERCHANT_BASE + path,
  headers: { ...JSON_HEADERS, authorization: `Bearer ${key}`, ...headers },
  body: JSON.stringify(body),
})

/** A call that creates something. */
export const merchantCall = ({ client, merchantKey }: FlowContext, path: string, body: object): Promise<HttpAnswer> =>
  client.send(merchantRequest('POST', path, merchantKey, body))

/** The merchant's key reaches test checkouts alone; an unpublished number is charged in live mode alone. */
export const setMode = ({ database }: FlowContext, mode: 'test' | 'live', checkoutId: string): Promise<unknown> =>
  database.transact((sql) => sql.rows(`UPDATE checkouts SET mode = $1 WHERE id = $2`, mode, checkoutId))

/** The status of a checkout, or the code of an error. */
export const statusOrErrorCode = (answer: HttpAnswer): string => {
  const value: unknown = JSON.parse(answer.body)
  if (Check(CheckoutBody, value)) return value.status
  return Check(ErrorBody, value) ? value.code : String(answer.status)
}

const isGatewayUnavailable = ({ status, body }: HttpAnswer): boolean =>
  status === 503 && body.includes('gateway_unavailable')

const SETTLE_TIMEOUT_MS = 40_000

export interface CanaryShopper {
  /** A call of the shopper API without a body. */
  call(method: HttpRequest['method'], path: string): Promise<HttpAnswer>
  /** An open checkout: in live mode, at the double of Stripe, for an unpublished number. */
  createCheckout(body?: object): Promise<string>
  /** The start call, repeated while the gateway is unavailable: its readiness check may time out on a busy machine. */
  sendStart(checkoutId: string): Promise<HttpAnswer>
  start(checkoutId: string): Promise<Static<typeof StartBody>>
  authenticate(orderCode: string): Promise<Static<typeof AuthenticateBody>>
  /** Brings a new checkout to where its card is held and can be charged. */
  prepareOrder(): Promise<Order>
  /** Pays; the status of the checkout, or the code of an error. */
  pay(order: Order): Promise<string>
  /** Reads the checkout until no charge is under way; returns its status. */
  statusWhenDecided(checkoutId: string): Promise<string>
}

export const canaryShopper = (context: FlowContext, canary: Canary): CanaryShopper => {
  const { client } = context
  const call: CanaryShopper['call'] = (method, path) =>
    client.send({ method, path: SHOPPER_BASE + path, headers: SHOPPER_HEADERS })
  const shopper: CanaryShopper = {
    call,
    createCheckout: async (body = {}) => {
      const { id } = parseBody(CreateBody, await merchantCall(context, '/checkouts', { amount: 1980, ...body }))
      canary.identifiers.add(id)
      if (!isTestNumber(canary.number)) {
        await context.nameToAcquirer(canary.number)
        await setMode(context, 'live', id)
      }
      return id
    },
    sendStart: async (checkoutId) => {
      const path = `${SHOPPER_BASE}/checkouts/${checkoutId}/3ds`
      const body = JSON.stringify({ card: cardFields(canary) })
      const send = () => client.send({ method: 'POST', path, headers: SHOPPER_JSON_HEADERS, body })
      let answer = await send()
      for (let tries = 0; isGatewayUnavailable(answer) && tries < 40; tries += 1) {
        await systemClock.sleep(500)
        answer = await send()
      }
      return answer
    },
    start: async (checkoutId) => {
      const started = parseBody(StartBody, await shopper.sendStart(checkoutId))
      canary.identifiers.add(started.orderCode)
      return started
    },
    authenticate: async (orderCode) =>
      parseBody(AuthenticateBody, await call('PATCH', `/3ds/${orderCode}/authenticate`)),
    prepareOrder: async () => {
      const checkoutId = await shopper.createCheckout()
      const { orderCode, threeDSRequired } = await shopper.start(checkoutId)
      if (threeDSRequired) await shopper.authenticate(orderCode)
      return { checkoutId, orderCode }
    },
    pay: async (order) => statusOrErrorCode(await client.send(payRequest(canary, order))),
    statusWhenDecided: async (checkoutId) => {
      const deadline = systemClock.now() + SETTLE_TIMEOUT_MS
      for (;;) {
        const checkout = parseBody(CheckoutBody, await call('GET', `/checkouts/${checkoutId}`))
        if (!checkout.paymentPending || systemClock.now() > deadline) return checkout.status
        await systemClock.sleep(500)
      }
    },
  }
  return shopper
}
