/** Payment ranks: in which lane a paying call waits, by what it names, once its body has arrived and its shape was checked. */
import type { FastifyRequest } from 'fastify'
import { clientNetwork } from './client-network.ts'
import type { RecentNames } from './recent-names.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a paying call: whether it will be refused by its shape, though its schema takes it. */
    isRefusedByShape?: (request: FastifyRequest) => boolean
    /** Of a paying call: looks up what its address names, the order or ticket if there is one. */
    isFound?: (named: NamedIds, request: FastifyRequest) => Promise<boolean>
  }
}

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

/** An answer with 2xx has found what its address names. */
export const noteFound = (request: FastifyRequest, known: RecentNames): void => {
  for (const id of Object.values<string>({ ...idsOf(request) })) known.add(id)
}

export interface Rank {
  readonly lane: 'payment' | 'starts' | 'strangers' | 'refusals'
  readonly caller: string
}

/**
 * Orders that this server has begun come first, then calls about checkouts that it has found lately; the caller is then the order
 * or the checkout, so that a flood about one of them waits for itself. What names neither may be honest: the server may have
 * been started a moment ago, or another one has begun the order. It is looked up in its turn, behind them.
 */
export const rankOf = (request: FastifyRequest, known: RecentNames): Rank => {
  const network = clientNetwork(request.ip)
  const { isRefusedByShape } = request.routeOptions.config
  if (request.validationError !== undefined || isRefusedByShape?.(request) === true)
    return { lane: 'refusals', caller: network }
  const { checkoutId, orderCode, ticket } = idsOf(request)
  const order = orderCode ?? ticket
  if (order !== undefined && known.has(order)) return { lane: 'payment', caller: order }
  return checkoutId !== undefined && known.has(checkoutId)
    ? { lane: 'starts', caller: checkoutId }
    : { lane: 'strangers', caller: network }
}
