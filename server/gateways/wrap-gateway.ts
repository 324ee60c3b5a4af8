/** Wraps the adapter of an acquirer with what every acquirer needs around it, from the inside to the outside. */
import type { Gateway, Unknown } from '#payment/ports.ts'
import { createSampler, outcomeOnError, type Log } from '../log.ts'
import { withCircuitBreaker, type CircuitBreakerDependencies } from './circuit-breaker.ts'

const FAILED = 'the gateway adapter failed'
/** A silence: an adapter that throws at every charge must open the circuit breaker, which counts only these. */
const UNKNOWN: Unknown = { outcome: 'unknown', why: FAILED, isSilence: true }

/** After an exception in the adapter the request may still have arrived: the outcome is unknown. */
export const errorsAsUnknown = (gateway: Gateway, log: Log): Gateway => {
  const catching = outcomeOnError(log, FAILED, UNKNOWN)
  return {
    ready: async () => {
      const readiness = await catching(() => gateway.ready())
      return typeof readiness === 'string' ? readiness : 'silent'
    },
    charge: (order, remember) => catching(() => gateway.charge(order, remember)),
    inquire: (order) => catching(() => gateway.inquire(order)),
    fence: (order) => catching(() => gateway.fence(order)),
    refund: (order) => catching(() => gateway.refund(order)),
    inquireRefund: (order) => catching(() => gateway.inquireRefund(order)),
    statement: (period, after) => catching(() => gateway.statement(period, after)),
    disputes: (openedIn, after) => catching(() => gateway.disputes(openedIn, after)),
  }
}

const FORBIDDEN = 'the acquirer does not take the key of this account'

/** Calls the operator when the acquirer refuses the account itself: to shoppers it looks like an outage, and ends by itself never. */
export const withAccountAlarms = (
  gateway: Gateway,
  { log, elapsed, merchantId }: Pick<GatewayDependencies, 'log' | 'elapsed' | 'merchantId'>,
): Gateway => {
  // A shopper may try as often as they like.
  const isFirst = createSampler(elapsed)
  const alarm = (fault: string, order: { readonly order?: string } = {}): void => {
    const merchant = merchantId === undefined ? {} : { merchant: merchantId }
    const why = `${fault}: "acquirer check" says how to mend it`
    if (isFirst(fault)) log.alarm('an acquirer refuses its account', { ...merchant, ...order, why })
  }
  return {
    ...gateway,
    ready: async () => {
      const readiness = await gateway.ready()
      if (readiness === 'forbidden') alarm(FORBIDDEN)
      return readiness
    },
    charge: async (order, remember) => {
      const outcome = await gateway.charge(order, remember)
      if (outcome.outcome === 'not_charged' && outcome.accountFault !== undefined)
        alarm(outcome.accountFault, { order: order.orderCode })
      return outcome
    },
  }
}

/** Tells whoever stops the server that a call is under way, and hands it on. */
export type TrackCall = <T>(call: Promise<T>) => Promise<T>

/** A server that stops waits for the calls that move money. */
const withTrackedMoneyCalls = (gateway: Gateway, track: TrackCall): Gateway => ({
  ...gateway,
  charge: (order, remember) => track(gateway.charge(order, remember)),
  refund: (order) => track(gateway.refund(order)),
})

export interface GatewayDependencies extends CircuitBreakerDependencies {
  readonly log: Log
  /** Whose account it is; left out for the sandbox, which all share. */
  readonly merchantId?: string
  /** Left out where no server is stopped. */
  readonly track?: TrackCall
}

/**
 * Called once for each account at an acquirer: with one circuit breaker for many accounts, an account that is blocked would
 * stop the payments of all.
 */
export const wrapGateway = (adapter: Gateway, deps: GatewayDependencies): Gateway => {
  const { log, track } = deps
  const withoutExceptions = withAccountAlarms(errorsAsUnknown(adapter, log), deps)
  // Outside of the exceptions, so that the circuit breaker counts them too.
  const behindBreaker = withCircuitBreaker(withoutExceptions, deps)
  return track === undefined ? behindBreaker : withTrackedMoneyCalls(behindBreaker, track)
}
