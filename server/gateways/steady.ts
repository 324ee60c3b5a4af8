import type { Gateway, Unknown } from '#payment/ports.ts'
import { errorFacts, type Log } from '../log.ts'

const UNKNOWN: Unknown = { outcome: 'unknown', why: 'the gateway adapter failed' }

/** An adapter that throws has told us nothing: the request may have arrived. So whatever it was asked is unknown. */
export const steadyGateway = (gateway: Gateway, log: Log): Gateway => {
  const steady = async <T>(answer: Promise<T>): Promise<T | Unknown> => {
    try {
      return await answer
    } catch (error) {
      log.error('the gateway adapter failed', errorFacts(error))
      return UNKNOWN
    }
  }
  return {
    ready: async () => {
      const readiness = await steady(gateway.ready())
      return typeof readiness === 'string' ? readiness : 'silent'
    },
    charge: async (order) => steady(gateway.charge(order)),
    inquire: async (orderCode) => steady(gateway.inquire(orderCode)),
    fence: async (orderCode) => steady(gateway.fence(orderCode)),
    refund: async (order) => steady(gateway.refund(order)),
    inquireRefund: async (order) => steady(gateway.inquireRefund(order)),
    statement: async (after) => steady(gateway.statement(after)),
  }
}
