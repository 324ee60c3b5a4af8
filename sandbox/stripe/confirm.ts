/**
 * Confirm: the call that moves money. What happens depends on the card (card-behaviour.ts) and on the state of the
 * intent, which changes at most once from "nothing charged" to "charged" (docs.stripe.com/payments/paymentintents/lifecycle).
 */
import type { JsonObject } from '../http/json.ts'
import { failed, LOST, missing, ok, refused, type Answer } from './answers.ts'
import type { CardBehaviour } from './card-behaviour.ts'
import { expandRefusal, secondsOf, type Operation } from './operation.ts'
import { flagAt, textAt, textsAt } from './parameters.ts'
import { unexpectedState } from './payment-intents.ts'
import type { ChargeRecord, IntentRecord, PaymentError, PaymentMethodRecord, ThreeDSecure } from './records.ts'
import { newId } from './store.ts'

/** How the request came: by HTTP, or late from the queue. `enqueue` keeps it for later. */
export type Arrival = { readonly kind: 'now'; enqueue(dueAt: number): void } | { readonly kind: 'late' }

interface Attempt {
  readonly operation: Operation
  readonly intent: IntentRecord
  readonly method: PaymentMethodRecord
  readonly threeDSecure: ThreeDSecure | null
  readonly expand: readonly string[]
}

const threeDSecureOf = (values: JsonObject): ThreeDSecure | null => {
  const at = (field: string): string | undefined =>
    textAt(values, 'payment_method_options', 'card', 'three_d_secure', field)
  const version = at('version')
  const transactionId = at('transaction_id')
  if (version === undefined || transactionId === undefined || at('cryptogram') === undefined) return null
  return { version, transactionId, electronicCommerceIndicator: at('electronic_commerce_indicator') ?? null }
}

const stateRefusal = (operation: Operation, intent: IntentRecord): Answer | undefined => {
  switch (intent.status) {
    case 'requires_payment_method':
    case 'requires_action':
      return undefined
    case 'succeeded':
      return unexpectedState(
        operation,
        intent,
        'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
      )
    case 'processing':
    case 'canceled':
      return unexpectedState(
        operation,
        intent,
        `This PaymentIntent's payment_method could not be updated because it has a status of ${intent.status}. You may only update the payment_method of a PaymentIntent with one of the following statuses: requires_payment_method, requires_confirmation, requires_action.`,
      )
  }
}

const REUSED =
  'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.'

export const confirmIntent = (operation: Operation, id: string, values: JsonObject, arrival: Arrival): Answer => {
  const { store, account } = operation
  const expand = textsAt(values, 'expand')
  const refusal = expandRefusal('payment_intent', expand)
  if (refusal !== undefined) return refusal
  const intent = store.intents.findOf(account, id)
  if (intent === undefined) return missing('payment_intent', id, { param: 'intent' })
  const wrongState = stateRefusal(operation, intent)
  if (wrongState !== undefined) return wrongState
  const methodId = textAt(values, 'payment_method') ?? intent.paymentMethod
  if (methodId === null) {
    return unexpectedState(
      operation,
      intent,
      "You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment_method and then confirm it again.",
    )
  }
  const method = store.paymentMethods.findOf(account, methodId)
  if (method === undefined) return missing('PaymentMethod', methodId, { status: 400, param: 'payment_method' })
  if (method.isUsed) return refused(400, REUSED, { param: 'payment_method' })
  return attempt(
    { operation, intent, method, threeDSecure: threeDSecureOf(values), expand },
    flagAt(values, 'error_on_requires_action'),
    arrival,
  )
}

const attempt = (facts: Attempt, failsOnAction: boolean, arrival: Arrival): Answer => {
  const { operation, method, threeDSecure } = facts
  const { behaviour } = method
  switch (behaviour.kind) {
    case 'drop_connection':
      return LOST
    case 'answer_500':
      return INTERNAL_ERROR
    case 'queue':
      if (arrival.kind === 'now') {
        arrival.enqueue(operation.now + operation.scale(behaviour.queueMs))
        return LOST
      }
      break
    case 'ask_for_authentication':
      return askForAuthentication(facts, failsOnAction)
    case 'succeed':
    case 'decline':
    case 'process':
    case 'succeed_then_hold_connection':
    case 'succeed_then_answer_500':
      break
  }
  if (method.needsThreeDSecure && threeDSecure === null) return askForAuthentication(facts, failsOnAction)
  return charge(facts, behaviour)
}

