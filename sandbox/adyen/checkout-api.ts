/** Checkout API v72 of Adyen: payments, captures, cancels and refunds. */
import { DROP_CONNECTION, holdConnection, json, type Call, type Reply, type Route } from '../http/router.ts'
import type { JsonObject } from '../http/json.ts'
import { permissionProblem, unknownKeyProblem, type Role } from './api-keys.ts'
import type { Bookings } from './bookings.ts'
import { atAuthorisationOf } from './card-behaviour.ts'
import { KEY_MAX_CHARACTERS, type Idempotency, type KeyedRequest } from './idempotency.ts'
import type { PaymentState } from './payment-rules.ts'
import {
  merchantAccountOf,
  parseBody,
  parseCancel,
  parseCancelByReference,
  parseCapture,
  parsePayment,
  parseRefund,
  type Parsed,
  type PaymentRequest,
} from './requests.ts'
import { createAnswers } from './response-bodies.ts'
import type { Modification } from './rows.ts'
import { serviceError } from './error-answers.ts'
import type { AdyenStore } from './store.ts'
import type { VendorSchema } from './vendor-schema.ts'

interface Double {
  readonly store: AdyenStore
  readonly bookings: Bookings
  readonly idempotency: Idempotency
  readonly schema: VendorSchema
  readonly timeScale: number
  /** To be called after something was booked: notifications go out, and timers are set. */
  readonly wake: () => void
}

/** What was executed: its answer is kept under the key, and given as the card says. */
type Execution =
  | { readonly kind: 'nothing_booked'; readonly reply: Reply }
  | {
      readonly kind: 'booked'
      readonly status: number
      readonly body: JsonObject
      /** Until then the request counts as under way. */
      readonly readyAt: number
      readonly fault: 'none' | 'drop_connection' | 'answer_500' | { readonly holdMs: number }
    }

const internalError = (): Reply => serviceError('internal', 'Internal Server Error')

