import type { Gateway, Unknown } from '#payment/ports.ts'
import type { Log } from '../log.ts'
import { errorsAsOutcome } from '../errors-as-outcome.ts'

const FAILED = 'the gateway adapter failed'
const UNKNOWN: Unknown = { outcome: 'unknown', why: FAILED }

/** An adapter that throws has told us nothing: the request may have arrived. So whatever it was asked is unknown. */
export const errorsAsUnknown = (gateway: Gateway, log: Log): Gateway => {
  const steady = errorsAsOutcome(log, FAILED, UNKNOWN)
  return {
    ready: async () => {
      const readiness = await steady(() => gateway.ready())
      return typeof readiness === 'string' ? readiness : 'silent'
    },
    charge: (order) => steady(() => gateway.charge(order)),
    inquire: (orderCode) => steady(() => gateway.inquire(orderCode)),
    fence: (orderCode) => steady(() => gateway.fence(orderCode)),
    refund: (order) => steady(() => gateway.refund(order)),
    inquireRefund: (order) => steady(() => gateway.inquireRefund(order)),
    statement: (after) => steady(() => gateway.statement(after)),
  }
}
