/** Errors as unknown outcomes: after an exception in the adapter the request may still have arrived. */
import type { Gateway, Unknown } from '#payment/ports.ts'
import type { Log } from '../log.ts'
import { errorsAsOutcome } from '../errors-as-outcome.ts'

const FAILED = 'the gateway adapter failed'
/** A silence: an adapter that throws at every charge must open the circuit breaker, which only counts these. */
const UNKNOWN: Unknown = { outcome: 'unknown', why: FAILED, isSilence: true }

export const errorsAsUnknown = (gateway: Gateway, log: Log): Gateway => {
  const catching = errorsAsOutcome(log, FAILED, UNKNOWN)
  return {
    ready: async () => {
      const readiness = await catching(() => gateway.ready())
      return typeof readiness === 'string' ? readiness : 'silent'
    },
    charge: (order) => catching(() => gateway.charge(order)),
    inquire: (orderCode) => catching(() => gateway.inquire(orderCode)),
    fence: (orderCode) => catching(() => gateway.fence(orderCode)),
    refund: (order) => catching(() => gateway.refund(order)),
    inquireRefund: (order) => catching(() => gateway.inquireRefund(order)),
    statement: (after) => catching(() => gateway.statement(after)),
  }
}
