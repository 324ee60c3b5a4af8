/** Card behaviour at the Adyen double: what a card of the sandbox's table does when it is authorised and captured. */
import { sandboxCards } from '../cards/card-table.ts'
import type { Brand } from '../cards/cards.ts'
import type { AcquirerBehaviour, DeclineReason } from '../cards/scenarios.ts'

export const AT_CAPTURE_KINDS = ['process', 'process_late', 'never_answer', 'answer_500'] as const

/** What the double does with the capture of the card: the capture is the call that moves money. */
export interface AtCapture {
  readonly kind: (typeof AT_CAPTURE_KINDS)[number]
  /** How late, or how long the connection is held; at time scale 1. */
  readonly ms: number
}

interface Refusal {
  readonly reason: string
  readonly code: string
}

export type AtAuthorisation =
  | { readonly kind: 'authorise'; readonly atCapture: AtCapture }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'authorise_later'; readonly queueMs: number }
  | { readonly kind: 'answer_500' }
  | { readonly kind: 'drop_connection' }

export const PROCESS: AtCapture = { kind: 'process', ms: 0 }

const authorise = (atCapture: AtCapture): AtAuthorisation => ({ kind: 'authorise', atCapture })

/** Reasons and codes: docs.adyen.com/development-resources/refusal-reasons */
const NOT_SUPPORTED: Refusal = { reason: 'Not supported', code: '10' }

const refusals: Record<DeclineReason, Refusal> = {
  card_declined: { reason: 'Refused', code: '2' },
  card_expired: { reason: 'Expired Card', code: '6' },
  unsupported_card: NOT_SUPPORTED,
}

const atAuthorisation = (behaviour: AcquirerBehaviour): AtAuthorisation => {
  switch (behaviour.kind) {
    case 'charge':
      return authorise(PROCESS)
    case 'decline':
      return { kind: 'refuse', refusal: refusals[behaviour.reason] }
    case 'charge_then_never_answer':
      return authorise({ kind: 'never_answer', ms: behaviour.holdMs })
    case 'charge_late':
      return authorise({ kind: 'process_late', ms: behaviour.pendingMs })
    case 'charge_then_answer_500':
      return authorise({ kind: 'answer_500', ms: 0 })
    case 'queue_charge':
      return { kind: 'authorise_later', queueMs: behaviour.queueMs }
    case 'answer_500':
    case 'drop_connection':
      return { kind: behaviour.kind }
  }
}

const behaviours = new Map(sandboxCards.map(({ number, acquirer }) => [number, atAuthorisation(acquirer)]))

/** A number that is not published is refused: a real card must not look as if it had been charged here. */
export const atAuthorisationOf = (number: string): AtAuthorisation =>
  behaviours.get(number) ?? { kind: 'refuse', refusal: NOT_SUPPORTED }

/** Adyen's names of the brands: docs.adyen.com/development-resources/paymentmethodvariant */
export const paymentMethodOf: Record<Brand, string> = {
  visa: 'visa',
  master: 'mc',
  jcb: 'jcb',
  amex: 'amex',
  diners: 'diners',
  discover: 'discover',
  unknown: 'unknown',
}
