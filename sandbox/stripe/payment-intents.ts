/** PaymentIntents: created and canceled here; confirm.ts moves the money. */
import type { JsonObject } from '../http/json.ts'
import { failed, missing, ok, refused, type Answer } from './answers.ts'
import { expandRefusal, secondsOf, yen, type Operation } from './operation.ts'
import { metadataOf, numberAt, textAt, textsAt } from './parameters.ts'
import type { IntentRecord } from './records.ts'
import { newId } from './store.ts'

/** Least and most of a charge in yen (docs.stripe.com/currencies, Minimum and maximum charge amounts). */
const MIN_YEN = 50
const MAX_YEN = 99_999_999

const amountRefusal = (amount: number): Answer | undefined => {
  if (amount < 1) {
    const message = 'This value must be greater than or equal to 1.'
    return refused(400, message, { code: 'parameter_invalid_integer', param: 'amount' })
  }
  if (amount < MIN_YEN) {
    const message = `Amount must be at least ${yen(MIN_YEN)} jpy`
    return refused(400, message, { code: 'amount_too_small', param: 'amount' })
  }
  if (amount <= MAX_YEN) return undefined
  return refused(400, `Amount must be no more than ${yen(MAX_YEN)}`, { code: 'amount_too_large', param: 'amount' })
}

/** Metadata: at most 50 keys of 40 characters, values of 500 (API reference, Metadata). */
export const metadataRefusal = (metadata: Record<string, string>): Answer | undefined => {
  const entries = Object.entries(metadata)
  const isTooLong = entries.some(([name, value]) => name.length > 40 || value.length > 500)
  if (entries.length <= 50 && !isTooLong) return undefined
  return refused(400, 'Metadata has at most 50 keys of 40 characters with values of 500 characters', {
    param: 'metadata',
  })
}

export const createIntent = ({ store, bodies, account, now }: Operation, values: JsonObject): Answer => {
  const amount = numberAt(values, 'amount') ?? 0
  const expand = textsAt(values, 'expand')
  const metadata = metadataOf(values)
  const refusal = amountRefusal(amount) ?? metadataRefusal(metadata) ?? expandRefusal('payment_intent', expand)
  if (refusal !== undefined) return refusal
  if (textAt(values, 'currency')?.toLowerCase() !== 'jpy')
    return refused(400, 'This double knows jpy alone', { param: 'currency' })
  const types = textsAt(values, 'allowed_payment_method_types')
  if (types.length !== 1 || types[0] !== 'card')
    return refused(400, 'This double knows cards alone: allowed_payment_method_types[]=card', {
      param: 'allowed_payment_method_types',
    })
  if ((textAt(values, 'capture_method') ?? 'automatic') !== 'automatic')
    return refused(400, 'This double captures at once alone: capture_method=automatic', { param: 'capture_method' })
  const id = newId('pi')
  const record: IntentRecord = {
    id,
    account,
    created: secondsOf(now),
    amount,
    status: 'requires_payment_method',
    clientSecret: newId(`${id}_secret`),
    description: textAt(values, 'description') ?? null,
    transferGroup: textAt(values, 'transfer_group') ?? null,
    metadata,
    paymentMethod: null,
    lastPaymentError: null,
    latestCharge: null,
    canceledAt: null,
    cancellationReason: null,
    dueAt: null,
  }
  store.intents.insert(record)
  return ok(bodies.intent(record, expand))
}

export const retrieveIntent = ({ store, bodies, account }: Operation, id: string, values: JsonObject): Answer => {
  const expand = textsAt(values, 'expand')
  const refusal = expandRefusal('payment_intent', expand)
  if (refusal !== undefined) return refusal
  const intent = store.intents.findOf(account, id)
  return intent === undefined ? missing('payment_intent', id, { param: 'intent' }) : ok(bodies.intent(intent, expand))
}

/** The intent as it is comes with the error (docs.stripe.com/error-codes, payment_intent_unexpected_state). */
export const unexpectedState = ({ bodies }: Operation, intent: IntentRecord, message: string): Answer =>
  failed(400, message, { code: 'payment_intent_unexpected_state', payment_intent: bodies.intent(intent, []) })

/**
 * "You can cancel a PaymentIntent object when it's in one of these statuses: requires_payment_method,
 * requires_capture, requires_confirmation, requires_action or, in rare cases, processing" (API reference, Cancel). A
 * card that is processing is not that rare case here.
 */
const CANCELABLE: readonly string[] = ['requires_payment_method', 'requires_action']

export const cancelIntent = (operation: Operation, id: string, values: JsonObject): Answer => {
  const { store, bodies, account, now } = operation
  const expand = textsAt(values, 'expand')
  const refusal = expandRefusal('payment_intent', expand)
  if (refusal !== undefined) return refusal
  const intent = store.intents.findOf(account, id)
  if (intent === undefined) return missing('payment_intent', id, { param: 'intent' })
  if (!CANCELABLE.includes(intent.status)) {
    return unexpectedState(
      operation,
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
    )
  }
  const canceled: IntentRecord = {
    ...intent,
    status: 'canceled',
    canceledAt: secondsOf(now),
    cancellationReason: textAt(values, 'cancellation_reason') ?? null,
  }
  store.intents.update(canceled)
  return ok(bodies.intent(canceled, expand))
}
