/** Requests of the bench of the server: what a shopper's browser and a merchant's server send. */
import { bytesOf, type FuzzRequest } from '../../proof/fuzz/fuzz-request.ts'
import type { KeptConnection } from '../../proof/fuzz/connection.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'

export const OPERATIONS = ['document', 'read', 'create', 'payment'] as const
export type Operation = (typeof OPERATIONS)[number]

export interface Site {
  readonly port: number
  readonly key: string
}

const CARD = {
  number: '4100000000000100',
  expiryMonth: 12,
  expiryYear: 2099,
  cvc: '737',
  email: 'taro@example.com',
  name: 'TARO YAMADA',
}

/** No two payments come from one address, so that no limit on card testing is near. */
export const addressOf = (place: number): string => `10.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}`

const shopper = ({ port }: Site, place: number): Record<string, string> => ({
  host: `${DEMO_LABEL}.localhost:${port}`,
  merchant: DEMO_LABEL,
  'x-forwarded-for': addressOf(place),
})

const send = async (connection: KeptConnection, request: FuzzRequest): Promise<string> => {
  const exchange = await connection.send(bytesOf(request), false)
  if (exchange.outcome !== 'answered') throw new Error(`${request.method} ${request.target}: ${exchange.outcome}`)
  const { status, body } = exchange.answer
  if (status !== 200 && status !== 201)
    throw new Error(`${request.method} ${request.target} answered ${status}: ${body.slice(0, 300)}`)
  return body
}

const withJson = (method: string, target: string, headers: Record<string, string>, body: object): FuzzRequest => ({
  method,
  target,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const orderCodeIn = (body: string): string => /"orderCode":"([a-z2-7]{32})"/.exec(body)?.[1] ?? ''

const pay = async (connection: KeptConnection, site: Site, checkoutId: string, place: number): Promise<void> => {
  const call = (method: string, target: string, body: object): Promise<string> =>
    send(connection, withJson(method, target, shopper(site, place), body))
  const checkout = `/api/v1/checkouts/${checkoutId}`
  const order = orderCodeIn(await call('POST', `${checkout}/3ds`, { card: CARD }))
  await call('PATCH', `/api/v1/3ds/${order}/authenticate`, {})
  const receipt = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }
  const paid = await call('PATCH', `${checkout}/3ds/${order}/pay`, receipt)
  if (!paid.includes('"status":"paid"')) throw new Error(`a payment ended otherwise: ${paid.slice(0, 300)}`)
}

const create = async (connection: KeptConnection, { port, key }: Site, place: number): Promise<void> => {
  const body = { amount: 1980, subject: `Order ${place}`, links: { cancelUrl: 'https://shop.example/cart' } }
  const headers = { host: `localhost:${port}`, authorization: `Bearer ${key}` }
  await send(connection, withJson('POST', '/merchant/v1/checkouts', headers, body))
}

/** Sends one operation; throws unless it succeeds. A payment needs a checkout of its own. */
export const perform = async (
  operation: Operation,
  connection: KeptConnection,
  site: Site,
  checkoutId: string,
  place: number,
): Promise<void> => {
  const get = (target: string): FuzzRequest => ({ method: 'GET', target, headers: shopper(site, place), body: null })
  switch (operation) {
    case 'document':
      await send(connection, get(`/${checkoutId}/creditcard`))
      return
    case 'read':
      await send(connection, get(`/api/v1/checkouts/${checkoutId}`))
      return
    case 'create':
      await create(connection, site, place)
      return
    case 'payment':
      await pay(connection, site, checkoutId, place)
  }
}

/** What a busy hour is made of: for each payment some pages and links, and many readings. */
export const mixedOperation = (place: number): Operation => {
  if (place % 100 === 0) return 'payment'
  if (place % 20 === 1) return 'document'
  return place % 10 === 2 ? 'create' : 'read'
}
