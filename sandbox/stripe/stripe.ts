/**
 * Double of Stripe: the part of its API that a card payment needs, strict about every field, with a memory that survives
 * a kill. Each rule names the page of Stripe that it comes from. Only a run with a real test account proves that Stripe
 * keeps these rules. The data folder must exist; every duration is multiplied by the time scale.
 */
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateKey } from '../cards/key-file.ts'
import type { JsonObject } from '../http/json.ts'
import { DROP_CONNECTION, holdConnection, json, type Call, type Reply, type Route } from '../http/router.ts'
import { refused, type Answer } from './answers.ts'
import { readApiKey, type Permission } from './api-key.ts'
import { confirmIntent } from './confirm.ts'
import { controlRoutes } from './control.ts'
import { settleDue } from './due.ts'
import { keyRefusal, openIdempotency, type KeyedRequest } from './idempotency.ts'
import { listCharges, listDisputes, listRefunds, readBalance } from './lists.ts'
import { openObjectBodies } from './objects.ts'
import type { Operation } from './operation.ts'
import { readParameters, type CallName } from './parameters.ts'
import { cancelIntent, createIntent, retrieveIntent } from './payment-intents.ts'
import { createPaymentMethod } from './payment-methods.ts'
import { createRefund, retrieveRefund } from './refunds.ts'
import { newId, openStore } from './store.ts'

const API_VERSION = '2026-10-28.endive'
const FORM = /^application\/x-www-form-urlencoded\b/i

interface Stripe {
  readonly routes: readonly Route[]
  close(): void
}

interface Endpoint {
  readonly method: Route['method']
  readonly path: string
  readonly parameters: CallName
  readonly permission: Permission
  run(operation: Operation, id: string, values: JsonObject, request: KeyedRequest): Answer
}

