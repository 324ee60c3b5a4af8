/** Cards in answers: brand, last four digits and fingerprint; in a PaymentMethod, and in a charge with its 3-D Secure. */
import { isJsonObject, type JsonObject } from '../http/json.ts'
import { isLive } from './api-key.ts'
import type { Card, PaymentMethodRecord, ThreeDSecure } from './records.ts'
import { fixtureOf } from './vendor.ts'

export const NO_BILLING_DETAILS = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
}

const sampleCardOf = (holder: unknown): JsonObject => {
  const card = isJsonObject(holder) ? holder['card'] : undefined
  if (!isJsonObject(card)) throw new Error('a vendor file has no sample of a card')
  return card
}

const factsOf = ({ brand, last4, expMonth, expYear, fingerprint }: Card): JsonObject => ({
  brand,
  last4,
  exp_month: expMonth,
  exp_year: expYear,
  fingerprint,
  country: 'JP',
  wallet: null,
})

export const paymentMethodBody = ({ id, account, created, card, metadata }: PaymentMethodRecord): JsonObject => ({
  ...fixtureOf('payment_method'),
  id,
  created,
  livemode: isLive(account),
  metadata,
  // What the caller sent of its shopper is not kept.
  billing_details: NO_BILLING_DETAILS,
  card: {
    ...sampleCardOf(fixtureOf('payment_method')),
    ...factsOf(card),
    display_brand: card.brand,
    generated_from: null,
    networks: { available: [card.brand], preferred: null },
  },
})

/** `payment_method_details` of a charge. */
export const chargedCardBody = (card: Card, threeDSecure: ThreeDSecure | null): JsonObject => ({
  type: 'card',
  card: {
    ...sampleCardOf(fixtureOf('charge')['payment_method_details']),
    ...factsOf(card),
    installments: null,
    network: card.brand,
    overcapture: null,
    three_d_secure:
      threeDSecure === null
        ? null
        : {
            authentication_flow: null,
            electronic_commerce_indicator: threeDSecure.electronicCommerceIndicator,
            exemption_indicator: null,
            result: 'authenticated',
            result_reason: null,
            transaction_id: threeDSecure.transactionId,
            version: threeDSecure.version,
          },
  },
})
