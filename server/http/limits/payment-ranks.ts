/** Payment ranks: in which lane a paying call waits, by what it names, once its body has arrived and its shape was checked. */
import type { FastifyRequest } from 'fastify'
import { clientNetwork } from './client-network.ts'
import { createRecentNames } from './recent-names.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a paying call: whether it will be refused by its shape, though its schema takes it. */
    isRefusedByShape?: (request: FastifyRequest) => boolean
    /** Of a paying call: looks up what its address names, the order or ticket if there is one. */
    lookUp?: (named: NamedIds, request: FastifyRequest) => Promise<Found>
  }
}

/** What is stored of an id. `unstored`: it may be a checkout that a reusable link has opened, whose id anybody can make. */
export type Found = 'stored' | 'unstored' | 'nothing'

/** The ids that paths of ours can name. */
export interface NamedIds {
  readonly checkoutId?: string
  readonly orderCode?: string
  readonly ticket?: string
}

const textOf = (params: object, name: keyof NamedIds): NamedIds => {
  const value: unknown = Reflect.get(params, name)
  return typeof value === 'string' ? { [name]: value } : {}
}

export const idsOf = ({ params }: Pick<FastifyRequest, 'params'>): NamedIds =>
  typeof params === 'object' && params !== null
    ? { ...textOf(params, 'checkoutId'), ...textOf(params, 'orderCode'), ...textOf(params, 'ticket') }
    : {}

/**
 * Ids of what is stored: orders and their tickets, and apart from them checkouts, so that none of either is forgotten because of many
 * of the other. What is not stored is never remembered: of such ids anybody can make any number.
 */
export const createKnownIds = () => {
  const [orders, checkouts] = [createRecentNames(), createRecentNames()]
  return {
    noteOrder: orders.add,
    noteCheckout: checkouts.add,
    hasOrder: orders.has,
    hasCheckout: checkouts.has,
    /** What a look-up has found in the database: it has looked for the order or the ticket, where the address names one. */
    noteFound: ({ checkoutId, orderCode, ticket }: NamedIds): void => {
      const order = orderCode ?? ticket
      if (order !== undefined) orders.add(order)
      else if (checkoutId !== undefined) checkouts.add(checkoutId)
    },
  }
}
export type KnownIds = ReturnType<typeof createKnownIds>

export interface Rank {
  readonly lane: 'payment' | 'starts' | 'unstored' | 'strangers' | 'refusals'
  readonly caller: string
}

/**
 * Orders that this server has begun come first, then calls about stored checkouts that it has found lately; the caller is then the order
 * or the checkout, so that a flood about one of them waits for itself. What names neither may be honest: the server may have
 * been started a moment ago, or another one has begun the order. It is looked up in its turn, behind them.
 */
export const rankOf = (request: FastifyRequest, known: KnownIds): Rank => {
  const network = clientNetwork(request.ip)
  const { isRefusedByShape } = request.routeOptions.config
  if (request.validationError !== undefined || isRefusedByShape?.(request) === true)
    return { lane: 'refusals', caller: network }
  const { checkoutId, orderCode, ticket } = idsOf(request)
  const order = orderCode ?? ticket
  if (order !== undefined && known.hasOrder(order)) return { lane: 'payment', caller: order }
  return checkoutId !== undefined && known.hasCheckout(checkoutId)
    ? { lane: 'starts', caller: checkoutId }
    : { lane: 'strangers', caller: network }
}
