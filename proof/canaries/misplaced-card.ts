/** Misplaced card: builds flows that send a card number or a security code in a place where it does not belong. */
import type { Canary } from './canary.ts'
import type { HttpRequest } from './http-client.ts'
import { canaryShopper, type Flow, type FlowContext, type Order } from './shopper-requests.ts'

/** What a request is built from. Empty texts: not known yet at this step of the payment. */
export interface MisplacedCard extends Order {
  readonly canary: Canary
  readonly number: string
  readonly cvc: string
  readonly port: string
  readonly key: string
  readonly ticket: string
  /** The 3-D Secure server's id of the attempt: it ignores events without it. */
  readonly session: string
}

type Prepare = (flow: FlowContext, canary: Canary) => Promise<MisplacedCard>

const contextOf = ({ port, merchantKey }: FlowContext, canary: Canary, order: Order): MisplacedCard => ({
  ...order,
  canary,
  number: canary.number,
  cvc: canary.cvc,
  port,
  key: merchantKey,
  ticket: '',
  session: '',
})

export const withOpenCheckout: Prepare = async (flow, canary) =>
  contextOf(flow, canary, { checkoutId: await canaryShopper(flow, canary).createCheckout(), orderCode: '' })

export const withCardHeld: Prepare = async (flow, canary) =>
  contextOf(flow, canary, await canaryShopper(flow, canary).prepareOrder())

/** While the 3-D Secure server and the bank collect browser facts. */
export const whileCollecting: Prepare = async (flow, canary) => {
  const opened = await withOpenCheckout(flow, canary)
  const { orderCode, collectUrl = '' } = await canaryShopper(flow, canary).start(opened.checkoutId)
  const ticket = collectUrl.split('/').at(-1) ?? ''
  const [row] = await flow.database.rows('SELECT session FROM authentications WHERE ticket = $1', ticket)
  const session = /"requestorTransId":"([^"]*)"/.exec(String(row?.['session']))?.[1]
  if (session === undefined) throw new Error(`no browser facts are collected for ${opened.checkoutId}`)
  return { ...opened, orderCode, ticket, session }
}

/** One row: what holds the card, the status that the server must answer, and the part of the request that holds it. */
type Row<Part> = readonly [name: string, status: number, part: (context: MisplacedCard) => Part]

/** One flow for each row. `request` builds the request around the part that holds the card. */
export const misplaced = <Part>(
  prepare: Prepare,
  request: (part: Part, context: MisplacedCard) => HttpRequest,
  rows: readonly Row<Part>[],
): Flow[] =>
  rows.map(([name, status, part]) => ({
    name: `holds ${name}`,
    expected: String(status),
    run: async (flow, canary) => {
      const context = await prepare(flow, canary)
      return String((await flow.client.send(request(part(context), context))).status)
    },
  }))
