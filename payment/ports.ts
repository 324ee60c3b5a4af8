import type { Instant } from '#contract/jst.ts'
import type { Clearance, Enrolment } from './authentication.ts'
import type { CardNumber } from './card-number.ts'

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
}

/** What a held card belongs to; a card is given back only to exactly the same. */
export interface CardBinding {
  readonly merchantId: string
  readonly checkoutId: string
  readonly orderCode: string
  readonly amountYen: number
}

/** Holds a card between start and pay, in memory alone. */
export interface CardHold {
  put(binding: CardBinding, card: Card): void
  find(binding: CardBinding): Card | undefined
  wipe(orderCode: string): void
}

export interface ChargeOrder {
  readonly orderCode: string
  readonly amountYen: number
  readonly card: Card
  readonly cvc: string
  readonly clearance: Clearance
}

export interface Charged {
  readonly outcome: 'charged'
  readonly transactionId: string
  readonly approvedAt: Instant
  readonly amountYen: number
}
export interface Declined {
  readonly outcome: 'declined'
  readonly reason: string
}
/** The order id is closed at the acquirer: nothing was charged and nothing can be any more. */
export interface Voided {
  readonly outcome: 'void'
}
/** Timeout, broken connection, 5xx, an answer that cannot be read: money may have moved. */
export interface Unknown {
  readonly outcome: 'unknown'
  readonly why: string
}

export type ChargeOutcome = Charged | Declined | Voided | Unknown
export type Inquiry = ChargeOutcome | { readonly outcome: 'pending' } | { readonly outcome: 'not_found' }
/** `exists`: the order reached the acquirer after all, so it cannot be fenced; ask again. */
export type Fencing = { readonly outcome: 'fenced' } | { readonly outcome: 'exists' } | Unknown

export interface RefundOrder {
  readonly orderCode: string
  readonly refundId: string
  readonly amountYen: number
}
export interface Refunded {
  readonly outcome: 'refunded'
  readonly amountYen: number
  readonly refundedAt: Instant
}
export type RefundOutcome = Refunded | { readonly outcome: 'refused'; readonly reason: string } | Unknown
export type RefundInquiry = Refunded | { readonly outcome: 'not_found' } | Unknown

/** `silent`: no answer in time, or a fault on its side. One silence says little; it takes several in a row to mean it. */
export type Readiness = 'ready' | 'refused' | 'silent'

/** An acquirer. One that can neither inquire nor fence cannot be made safe, so both are part of the port. */
export interface Gateway {
  ready(): Promise<Readiness>
  charge(order: ChargeOrder): Promise<ChargeOutcome>
  inquire(orderCode: string): Promise<Inquiry>
  fence(orderCode: string): Promise<Fencing>
  refund(order: RefundOrder): Promise<RefundOutcome>
  inquireRefund(order: Pick<RefundOrder, 'orderCode' | 'refundId'>): Promise<RefundInquiry>
}

export interface ThreeDSServer {
  /** Whether the card takes part in 3-D Secure. */
  enrolment(card: Card): Promise<Enrolment>
}