export const checkoutRoutes = (double: Double): Route[] => {
  const { store, bookings, idempotency, schema, timeScale, wake } = double
  const answers = createAnswers(schema)
  const { now } = bookings

  const booked = (status: number, body: JsonObject): Execution & { kind: 'booked' } => ({
    kind: 'booked',
    status,
    body,
    readyAt: now(),
    fault: 'none',
  })

  const authorise = ({ cardNumber, ...request }: PaymentRequest): Execution => {
    const behaviour = atAuthorisationOf(cardNumber)
    switch (behaviour.kind) {
      case 'drop_connection':
        return { kind: 'nothing_booked', reply: DROP_CONNECTION }
      case 'answer_500':
        return { kind: 'nothing_booked', reply: internalError() }
      case 'authorise_later': {
        const dueAt = Math.round(now() + behaviour.queueMs * timeScale)
        const payment = bookings.addPayment(request, { status: 'queued', dueAt })
        return { ...booked(200, answers.authorised(payment)), readyAt: dueAt, fault: 'drop_connection' }
      }
      case 'refuse': {
        const { reason, code } = behaviour.refusal
        const payment = bookings.addPayment(request, { status: 'refused', refusalReason: reason })
        return booked(200, answers.refused(payment, 'Refused', code))
      }
      case 'authorise':
        return authoriseUnlessTold(request, behaviour.atCapture)
    }
  }

  const authoriseUnlessTold = (
    request: Parameters<Bookings['addPayment']>[0],
    atCapture: PaymentState['payment']['atCapture'],
  ): Execution => {
    const told = store.takeNextResult(request.merchantAccount)
    if (told === 'Pending' || told === 'Received')
      return booked(200, answers.undecided(bookings.addPayment(request, { status: 'undecided' }), told))
    if (told === 'Error') {
      const payment = bookings.addPayment(request, { status: 'error', refusalReason: 'Acquirer Error' })
      return booked(200, answers.refused(payment, 'Error', '4'))
    }
    if (told === 'Cancelled') {
      const payment = bookings.addPayment(request, { status: 'cancelled', refusalReason: 'Cancelled' })
      return booked(200, answers.refused(payment, 'Cancelled', '15'))
    }
    return booked(200, answers.authorised(bookings.addPayment(request, { status: 'authorised', atCapture })))
  }

  const ofPayment = (call: Call, merchantAccount: string, work: (state: PaymentState) => Execution): Execution => {
    const state = bookings.state(call.param('psp'))
    return state === undefined || state.payment.merchantAccount !== merchantAccount
      ? {
          kind: 'nothing_booked',
          reply: serviceError('payment_not_found', 'Original pspReference required for this operation'),
        }
      : work(state)
  }

  const captureFault = (
    { payment }: PaymentState,
    { status }: Modification,
  ): (Execution & { kind: 'booked' })['fault'] => {
    // Once only: another capture of the payment fails, and is answered.
    if (status === 'failed') return 'none'
    const { kind, ms } = payment.atCapture
    if (kind === 'never_answer') return { holdMs: ms * timeScale }
    return kind === 'answer_500' ? 'answer_500' : 'none'
  }

  const execute = (request: KeyedRequest | undefined, work: () => Execution): Execution =>
    store.atomically(() => {
      const execution = work()
      if (execution.kind === 'booked' && request !== undefined)
        idempotency.keep(request, execution.status, execution.body, execution.readyAt)
      return execution
    })

  const replyTo = (execution: Execution, call: Call): Reply | Promise<Reply> => {
    if (execution.kind === 'nothing_booked') return execution.reply
    const { fault } = execution
    if (fault === 'none') return json(execution.status, execution.body)
    if (fault === 'drop_connection') return DROP_CONNECTION
    return fault === 'answer_500' ? internalError() : holdConnection(fault.holdMs, call.clientGone)
  }

  const answer = async <Value>(
    call: Call,
    roles: readonly Role[],
    parse: (schema: VendorSchema, body: JsonObject) => Parsed<Value>,
    work: (value: Value, call: Call, merchantAccount: string) => Execution,
  ): Promise<Reply> => {
    const apiKey = call.header('x-api-key')
    const unknownKey = unknownKeyProblem(store, apiKey)
    if (unknownKey !== undefined) return unknownKey
    if (!/^application\/json\b/.test(call.header('content-type') ?? ''))
      return serviceError('not_json_type', 'Content-Type must be application/json')
    const body = parseBody(call.body)
    if (body.kind === 'refused') return body.reply
    const merchantAccount = merchantAccountOf(body.value)
    const forbidden = permissionProblem(store, apiKey, merchantAccount, roles)
    if (forbidden !== undefined) return forbidden
    const parsed = parse(schema, body.value)
    if (parsed.kind === 'refused') return parsed.reply
    const key = call.header('idempotency-key')
    if (key === undefined) {
      const execution = execute(undefined, () => work(parsed.value, call, merchantAccount))
      wake()
      return replyTo(execution, call)
    }
    if (key === '' || key.length > KEY_MAX_CHARACTERS)
      return serviceError('structure', `Idempotency-Key must be 1 to ${KEY_MAX_CHARACTERS} characters`)
    const request = { merchantAccount, key, requestHash: idempotency.requestHash(call.path, body.value) }
    const replayed = idempotency.replay(request)
    if (replayed !== undefined) return withKey(replayed, key)
    return idempotency.whileUnderWay(request, async () => {
      const execution = execute(request, () => work(parsed.value, call, merchantAccount))
      wake()
      return withKey(await replyTo(execution, call), key)
    })
  }

  const route = <Value>(
    path: string,
    roles: readonly Role[],
    parse: (schema: VendorSchema, body: JsonObject) => Parsed<Value>,
    work: (value: Value, call: Call, merchantAccount: string) => Execution,
  ): Route => ({ method: 'POST', path: `/adyen/v72${path}`, handle: (call) => answer(call, roles, parse, work) })

  return [
    route('/payments', ['checkout', 'pci'], parsePayment, authorise),
    route('/payments/:psp/captures', ['modifications'], parseCapture, (value, call, merchantAccount) =>
      ofPayment(call, merchantAccount, (state) => {
        const modification = bookings.capture(state, value.amountYen, value.reference)
        const body = answers.captureReceived(modification, merchantAccount)
        return { ...booked(201, body), fault: captureFault(state, modification) }
      }),
    ),
    route('/payments/:psp/refunds', ['modifications'], parseRefund, (value, call, merchantAccount) =>
      ofPayment(call, merchantAccount, (state) => {
        const modification = bookings.refund(state, value.amountYen, value.reference)
        return booked(201, answers.refundReceived(modification, merchantAccount))
      }),
    ),
    route('/payments/:psp/cancels', ['modifications'], parseCancel, (value, call, merchantAccount) =>
      ofPayment(call, merchantAccount, (state) =>
        booked(201, answers.cancelReceived(bookings.cancel(state, value.reference), merchantAccount)),
      ),
    ),
    route('/cancels', ['modifications'], parseCancelByReference, (value, _call, merchantAccount) => {
      const { paymentReference, reference } = value
      const pspReference = bookings.cancelByReference(merchantAccount, paymentReference, reference)
      return booked(201, answers.cancelByReferenceReceived(merchantAccount, paymentReference, reference, pspReference))
    }),
  ]
}

/** The answer repeats the key: docs.adyen.com/development-resources/api-idempotency. */
const withKey = (reply: Reply, key: string): Reply =>
  reply.kind === 'drop_connection' ? reply : { ...reply, headers: { ...reply.headers, 'Idempotency-Key': key } }
