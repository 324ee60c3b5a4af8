/** Adyen, translation: its answers into outcomes, our orders into its requests. */
import { Check } from 'typebox/value'
import type { Authentication, Clearance } from '#payment/authentication-verdict.ts'
import type { Charged, ChargeOrder, Fencing, RefundOrder, SentOrder, Unknown } from '#payment/ports.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import { undecided, unknown } from '../unknown-outcome.ts'
import { refusalOfPayment, refusalOfRequest } from './reasons.ts'
import { isPspReference, refundReference } from './references.ts'
import { CancelAnswer, ModificationAnswer, PaymentAnswer, ServiceError } from './wire.ts'

/** What every request names. */
export interface AdyenShop {
  readonly merchantAccount: string
  /** Where Adyen would send the browser if it wanted one. Required by its API; a payment with mpiData never goes there. */
  readonly returnUrl: string
}

const yen = (value: number): object => ({ value, currency: 'JPY' })
const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** In a challenge the directory server answers C, and the result of the challenge is what the card holder made of it. */
const mpiData = (authentication: Authentication, isChallenged: boolean): object => ({
  cavv: authentication.authenticationValue,
  eci: authentication.eci,
  dsTransID: authentication.dsTransId,
  threeDSVersion: authentication.messageVersion,
  ...(isChallenged
    ? { directoryResponse: 'C', authenticationResponse: authentication.transStatus }
    : { directoryResponse: authentication.transStatus }),
})

/** A clearance that Adyen gets proof of. */
export type Authenticated = Extract<Clearance, { by: 'authentication' }>

/** `manualCapture`: without it the account's own setting could capture, and an authorisation alone would move money. */
export const paymentBody = (
  { merchantAccount, returnUrl }: AdyenShop,
  order: Omit<ChargeOrder, 'clearance'>,
  clearance: Authenticated,
): object => ({
  merchantAccount,
  reference: order.orderCode,
  amount: yen(order.amountYen),
  paymentMethod: {
    type: 'scheme',
    number: order.card.number.reveal(),
    expiryMonth: twoDigits(order.card.expiryMonth),
    expiryYear: String(order.card.expiryYear),
    cvc: order.cvc,
    holderName: order.card.holderName,
  },
  returnUrl,
  channel: 'Web',
  shopperInteraction: 'Ecommerce',
  additionalData: { manualCapture: 'true' },
  mpiData: mpiData(clearance.authentication, clearance.challenged === true),
})

/** The same bytes for every try: Adyen refuses a key with another body. */
export const captureBody = (
  { merchantAccount }: Pick<AdyenShop, 'merchantAccount'>,
  { orderCode, amountYen }: Pick<SentOrder, 'orderCode' | 'amountYen'>,
): object => ({ merchantAccount, amount: yen(amountYen), reference: orderCode })

export const refundBody = (
  { merchantAccount }: Pick<AdyenShop, 'merchantAccount'>,
  order: Pick<RefundOrder, 'orderCode' | 'refundId' | 'amountYen'>,
): object => ({ merchantAccount, amount: yen(order.amountYen), reference: refundReference(order) })

/** A cancel by our own reference: Adyen calls it a technical cancel. */
export const cancelByReferenceBody = (
  { merchantAccount }: Pick<AdyenShop, 'merchantAccount'>,
  orderCode: string,
): object => ({ merchantAccount, paymentReference: orderCode, reference: orderCode })

export const cancelBody = ({ merchantAccount }: Pick<AdyenShop, 'merchantAccount'>, orderCode: string): object => ({
  merchantAccount,
  reference: orderCode,
})

/**
 * What an authorisation allows. `authorised`: it may be captured. `declined`: for good. `useless`: it may hold an amount on
 * the card, and nothing is captured: it is cancelled. `in progress`: another charge of the same order is under way, which a
 * cancel would spoil. `forbidden`: Adyen takes no payment of this account, whatever the card.
 */
export type Authorisation =
  | { readonly is: 'authorised'; readonly reference: string }
  | { readonly is: 'declined'; readonly reason: string; readonly mayHoldAmount?: true }
  | { readonly is: 'useless'; readonly isSilence?: true }
  | { readonly is: 'forbidden'; readonly fault: string }
  | { readonly is: 'in progress' }

const isYen = (amount: { readonly value: number; readonly currency: string }, amountYen: number): boolean =>
  amount.currency === 'JPY' && amount.value === amountYen

/** Adyen wants to authenticate the card holder itself, although we have sent the proof. */
const OWN_AUTHENTICATION: readonly string[] = ['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper']
const DECLINED: readonly string[] = ['Refused', 'Error', 'Cancelled']

type AuthorisedOrder = Pick<SentOrder, 'orderCode' | 'amountYen'>

