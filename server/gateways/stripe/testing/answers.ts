/** Stripe's answers for tests, made of Stripe's own fixtures. */
import type Stripe from 'stripe'
import { CardNumber } from '#payment/card-number.ts'
import type { Card, ChargeOrder, RefundOrder, SentOrder } from '#payment/ports.ts'
import type { AcquirerReply } from '../../acquirer-http.ts'
import fixtures from '../vendor/fixtures3.json' with { type: 'json' }

const { payment_intent, charge, refund, payment_method, balance } = fixtures.resources

export const ORDER = 'k3v6wq2mk3v6wq2mk3v6wq2mk3v6wq2m'
export const INTENT = payment_intent.id
export const CHARGE = charge.id
export const AMOUNT_YEN = 1980
/** The fixtures' time. */
export const CREATED = 1_234_567_890
export const RECEIVED = CREATED * 1000 + 7000

export const sentOrder: SentOrder & { readonly reference: string } = {
  orderCode: ORDER,
  amountYen: AMOUNT_YEN,
  reference: INTENT,
  startedAt: RECEIVED,
}

const testCard = (): Card => {
  const number = CardNumber.parse('4242424242424242')
  if (number === undefined) throw new Error('a test names an invalid card number')
  return { number, expiryMonth: 12, expiryYear: 2099, email: 'taro@example.com', holderName: 'TARO YAMADA' }
}

export const chargeOrder = (): ChargeOrder => ({
  orderCode: ORDER,
  amountYen: AMOUNT_YEN,
  card: testCard(),
  cvc: '737',
  clearance: {
    by: 'authentication',
    authentication: {
      transStatus: 'Y',
      eci: '05',
      authenticationValue: 'AAABBWcSNIdjeUZThmNHAAAAAAA=',
      dsTransId: '1f8a3a2b-7c7e-4b0c-8d1e-4a7f0d7e9b11',
      messageVersion: '2.2.0',
    },
  },
})

export const refundOrder: RefundOrder = {
  orderCode: ORDER,
  reference: INTENT,
  refundId: 'refund-1',
  amountYen: 980,
  requestedAt: RECEIVED,
}

export const chargeAnswer = (changes: object = {}): object => ({
  ...charge,
  amount: AMOUNT_YEN,
  amount_captured: AMOUNT_YEN,
  captured: true,
  currency: 'jpy',
  payment_intent: INTENT,
  transfer_group: ORDER,
  metadata: { order: ORDER },
  ...changes,
})

export const failedCharge = (changes: object = {}): object =>
  chargeAnswer({
    status: 'failed',
    paid: false,
    captured: false,
    amount_captured: 0,
    failure_code: 'card_declined',
    ...changes,
  })

/** An intent as it is after its creation. */
export const intentAnswer = (changes: object = {}): object => ({
  ...payment_intent,
  amount: AMOUNT_YEN,
  currency: 'jpy',
  last_payment_error: null,
  next_action: null,
  transfer_group: ORDER,
  metadata: { order: ORDER },
  ...changes,
})

export const paidIntent = (changes: object = {}): object =>
  intentAnswer({ status: 'succeeded', amount_received: AMOUNT_YEN, latest_charge: chargeAnswer(), ...changes })

export const declinedIntent = (changes: object = {}): object =>
  intentAnswer({
    latest_charge: failedCharge(),
    last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' },
    ...changes,
  })

export const cardError = (changes: object = {}): object => ({
  error: {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card 4242424242424242 has insufficient funds.',
    payment_intent: declinedIntent({ latest_charge: CHARGE }),
    ...changes,
  },
})

export const unexpectedState = (intent: object): object => ({
  error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', payment_intent: intent },
})

export const requestError = (error: object): object => ({ error: { type: 'invalid_request_error', ...error } })
export const idempotencyError = { error: { type: 'idempotency_error' } }

export const refundAnswer = (changes: object = {}): object => ({
  ...refund,
  amount: refundOrder.amountYen,
  currency: 'jpy',
  payment_intent: INTENT,
  metadata: { refund: refundOrder.refundId },
  ...changes,
})

type DisputeTransaction = Pick<Stripe.BalanceTransaction, 'id' | 'amount' | 'currency' | 'created' | 'fee' | 'net'>

/** No sample of a dispute is in Stripe's fixtures here: the compiler holds its fields against the type of Stripe's library. */
export const disputeMovement = (changes: Partial<DisputeTransaction> = {}): DisputeTransaction => ({
  id: 'txn_1',
  amount: -AMOUNT_YEN,
  currency: 'jpy',
  created: CREATED,
  fee: 1500,
  net: -AMOUNT_YEN - 1500,
  ...changes,
})

const disputeSample: Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'charge' | 'created' | 'currency' | 'reason' | 'status' | 'livemode'
> & { readonly evidence_details: Pick<Stripe.Dispute.EvidenceDetails, 'due_by' | 'has_evidence' | 'past_due'> } = {
  id: 'du_1',
  object: 'dispute',
  amount: AMOUNT_YEN,
  charge: CHARGE,
  created: CREATED,
  currency: 'jpy',
  evidence_details: { due_by: CREATED + 86_400, has_evidence: false, past_due: false },
  livemode: false,
  reason: 'fraudulent',
  status: 'needs_response',
}

/** With `payment_intent` expanded. */
export const disputeAnswer = (changes: object = {}): object => ({
  ...disputeSample,
  balance_transactions: [disputeMovement()],
  payment_intent: intentAnswer(),
  ...changes,
})

export const paymentMethodAnswer: object = payment_method
export const PAYMENT_METHOD = payment_method.id
export const balanceAnswer = (changes: object = {}): object => ({ ...balance, ...changes })

export const listOf = (data: readonly unknown[], hasMore = false): object => ({
  object: 'list',
  url: '/v1/list',
  data,
  has_more: hasMore,
})

export const reply = (status: number, body: unknown): AcquirerReply => ({ status, body, receivedAt: RECEIVED })

/** What nobody should send. */
export const GARBAGE: readonly unknown[] = [
  null,
  '',
  'paid',
  7,
  [],
  {},
  [paidIntent()],
  { error: null },
  { error: 'card_declined' },
  { error: { type: 7 } },
  { id: INTENT, status: 'succeeded' },
]