const INTERNAL_ERROR: Answer = failed(500, 'An unknown error occurred', { type: 'api_error' })

const charge = (facts: Attempt, behaviour: CardBehaviour): Answer => {
  const { operation, expand } = facts
  const { bodies } = operation
  switch (behaviour.kind) {
    case 'decline':
      return declined(facts, behaviour.code, behaviour.declineCode)
    case 'process': {
      const dueAt = operation.now + operation.scale(behaviour.pendingMs)
      return ok(bodies.intent(book(facts, { status: 'processing', dueAt }), expand))
    }
    case 'succeed_then_answer_500':
      book(facts, { status: 'succeeded', dueAt: null })
      return INTERNAL_ERROR
    case 'succeed_then_hold_connection': {
      const body = bodies.intent(book(facts, { status: 'succeeded', dueAt: null }), expand)
      return ok(body, { kind: 'hold_connection', holdMs: operation.scale(behaviour.holdMs) })
    }
    case 'succeed':
    case 'queue':
    case 'answer_500':
    case 'drop_connection':
    case 'ask_for_authentication':
      return ok(bodies.intent(book(facts, { status: 'succeeded', dueAt: null }), expand))
  }
}

const chargeRecordOf = (
  { operation, intent, method, threeDSecure }: Attempt,
  rest: Pick<ChargeRecord, 'status' | 'failure'>,
): ChargeRecord => ({
  id: newId('ch'),
  account: intent.account,
  created: secondsOf(operation.now),
  amount: intent.amount,
  intent: intent.id,
  paymentMethod: method.id,
  card: method.card,
  threeDSecure,
  // A charge gets a copy of the intent's metadata when it is made (docs.stripe.com/metadata).
  description: intent.description,
  transferGroup: intent.transferGroup,
  metadata: intent.metadata,
  refunds: method.refunds,
  ...rest,
})

const book = (facts: Attempt, next: Pick<IntentRecord, 'status' | 'dueAt'>): IntentRecord => {
  const { operation, intent, method } = facts
  const { store } = operation
  const record = chargeRecordOf(facts, { status: next.status === 'succeeded' ? 'succeeded' : 'pending', failure: null })
  const booked = { ...intent, ...next, paymentMethod: method.id, latestCharge: record.id, lastPaymentError: null }
  store.charges.insert(record)
  store.paymentMethods.update({ ...method, isUsed: true })
  store.intents.update(booked)
  return booked
}

const messages: Readonly<Record<string, string>> = {
  insufficient_funds: 'Your card has insufficient funds.',
  card_not_supported: 'Your card is not supported.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  authentication_required: 'Your card was declined. This transaction requires authentication.',
}

/** After a failed attempt the intent is back in requires_payment_method (lifecycle, see above). */
const fail = ({ operation, intent, method }: Attempt, error: PaymentError): Answer => {
  const { store, bodies } = operation
  const after: IntentRecord = {
    ...intent,
    status: 'requires_payment_method',
    paymentMethod: null,
    latestCharge: error.charge ?? intent.latestCharge,
    lastPaymentError: error,
  }
  store.paymentMethods.update({ ...method, isUsed: true })
  store.intents.update(after)
  return failed(402, error.message, { ...bodies.paymentError(error), payment_intent: bodies.intent(after, []) })
}

const declined = (facts: Attempt, code: string, declineCode: string | null): Answer => {
  const message = messages[declineCode ?? code] ?? 'Your card was declined.'
  const record = chargeRecordOf(facts, { status: 'failed', failure: { code, declineCode, message } })
  facts.operation.store.charges.insert(record)
  return fail(facts, { code, declineCode, message, paymentMethod: facts.method.id, charge: record.id })
}

/**
 * "error_on_requires_action: set to true to fail the payment attempt if the PaymentIntent transitions into
 * requires_action" (API reference, Confirm). No authorisation was asked for, so there is no charge.
 */
const askForAuthentication = (facts: Attempt, failsOnAction: boolean): Answer => {
  const { operation, intent, method, expand } = facts
  const code = 'authentication_required'
  if (failsOnAction) {
    const message = messages[code] ?? ''
    return fail(facts, { code, declineCode: code, message, paymentMethod: method.id, charge: null })
  }
  const waiting: IntentRecord = { ...intent, status: 'requires_action', paymentMethod: method.id }
  operation.store.intents.update(waiting)
  return ok(operation.bodies.intent(waiting, expand))
}
