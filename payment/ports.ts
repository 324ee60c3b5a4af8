/** Ports: clock, random ids, card hold and acquirer (gateway), as the rules use them. */
import type { Instant } from '#contract/jst.ts'
import type { Clearance } from './authentication-verdict.ts'
import type { CardFace, CardNumber } from './card-number.ts'
import type { OrderRef } from './references.ts'

export interface Clock {
  now(): Instant
  sleep(ms: number): Promise<void>
}

export interface Random {
  /** 160 random bits, base32, lower case: a link made of it is a capability. */
  id(): string
}

export interface Card {
  readonly number: CardNumber
  readonly expiryMonth: number
  readonly expiryYear: number
  readonly holderName: string
  readonly email: string
}

/** What a held card belongs to. The card is handed out only for exactly the same. */
export interface CardBinding extends OrderRef {
  readonly amountYen: number
}

/** The cards cannot be reached now: nothing was charged, and the shopper may try again. */
export interface HoldUnavailable {
  readonly outcome: 'unavailable'
  readonly why: string
}
export type HeldCard =
  | { readonly outcome: 'held'; readonly card: Card }
  | { readonly outcome: 'not_held' }
  | HoldUnavailable

/**
 * Holds a card between start and pay, never on disk and never its security code. It may be another machine, so no database
 * transaction waits for it: a card is put before the transaction that needs it, found before it, and wiped after the commit.
 */
export interface CardHold {
  put(binding: CardBinding, card: Card): Promise<{ readonly outcome: 'held' } | HoldUnavailable>
  find(binding: CardBinding): Promise<HeldCard>
  /** Never fails: a card that cannot be reached ends by its time. */
  wipe(orderCodes: readonly string[]): Promise<void>
}

export interface ChargeOrder {
  readonly orderCode: string
  readonly amountYen: number
  readonly card: Card
  readonly cvc: string
  readonly clearance: Clearance
}

/**
 * Stores the acquirer's reference of an order, durably, before the call that can move money. False: nothing may be charged under
 * this order any more, because its lease has passed or the reference could not be stored. The adapter then stops and answers
 * `not_charged`.
 */
export type Remember = (reference: string) => Promise<boolean>

export interface Charged {
  readonly outcome: 'charged'
  readonly transactionId: string
  readonly approvedAt: Instant
  readonly amountYen: number
  /** The card, where the acquirer names it: after a restore we may not know it. */
  readonly card?: CardFace
}
export interface Declined {
  readonly outcome: 'declined'
  readonly reason: string
}
/** The order id is closed at the acquirer: nothing was charged, and nothing can be. */
export interface NotCharged {
  readonly outcome: 'not_charged'
  /** The acquirer was silent before any call that can move money: the circuit breaker counts it. */
  readonly isSilence?: true
  /** Why the acquirer takes no payment of this account, whatever the card: its operator is called. */
  readonly accountFault?: string
}
/** Timeout, broken connection, 5xx, an answer that cannot be read: money may have moved. */
export interface Unknown {
  readonly outcome: 'unknown'
  readonly why: string
  /** Timeout, broken connection, 5xx or an exception. Without it the acquirer did answer, but its answer decided nothing. */
  readonly isSilence?: true
  /** No later inquiry can answer either: a person must look at the acquirer's own records. */
  readonly needsPerson?: true
}

export type ChargeOutcome = Charged | Declined | NotCharged | Unknown
export type Inquiry = ChargeOutcome | { readonly outcome: 'pending' } | { readonly outcome: 'not_found' }
/** `exists`: the order has reached the acquirer meanwhile, so it cannot be fenced; inquire again. */
export type Fencing = { readonly outcome: 'fenced' } | { readonly outcome: 'exists' } | Unknown

/** An order that the acquirer is asked about. */
export interface SentOrder {
  readonly orderCode: string
  readonly amountYen: number
  /** The acquirer's own reference, as it was stored before the charge. Null: nothing chargeable was ever sent. */
  readonly reference: string | null
  /** When the attempt was started. An acquirer forgets an idempotency key after some days. */
  readonly startedAt: Instant
  /** The database was restored from a backup: a reference may have been lost, so null says nothing. */
  readonly isRestored?: true
}

export interface RefundOrder {
  readonly orderCode: string
  /** The acquirer's reference of the charge. */
  readonly reference: string
  readonly refundId: string
  readonly amountYen: number
  readonly requestedAt: Instant
}
export interface Refunded {
  readonly outcome: 'refunded'
  readonly amountYen: number
  readonly refundedAt: Instant
}
export type RefundOutcome = Refunded | { readonly outcome: 'refused'; readonly reason: string } | Unknown
export type RefundInquiry = RefundOutcome | { readonly outcome: 'not_found' }

