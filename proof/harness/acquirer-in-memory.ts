/** Remembering gateway: an acquirer in memory that outlives the database, as after a restore. */
import type { AcquirerDispute, Charged, Gateway, Refunded, StatementLine } from '#payment/ports.ts'

export interface AcquirerInMemory extends Gateway {
  readonly charges: ReadonlyMap<string, Charged>
  /** Orders that it has taken and not decided. */
  readonly undecided: Set<string>
  /** Orders that can never be charged any more. */
  readonly fenced: ReadonlySet<string>
  /** As if it had charged this order before. */
  remember(orderCode: string, amountYen: number, approvedAt?: number): void
  /** Opens a dispute, or takes the place of the one with the same id. */
  dispute(dispute: AcquirerDispute): void
}

export const acquirerInMemory = (now: () => number): AcquirerInMemory => {
  const charges = new Map<string, Charged>()
  const refunds = new Map<string, Map<string, Refunded>>()
  const disputes = new Map<string, AcquirerDispute>()
  const undecided = new Set<string>()
  const fenced = new Set<string>()
  return {
    charges,
    undecided,
    fenced,
    remember: (orderCode, amountYen, approvedAt = now()) => {
      const transactionId = `txn_${charges.size + 1}`
      charges.set(orderCode, { outcome: 'charged', transactionId, approvedAt, amountYen })
    },
    dispute: (dispute) => {
      disputes.set(dispute.disputeId, dispute)
    },
    ready: async () => 'ready',
    charge: async ({ orderCode, amountYen, card }, remember) => {
      if (!(await remember(orderCode))) return { outcome: 'not_charged' }
      if (fenced.has(orderCode)) return { outcome: 'not_charged' }
      const charged = charges.get(orderCode) ?? {
        outcome: 'charged',
        transactionId: `txn_${charges.size + 1}`,
        approvedAt: now(),
        amountYen,
        card: card.number.face,
      }
      charges.set(orderCode, charged)
      return charged
    },
    inquire: async ({ orderCode }) => {
      if (undecided.has(orderCode)) return { outcome: 'pending' }
      return charges.get(orderCode) ?? (fenced.has(orderCode) ? { outcome: 'not_charged' } : { outcome: 'not_found' })
    },
    fence: async ({ orderCode }) => {
      if (charges.has(orderCode) || undecided.has(orderCode)) return { outcome: 'exists' }
      fenced.add(orderCode)
      return { outcome: 'fenced' }
    },
    refund: async ({ orderCode, refundId, amountYen }) => {
      const given = refunds.get(orderCode) ?? new Map<string, Refunded>()
      const refunded = given.get(refundId) ?? { outcome: 'refunded', amountYen, refundedAt: now() }
      refunds.set(orderCode, given.set(refundId, refunded))
      return refunded
    },
    inquireRefund: async ({ orderCode, refundId }) => refunds.get(orderCode)?.get(refundId) ?? { outcome: 'not_found' },
    statement: async (period) => ({
      outcome: 'page',
      lines: [
        ...[...charges].flatMap(([orderCode, { amountYen, approvedAt }]): StatementLine[] => [
          { kind: 'charge', orderCode, reference: orderCode, amountYen, movedAt: approvedAt },
          ...[...(refunds.get(orderCode) ?? [])].map(
            ([refundId, given]) =>
              ({ kind: 'refund', orderCode, refundId, amountYen: given.amountYen, movedAt: given.refundedAt }) as const,
          ),
        ]),
        ...[...disputes.values()].flatMap(({ orderCode, movements }) =>
          movements.map((movement) => ({ orderCode, ...movement })),
        ),
      ].filter(({ movedAt }) => movedAt >= period.from && movedAt < period.to),
      pending: [...undecided].map((orderCode) => ({ orderCode, reference: orderCode })),
      after: null,
    }),
    disputes: async ({ from, to }) => ({
      outcome: 'page',
      disputes: [...disputes.values()].filter(({ openedAt }) => openedAt >= from && openedAt < to),
      after: null,
    }),
  }
}
