/** Discrepancy words: what reconciliation has found, in one English line for the operator and the shop. */
import { withThousandsSeparators } from '#contract/yen.ts'
import { recordedWord } from './attempt.ts'
import type { LedgerMovement } from './ledger-movement.ts'
import { isOfDispute, type Discrepancy } from './reconcile.ts'

const yenText = (amount: number): string => `${withThousandsSeparators(amount)} yen`

export const movementPlace = ({ orderCode }: LedgerMovement, checkoutId: string | null): string =>
  `order ${orderCode}, ${checkoutId === null ? 'no checkout of ours' : `checkout ${checkoutId}`}`

export const movementName = (movement: LedgerMovement): string => {
  switch (movement.kind) {
    case 'charge':
      return 'the charge'
    case 'refund':
      return `refund ${movement.refundId}`
    case 'chargeback':
      return `chargeback ${movement.movementId}`
    case 'chargeback_reversal':
      return `reversal ${movement.movementId} of a chargeback`
  }
}

const MOVED: Readonly<Record<LedgerMovement['kind'], string>> = {
  charge: 'charged',
  refund: 'gave back',
  chargeback: 'took back',
  chargeback_reversal: 'returned',
}

const movedThere = (movement: LedgerMovement, amount: number): string =>
  `the acquirer ${MOVED[movement.kind]} ${yenText(amount)}${movement.kind === 'charge' ? '' : ` as ${movementName(movement)}`}`

export const recordOf = (movement: LedgerMovement, amount: number): string =>
  movement.kind === 'charge' ? `a charge of ${yenText(amount)}` : `${movementName(movement)} of ${yenText(amount)}`

const subjectOf = ({ kind }: LedgerMovement): string => (kind === 'charge' ? 'attempt' : 'refund')

/** One discrepancy as a person reads it. */
export const discrepancyLine = (found: Discrepancy): string => {
  switch (found.kind) {
    case 'unknown order': {
      const why = isOfDispute(found.movement) ? 'the payment is none of ours' : 'we never asked for it'
      return `${movementPlace(found.movement, found.checkoutId)}: ${movedThere(found.movement, found.acquirerYen)}; ${why}`
    }
    case 'missing in ledger':
      return `${movementPlace(found.movement, found.checkoutId)}: ${movedThere(found.movement, found.acquirerYen)}; it is not in our ledger${found.state === null ? '' : `, and the ${subjectOf(found.movement)} is ${recordedWord(found.state)}`}`
    case 'missing on both sides':
      return `${movementPlace(found.movement, found.checkoutId)}: ${recordOf(found.movement, found.ourYen)} is ${recordedWord(found.state)} by its own record; neither our ledger nor the acquirer has it`
    case 'listed twice': {
      const amounts = found.listedYen.map(yenText).join(' and ')
      return `${movementPlace(found.movement, found.checkoutId)}: the acquirer lists ${movementName(found.movement)} ${found.listedYen.length} times, with ${amounts}`
    }
    case 'missing at acquirer':
      return `${movementPlace(found.movement, found.checkoutId)}: our ledger has ${recordOf(found.movement, found.ourYen)}; the acquirer has none`
    case 'amounts differ': {
      const ours = recordOf(found.movement, found.ourYen)
      const here = found.isBooked ? `our ledger has ${ours}` : `${ours} is in doubt here`
      return `${movementPlace(found.movement, found.checkoutId)}: ${here}; ${movedThere(found.movement, found.acquirerYen)}`
    }
    case 'unbalanced':
      return `entry "${found.entry}", checkout ${found.checkoutId}: its lines add up to ${yenText(found.balanceYen)}, not to zero`
    case 'unknown entry':
      return `entry "${found.entry}", checkout ${found.checkoutId}: ${yenText(found.ourYen)} in our ledger that are no charge, no refund and no chargeback of a merchant of ours`
  }
}
