/** Adyen, wire format: answers of Checkout v72. */
import { Type } from 'typebox'

/**
 * Adyen's own words. Nothing outside this folder knows them. What an outcome does not hang on may be anything: an order
 * that fails here stays in doubt, and is asked about for days.
 */
const Amount = Type.Object({ value: Type.Integer(), currency: Type.String() })

/** The answer of `POST /payments`. */
export const PaymentAnswer = Type.Object({
  resultCode: Type.String(),
  pspReference: Type.Optional(Type.String()),
  merchantReference: Type.Optional(Type.String()),
  amount: Type.Optional(Amount),
  refusalReasonCode: Type.Optional(Type.Unknown()),
})

/** The answer of a capture or a refund: it was taken, and is worked on later. */
export const ModificationAnswer = Type.Object({
  status: Type.Literal('received'),
  paymentPspReference: Type.String(),
  pspReference: Type.String(),
  amount: Amount,
})

/** The answer of `POST /cancels`, which names the payment by our own reference. */
export const CancelAnswer = Type.Object({ status: Type.Literal('received'), paymentReference: Type.String() })

export const ServiceError = Type.Object({ errorCode: Type.String(), errorType: Type.String() })
