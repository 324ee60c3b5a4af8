/** Fake gateway: an acquirer in memory that charges every order at once and keeps what it was sent. */
import type { ChargeOrder, ChargeOutcome, Gateway } from '#payment/ports.ts'

export interface FakeGateway extends Gateway {
  readonly charges: ChargeOrder[]
  /** The outcome of every charge; null: it is charged. */
  chargeOutcome: ChargeOutcome | null
}

/** `approvalTime`: by the acquirer's clock. */
export const fakeGateway = (approvalTime: () => number = () => 0): FakeGateway => {
  const charges: ChargeOrder[] = []
  const gateway: FakeGateway = {
    charges,
    chargeOutcome: null,
    ready: async () => 'ready',
    charge: async (order, remember) => {
      if (!(await remember(order.orderCode))) return { outcome: 'not_charged' }
      charges.push(order)
      const { amountYen } = order
      const charged = { outcome: 'charged', transactionId: 'txn_1', approvedAt: approvalTime(), amountYen } as const
      return gateway.chargeOutcome ?? charged
    },
    inquire: async () => ({ outcome: 'not_found' }),
    fence: async () => ({ outcome: 'fenced' }),
    refund: async () => ({ outcome: 'unknown', why: 'not asked for' }),
    inquireRefund: async () => ({ outcome: 'not_found' }),
    statement: async () => {
      const lines = charges.map(
        ({ orderCode, amountYen }) =>
          ({ kind: 'charge', orderCode, reference: orderCode, amountYen, movedAt: 0 }) as const,
      )
      return { outcome: 'page', lines, after: null }
    },
    disputes: async () => ({ outcome: 'page', disputes: [], after: null }),
  }
  return gateway
}
