/**
 * Card behaviour: what a number does at this double. The sandbox's own table comes first; then some of the numbers that
 * Stripe publishes (docs.stripe.com/testing). Every other number is a real card as far as Stripe's test mode knows.
 */
import { Type, type Static } from 'typebox'
import { sandboxCards } from '../cards/card-table.ts'
import type { AcquirerBehaviour, DeclineReason } from '../cards/scenarios.ts'

export const CardBehaviour = Type.Union([
  Type.Object({ kind: Type.Literal('succeed') }),
  Type.Object({
    kind: Type.Literal('decline'),
    code: Type.String(),
    declineCode: Type.Union([Type.String(), Type.Null()]),
  }),
  Type.Object({ kind: Type.Literal('process'), pendingMs: Type.Number() }),
  Type.Object({ kind: Type.Literal('succeed_then_hold_connection'), holdMs: Type.Number() }),
  Type.Object({ kind: Type.Literal('succeed_then_answer_500') }),
  Type.Object({ kind: Type.Literal('answer_500') }),
  Type.Object({ kind: Type.Literal('drop_connection') }),
  Type.Object({ kind: Type.Literal('queue'), queueMs: Type.Number() }),
  Type.Object({ kind: Type.Literal('ask_for_authentication') }),
])
export type CardBehaviour = Static<typeof CardBehaviour>

export const RefundBehaviour = Type.Enum(['succeed', 'pending_then_succeed', 'succeed_then_fail'])
type RefundBehaviour = Static<typeof RefundBehaviour>

interface KnownCard {
  readonly behaviour: CardBehaviour
  readonly refunds: RefundBehaviour
  /** The issuer declines it with authentication_required unless 3-D Secure data comes along. */
  readonly needsThreeDSecure: boolean
}

const decline = (code: string, declineCode: string | null): CardBehaviour => ({ kind: 'decline', code, declineCode })

/** Codes of declines: docs.stripe.com/declines/codes and docs.stripe.com/error-codes. */
const declines: Record<DeclineReason, CardBehaviour> = {
  card_declined: decline('card_declined', 'generic_decline'),
  card_expired: decline('expired_card', 'expired_card'),
  unsupported_card: decline('card_declined', 'card_not_supported'),
}

const behaviourOf = (acquirer: AcquirerBehaviour): CardBehaviour => {
  switch (acquirer.kind) {
    case 'charge':
      return { kind: 'succeed' }
    case 'decline':
      return declines[acquirer.reason]
    case 'charge_late':
      return { kind: 'process', pendingMs: acquirer.pendingMs }
    case 'charge_then_never_answer':
      return { kind: 'succeed_then_hold_connection', holdMs: acquirer.holdMs }
    case 'charge_then_answer_500':
      return { kind: 'succeed_then_answer_500' }
    case 'queue_charge':
      return { kind: 'queue', queueMs: acquirer.queueMs }
    case 'answer_500':
    case 'drop_connection':
      return { kind: acquirer.kind }
  }
}

const published = (
  number: string,
  behaviour: CardBehaviour,
  refunds: RefundBehaviour = 'succeed',
): readonly [string, KnownCard] => [number, { behaviour, refunds, needsThreeDSecure: true }]

/** A number that a test has named: charged like any other. */
export const NAMED_BY_TEST: KnownCard = { behaviour: { kind: 'succeed' }, refunds: 'succeed', needsThreeDSecure: true }

const knownCards = new Map<string, KnownCard>([
  published('4000000000000002', decline('card_declined', 'generic_decline')),
  published('4000000000009995', decline('card_declined', 'insufficient_funds')),
  published('4000000000009987', decline('card_declined', 'lost_card')),
  published('4000000000009979', decline('card_declined', 'stolen_card')),
  published('4000000000000069', decline('expired_card', 'expired_card')),
  published('4000000000000127', decline('incorrect_cvc', 'incorrect_cvc')),
  published('4000000000000119', decline('processing_error', 'processing_error')),
  published('4000002760003184', { kind: 'ask_for_authentication' }),
  published('4000000000007726', { kind: 'succeed' }, 'pending_then_succeed'),
  published('4000000000005126', { kind: 'succeed' }, 'succeed_then_fail'),
  ...sandboxCards.map(({ number, acquirer, threeDS }): readonly [string, KnownCard] => [
    number,
    { behaviour: behaviourOf(acquirer), refunds: 'succeed', needsThreeDSecure: threeDS.enrolled },
  ]),
])

export const knownCardOf = (number: string): KnownCard | undefined => knownCards.get(number)

/** How long a refund of the two cards above takes, at time scale 1. */
export const REFUND_SETTLES_MS = 30_000
