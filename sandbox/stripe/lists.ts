/** Lists: charges, refunds and disputes, newest first, page by page (API reference, Pagination); and the balance. */
import type { JsonObject } from '../http/json.ts'
import { missing, ok, refused, type Answer } from './answers.ts'
import type { Collection, Page } from './collection.ts'
import { takenBy } from './disputes.ts'
import type { Kind } from './expand.ts'
import { listBody, refundedOf } from './objects.ts'
import { expandRefusal, type Operation } from './operation.ts'
import { numberAt, textAt, textsAt } from './parameters.ts'
import { fixtureOf } from './vendor.ts'
import { isLive } from './api-key.ts'

interface Listed<Kept> {
  readonly kind: Kind
  readonly url: string
  readonly collection: Collection<Kept>
  /** The parameters whose value is the parent or the label of a record. */
  readonly parent: string
  readonly label: string
  bodyOf(record: Kept, expand: readonly string[]): JsonObject
}

const MAX_LIMIT = 100
const LIMIT = 10

/** `created=12`, or `created[gt]`, `[gte]`, `[lt]`, `[lte]`. */
const createdOf = (values: JsonObject): Pick<Page, 'createdFrom' | 'createdTo'> => {
  const exact = numberAt(values, 'created')
  const after = numberAt(values, 'created', 'gt')
  const before = numberAt(values, 'created', 'lt')
  const from = [0, exact, numberAt(values, 'created', 'gte'), after === undefined ? undefined : after + 1]
  const to = [exact, numberAt(values, 'created', 'lte'), before === undefined ? undefined : before - 1]
  return {
    createdFrom: Math.max(...from.filter((time) => time !== undefined)),
    createdTo: Math.min(Number.MAX_SAFE_INTEGER, ...to.filter((time) => time !== undefined)),
  }
}

/** In a list every path begins with data (docs.stripe.com/expand, Expand lists). */
const expandOf = (values: JsonObject, kind: Kind): readonly string[] | Answer => {
  const paths = textsAt(values, 'expand')
  const bare = paths.find((path) => !path.startsWith('data.'))
  const expand = paths.map((path) => path.replace(/^data\./, ''))
  if (bare !== undefined) {
    const hint =
      expandRefusal(kind, [bare]) === undefined ? ` You may want to try expanding 'data.${bare}' instead.` : ''
    return refused(400, `This property cannot be expanded (${bare.slice(0, 100).replace(/\d{12,}/g, '…')}).${hint}`)
  }
  return expandRefusal(kind, expand) ?? expand
}

const isAnswer = (value: readonly string[] | Answer): value is Answer => 'status' in value

const list = <Kept>({ store, account }: Operation, values: JsonObject, listed: Listed<Kept>): Answer => {
  const limit = numberAt(values, 'limit') ?? LIMIT
  if (limit < 1 || limit > MAX_LIMIT)
    return refused(400, `Limit must be between 1 and ${MAX_LIMIT}`, {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  const expand = expandOf(values, listed.kind)
  if (isAnswer(expand)) return expand
  const startingAfter = textAt(values, 'starting_after') ?? null
  if (startingAfter !== null && listed.collection.findOf(account, startingAfter) === undefined)
    return missing(listed.kind, startingAfter, { status: 400, param: 'starting_after' })
  const intent = textAt(values, 'payment_intent')
  if (intent !== undefined && store.intents.findOf(account, intent) === undefined)
    return missing('payment_intent', intent, { param: 'payment_intent' })
  const found = listed.collection.page(account, {
    parent: textAt(values, listed.parent) ?? null,
    label: textAt(values, listed.label) ?? null,
    ...createdOf(values),
    startingAfter,
    limit: limit + 1,
  })
  const data = found.slice(0, limit).map((record) => listed.bodyOf(record, expand))
  return ok(listBody(listed.url, data, found.length > limit))
}

export const listCharges = (operation: Operation, values: JsonObject): Answer =>
  list(operation, values, {
    kind: 'charge',
    url: '/v1/charges',
    collection: operation.store.charges,
    parent: 'payment_intent',
    label: 'transfer_group',
    bodyOf: operation.bodies.charge,
  })

export const listRefunds = (operation: Operation, values: JsonObject): Answer =>
  list(operation, values, {
    kind: 'refund',
    url: '/v1/refunds',
    collection: operation.store.refunds,
    parent: 'charge',
    label: 'payment_intent',
    bodyOf: operation.bodies.refund,
  })

export const listDisputes = (operation: Operation, values: JsonObject): Answer =>
  list(operation, values, {
    kind: 'dispute',
    url: '/v1/disputes',
    collection: operation.store.disputes,
    parent: 'charge',
    label: 'payment_intent',
    bodyOf: operation.bodies.dispute,
  })

/** What was charged and not given back or disputed; nothing is paid out and no fee is taken here. */
export const readBalance = ({ store, account }: Operation, values: JsonObject): Answer => {
  const refusal = expandRefusal('balance', textsAt(values, 'expand'))
  if (refusal !== undefined) return refusal
  const charged = store.charges
    .all(account)
    .reduce((sum, { status, amount }) => (status === 'succeeded' ? sum + amount : sum), 0)
  const disputed = store.disputes.all(account).reduce((sum, dispute) => sum + takenBy(dispute), 0)
  const amount = charged - refundedOf(store.refunds.all(account)) - disputed
  const none = { amount: 0, currency: 'jpy', source_types: { card: 0 } }
  return ok({
    ...fixtureOf('balance'),
    livemode: isLive(account),
    available: [{ amount, currency: 'jpy', source_types: { card: amount } }],
    connect_reserved: [{ amount: 0, currency: 'jpy' }],
    pending: [none],
  })
}
