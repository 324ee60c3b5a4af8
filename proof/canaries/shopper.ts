import { Type, type Static, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { MERCHANT_BASE, MERCHANT_HEADER, SHOPPER_BASE } from '#contract/paths.ts'
import { isTestNumber } from '#contract/test-cards.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import { systemClock } from '../../server/parts.ts'
import type { Database } from '../../server/store/database.ts'
import type { FormBrowser } from '../harness/form-browser.ts'
import type { Canary } from './canary.ts'
import type { Answer, Client } from './client.ts'

/** The running server as a flow meets it. */
export interface World {
  readonly client: Client
  readonly browser: FormBrowser
  readonly port: string
  readonly merchantKey: string
  /** A second connection to the server's database. */
  readonly database: Database
}

/** One flow with a canary; answers how it ended, in a word that can be compared. */
export interface Flow {
  readonly name: string
  readonly ends: string
  /** A published number where the sandbox must behave in one particular way; else the canary's own. */
  readonly number?: string
  run(world: World, canary: Canary): Promise<string>
}

const read = <T extends TSchema>(schema: T, { status, body }: Answer): Static<T> => {
  const value: unknown = JSON.parse(body)
  if (!Check(schema, value)) throw new Error(`not the answer that was expected: ${status} ${body.slice(0, 300)}`)
  return value
}

const Created = Type.Object({ id: Type.String() })
const Started = Type.Object({
  orderCode: Type.String(),
  threeDSRequired: Type.Boolean(),
  collectUrl: Type.Optional(Type.String()),
})
const Asked = Type.Object({ threeDSType: Type.String(), challengeUrl: Type.Optional(Type.String()) })
const Read = Type.Object({ status: Type.String(), paymentPending: Type.Boolean() })
const Refused = Type.Object({ code: Type.String() })

export const JSON_TYPE = { 'content-type': 'application/json' }
export const SHOPPER = { [MERCHANT_HEADER]: DEMO_LABEL }
export const SHOPPER_WITH_JSON = { ...SHOPPER, ...JSON_TYPE }

export const cardOf = ({ number, cvc, email, holderName }: Canary): object => ({
  number,
  expiryMonth: 12,
  expiryYear: 2099,
  cvc,
  email,
  name: holderName,
})

/** An open checkout. For a number that nobody publishes it is made a live one: the sandbox charges any number it is sent. */
export const open = async (world: World, canary: Canary, body: object = {}): Promise<string> => {
  const headers = { ...JSON_TYPE, authorization: `Bearer ${world.merchantKey}` }
  const request = { method: 'POST', path: `${MERCHANT_BASE}/checkouts`, headers } as const
  const created = await world.client.send({ ...request, body: JSON.stringify({ amount: 1980, ...body }) })
  const { id } = read(Created, created)
  canary.belongings.add(id)
  if (!isTestNumber(canary.number))
    await world.database.transact((sql) => sql.rows(`UPDATE checkouts SET mode = 'live' WHERE id = $1`, id))
  return id
}

const isBusy = ({ status, body }: Answer): boolean => status === 503 && body.includes('gateway_unavailable')

/** The sandbox has half a second to say that it is up, which a busy machine may not give it. */
export const tryStart = async ({ client }: World, canary: Canary, checkoutId: string): Promise<Answer> => {
  const path = `${SHOPPER_BASE}/checkouts/${checkoutId}/3ds`
  const ask = () =>
    client.send({ method: 'POST', path, headers: SHOPPER_WITH_JSON, body: JSON.stringify({ card: cardOf(canary) }) })
  let answer = await ask()
  for (let tries = 0; isBusy(answer) && tries < 40; tries += 1) {
    await systemClock.sleep(500)
    answer = await ask()
  }
  return answer
}

export const start = async (world: World, canary: Canary, checkoutId: string): Promise<Static<typeof Started>> => {
  const started = read(Started, await tryStart(world, canary, checkoutId))
  canary.belongings.add(started.orderCode)
  return started
}

export const authenticate = async ({ client }: World, orderCode: string): Promise<Static<typeof Asked>> =>
  read(
    Asked,
    await client.send({
      method: 'PATCH',
      path: `${SHOPPER_BASE}/3ds/${orderCode}/authenticate`,
      headers: SHOPPER_WITH_JSON,
      body: '',
    }),
  )

export interface Order {
  readonly checkoutId: string
  readonly orderCode: string
}

/** A checkout whose card is held and may be charged. */
export const prepare = async (world: World, canary: Canary, body: object = {}): Promise<Order> => {
  const checkoutId = await open(world, canary, body)
  const { orderCode, threeDSRequired } = await start(world, canary, checkoutId)
  if (threeDSRequired) await authenticate(world, orderCode)
  return { checkoutId, orderCode }
}

export const pay = ({ client }: World, canary: Canary, order: Order, more: object = {}): Promise<Answer> =>
  client.send({
    method: 'PATCH',
    path: `${SHOPPER_BASE}/checkouts/${order.checkoutId}/3ds/${order.orderCode}/pay`,
    headers: SHOPPER_WITH_JSON,
    body: JSON.stringify({ cvc: canary.cvc, locale: 'ja_JP', receiptEmail: canary.email, ...more }),
  })

/** The status of a checkout, or the code of a refusal. */
export const wordOf = (answer: Answer): string => {
  const value: unknown = JSON.parse(answer.body)
  if (Check(Read, value)) return value.status
  return Check(Refused, value) ? value.code : String(answer.status)
}

const PATIENCE_MS = 40_000

/** Reads until no charge is under way any more. */
export const settled = async ({ client }: World, checkoutId: string): Promise<string> => {
  const deadline = systemClock.now() + PATIENCE_MS
  for (;;) {
    const path = `${SHOPPER_BASE}/checkouts/${checkoutId}`
    const seen = read(Read, await client.send({ method: 'GET', path, headers: SHOPPER }))
    if (!seen.paymentPending || systemClock.now() > deadline) return seen.status
    await systemClock.sleep(500)
  }
}