export const openStripe = (dataFolder: string, timeScale: number, machineClock: () => number = Date.now): Stripe => {
  // First, because its lock keeps a second process from writing another key into a new folder.
  const store = openStore(join(dataFolder, 'stripe.sqlite'))
  const secret = readOrCreateKey(join(dataFolder, 'stripe.key'))
  const hashOf = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url')
  const bodies = openObjectBodies(store)
  /** As fingerprints, and in memory alone: the double keeps no card number. */
  const namedNumbers = new Set<string>()
  const idempotency = openIdempotency(store)
  const readClock = (): number => machineClock() + store.clockAhead()
  const operationOf = (account: string): Operation => ({
    store,
    bodies,
    account,
    now: readClock(),
    scale: (durationMs) => Math.round(durationMs * timeScale),
  })

  const endpoints: readonly Endpoint[] = [
    {
      method: 'GET',
      path: '/balance',
      parameters: 'retrieve',
      permission: 'balance',
      run: (operation, _id, values) => readBalance(operation, values),
    },
    {
      method: 'POST',
      path: '/payment_intents',
      parameters: 'createIntent',
      permission: 'payment_intents',
      run: (operation, _id, values) => createIntent(operation, values),
    },
    {
      method: 'GET',
      path: '/payment_intents/:id',
      parameters: 'retrieve',
      permission: 'payment_intents',
      run: retrieveIntent,
    },
    {
      method: 'POST',
      path: '/payment_intents/:id/confirm',
      parameters: 'confirmIntent',
      permission: 'payment_intents',
      run: (operation, id, values, { account, key, fingerprint }) =>
        confirmIntent(operation, id, values, {
          kind: 'now',
          enqueue: (dueAt) => {
            const parameters = JSON.stringify(values)
            store.enqueue({ account, intent: id, parameters, idempotencyKey: key, fingerprint }, dueAt)
          },
        }),
    },
    {
      method: 'POST',
      path: '/payment_intents/:id/cancel',
      parameters: 'cancelIntent',
      permission: 'payment_intents',
      run: cancelIntent,
    },
    {
      method: 'POST',
      path: '/payment_methods',
      parameters: 'createPaymentMethod',
      permission: 'payment_methods',
      run: (operation, _id, values) => createPaymentMethod(operation, values, hashOf, namedNumbers),
    },
    {
      method: 'POST',
      path: '/refunds',
      parameters: 'createRefund',
      permission: 'refunds',
      run: (operation, _id, values) => createRefund(operation, values),
    },
    {
      method: 'GET',
      path: '/refunds',
      parameters: 'listRefunds',
      permission: 'refunds',
      run: (operation, _id, values) => listRefunds(operation, values),
    },
    { method: 'GET', path: '/refunds/:id', parameters: 'retrieve', permission: 'refunds', run: retrieveRefund },
    {
      method: 'GET',
      path: '/charges',
      parameters: 'listCharges',
      permission: 'charges',
      run: (operation, _id, values) => listCharges(operation, values),
    },
    {
      method: 'GET',
      path: '/disputes',
      parameters: 'listDisputes',
      permission: 'disputes',
      run: (operation, _id, values) => listDisputes(operation, values),
    },
  ]

  const settle = (): void => {
    const now = readClock()
    settleDue({ store, now, operationOf, execute: (request, work) => void idempotency.execute(request, now, work) })
  }

  const answerCall = async (endpoint: Endpoint, call: Call): Promise<Reply> => {
    const key = readApiKey(call.header('authorization'))
    if (key.kind === 'refused') return reply(key.answer)
    const idempotencyKey = endpoint.method === 'POST' ? (call.header('idempotency-key') ?? null) : null
    const refusal = headerRefusal(endpoint, call) ?? keyRefusal(idempotencyKey)
    if (refusal !== undefined) return reply(refusal)
    if (!key.may(endpoint.permission)) return reply(forbidden(endpoint))
    if (endpoint.path === '/payment_methods' && !key.maySendCardNumbers) return reply(refused(402, NO_CARD_NUMBERS))
    const text = endpoint.method === 'POST' ? call.body : call.query.toString()
    const parameters = readParameters(endpoint.parameters, text)
    if (parameters.kind === 'refused') return reply(parameters.answer)

    const { account } = key
    const { values } = parameters
    const run = (request: KeyedRequest): Answer => endpoint.run(operationOf(account), call.param('id'), values, request)
    const sorted = [...new URLSearchParams(text)].map(([name, value]) => JSON.stringify([name, value])).toSorted()
    const request = { account, key: idempotencyKey, fingerprint: hashOf([call.path, ...sorted].join('\n')) }
    if (endpoint.method === 'GET') return reply(run(request))
    const { answer, replayed } = idempotency.execute(request, readClock(), () => run(request))
    if (answer.delivery.kind !== 'hold_connection') return reply(answer, replayed)
    const release = idempotency.hold(request)
    try {
      return await holdConnection(answer.delivery.holdMs, call.clientGone)
    } finally {
      release()
    }
  }

  const control = controlRoutes(store, readClock, (number) => void namedNumbers.add(hashOf(number)))
  const api = endpoints.map((endpoint): Route => ({
    method: endpoint.method,
    path: `/stripe/v1${endpoint.path}`,
    handle: (call) => answerCall(endpoint, call),
  }))
  return {
    routes: [...api, ...control].map((route) => ({
      ...route,
      handle: (call) => {
        settle()
        return route.handle(call)
      },
    })),
    close: store.close,
  }
}

const headerRefusal = ({ method }: Endpoint, call: Call): Answer | undefined => {
  // Stripe itself would take the version of the account; a call that relies on that breaks when the account moves on.
  if (call.header('stripe-version') !== API_VERSION)
    return refused(400, `This double speaks Stripe-Version: ${API_VERSION} alone`)
  const type = call.header('content-type')
  if (method === 'POST' && call.body !== '' && (type === undefined || !FORM.test(type)))
    return refused(400, 'The body of a POST is application/x-www-form-urlencoded')
  return undefined
}

/** As Stripe's own answers name them: charges and refunds have one permission. */
const permissionWords: Record<Permission, string> = {
  payment_intents: 'payment_intent',
  payment_methods: 'payment_method',
  refunds: 'charge',
  charges: 'charge',
  disputes: 'dispute',
  balance: 'balance',
}

/** A restricted key without the permission (docs.stripe.com/keys/restricted-api-keys). */
const forbidden = ({ permission, method }: Endpoint): Answer =>
  refused(
    403,
    `The provided key does not have the required permissions for this endpoint. Having the 'rak_${permissionWords[permission]}_${method === 'GET' ? 'read' : 'write'}' permission would allow this request to continue.`,
  )

/** An account that support.stripe.com has not enabled for raw card data. */
const NO_CARD_NUMBERS =
  'Sending credit card numbers directly to the Stripe API is generally unsafe. To continue processing use Stripe.js, or see https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis.'

const reply = (answer: Answer, replayed = false): Reply =>
  answer.delivery.kind === 'drop_connection'
    ? DROP_CONNECTION
    : json(answer.status, answer.body, {
        'Request-Id': newId('req'),
        ...(replayed ? { 'Idempotent-Replayed': 'true' } : {}),
      })