const authorisationOf = ({ orderCode, amountYen }: AuthorisedOrder, { body }: AcquirerReply): Authorisation => {
  if (!Check(PaymentAnswer, body)) return { is: 'useless' }
  const { resultCode, pspReference, merchantReference = orderCode, amount, refusalReasonCode } = body
  // An answer about another order says nothing about this one.
  if (merchantReference !== orderCode) return { is: 'useless' }
  if (DECLINED.includes(resultCode)) return { is: 'declined', reason: refusalOfPayment(refusalReasonCode) }
  if (OWN_AUTHENTICATION.includes(resultCode))
    return { is: 'declined', reason: 'acquirer_wants_authentication', mayHoldAmount: true }
  if (resultCode !== 'Authorised' || pspReference === undefined || !isPspReference(pspReference))
    return { is: 'useless' }
  return amount === undefined || isYen(amount, amountYen)
    ? { is: 'authorised', reference: pspReference }
    : { is: 'useless' }
}

/** The same key is being worked on: what comes of it is not known yet. */
const IN_PROGRESS = '704'
/** The statuses that Adyen documents for a request that it refuses for what it holds. */
const REFUSED_REQUEST: readonly number[] = [400, 422]
/** Not of the account, but of the merchant account that it names: docs.adyen.com/development-resources/error-codes. */
const MERCHANT_ACCOUNT_CODES: readonly string[] = ['111', '901']

/** Why Adyen refuses the calls of an account, whatever they are about; null: the answer is about the call. */
const accountFault = (status: number, errorCode: string): string | null => {
  if (status === 401) return 'Adyen does not accept the API key (HTTP 401)'
  if (status !== 403) return null
  return MERCHANT_ACCOUNT_CODES.includes(errorCode)
    ? 'Adyen does not know the merchant account, or the API key has no access to it (HTTP 403)'
    : 'the API key lacks the role "Checkout webservice role" or "API PCI Payments role" (HTTP 403)'
}

/** Adyen's own refusal of a request, not a proxy's. Null: it decides nothing. */
const refusedRequest = ({ status, body }: AcquirerReply): Authorisation | null => {
  if (!Check(ServiceError, body)) return null
  const { errorCode, errorType } = body
  if (errorCode === IN_PROGRESS) return { is: 'in progress' }
  const fault = accountFault(status, errorCode)
  if (fault !== null) return { is: 'forbidden', fault }
  const reason = refusalOfRequest(errorCode)
  if (REFUSED_REQUEST.includes(status)) return { is: 'declined', reason }
  // Such as a brand that the account does not take. Counted as silence, three shoppers with such cards would stop all payments.
  return status === 500 && errorType === 'configuration' ? { is: 'declined', reason, mayHoldAmount: true } : null
}

export const readAuthorisation = (order: AuthorisedOrder, reply: AcquirerReply): Authorisation => {
  if (reply.status === 200) return authorisationOf(order, reply)
  return refusedRequest(reply) ?? { is: 'useless', ...(reply.status >= 500 ? { isSilence: true } : {}) }
}

/** A modification that was received for exactly this payment and amount; undefined for any other answer. */
const receivedFor = (
  { reference, amountYen }: { readonly reference: string; readonly amountYen: number },
  { status, body }: AcquirerReply,
): { readonly pspReference: string } | undefined => {
  if (status < 200 || status > 299 || !Check(ModificationAnswer, body)) return undefined
  return body.paymentPspReference === reference && isYen(body.amount, amountYen) ? body : undefined
}

/** A capture that was received moves money. Whatever else is answered, an earlier try may have been received. */
export const readCapture = (
  order: { readonly reference: string; readonly amountYen: number },
  reply: AcquirerReply,
): Charged | Unknown => {
  if (receivedFor(order, reply) === undefined)
    return reply.status < 300 ? unknown('an answer that cannot be read') : undecided(reply)
  return {
    outcome: 'charged',
    transactionId: order.reference,
    approvedAt: reply.receivedAt,
    amountYen: order.amountYen,
  }
}

/** The cancel was received. Nothing else is needed: without a reference nobody can capture. */
export const readFencing = (orderCode: string, reply: AcquirerReply): Fencing => {
  const { status, body } = reply
  if (status >= 300) return undecided(reply)
  return Check(CancelAnswer, body) && body.paymentReference === orderCode
    ? { outcome: 'fenced' }
    : unknown('an answer that cannot be read')
}

/** Adyen's id of the refund, by which a notification tells what came of it; else a doubt. */
export const readRefundRequest = (
  order: Pick<RefundOrder, 'reference' | 'amountYen'>,
  reply: AcquirerReply,
): { readonly pspReference: string } | Unknown => {
  const received = receivedFor(order, reply)
  if (received !== undefined) return { pspReference: received.pspReference }
  return reply.status < 300 ? unknown('an answer that cannot be read') : undecided(reply)
}
