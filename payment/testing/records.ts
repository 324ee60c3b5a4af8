import { CARD_BRANDS } from '#contract/brands.ts'
import type { CheckoutStatus } from '#contract/checkout.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Attempt, AttemptState, AttemptStateName } from '../attempt.ts'
import type { Clearance } from '../authentication-verdict.ts'
import type { Checkout, CheckoutState, Payment } from '../checkout.ts'

/** Fixtures for tests: attempts and checkouts in each of their states, at one fixed time. */
export const NOW = Date.parse('2026-11-22T12:00:00.123+09:00')
export const DEADLINE = Date.parse('2026-11-29T23:59:59.999+09:00')

const card = { brand: 'visa', lastFour: '4242' } as const
export const receipt = { email: 'taro@example.com', locale: 'ja_JP' }
export const exemption = { by: 'exemption', reason: 'not_enrolled' } as const satisfies Clearance
export const authentication = {
  by: 'authentication',
  authentication: {
    transStatus: 'A',
    eci: '06',
    authenticationValue: 'AAAB',
    dsTransId: 'd1',
    messageVersion: '2.2.0',
  },
} as const satisfies Clearance

/** An attempt in each state there is. */
export const ATTEMPT_STATES = {
  started: { name: 'started', clearance: exemption },
  authenticating: { name: 'authenticating', since: NOW },
  challenged: { name: 'challenged' },
  authenticated: { name: 'authenticated', clearance: authentication },
  refused: { name: 'refused', reason: 'N', counted: true, blocksCard: false },
  charging: { name: 'charging', clearance: exemption, receipt, claimedAt: NOW, leaseUntil: NOW + 35_000 },
  unknown: { name: 'unknown', receipt, why: 'HTTP 500', since: NOW, inquiries: 0, nextInquiryAt: NOW + 1000 },
  charged: { name: 'charged', receipt, transactionId: 't1', approvedAt: NOW },
  declined: { name: 'declined', reason: 'insufficient funds' },
  not_charged: { name: 'not_charged' },
  abandoned: { name: 'abandoned', why: 'superseded' },
} as const satisfies Record<AttemptStateName, AttemptState>

/** Started, and its card holder must be authenticated first. */
export const UNCLEARED = { name: 'started', clearance: null } as const satisfies AttemptState

export const attemptIn = (state: AttemptState, more: Partial<Attempt> = {}): Attempt =>
  Object.freeze({
    merchantId: 'm1',
    checkoutId: 'c1',
    orderCode: 'o1',
    mode: 'test',
    amountYen: 1980,
    card,
    startedAt: NOW,
    consentVersion: '2026-11-15',
    clientNetwork: '192.0.2.1',
    cardMark: null,
    challengeDemanded: false,
    reference: null,
    state,
    ...more,
  })

/** Some attempts that count as declines. */
export const declines = (count: number): Attempt[] =>
  Array.from({ length: count }, (_, place) => attemptIn(ATTEMPT_STATES.declined, { orderCode: `d${place}` }))

export const payment: Payment = { orderCode: 'o1', transactionId: 't1', paidAt: NOW, card, invoiceIssuer: null }

/** A checkout in each status there is. */
export const CHECKOUT_STATES: Record<CheckoutStatus, CheckoutState> = {
  open: { status: 'open' },
  paid: { status: 'paid', payment },
  refunded: { status: 'refunded', payment, refundedAt: NOW },
  failed: { status: 'failed', closedAt: NOW },
  cancelled: { status: 'cancelled', closedAt: NOW },
  expired: { status: 'expired', closedAt: NOW },
}

export const checkoutIn = (state: CheckoutState, more: Partial<Checkout> = {}): Checkout =>
  Object.freeze({
    merchantId: 'm1',
    id: 'c1',
    mode: 'test',
    amountYen: 1980,
    subject: null,
    remarks: null,
    validUntil: DEADLINE,
    acceptedCardBrands: CARD_BRANDS,
    cancelUrl: null,
    redirectUrl: null,
    locale: null,
    metadata: {},
    reference: null,
    taxes: null,
    createdAt: NOW,
    linkId: null,
    heldSince: null,
    state,
    ...more,
  })

/** The name of a decision, or the code of its refusal. */
export const decisionOf = (decided: { readonly decision: string } | Refusal): string =>
  'refused' in decided ? decided.refused : decided.decision
