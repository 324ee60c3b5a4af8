/** Wraps the adapter of an acquirer with what every acquirer needs around it, from the inside to the outside. */
import type { Gateway, Unknown } from '#payment/ports.ts'
import { outcomeOnError, type Log } from '../log.ts'
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
  /** Left out where no server is stopped. */
  readonly track?: TrackCall
}

/**
 * Called once for each account at an acquirer: with one circuit breaker for many accounts, an account that is blocked would
 * stop the payments of all.
 */
export const wrapGateway = (adapter: Gateway, { log, track, ...deps }: GatewayDependencies): Gateway => {
  const withoutExceptions = errorsAsUnknown(adapter, log)
  // Outside of the exceptions, so that the circuit breaker counts them too.
  const behindBreaker = withCircuitBreaker(withoutExceptions, deps)
  return track === undefined ? behindBreaker : withTrackedMoneyCalls(behindBreaker, track)
}
