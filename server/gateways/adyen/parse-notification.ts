/** Adyen, notifications (standard webhook): a request into what is stored, or why it is refused. */
import { createHash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { isMovedYen } from '#payment/acquirer-limits.ts'
import { parseJson } from '../../parse-json.ts'
import type { AcquirerNotification } from '../../store/merchant/acquirer-notifications.ts'
import type { KeyScope } from '../../store/merchant/keys.ts'
import { isMoment } from '../acquirer-time.ts'
import type { AdyenAccount } from './account.ts'
import { isSigned, signedText } from './hmac.ts'
import { DISPUTE_EVENTS, isDisputeEvent } from './dispute-events.ts'
import { CAPTURE_EVENTS, REFUND_EVENTS } from './notified-outcomes.ts'
import { codeOfWords } from './reasons.ts'
import { isPspReference, readReference } from './references.ts'

/**
 * Signed fields are joined by colons. With none in any of them but the merchantReference, nobody can move a part of one field
 * into the next and keep the signature.
 */
const Item = Type.Object({
  pspReference: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,200}$' }),
  originalReference: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]{0,32}$' })),
  merchantAccountCode: Type.String({ maxLength: 200 }),
  merchantReference: Type.String({ maxLength: 1000 }),
  amount: Type.Object({ value: Type.Integer(), currency: Type.String({ pattern: '^[A-Z]{3}$' }) }),
  eventCode: Type.String({ pattern: '^[A-Z0-9_]{1,64}$' }),
  success: Type.Union([Type.Enum(['true', 'false']), Type.Boolean()]),
  eventDate: Type.Optional(Type.Unknown()),
  reason: Type.Optional(Type.Unknown()),
  additionalData: Type.Optional(
    Type.Object({
      hmacSignature: Type.Optional(Type.String({ maxLength: 200 })),
      defensePeriodEndsAt: Type.Optional(Type.Unknown()),
    }),
  ),
})
type Item = Static<typeof Item>

const itemShape = Compile(Item)

/** An item of which nobody knows yet what it says. */
type AnyItem = Readonly<Record<string, unknown>>

const Notifications = Compile(
  Type.Object({
    live: Type.Union([Type.Enum(['true', 'false']), Type.Boolean()]),
    notificationItems: Type.Array(
      Type.Object({ NotificationRequestItem: Type.Record(Type.String(), Type.Unknown()) }),
      { minItems: 1 },
    ),
  }),
)

/** The events that make something due as soon as they are told. */
export const HANDLED_EVENTS = [...CAPTURE_EVENTS, ...REFUND_EVENTS] as const

const REPORT = 'REPORT_AVAILABLE'
/** About which nothing is to be done: a report is read when a statement is asked for, a cancel shows that notifications arrive. */
const ONLY_KEPT: readonly string[] = [REPORT, 'TECHNICAL_CANCEL']
/** All others are answered and not kept: every try of a card is an AUTHORISATION. */
const KEPT: readonly string[] = [...HANDLED_EVENTS, ...DISPUTE_EVENTS, ...ONLY_KEPT]

const isTrue = (said: string | boolean): boolean => said === true || said === 'true'

const instantOf = (text: unknown): Instant | null => {
  try {
    const at = Temporal.Instant.from(String(text)).epochMilliseconds
    return isMoment(at) ? at : null
  } catch {
    return null
  }
}

/** Not signed, and so of little weight: a time that cannot be read is the time at which we heard of it. */
const occurredAt = (eventDate: unknown, receivedAt: Instant): Instant =>
  Math.min(instantOf(eventDate) ?? receivedAt, receivedAt)

/** No scheme lets a shop answer later than this. */
const ANSWER_MAX_MS = 400 * DAY_MS

/** Not signed either, and shown to the shop. */
const respondBy = (endsAt: unknown, receivedAt: Instant): Instant | null => {
  const at = instantOf(endsAt)
  return at !== null && Math.abs(at - receivedAt) < ANSWER_MAX_MS ? at : null
}

const ADDRESS_MAX = 1000
const addressIn = (reason: unknown): string | null =>
  typeof reason === 'string' && reason.length <= ADDRESS_MAX && /^https?:\/\/[\x21-\x7e]+$/.test(reason) ? reason : null

/** Of what is signed alone: with another reason or time it is the same notification. */
const idOf = (item: Item): string => {
  const hash = createHash('sha256').update(signedText(item)).digest('hex').slice(0, 32)
  return `${item.eventCode}.${item.pspReference.slice(0, 64)}.${hash}`
}

