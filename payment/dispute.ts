/** Dispute: our record of a chargeback or an inquiry of an issuer, and what is new in what the acquirer tells of it. */
import type { MerchantMode } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import type { AcquirerDispute, DisputeMovement, DisputeStatus } from './ports.ts'
import type { CheckoutRef } from './references.ts'

export const DISPUTE_STATUSES = ['inquiry', 'open', 'won', 'lost'] as const satisfies readonly DisputeStatus[]

export const isDisputeStatus = (word: string): word is DisputeStatus => DISPUTE_STATUSES.some((each) => each === word)

/** A dispute as we have recorded it. The shop answers it at the acquirer, not here. */
export interface Dispute extends CheckoutRef, AcquirerDispute {
  readonly mode: MerchantMode
  /** When the acquirer was asked whose answer is recorded here. */
  readonly askedAt: Instant
}

/** The payment that is disputed. */
export type DisputedPayment = Pick<Dispute, 'merchantId' | 'checkoutId' | 'mode'>

export type DisputeEventType = 'dispute.opened' | 'dispute.updated' | 'dispute.closed'

const OPENED = ['dispute.opened'] as const
const UPDATED = ['dispute.updated'] as const
const CLOSED = ['dispute.closed'] as const
/** Of a dispute that was over when it was first read: a merchant that gets `closed` has always got `opened` before. */
const OPENED_AND_CLOSED = ['dispute.opened', 'dispute.closed'] as const

/** By the status before and after. `opened` again: the shop has to answer again. */
const EVENTS: Readonly<Record<DisputeStatus | 'none', Readonly<Record<DisputeStatus, readonly DisputeEventType[]>>>> = {
  none: { inquiry: OPENED, open: OPENED, won: OPENED_AND_CLOSED, lost: OPENED_AND_CLOSED },
  inquiry: { inquiry: UPDATED, open: OPENED, won: CLOSED, lost: CLOSED },
  open: { inquiry: UPDATED, open: UPDATED, won: CLOSED, lost: CLOSED },
  won: { inquiry: OPENED, open: OPENED, won: UPDATED, lost: CLOSED },
  lost: { inquiry: OPENED, open: OPENED, won: CLOSED, lost: UPDATED },
}

/** The events of a change of a dispute; `known` null: it was not known. */
export const disputeEvents = (known: Dispute | null, next: Dispute): readonly DisputeEventType[] =>
  EVENTS[known?.status ?? 'none'][next.status]

const nameOf = ({ kind, movementId }: DisputeMovement): string => `${kind} ${movementId}`

/** Compared by id: a movement that is booked stays as it is. If the acquirer changes its amount, reconciliation reports that. */
const unbooked = (booked: readonly DisputeMovement[], told: readonly DisputeMovement[]): DisputeMovement[] => {
  const names = new Set(booked.map(nameOf))
  return told.filter((movement) => {
    const isNew = !names.has(nameOf(movement))
    names.add(nameOf(movement))
    return isNew
  })
}

const SIGNS: Readonly<Record<DisputeMovement['kind'], 1 | -1>> = { chargeback: 1, chargeback_reversal: -1 }

/** The yen that the acquirer has taken for disputes and not given back. */
export const withdrawnYen = (disputes: readonly Pick<Dispute, 'movements'>[]): number =>
  disputes.flatMap(({ movements }) => movements).reduce((sum, { kind, amountYen }) => sum + SIGNS[kind] * amountYen, 0)

export interface DisputeChange {
  readonly dispute: Dispute
  /** To be booked, each once. */
  readonly movements: readonly DisputeMovement[]
}

const isSame = (known: Dispute, told: AcquirerDispute): boolean =>
  known.status === told.status &&
  known.amountYen === told.amountYen &&
  known.reason === told.reason &&
  known.respondBy === told.respondBy &&
  known.openedAt === told.openedAt

/**
 * What is new in what the acquirer told when it was asked at `askedAt`; null: nothing. `disputes`: all that are known of the
 * checkout. The latest answer counts, also where it contradicts an earlier one: a dispute that was won can be lost by a second
 * chargeback. An answer that was asked for before the recorded one adds its movements alone. A movement is booked once and
 * never taken back.
 */
export const applyDispute = (
  { merchantId, checkoutId, mode }: DisputedPayment,
  disputes: readonly Dispute[],
  told: AcquirerDispute,
  askedAt: Instant,
): DisputeChange | null => {
  const known = disputes.find(({ disputeId }) => disputeId === told.disputeId)
  const movements = unbooked(
    disputes.flatMap((dispute) => dispute.movements),
    told.movements,
  )
  if (known === undefined) return { dispute: { ...told, merchantId, checkoutId, mode, askedAt, movements }, movements }
  const isNewer = askedAt >= known.askedAt && !isSame(known, told)
  if (!isNewer && movements.length === 0) return null
  const { status, amountYen, reason, respondBy, openedAt } = isNewer ? told : known
  const dispute = {
    ...known,
    status,
    amountYen,
    reason,
    respondBy,
    openedAt,
    askedAt: Math.max(askedAt, known.askedAt),
    movements: [...known.movements, ...movements],
  }
  return { dispute, movements }
}
