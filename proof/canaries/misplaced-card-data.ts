import type { Canary } from './canary.ts'
import type { HttpRequest } from './http-client.ts'
import { createCheckout, prepareOrder, startAttempt, type Order, type FlowContext } from './shopper-requests.ts'

/** What a request can be built from. Empty: not there yet at this step of the payment. */
export interface RequestContext extends Order {
  readonly canary: Canary
  readonly port: string
  readonly key: string
  readonly ticket: string
  /** The 3-D Secure server's id of the attempt: it ignores events without it. */
  readonly session: string
}

type PrepareContext = (flow: FlowContext, canary: Canary) => Promise<RequestContext>

/** Misplaced card data: a request with a card number or a security code where it does not belong, and its expected status. */
type MisplacedCard = readonly [name: string, status: number, request: (context: RequestContext) => HttpRequest]

/** Requests that are made at the same step of a payment. */
export interface MisplacedCards {
  readonly prepare: PrepareContext
  readonly requests: readonly MisplacedCard[]
}

const contextOf = ({ port, merchantKey }: FlowContext, canary: Canary, order: Order): RequestContext => ({
  ...order,
  canary,
  port,
  key: merchantKey,
  ticket: '',
  session: '',
})

export const withOpenCheckout: PrepareContext = async (flow, canary) =>
  contextOf(flow, canary, { checkoutId: await createCheckout(flow, canary), orderCode: '' })

export const withCardHeld: PrepareContext = async (flow, canary) =>
  contextOf(flow, canary, await prepareOrder(flow, canary))

/** While the 3-D Secure server and the bank collect browser facts. */
export const whileCollecting: PrepareContext = async (flow, canary) => {
  const opened = await withOpenCheckout(flow, canary)
  const { orderCode, collectUrl = '' } = await startAttempt(flow, canary, opened.checkoutId)
  const ticket = collectUrl.split('/').at(-1) ?? ''
  const [row] = await flow.database.rows('SELECT session FROM authentications WHERE ticket = $1', ticket)
  const session = /"requestorTransId":"([^"]*)"/.exec(String(row?.['session']))?.[1]
  if (session === undefined) throw new Error(`no browser facts are collected for ${opened.checkoutId}`)
  return { ...opened, orderCode, ticket, session }
}