const notificationOf = (item: Item, scope: KeyScope, receivedAt: Instant): AcquirerNotification => {
  const { eventCode, amount, originalReference = '', reason } = item
  const named = readReference(item.merchantReference)
  const isReport = eventCode === REPORT
  const isOfDispute = isDisputeEvent(eventCode) && isTrue(item.success)
  return {
    ...scope,
    id: idOf(item),
    event: eventCode,
    success: isTrue(item.success),
    orderCode: named.names === 'order' ? named.orderCode : named.names === 'refund' ? named.orderPart : null,
    refundId: named.names === 'refund' ? named.refundId : null,
    amountYen: amount.currency === 'JPY' ? amount.value : null,
    originalReference: originalReference === '' ? null : originalReference,
    pspReference: item.pspReference,
    disputeId: isOfDispute ? item.pspReference : null,
    respondBy: isOfDispute ? respondBy(item.additionalData?.defensePeriodEndsAt, receivedAt) : null,
    reason: !isReport && typeof reason === 'string' && reason !== '' ? codeOfWords(reason) : null,
    reportAddress: isReport ? addressIn(reason) : null,
    occurredAt: occurredAt(item.eventDate, receivedAt),
    receivedAt,
    handledAt: ONLY_KEPT.includes(eventCode) ? receivedAt : null,
  }
}

/** Why this item, whose shape is right, can still say nothing of money; null: it can. */
const problemOf = ({
  eventCode,
  amount,
  pspReference,
  originalReference = '',
  merchantReference,
}: Item): string | null => {
  if (amount.currency === 'JPY' && !isMovedYen(amount.value)) return 'amount.value is no amount of yen'
  if (!isDisputeEvent(eventCode)) return null
  // One dispute that cannot be read would keep the disputes of its account from being read.
  if (![pspReference, originalReference || pspReference].every(isPspReference))
    return 'a dispute has no reference of Adyen'
  const isOurs = readReference(merchantReference).names === 'order'
  return isOurs && amount.currency !== 'JPY' ? 'a dispute is in another currency than yen' : null
}

/** In the names of the schema alone: what was sent may hold anything. */
const shapeProblem = (item: AnyItem): string => {
  const [error] = itemShape.Errors(item)
  const field = (error?.instancePath ?? '').slice(1).replaceAll('/', '.')
  return field === '' ? 'a field is missing' : `the field ${field} cannot be read`
}

/** Signed, and nobody knows what it says. */
export interface UnreadableNotification {
  readonly id: string
  readonly why: string
  /** JSON: its fields as they came, to be read again. It may hold anything: it is sealed before it is stored. */
  readonly said: string
}

const TEXT_MAX = 1000

/** These are not signed and say nothing of money: where they are no text, the item is read without them. */
const UNSIGNED: readonly string[] = ['eventDate', 'reason', 'defensePeriodEndsAt']
const FIELDS = Object.keys(Item.properties).filter((name) => name !== 'additionalData' && name !== 'amount')

interface Said {
  readonly fields: Readonly<Record<string, unknown>>
  /** Of what is too long, or a list where a text should stand: without it the item is another one. */
  readonly cut: readonly string[]
}

const isFlat = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= TEXT_MAX : typeof value !== 'object' || value === null

/** Texts, numbers and the like alone: lists in lists, however deep, are not looked into. */
const flatFields = (item: AnyItem, names: readonly string[]): Said => {
  const known = names.filter((name) => Object.hasOwn(item, name))
  const left = known.filter((name) => !isFlat(item[name]))
  return {
    fields: Object.fromEntries(known.filter((name) => isFlat(item[name])).map((name) => [name, item[name]])),
    cut: left.filter((name) => typeof item[name] === 'string' || !UNSIGNED.includes(name)),
  }
}

const isFields = (value: unknown): value is AnyItem =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields that Adyen's schema names: enough to read it again. */
const saidBy = (item: AnyItem): string => {
  const { fields, cut } = flatFields(item, FIELDS)
  const amount = isFields(item['amount'])
    ? flatFields(item['amount'], ['value', 'currency'])
    : flatFields(item, ['amount'])
  const { additionalData } = item
  const more = isFields(additionalData) ? flatFields(additionalData, ['defensePeriodEndsAt']) : { fields: {}, cut: [] }
  const left = [...cut, ...amount.cut, ...more.cut]
  return JSON.stringify({
    ...fields,
    ...(isFields(item['amount']) ? { amount: amount.fields } : amount.fields),
    additionalData: more.fields,
    ...(left.length === 0 ? {} : { cut: left }),
  })
}

