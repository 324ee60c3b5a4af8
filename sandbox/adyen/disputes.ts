/** Disputes of the Adyen double: the events of one, which may follow which, and the money that some of them move. */
import type { Bookings } from './bookings.ts'
import { capturedYen } from './payment-rules.ts'
import { newPspReference } from './references.ts'
import type { DisputeKind, Modification } from './rows.ts'
import type { AdyenStore } from './store.ts'

interface DisputeEvent {
  /** The events of which one must have come before; empty: it may be the first. */
  readonly follows: readonly string[]
  readonly moves?: DisputeKind
  /** Of the schema's enum. */
  readonly disputeStatus: string
}

const CHARGED_BACK = ['CHARGEBACK']
const REVERSED = ['CHARGEBACK_REVERSED']

/** docs.adyen.com/risk-management/disputes-api/dispute-notifications; "all events related to a dispute have the same PSP reference". */
const EVENTS = {
  REQUEST_FOR_INFORMATION: { follows: [], disputeStatus: 'Unresponded' },
  NOTIFICATION_OF_CHARGEBACK: { follows: [], disputeStatus: 'Undefended' },
  CHARGEBACK: { follows: [], moves: 'chargeback', disputeStatus: 'Undefended' },
  INFORMATION_SUPPLIED: { follows: ['REQUEST_FOR_INFORMATION', 'CHARGEBACK'], disputeStatus: 'Responded' },
  DISPUTE_DEFENSE_PERIOD_ENDED: { follows: CHARGED_BACK, disputeStatus: 'Lost' },
  CHARGEBACK_REVERSED: { follows: CHARGED_BACK, moves: 'chargeback_reversed', disputeStatus: 'Pending' },
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { follows: REVERSED, disputeStatus: 'Won' },
  PREARBITRATION_WON: { follows: REVERSED, disputeStatus: 'Won' },
  PREARBITRATION_LOST: { follows: REVERSED, disputeStatus: 'Lost' },
  SECOND_CHARGEBACK: { follows: REVERSED, moves: 'second_chargeback', disputeStatus: 'Lost' },
} as const satisfies Readonly<Record<string, DisputeEvent>>

export type DisputeEventCode = keyof typeof EVENTS
const isDisputeEvent = (event: string): event is DisputeEventCode => Object.hasOwn(EVENTS, event)
export const DISPUTE_EVENT_CODES = Object.keys(EVENTS).filter(isDisputeEvent)

type DisputeOutcome =
  | { readonly kind: 'told'; readonly pspReference: string }
  | { readonly kind: 'not_found' | 'not_captured' | 'out_of_turn' }

export interface Disputes {
  /** The next event of a dispute, by its own reference; or the first one of a new dispute, by that of its payment. */
  tell(pspReference: string, event: DisputeEventCode, amountYen: number | null): DisputeOutcome
}

/** Shops have some weeks to answer. */
const DEFENSE_MS = 18 * 24 * 60 * 60 * 1000

export const createDisputes = (store: AdyenStore, bookings: Bookings): Disputes => ({
  tell: (pspReference, event, amountYen) => {
    const known = store.modificationsOfDispute(pspReference)
    const [first] = known
    const state = bookings.state(first?.paymentPspReference ?? pspReference)
    if (state === undefined) return { kind: 'not_found' }
    if (capturedYen(state) === 0) return { kind: 'not_captured' }
    const { follows, disputeStatus, ...rule }: DisputeEvent = EVENTS[event]
    const told = known.map(({ reference }) => reference)
    if (told.includes(event) || (follows.length > 0 && !follows.some((each) => told.includes(each))))
      return { kind: 'out_of_turn' }
    const { payment } = state
    const modification: Modification = {
      pspReference: first?.pspReference ?? newPspReference(),
      paymentPspReference: payment.pspReference,
      kind: rule.moves ?? 'dispute',
      // No request of the merchant made it: kept here is which events were told.
      reference: event,
      amountYen: amountYen ?? first?.amountYen ?? capturedYen(state),
      status: 'done',
      createdAt: bookings.now(),
      dueAt: null,
      batch: null,
      reversedBatch: null,
    }
    store.addModification(modification)
    bookings.notifyModification(
      payment,
      modification,
      { eventCode: event, success: true, reason: 'Other Fraud-Card Absent Environment' },
      {
        chargebackReasonCode: '10.4',
        chargebackSchemeCode: payment.paymentMethod,
        defendable: 'true',
        defensePeriodEndsAt: new Date(modification.createdAt + DEFENSE_MS).toISOString(),
        disputeStatus,
        grossCurrency: 'JPY',
        grossValue: String(modification.amountYen),
        paymentMethodVariant: payment.paymentMethod,
      },
    )
    return { kind: 'told', pspReference: modification.pspReference }
  },
})
