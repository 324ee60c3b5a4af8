import type { Attempt, AttemptState } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import { systemRandom } from '../parts.ts'

export const NOW = Date.parse('2026-11-15T03:00:00.123Z')
const receipt = { email: 'taro@example.com', locale: 'ja_JP' }
const clearance = { by: 'exemption', reason: 'not_enrolled' } as const

export const newCheckout = (more: Partial<Checkout> = {}): Checkout => ({
  merchantId: 'tea',
  id: systemRandom.id(),
  mode: 'test',
  amountYen: 1980,
  subject: null,
  remarks: null,
  validUntil: NOW + 1000,
  acceptedCardBrands: ['visa', 'jcb'],
  cancelUrl: null,
  redirectUrl: null,
  locale: null,
  metadata: {},
  createdAt: NOW,
  state: { status: 'open' },
  ...more,
})

export const newAttempt = (checkout: Checkout, state: AttemptState, more: Partial<Attempt> = {}): Attempt => ({
  merchantId: checkout.merchantId,
  checkoutId: checkout.id,
  orderCode: systemRandom.id(),
  amountYen: checkout.amountYen,
  card: { brand: 'visa', lastFour: '4242' },
  startedAt: NOW,
  consentVersion: '2026-11-15',
  state,
  ...more,
})

export const charging: AttemptState = { name: 'charging', clearance, receipt, leaseUntil: NOW + 35_000 }
export const unknown: AttemptState = {
  name: 'unknown',
  receipt,
  why: 'x',
  since: NOW,
  inquiries: 1,
  nextInquiryAt: NOW + 1,
}
export const charged: AttemptState = { name: 'charged', receipt, transactionId: 'txn', approvedAt: NOW }
export const started: AttemptState = { name: 'started', clearance }

export const payment = {
  orderCode: 'order',
  transactionId: 'txn_1',
  paidAt: NOW,
  card: { brand: 'visa', lastFour: '4242' },
} as const

/** An attempt in each state there is. */
export const ATTEMPT_STATES: readonly AttemptState[] = [
  { name: 'started', clearance: null },
  started,
  { name: 'authenticating', since: NOW },
  { name: 'challenged' },
  {
    name: 'authenticated',
    clearance: {
      by: 'authentication',
      authentication: {
        transStatus: 'A',
        eci: '06',
        authenticationValue: 'AAA=',
        dsTransId: 'ds',
        messageVersion: '2.2.0',
      },
    },
  },
  { name: 'refused', reason: 'N', counted: true, blocksCard: false },
  charging,
  unknown,
  charged,
  { name: 'declined', reason: 'card_declined' },
  { name: 'void', why: 'nothing was charged' },
  { name: 'abandoned', why: 'superseded' },
]
