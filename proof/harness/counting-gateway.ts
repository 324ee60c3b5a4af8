import type { ChargeOrder, ChargeOutcome, Gateway } from '#payment/ports.ts'

export interface CountingGateway extends Gateway {
  readonly charges: ChargeOrder[]
  /** What a charge is answered with; null: it is booked. */
  next: ChargeOutcome | null
}

/** An acquirer in memory that books every charge at once and remembers what it was sent. */
export const countingGateway = (): CountingGateway => {
  const charges: ChargeOrder[] = []
  const gateway: CountingGateway = {
    charges,
    next: null,
    ready: async () => 'ready',
    charge: async (order) => {
      charges.push(order)
      const booked = { outcome: 'charged', transactionId: 'txn_1', approvedAt: 0, amountYen: order.amountYen } as const
      return gateway.next ?? booked
    },
    inquire: async () => ({ outcome: 'not_found' }),
    fence: async () => ({ outcome: 'fenced' }),
    refund: async () => ({ outcome: 'unknown', why: 'not asked for' }),
    inquireRefund: async () => ({ outcome: 'not_found' }),
    statement: async () => {
      const lines = charges.map(({ orderCode, amountYen }) => ({ orderCode, chargedYen: amountYen, refunds: [] }))
      return { outcome: 'page', lines, after: null }
    },
  }
  return gateway
}
