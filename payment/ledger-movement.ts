/** Ledger movement: a charge, a refund or a chargeback, and the name of its ledger entry. */
import type { DisputeMovement } from './ports.ts'

/** A movement of money between the acquirer and us, named by the ids that both sides know. */
export type LedgerMovement =
  | { readonly kind: 'charge'; readonly orderCode: string }
  | { readonly kind: 'refund'; readonly orderCode: string; readonly refundId: string }
  | ({ readonly orderCode: string } & Pick<DisputeMovement, 'kind' | 'movementId'>)

/** The name of its ledger entry. It is a key, so the database refuses to book it twice. */
export const ledgerEntryName = (movement: LedgerMovement): string => {
  const { kind, orderCode } = movement
  switch (movement.kind) {
    case 'charge':
      return `${kind} ${orderCode}`
    case 'refund':
      return `${kind} ${orderCode} ${movement.refundId}`
    case 'chargeback':
    case 'chargeback_reversal':
      return `${kind} ${orderCode} ${movement.movementId}`
  }
}

/** Null: no movement has such a name. */
export const parseLedgerEntryName = (name: string): LedgerMovement | null => {
  const [, kind, orderCode, id] =
    /^(charge|refund|chargeback|chargeback_reversal) ([\w-]+)(?: ([\w-]+))?$/.exec(name) ?? []
  if (orderCode === undefined) return null
  if (kind === 'charge') return id === undefined ? { kind, orderCode } : null
  if (id === undefined) return null
  if (kind === 'refund') return { kind, orderCode, refundId: id }
  return kind === 'chargeback' || kind === 'chargeback_reversal' ? { kind, orderCode, movementId: id } : null
}
