/** Ledger movement: a charge or a refund, and the name of its ledger entry. */

/** Money that moves between the acquirer and us, by the ids that both sides know. */
export type LedgerMovement =
  | { readonly kind: 'charge'; readonly orderCode: string }
  | { readonly kind: 'refund'; readonly orderCode: string; readonly refundId: string }

/** What its entry in the ledger is called: a key, so what is booked twice is refused. */
export const ledgerEntryName = (movement: LedgerMovement): string =>
  movement.kind === 'charge' ? `charge ${movement.orderCode}` : `refund ${movement.orderCode} ${movement.refundId}`

/** Null for a name that no charge and no refund has. */
export const parseLedgerEntryName = (name: string): LedgerMovement | null => {
  const [, kind, orderCode, refundId] = /^(charge|refund) ([\w-]+)(?: ([\w-]+))?$/.exec(name) ?? []
  if (orderCode === undefined) return null
  if (kind === 'charge') return refundId === undefined ? { kind, orderCode } : null
  return kind === 'refund' && refundId !== undefined ? { kind, orderCode, refundId } : null
}
