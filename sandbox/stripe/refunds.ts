/** Refunds of a charge: never more than what is left of it (docs.stripe.com/refunds). */
import type { JsonObject } from '../http/json.ts'
import { failed, missing, ok, refused, type Answer } from './answers.ts'
import { REFUND_SETTLES_MS } from './card-behaviour.ts'
import { takenBy } from './disputes.ts'
import { refundedOf } from './objects.ts'
import { expandRefusal, secondsOf, yen, type Operation } from './operation.ts'
import { metadataOf, numberAt, textAt, textsAt } from './parameters.ts'
import { metadataRefusal } from './payment-intents.ts'
import type { ChargeRecord, RefundRecord } from './records.ts'
import { newId } from './store.ts'

type Subject =
  | { readonly kind: 'charge'; readonly charge: ChargeRecord }
  | { readonly kind: 'refused'; readonly answer: Answer }

const noSubject = (answer: Answer): Subject => ({ kind: 'refused', answer })

const subjectOf = ({ store, account }: Operation, values: JsonObject): Subject => {
  const intentId = textAt(values, 'payment_intent')
  const chargeId = textAt(values, 'charge')
  if ((intentId === undefined) === (chargeId === undefined)) {
    const message = 'One of the following params should be provided for this request: payment_intent or charge.'
    return noSubject(refused(400, message, { code: 'parameter_missing', param: 'payment_intent' }))
  }
  const intent = intentId === undefined ? undefined : store.intents.findOf(account, intentId)
  if (intentId !== undefined && intent === undefined)
    return noSubject(missing('payment_intent', intentId, { param: 'payment_intent' }))
  const charge = store.charges.findOf(account, chargeId ?? intent?.latestCharge ?? '')
  if (chargeId !== undefined && charge === undefined) return noSubject(missing('charge', chargeId, { param: 'charge' }))
  if (charge === undefined || charge.status !== 'succeeded') {
    const named = charge?.intent ?? intentId ?? ''
    const message = `This PaymentIntent (${named}) does not have a successful charge to refund.`
    return noSubject(failed(400, message))
  }
  return { kind: 'charge', charge }
}

/** Refusals that are final for this charge as it is: docs.stripe.com/error-codes. */
const refusalOf = ({ store }: Operation, charge: ChargeRecord, left: number, amount: number): Answer | undefined => {
  const isDisputed = store.disputes.ofParent(charge.id).some((dispute) => takenBy(dispute) > 0)
  if (isDisputed) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`
    return failed(400, message, { code: 'charge_disputed' })
  }
  if (left === 0) {
    return failed(400, `Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  if (amount <= left) return undefined
  // Without a code: so it is reported by those who have met it, and no code of the list fits.
  const message = `Refund amount (${yen(amount)}) is greater than unrefunded amount on charge (${yen(left)})`
  return failed(400, message, { param: 'amount' })
}

export const createRefund = (operation: Operation, values: JsonObject): Answer => {
  const { store, bodies, account, now } = operation
  const expand = textsAt(values, 'expand')
  const metadata = metadataOf(values)
  const given = numberAt(values, 'amount')
  if (given !== undefined && given < 1) {
    const message = 'This value must be greater than or equal to 1.'
    return refused(400, message, { code: 'parameter_invalid_integer', param: 'amount' })
  }
  const invalid = metadataRefusal(metadata) ?? expandRefusal('refund', expand)
  if (invalid !== undefined) return invalid
  const subject = subjectOf(operation, values)
  if (subject.kind === 'refused') return subject.answer
  const { charge } = subject
  const left = charge.amount - refundedOf(store.refunds.ofParent(charge.id))
  const amount = given ?? left
  const refusal = refusalOf(operation, charge, left, amount)
  if (refusal !== undefined) return refusal
  const dueAt = now + operation.scale(REFUND_SETTLES_MS)
  const record: RefundRecord = {
    id: newId('re'),
    account,
    created: secondsOf(now),
    amount,
    charge: charge.id,
    intent: charge.intent,
    paymentMethod: charge.paymentMethod,
    reason: textAt(values, 'reason') ?? null,
    metadata,
    ...outcomes[charge.refunds](dueAt),
  }
  store.refunds.insert(record)
  return ok(bodies.refund(record, expand))
}

/** "Asynchronous success" and "asynchronous failure" of docs.stripe.com/testing, Refunds. */
const outcomes: Record<ChargeRecord['refunds'], (dueAt: number) => Pick<RefundRecord, 'status' | 'later'>> = {
  succeed: () => ({ status: 'succeeded', later: null }),
  pending_then_succeed: (dueAt) => ({ status: 'pending', later: { status: 'succeeded', dueAt } }),
  succeed_then_fail: (dueAt) => ({ status: 'succeeded', later: { status: 'failed', dueAt } }),
}

export const retrieveRefund = ({ store, bodies, account }: Operation, id: string, values: JsonObject): Answer => {
  const expand = textsAt(values, 'expand')
  const refusal = expandRefusal('refund', expand)
  if (refusal !== undefined) return refusal
  const refund = store.refunds.findOf(account, id)
  return refund === undefined ? missing('refund', id) : ok(bodies.refund(refund, expand))
}
