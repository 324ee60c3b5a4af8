/** Ledger movement: a charge or a refund, and the name of its ledger entry. */

/** A movement of money between the acquirer and us, named by the ids that both sides know. */
export type LedgerMovement =
  | { readonly kind: 'charge'; readonly orderCode: string }
  | { readonly kind: 'refund'; readonly orderCode: string; readonly refundId: string }

/** The name of its ledger entry. It is a key, so the database refuses to book it twice. */
export const ledgerEntryName = (movement: LedgerMovement): string =>
  movement.kind === 'charge' ? `charge ${movement.orderCode}` : `refund ${movement.orderCode} ${movement.refundId}`

/** Null: no charge and no refund has such a name. */
export const parseLedgerEntryName = (name: string): LedgerMovement | null => {
  const [, kind, orderCode, refundId] = /^(charge|refund) ([\w-]+)(?: ([\w-]+))?$/.exec(name) ?? []
  if (orderCode === undefined) return null
  if (kind === 'charge') return refundId === undefined ? { kind, orderCode } : null
  return kind === 'refund' && refundId !== undefined ? { kind, orderCode, refundId } : null
}
