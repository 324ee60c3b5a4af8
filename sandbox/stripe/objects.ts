/** Objects of the API: Stripe's own samples with the facts of this double put in. */
import type { JsonObject } from '../http/json.ts'
import { isLive } from './api-key.ts'
import { chargedCardBody, NO_BILLING_DETAILS, paymentMethodBody } from './card-objects.ts'
import { below, isExpanded, type Expand } from './expand.ts'
import type { ChargeRecord, DisputeRecord, IntentRecord, PaymentError, RefundRecord } from './records.ts'
import { ANSWER_SECONDS, disputeTransactions, isInquiry, isWaiting } from './disputes.ts'
import type { Store } from './store.ts'
import { fixtureOf } from './vendor.ts'

export const listBody = (url: string, data: readonly JsonObject[], hasMore: boolean): JsonObject => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
})

export interface ObjectBodies {
  intent(intent: IntentRecord, expand: Expand): JsonObject
  charge(charge: ChargeRecord, expand: Expand): JsonObject
  refund(refund: RefundRecord, expand: Expand): JsonObject
  dispute(dispute: DisputeRecord, expand: Expand): JsonObject
  /** `last_payment_error` of an intent, and what a card error says beside its message. */
  paymentError(error: PaymentError): JsonObject
}

/** What was given back of a charge: a failed refund came back to the merchant (docs.stripe.com/refunds). */
export const refundedOf = (refunds: readonly RefundRecord[]): number =>
  refunds.reduce((sum, { status, amount }) => (status === 'failed' ? sum : sum + amount), 0)

export const openObjectBodies = (store: Store): ObjectBodies => {
  const expandedIntent = (id: string, expand: Expand): unknown => {
    const found = isExpanded(expand, 'payment_intent') ? store.intents.find(id) : undefined
    return found === undefined ? id : intent(found, below(expand, 'payment_intent'))
  }
  const expandedCharge = (id: string, field: string, expand: Expand): unknown => {
    const found = isExpanded(expand, field) ? store.charges.find(id) : undefined
    return found === undefined ? id : charge(found, below(expand, field))
  }

  const paymentError = ({ code, declineCode, message, paymentMethod, charge: chargeId }: PaymentError): JsonObject => {
    const method = store.paymentMethods.find(paymentMethod)
    return {
      type: 'card_error',
      code,
      ...(declineCode === null ? {} : { decline_code: declineCode }),
      ...(chargeId === null ? {} : { charge: chargeId }),
      message,
      ...(method === undefined ? {} : { payment_method: paymentMethodBody(method) }),
    }
  }

  const intent = (record: IntentRecord, expand: Expand): JsonObject => {
    const method = isExpanded(expand, 'payment_method')
      ? store.paymentMethods.find(record.paymentMethod ?? '')
      : undefined
    return {
      ...fixtureOf('payment_intent'),
      id: record.id,
      created: record.created,
      livemode: isLive(record.account),
      amount: record.amount,
      amount_received: record.status === 'succeeded' ? record.amount : 0,
      currency: 'jpy',
      status: record.status,
      client_secret: record.clientSecret,
      description: record.description,
      transfer_group: record.transferGroup,
      metadata: record.metadata,
      payment_method: method === undefined ? record.paymentMethod : paymentMethodBody(method),
      latest_charge: record.latestCharge === null ? null : expandedCharge(record.latestCharge, 'latest_charge', expand),
      last_payment_error: record.lastPaymentError === null ? null : paymentError(record.lastPaymentError),
      canceled_at: record.canceledAt,
      cancellation_reason: record.cancellationReason,
      next_action: record.status === 'requires_action' ? { type: 'use_stripe_sdk', use_stripe_sdk: {} } : null,
      processing: record.status === 'processing' ? { type: 'card', card: {} } : null,
      // In stripe@23.1.0 and not yet in the sample of 2026-08-21.
      allowed_payment_method_types: ['card'],
      payment_record: null,
      automatic_payment_methods: null,
      payment_method_configuration_details: null,
      managed_payments: null,
      shipping: null,
      transfer_data: null,
    }
  }

  const charge = (record: ChargeRecord, expand: Expand): JsonObject => {
    const refunds = store.refunds.ofParent(record.id)
    const refunded = refundedOf(refunds)
    const { failure } = record
    // Since API version 2022-11-15 the refunds are in a charge only where they are expanded.
    const { refunds: _sample, ...sample } = fixtureOf('charge')
    return {
      ...sample,
      id: record.id,
      created: record.created,
      livemode: isLive(record.account),
      amount: record.amount,
      amount_captured: record.status === 'succeeded' ? record.amount : 0,
      amount_refunded: refunded,
      balance_transaction: record.status === 'succeeded' ? record.id.replace(/^ch_/, 'txn_') : null,
      billing_details: NO_BILLING_DETAILS,
      captured: record.status !== 'failed',
      currency: 'jpy',
      description: record.description,
      disputed: store.disputes.ofParent(record.id).length > 0,
      failure_code: failure?.code ?? null,
      failure_message: failure?.message ?? null,
      metadata: record.metadata,
      outcome: {
        advice_code: null,
        network_advice_code: null,
        network_decline_code: null,
        network_status: failure === null ? 'approved_by_network' : 'declined_by_network',
        reason: failure?.declineCode ?? failure?.code ?? null,
        seller_message: failure === null ? 'Payment complete.' : 'The bank declined the payment.',
        type: failure === null ? 'authorized' : 'issuer_declined',
      },
      paid: record.status === 'succeeded',
      payment_intent: expandedIntent(record.intent, expand),
      payment_method: record.paymentMethod,
      payment_method_details: chargedCardBody(record.card, record.threeDSecure),
      receipt_url: null,
      refunded: record.status === 'succeeded' && refunded === record.amount,
      ...(isExpanded(expand, 'refunds')
        ? {
            refunds: listBody(
              `/v1/charges/${record.id}/refunds`,
              refunds.map((each) => refund(each, [])),
              false,
            ),
          }
        : {}),
      shipping: null,
      source: null,
      status: record.status,
      transfer_data: null,
      transfer_group: record.transferGroup,
    }
  }

  const refund = (record: RefundRecord, expand: Expand): JsonObject => ({
    ...fixtureOf('refund'),
    id: record.id,
    created: record.created,
    amount: record.amount,
    balance_transaction: record.status === 'succeeded' ? record.id.replace(/^re_/, 'txn_') : null,
    charge: expandedCharge(record.charge, 'charge', expand),
    currency: 'jpy',
    metadata: record.metadata,
    payment_intent: expandedIntent(record.intent, expand),
    payment_method: record.paymentMethod,
    reason: record.reason,
    status: record.status,
    ...(record.status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
    ...(record.status === 'pending' ? { pending_reason: 'processing' } : {}),
  })

  /** No sample of it is in vendor/: the fields are those of the type Dispute of stripe@23.1.0 that this double knows. */
  const dispute = (record: DisputeRecord, expand: Expand): JsonObject => ({
    id: record.id,
    object: 'dispute',
    amount: record.amount,
    balance_transactions: disputeTransactions(record),
    charge: expandedCharge(record.charge, 'charge', expand),
    created: record.created,
    currency: 'jpy',
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: isWaiting(record) ? record.created + ANSWER_SECONDS : null,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    intended_submission_method: null,
    is_charge_refundable: record.status === 'won' || isInquiry(record),
    livemode: isLive(record.account),
    metadata: {},
    payment_intent: expandedIntent(record.intent, expand),
    reason: 'fraudulent',
    status: record.status,
  })

  return { intent, charge, refund, dispute, paymentError }
}