/** By what is signed, and why that cannot be read: whoever repeats it with another reason or time names nothing new. */
const unreadable = (item: AnyItem, why: string): UnreadableNotification => ({
  id: `unread.${createHash('sha256')
    .update(`${signedText(item)}\n${why}`)
    .digest('hex')
    .slice(0, 32)}`,
  why,
  said: saidBy(item),
})

type ReadItem =
  | { readonly is: 'kept'; readonly notification: AcquirerNotification }
  | { readonly is: 'not kept' }
  | { readonly is: 'unreadable'; readonly unreadable: UnreadableNotification }

const isNotKept = ({ eventCode }: AnyItem): boolean =>
  typeof eventCode === 'string' && /^[A-Z0-9_]{1,64}$/.test(eventCode) && !KEPT.includes(eventCode)

const readItem = (item: AnyItem, scope: KeyScope, receivedAt: Instant): ReadItem => {
  if (isNotKept(item)) return { is: 'not kept' }
  if (!itemShape.Check(item)) return { is: 'unreadable', unreadable: unreadable(item, shapeProblem(item)) }
  const problem = problemOf(item)
  return problem === null
    ? { is: 'kept', notification: notificationOf(item, scope, receivedAt) }
    : { is: 'unreadable', unreadable: unreadable(item, problem) }
}

/** What was set aside, read again by the rules of this release. Cut: a part of it was not kept, so it would be another one. */
export const readSaid = (
  said: string,
  scope: KeyScope,
  receivedAt: Instant,
): AcquirerNotification | 'cut' | 'unreadable' => {
  const item = parseJson(said)
  if (!isFields(item)) return 'unreadable'
  if ('cut' in item) return 'cut'
  const read = readItem(item, scope, receivedAt)
  return read.is === 'kept' ? read.notification : 'unreadable'
}

/**
 * `unreadable`: no notification of Adyen. `forged`: not signed with the account's key, or of another account or mode. `ours`: each
 * item by itself, for one that cannot be read holds up no other.
 */
export type ReadNotifications =
  | {
      readonly is: 'ours'
      readonly notifications: readonly AcquirerNotification[]
      readonly unreadable: readonly UnreadableNotification[]
    }
  | { readonly is: 'unreadable' }
  | {
      readonly is: 'forged'
      readonly why: 'of the other mode' | 'of another merchant account' | 'not signed with the HMAC key'
    }

export interface NotifiedAccount extends KeyScope {
  readonly account: Pick<AdyenAccount, 'merchantAccount' | 'hmacKey' | 'mode'>
}

const signatureIn = ({ additionalData }: AnyItem): string => {
  const { hmacSignature }: { readonly hmacSignature?: unknown } =
    typeof additionalData === 'object' && additionalData !== null ? additionalData : {}
  return typeof hmacSignature === 'string' && hmacSignature.length <= 200 ? hmacSignature : ''
}

/** All items of a request, or none: one that is forged says who sent the others. */
export const readNotifications = (
  body: unknown,
  { merchantId, mode, account }: NotifiedAccount,
  receivedAt: Instant,
): ReadNotifications => {
  if (!Notifications.Check(body)) return { is: 'unreadable' }
  if (isTrue(body.live) !== (mode === 'live')) return { is: 'forged', why: 'of the other mode' }
  const items = body.notificationItems.map(({ NotificationRequestItem }) => NotificationRequestItem)
  if (items.some(({ merchantAccountCode }) => merchantAccountCode !== account.merchantAccount))
    return { is: 'forged', why: 'of another merchant account' }
  const unsigned = items.filter((item) => !isSigned(item, signatureIn(item), account.hmacKey))
  if (unsigned.some((item) => !itemShape.Check(item))) return { is: 'unreadable' }
  if (unsigned.length > 0) return { is: 'forged', why: 'not signed with the HMAC key' }
  const read = items.map((item) => readItem(item, { merchantId, mode }, receivedAt))
  return {
    is: 'ours',
    notifications: read.flatMap((each) => (each.is === 'kept' ? [each.notification] : [])),
    unreadable: read.flatMap((each) => (each.is === 'unreadable' ? [each.unreadable] : [])),
  }
}