/** Money that the acquirer moved, by its own records. */
export type StatementLine =
  | {
      readonly kind: 'charge'
      readonly orderCode: string
      readonly reference: string
      readonly amountYen: number
      readonly movedAt: Instant
    }
  /** A refund that we did not request has the acquirer's own id. */
  | {
      readonly kind: 'refund'
      readonly orderCode: string
      readonly refundId: string
      readonly amountYen: number
      readonly movedAt: Instant
    }
  | ({ readonly orderCode: string } & DisputeMovement)

/**
 * Money that a dispute moved: a chargeback takes it from the shop, a reversal gives it back. `movementId` is the acquirer's own
 * id; a dispute can move money more than once.
 */
export interface DisputeMovement {
  readonly kind: 'chargeback' | 'chargeback_reversal'
  readonly movementId: string
  readonly amountYen: number
  readonly movedAt: Instant
}

/** `inquiry`: the issuer asks the shop about the payment, and no money was taken. */
export type DisputeStatus = 'inquiry' | 'open' | 'won' | 'lost'

/** A dispute as the acquirer has it now. The shop answers it at the acquirer, not here. */
export interface AcquirerDispute {
  readonly disputeId: string
  /** May be an order of another system that uses the same account. */
  readonly orderCode: string
  readonly status: DisputeStatus
  readonly amountYen: number
  /** The acquirer's short code; null: it names none. */
  readonly reason: string | null
  /** Until then the shop can answer; null: it cannot any more, or the acquirer does not say. */
  readonly respondBy: Instant | null
  readonly openedAt: Instant
  readonly movements: readonly DisputeMovement[]
}

/** A dispute of which the acquirer says what nobody can read, or what cannot be booked yet. */
export interface UnreadableDispute {
  /** Null: even its id cannot be read. */
  readonly disputeId: string | null
  /** Null: it cannot be read either, or may be that of another system. */
  readonly orderCode: string | null
  /** In words of ours, which hold nothing of the answer. */
  readonly why: string
}

export interface ToldDisputes {
  readonly disputes: readonly AcquirerDispute[]
  /** Never left out of both lists: each may be a chargeback. Left out: all could be read. */
  readonly unreadable?: readonly UnreadableDispute[]
}

export type DisputePage = ({ readonly outcome: 'page'; readonly after: string | null } & ToldDisputes) | Unknown

/** The time of a statement: from its first moment, before its last. */
export interface Period {
  readonly from: Instant
  readonly to: Instant
}

/** `after` asks for the next page; null: this was the last. Lines come in any order. */
export type Statement =
  | {
      readonly outcome: 'page'
      readonly lines: readonly StatementLine[]
      /** Orders that the acquirer has not decided yet, if it lists them. */
      readonly pending?: readonly Pick<SentOrder, 'orderCode' | 'reference'>[]
      /** Movements before then may be missing, because a restore may have lost where they are listed; left out: none are. */
      readonly completeFrom?: Instant
      /** Movements since then may still be missing; left out: none are. */
      readonly completeUntil?: Instant
      readonly after: string | null
    }
  | Unknown

/**
 * `silent`: no answer in time, or a fault on its side. Only several in a row count as an outage. `forbidden`: it refuses
 * the account's key, or the key may not charge; the account's operator is called.
 */
export type Readiness = 'ready' | 'refused' | 'forbidden' | 'silent'

/** An account at an acquirer. Without inquiry and fence it cannot be made safe, so both are part of the port. */
export interface Gateway {
  ready(): Promise<Readiness>
  charge(order: ChargeOrder, remember: Remember): Promise<ChargeOutcome>
  inquire(order: SentOrder): Promise<Inquiry>
  fence(order: SentOrder): Promise<Fencing>
  refund(order: RefundOrder): Promise<RefundOutcome>
  inquireRefund(order: RefundOrder): Promise<RefundInquiry>
  /** All that was charged, refunded and charged back in a period, page by page (the first: `after` null). Orders without money are left out. */
  statement(period: Period, after: string | null): Promise<Statement>
  /** The disputes that were opened in a period, as they are now, page by page (the first: `after` null), in any order. */
  disputes(openedIn: Period, after: string | null): Promise<DisputePage>
}
