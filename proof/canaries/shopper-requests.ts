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
}

/** One flow with a canary; returns how it ended, as statuses and error codes. */
export interface Flow {
  readonly name: string
  readonly expected: string
  /** A published number where the sandbox must behave in one way; else the canary's own. */
  readonly number?: string
  run(context: FlowContext, canary: Canary): Promise<string>
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

export const JSON_HEADERS = { 'content-type': 'application/json' }
export const SHOPPER_HEADERS = { [MERCHANT_HEADER]: DEMO_LABEL }
export const SHOPPER_JSON_HEADERS = { ...SHOPPER_HEADERS, ...JSON_HEADERS }

export const cardFields = ({ number, cvc, email, holderName }: Canary): object => ({
  number,
  expiryMonth: 12,
  expiryYear: 2099,
  cvc,
  email,
  name: holderName,
})

/** Creates an open checkout. For an unpublished number it is set to live mode, in which the sandbox charges any number. */
export const createCheckout = async (context: FlowContext, canary: Canary, body: object = {}): Promise<string> => {
  const headers = { ...JSON_HEADERS, authorization: `Bearer ${context.merchantKey}` }
  const request = { method: 'POST', path: `${MERCHANT_BASE}/checkouts`, headers } as const
  const created = await context.client.send({ ...request, body: JSON.stringify({ amount: 1980, ...body }) })
  const { id } = parseBody(CreateBody, created)
  canary.identifiers.add(id)
  if (!isTestNumber(canary.number))
    await context.database.transact((sql) => sql.rows(`UPDATE checkouts SET mode = 'live' WHERE id = $1`, id))
  return id
}

/** The merchant's key reaches test checkouts alone. */
export const makeTest = ({ database }: FlowContext, checkoutId: string): Promise<unknown> =>
  database.transact((sql) => sql.rows(`UPDATE checkouts SET mode = 'test' WHERE id = $1`, checkoutId))

const isGatewayUnavailable = ({ status, body }: HttpAnswer): boolean =>
  status === 503 && body.includes('gateway_unavailable')

/** Start call, repeated while the gateway is unavailable: its readiness check of half a second may time out on a busy machine. */
export const sendStart = async ({ client }: FlowContext, canary: Canary, checkoutId: string): Promise<HttpAnswer> => {
  const path = `${SHOPPER_BASE}/checkouts/${checkoutId}/3ds`
  const send = () =>
    client.send({
      method: 'POST',
      path,
      headers: SHOPPER_JSON_HEADERS,
      body: JSON.stringify({ card: cardFields(canary) }),
    })
  let answer = await send()
  for (let tries = 0; isGatewayUnavailable(answer) && tries < 40; tries += 1) {
    await systemClock.sleep(500)
    answer = await send()
  }
  return answer
}

export const startAttempt = async (
  context: FlowContext,
  canary: Canary,
  checkoutId: string,
): Promise<Static<typeof StartBody>> => {
  const started = parseBody(StartBody, await sendStart(context, canary, checkoutId))
  canary.identifiers.add(started.orderCode)
  return started
}

export const authenticate = async (
  { client }: FlowContext,
  orderCode: string,
): Promise<Static<typeof AuthenticateBody>> =>
  parseBody(
    AuthenticateBody,
    await client.send({
      method: 'PATCH',
      path: `${SHOPPER_BASE}/3ds/${orderCode}/authenticate`,
      headers: SHOPPER_JSON_HEADERS,
      body: '',
    }),
  )

export interface Order {
  readonly checkoutId: string
  readonly orderCode: string
}

/** Brings a new checkout to where its card is held and can be charged. */
export const prepareOrder = async (context: FlowContext, canary: Canary, body: object = {}): Promise<Order> => {
  const checkoutId = await createCheckout(context, canary, body)
  const { orderCode, threeDSRequired } = await startAttempt(context, canary, checkoutId)
  if (threeDSRequired) await authenticate(context, orderCode)
  return { checkoutId, orderCode }
}

/** The pay call, with these fields of its body changed. */
export const payRequest = (canary: Canary, { checkoutId, orderCode }: Order, changes: object = {}): HttpRequest => ({
  method: 'PATCH',
  path: `${SHOPPER_BASE}/checkouts/${checkoutId}/3ds/${orderCode}/pay`,
  headers: SHOPPER_JSON_HEADERS,
  body: JSON.stringify({ cvc: canary.cvc, locale: 'ja_JP', receiptEmail: canary.email, ...changes }),
})

export const pay = ({ client }: FlowContext, canary: Canary, order: Order): Promise<HttpAnswer> =>
  client.send(payRequest(canary, order))

/** The status of a checkout, or the code of an error. */
export const statusOrErrorCode = (answer: HttpAnswer): string => {
  const value: unknown = JSON.parse(answer.body)
  if (Check(CheckoutBody, value)) return value.status
  return Check(ErrorBody, value) ? value.code : String(answer.status)
}

const SETTLE_TIMEOUT_MS = 40_000

/** Reads the checkout until no charge is under way; returns its status. */
export const waitUntilSettled = async ({ client }: FlowContext, checkoutId: string): Promise<string> => {
  const deadline = systemClock.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    const path = `${SHOPPER_BASE}/checkouts/${checkoutId}`
    const checkout = parseBody(CheckoutBody, await client.send({ method: 'GET', path, headers: SHOPPER_HEADERS }))
    if (!checkout.paymentPending || systemClock.now() > deadline) return checkout.status
    await systemClock.sleep(500)
  }
}
