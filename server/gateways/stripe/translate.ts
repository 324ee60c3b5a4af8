/** Stripe, translation of charges: our orders into form fields, its answers into outcomes. */
import { Check } from 'typebox/value'
import { isCardBrand } from '#contract/brands.ts'
import type { Instant } from '#contract/jst.ts'
import { isMovedYen } from '#payment/acquirer-limits.ts'
import type { Clearance } from '#payment/authentication-verdict.ts'
import type {
  Charged,
  ChargeOrder,
  ChargeOutcome,
  Declined,
  Fencing,
  Inquiry,
  NotCharged,
  SentOrder,
  Unknown,
} from '#payment/ports.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import { isMoment } from '../acquirer-time.ts'
import { reasonOf, transactionIdOf } from '../acquirer-words.ts'
import { undecided, unknown } from '../unknown-outcome.ts'
import { accountFaultOf } from './account-fault.ts'
import { failureOf } from './failure.ts'
import type { FormFields } from './form.ts'
import { CardDetails, Intent, LatestCharge, PaymentError, PaymentMethod } from './wire.ts'

const UNREADABLE = unknown('an answer that cannot be read')
const NOT_CHARGED: NotCharged = { outcome: 'not_charged' }

/** Before the confirmation a fault on Stripe's side charges nothing. The circuit breaker counts it like a silence. */
const notChargedBy = (reply: AcquirerReply): NotCharged => {
  if (reply.status >= 500) return { ...NOT_CHARGED, isSilence: true }
  const accountFault = accountFaultOf(reply)
  return accountFault === undefined ? NOT_CHARGED : { ...NOT_CHARGED, accountFault }
}

/** An order whose intent is known. */
export type IntentOrder = Pick<SentOrder, 'orderCode' | 'amountYen'> & { readonly reference: string }

/** Ids of other acquirers and order codes of older releases do not begin like this. */
export const isIntentId = (reference: string): boolean => /^pi_[A-Za-z0-9_]{1,250}$/.test(reference)

/** The account is asked by its key alone, so an intent that it does not know is a wrong key, and a right key ends the doubt. */
export const UNKNOWN_TO_ACCOUNT = unknown(
  'HTTP 404: this key’s account and mode do not know the payment; it may be the key of another account, or of the other mode',
)

/** Times are whole seconds. Money has moved, whatever the hour: an unreadable time is the time at which we heard of it. */
export const momentOf = (seconds: unknown, receivedAt: Instant): Instant =>
  typeof seconds === 'number' && seconds > 0 && isMoment(seconds * 1000) ? seconds * 1000 : receivedAt

export const intentFields = ({ amountYen, orderCode }: Pick<ChargeOrder, 'amountYen' | 'orderCode'>): FormFields => ({
  amount: amountYen,
  currency: 'jpy',
  allowed_payment_method_types: ['card'],
  capture_method: 'automatic',
  // By the group a charge is found when the intent’s id is not known; nobody can change it later, unlike metadata.
  transfer_group: orderCode,
  metadata: { order: orderCode },
})

export const cardFields = ({ card, cvc }: Pick<ChargeOrder, 'card' | 'cvc'>): FormFields => ({
  type: 'card',
  card: { number: card.number.reveal(), exp_month: card.expiryMonth, exp_year: card.expiryYear, cvc },
})

export type Authenticated = Extract<Clearance, { by: 'authentication' }>

/** After a challenge the issuer’s first answer (ARes) was C; the result of the challenge is in cryptogram and ECI. */
export const confirmFields = (paymentMethod: string, { authentication, challenged }: Authenticated): FormFields => ({
  payment_method: paymentMethod,
  // Without it a bank that asks for one more challenge would leave a payment that nobody can finish.
  error_on_requires_action: true,
  payment_method_options: {
    card: {
      three_d_secure: {
        version: authentication.messageVersion,
        cryptogram: authentication.authenticationValue,
        transaction_id: authentication.dsTransId,
        electronic_commerce_indicator: authentication.eci,
        ares_trans_status: challenged ? 'C' : authentication.transStatus,
      },
    },
  },
  expand: ['latest_charge'],
})

/** `received`: the id that the next request needs. */
type Step = { readonly outcome: 'received'; readonly id: string }

/**
 * No card was sent, and without this answer no confirmation follows: whatever cannot be read is not charged. Only an answer
 * about a second request under this order’s key says that somebody else may be charging it.
 */
export const readIntentOpened = (
  { orderCode, amountYen }: Pick<ChargeOrder, 'orderCode' | 'amountYen'>,
  reply: AcquirerReply,
): Step | Declined | NotCharged | Unknown => {
  const { status, body } = reply
  if (status === 200) {
    if (!Check(Intent, body) || !isIntentId(body.id)) return NOT_CHARGED
    return isAbout({ orderCode, amountYen, reference: body.id }, body)
      ? { outcome: 'received', id: body.id }
      : NOT_CHARGED
  }
  const { type, code } = failureOf(reply) ?? {}
  if (status === 409 || type === 'idempotency_error') return unknown('another charge of this order was sent before')
  if (status === 400 && (code === 'amount_too_small' || code === 'amount_too_large'))
    return { outcome: 'declined', reason: code }
  return notChargedBy(reply)
}

const declined = (...reasons: readonly unknown[]): Declined => ({
  outcome: 'declined',
  reason: reasonOf(reasons.find((reason) => typeof reason === 'string')),
})

/** A payment method moves no money by itself: whatever is neither a decline nor an id is not charged. */
export const readPaymentMethod = (reply: AcquirerReply): Step | Declined | NotCharged => {
  if (reply.status === 200 && Check(PaymentMethod, reply.body)) return { outcome: 'received', id: reply.body.id }
  const { decline_code, code, type } = failureOf(reply) ?? {}
  return reply.status === 402 && accountFaultOf(reply) === undefined
    ? declined(decline_code, code, type)
    : notChargedBy(reply)
}

