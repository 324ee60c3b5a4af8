/** Adyen, dispute events: what each notification about a dispute says of it, and of its money. */
import type { DisputeMovement, DisputeStatus } from '#payment/ports.ts'

interface DisputeEvent {
  /** How far the dispute has come. Events arrive in any order, and their time is not signed: the furthest one counts. */
  readonly stage: number
  /** Null: it changes nothing. `lost unless defended`: the shop's time to answer is over. */
  readonly status: DisputeStatus | 'lost unless defended' | null
}

/**
 * docs.adyen.com/risk-management/disputes-api/dispute-notifications, and the process in understanding-disputes. A reversal is
 * not final, a second chargeback is. NOTIFICATION_OF_FRAUD is no dispute. The two of an arbitration are named in the process and
 * not in the schema of webhooks.
 */
const EVENTS = {
  REQUEST_FOR_INFORMATION: { stage: 0, status: 'inquiry' },
  NOTIFICATION_OF_CHARGEBACK: { stage: 1, status: 'open' },
  CHARGEBACK: { stage: 2, status: 'open' },
  INFORMATION_SUPPLIED: { stage: 2, status: null },
  ISSUER_COMMENTS: { stage: 2, status: null },
  DISPUTE_DEFENSE_PERIOD_ENDED: { stage: 3, status: 'lost unless defended' },
  CHARGEBACK_REVERSED: { stage: 4, status: 'won' },
  PREARBITRATION_OPEN: { stage: 5, status: 'open' },
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { stage: 6, status: 'won' },
  PREARBITRATION_LOST: { stage: 7, status: 'lost' },
  PREARBITRATION_WON: { stage: 8, status: 'won' },
  SECOND_CHARGEBACK: { stage: 9, status: 'lost' },
  SCHEME_ARBITRATION_LOST: { stage: 10, status: 'lost' },
  SCHEME_ARBITRATION_WON: { stage: 11, status: 'won' },
} as const satisfies Readonly<Record<string, DisputeEvent>>

export type DisputeEventCode = keyof typeof EVENTS

export const isDisputeEvent = (event: string): event is DisputeEventCode => Object.hasOwn(EVENTS, event)

/** The disputes of the account are read as soon as one of these is told. */
export const DISPUTE_EVENTS: readonly string[] = Object.keys(EVENTS)

export const disputeEventOf = (event: DisputeEventCode): DisputeEvent => EVENTS[event]

interface Move {
  readonly event: DisputeEventCode
  /** The same movement in the settlement details report. */
  readonly rowType: string
  readonly kind: DisputeMovement['kind']
  /** All movements of a dispute have one reference at Adyen. */
  readonly suffix: string
}

export const DISPUTE_MOVES: readonly Move[] = [
  { event: 'CHARGEBACK', rowType: 'Chargeback', kind: 'chargeback', suffix: '' },
  { event: 'CHARGEBACK_REVERSED', rowType: 'ChargebackReversed', kind: 'chargeback_reversal', suffix: '-reversed' },
  { event: 'SECOND_CHARGEBACK', rowType: 'SecondChargeback', kind: 'chargeback', suffix: '-second' },
]
