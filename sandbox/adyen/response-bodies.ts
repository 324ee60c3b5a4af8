/** Response bodies of Adyen's Checkout API, built on Adyen's own examples. */
import type { JsonObject } from '../http/json.ts'
import { isJsonObject } from '../http/json.ts'
import type { Modification, Payment } from './rows.ts'
import type { VendorSchema } from './vendor-schema.ts'

interface Answers {
  authorised(payment: Payment): JsonObject
  undecided(payment: Payment, resultCode: 'Pending' | 'Received'): JsonObject
  refused(payment: Payment, resultCode: 'Refused' | 'Error' | 'Cancelled', refusalReasonCode: string): JsonObject
  captureReceived(modification: Modification, merchantAccount: string): JsonObject
  refundReceived(modification: Modification, merchantAccount: string): JsonObject
  cancelReceived(modification: Modification, merchantAccount: string): JsonObject
  cancelByReferenceReceived(
    merchantAccount: string,
    paymentReference: string,
    reference: string,
    pspReference: string,
  ): JsonObject
}

const yen = (value: number): JsonObject => ({ currency: 'JPY', value })

/** Adyen leaves a reference out that the request did not have. */
const withReference = (body: JsonObject, reference: string): JsonObject => {
  const { reference: _exampleReference, ...rest } = body
  return reference === '' ? rest : { ...rest, reference }
}

export const createAnswers = (schema: VendorSchema): Answers => {
  const payment = schema.example('post-payments-card-direct-200')
  const capture = schema.example('post-payments-paymentPspReference-captures-capture-201')
  const refund = schema.example('post-payments-paymentPspReference-refunds-refund-201')
  const cancel = schema.example('post-payments-paymentPspReference-cancels-cancel-with-psp-reference-201')

  const idsOf = ({ pspReference, paymentPspReference }: Modification, merchantAccount: string): JsonObject => ({
    pspReference,
    paymentPspReference,
    merchantAccount,
  })

  return {
    authorised: ({ pspReference, reference, amountYen, paymentMethod, authCode, lastFour }) => {
      const example = payment['additionalData']
      return {
        ...payment,
        additionalData: { ...(isJsonObject(example) ? example : {}), authCode, cardSummary: lastFour },
        amount: yen(amountYen),
        merchantReference: reference,
        paymentMethod: { brand: paymentMethod, type: 'scheme' },
        pspReference,
      }
    },
    undecided: ({ pspReference, reference }, resultCode) => ({
      pspReference,
      resultCode,
      merchantReference: reference,
    }),
    refused: ({ pspReference, reference, refusalReason }, resultCode, refusalReasonCode) => ({
      pspReference,
      refusalReason,
      refusalReasonCode,
      resultCode,
      merchantReference: reference,
    }),
    captureReceived: (modification, merchantAccount) =>
      withReference(
        { ...capture, ...idsOf(modification, merchantAccount), amount: yen(modification.amountYen) },
        modification.reference,
      ),
    refundReceived: (modification, merchantAccount) =>
      withReference(
        { ...refund, ...idsOf(modification, merchantAccount), amount: yen(modification.amountYen) },
        modification.reference,
      ),
    cancelReceived: (modification, merchantAccount) =>
      withReference({ ...cancel, ...idsOf(modification, merchantAccount) }, modification.reference),
    cancelByReferenceReceived: (merchantAccount, paymentReference, reference, pspReference) =>
      withReference({ merchantAccount, paymentReference, pspReference, status: 'received' }, reference),
  }
}