const isOf = ({ reference, orderCode }: IntentOrder, intent: Intent): boolean =>
  intent.id === reference && intent.metadata.order === orderCode && intent.currency === 'jpy'

/** Everything but money that moved: of another amount it is not believed. */
const isAbout = (order: IntentOrder, intent: Intent): boolean =>
  isOf(order, intent) && intent.amount === order.amountYen

const BRANDS: Readonly<Record<string, string>> = { mastercard: 'master' }

/** Left out where it cannot be read: money has moved, whatever the card is called. */
const cardOf = (details: unknown): Pick<Charged, 'card'> => {
  if (!Check(CardDetails, details)) return {}
  const brand = BRANDS[details.card.brand] ?? details.card.brand
  return isCardBrand(brand) ? { card: { brand, lastFour: details.card.last4 } } : {}
}

const chargedOutcome = ({ orderCode }: IntentOrder, intent: Intent, receivedAt: Instant): Charged | Unknown => {
  if (intent.amount_received === undefined || !isMovedYen(intent.amount_received)) return UNREADABLE
  const { latest_charge: latest } = intent
  const charge = Check(LatestCharge, latest) ? latest : null
  return {
    outcome: 'charged',
    transactionId: transactionIdOf(charge === null ? latest : charge.id, orderCode),
    approvedAt: momentOf(charge?.created, receivedAt),
    amountYen: intent.amount_received,
    ...cardOf(charge?.payment_method_details),
  }
}

/** An intent that has no charge, or whose charge failed. It is confirmed once at most, so its latest charge is its only one. */
const unpaidOutcome = (intent: Intent): Inquiry => {
  const { latest_charge: latest = null, last_payment_error: error } = intent
  if (latest === null) return intent.status === 'canceled' ? NOT_CHARGED : { outcome: 'not_found' }
  if (!Check(LatestCharge, latest)) return UNREADABLE
  if (latest.status === 'pending') return { outcome: 'pending' }
  if (latest.status !== 'failed') return { ...unknown('a charge that its intent does not know'), needsPerson: true }
  const { decline_code, code } = Check(PaymentError, error) ? error : {}
  return declined(decline_code, code, latest.failure_code)
}

const intentOutcome = (order: IntentOrder, body: unknown, receivedAt: Instant): Inquiry => {
  if (!Check(Intent, body) || !isOf(order, body)) return UNREADABLE
  if (body.status === 'succeeded') return chargedOutcome(order, body, receivedAt)
  if (!isAbout(order, body)) return unknown('an intent with another amount')
  switch (body.status) {
    case 'processing':
      return { outcome: 'pending' }
    case 'canceled':
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'requires_action':
      return unpaidOutcome(body)
    // Authorised and not captured, which nothing of ours asks for, and nothing of ours will capture.
    case 'requires_capture':
      return { ...unknown('an intent that waits for its capture'), needsPerson: true }
    // A word that did not exist when this was written.
    default:
      return unknown(`an intent that is ${reasonOf(body.status)}`)
  }
}

/** A charge that was sent is not over before Stripe says so. */
export const decided = (inquiry: Inquiry): ChargeOutcome =>
  inquiry.outcome === 'pending' || inquiry.outcome === 'not_found' ? unknown('not yet booked') : inquiry

/** Another request about this intent is under way, too many are, or this order’s confirmation was sent before. */
export const isConflict = (reply: AcquirerReply): boolean =>
  reply.status === 409 || reply.status === 429 || failureOf(reply)?.type === 'idempotency_error'

/** States in which a declined confirmation leaves an intent. In any other, money may have moved in spite of the error. */
const AFTER_DECLINE: readonly string[] = ['requires_payment_method', 'requires_confirmation', 'canceled']

/** Only an answer that says so explicitly is an outcome. Everything else stays in doubt. */
export const readConfirmed = (order: IntentOrder, reply: AcquirerReply): ChargeOutcome => {
  const { status, body, receivedAt } = reply
  if (status === 200) return decided(intentOutcome(order, body, receivedAt))
  const failure = failureOf(reply)
  const intent = failure?.payment_intent
  if (status === 402 && failure?.type === 'card_error')
    return Check(Intent, intent) && isAbout(order, intent) && AFTER_DECLINE.includes(intent.status)
      ? declined(failure.decline_code, failure.code)
      : unknown('a decline of another payment')
  if (status === 400 && failure?.code === 'payment_intent_unexpected_state')
    return decided(intentOutcome(order, intent, receivedAt))
  return undecided(reply)
}

export const readInquiry = (order: IntentOrder, reply: AcquirerReply): Inquiry => {
  if (reply.status === 200) return intentOutcome(order, reply.body, reply.receivedAt)
  return reply.status === 404 ? UNKNOWN_TO_ACCOUNT : undecided(reply)
}

const MOVING: readonly string[] = ['succeeded', 'processing']

export const readFencing = (order: IntentOrder, reply: AcquirerReply): Fencing => {
  const { status, body } = reply
  if (status === 404) return UNKNOWN_TO_ACCOUNT
  const failure = failureOf(reply)
  const isState = status === 400 && failure?.code === 'payment_intent_unexpected_state'
  const intent = status === 200 ? body : isState ? failure?.payment_intent : null
  if (!Check(Intent, intent)) return status === 200 ? UNREADABLE : undecided(reply)
  if (isAbout(order, intent) && intent.status === 'canceled') return { outcome: 'fenced' }
  if (isOf(order, intent) && MOVING.includes(intent.status)) return { outcome: 'exists' }
  return unknown(`an intent that is ${reasonOf(intent.status)}`)
}
