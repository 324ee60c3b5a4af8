/** Audit of the merchant API: what a person has changed by a call of it, one line for each call that succeeded. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MERCHANT_ROUTES, type MerchantCallName } from '#contract/access.ts'
import type { AuditAction } from '#contract/console/audit.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import type { Dependencies } from '../../dependencies.ts'
import { hashedId } from '../../ids.ts'
import type { Caller, CallingPerson } from '../../operations/caller.ts'
import type { Sql } from '../../store/engine/database.ts'
import { insertAuditLine, type AuditLine } from '../../store/people/audit.ts'

/** What a call was sent and has answered. */
interface Called {
  readonly params: unknown
  readonly body: unknown
  readonly answer: unknown
}

interface AuditedCall {
  readonly action: AuditAction
  /** Where the id stands of what was changed: in the path or in the answer. `shop`: the shop itself was. */
  readonly subject: { readonly params: string } | { readonly answer: string } | 'shop'
  /** Never a secret: a webhook's address may hold one. */
  readonly details?: (called: Called) => string
  /** Whether an answer means that something was changed; every one does unless given. */
  readonly isChange?: (answer: unknown) => boolean
  /**
   * What names the change where the same call is sent again for it: it has one line. Nothing stores who sent it first, so that a
   * person who repeats a refund id of a program, or of somebody whose line was lost, gets the line.
   */
  readonly onceFor?: (called: Called) => string
}

/** A text or a number in what a call was sent or has answered; '' where there is none. */
const field = (from: unknown, name: string): string => {
  const value: unknown = typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const yen = (from: unknown): string => `¥${withThousandsSeparators(Number(field(from, 'amount')))}`

/** Names, never the values. */
const fieldsSent = ({ body }: Called): string => Object.keys(body ?? {}).join(', ')

/** A creation that is sent again is answered with what the first has made: its line may be missing. */
const madeOnce = ({ answer }: Called): string => field(answer, 'id')

/** What became of it, where that is not known yet: the line stays as it is. */
const refundInDoubt = (answer: unknown): string[] => {
  const status = field(answer, 'status')
  return status === 'refunded' ? [] : [status]
}

const CHECKOUT = { params: 'checkoutId' } as const
const WEBHOOK = { params: 'webhookId' } as const

/**
 * One transaction cancels, and its line is written there: a second cancel changes nothing, whoever sends it, and could not make up
 * for a line that is missing.
 */
const CANCEL: AuditedCall = { action: 'checkout_cancelled', subject: CHECKOUT }

/** Every call of the merchant API; null: it changes nothing. */
const AUDITED_CALLS: Readonly<Record<MerchantCallName, AuditedCall | null>> = {
  createCheckout: {
    action: 'checkout_created',
    subject: { answer: 'id' },
    details: ({ answer }) => yen(answer),
    onceFor: madeOnce,
  },
  readMerchantCheckout: null,
  listCheckouts: null,
  readTimeline: null,
  cancelMerchantCheckout: CANCEL,
  sendReceipt: { action: 'receipt_sent', subject: CHECKOUT },
  drawQrCode: null,
  createReusableLink: { action: 'link_created', subject: { answer: 'id' }, onceFor: madeOnce },
  readReusableLink: null,
  listReusableLinks: null,
  changeReusableLink: { action: 'link_changed', subject: { params: 'linkId' }, details: fieldsSent },
  drawLinkQrCode: null,
  refundCheckout: {
    action: 'refund_made',
    subject: CHECKOUT,
    details: ({ answer }) => [yen(answer), field(answer, 'refundId'), ...refundInDoubt(answer)].join(', '),
    isChange: (answer) => field(answer, 'status') !== 'refused',
    onceFor: ({ answer }) => field(answer, 'refundId'),
  },
  listCheckoutRefunds: null,
  readRefund: null,
  listRefunds: null,
  readSummary: null,
  exportMovements: null,
  readFigures: null,
  exportFigures: null,
  exportCheckouts: null,
  listReconciliations: null,
  readReconciliation: null,
  readAttention: null,
  readMe: null,
  readSettings: null,
  changeSettings: {
    action: 'settings_changed',
    subject: 'shop',
    details: fieldsSent,
  },
  replacePicture: { action: 'picture_replaced', subject: { params: 'picture' } },
  removePicture: { action: 'picture_removed', subject: { params: 'picture' } },
  createWebhook: { action: 'webhook_created', subject: { answer: 'id' } },
  listWebhooks: null,
  readWebhook: null,
  changeWebhook: {
    action: 'webhook_changed',
    subject: WEBHOOK,
    details: fieldsSent,
  },
  removeWebhook: { action: 'webhook_removed', subject: WEBHOOK },
  pingWebhook: { action: 'webhook_pinged', subject: WEBHOOK },
  rollWebhook: { action: 'webhook_rolled', subject: WEBHOOK },
  replayWebhook: { action: 'webhook_replayed', subject: WEBHOOK, details: ({ body }) => field(body, 'since') },
  listDeliveries: null,
  listEvents: null,
  redeliverEvent: { action: 'event_redelivered', subject: { params: 'eventId' } },
}

const routeName = (method: string, url: string): string => `${method} ${url}`

const BY_ROUTE: ReadonlyMap<string, AuditedCall> = new Map(
  Object.entries(AUDITED_CALLS).flatMap(([name, audited]) => {
    const route = Object.entries(MERCHANT_ROUTES).find(([call]) => call === name)?.[1]
    return audited === null || route === undefined
      ? []
      : [[routeName(route.method, MERCHANT_BASE + route.path), audited] as const]
  }),
)

const subjectOf = (subject: AuditedCall['subject'], { params, answer }: Called, { merchant }: Caller): string => {
  if (subject === 'shop') return merchant.label
  return 'params' in subject ? field(params, subject.params) : field(answer, subject.answer)
}

type AuditDependencies = Pick<Dependencies, 'database' | 'clock' | 'random'>

/** What a person changes by one call. */
interface Change {
  readonly caller: Caller
  readonly by: CallingPerson
  readonly audited: AuditedCall
  readonly called: Called
}

const lineOf = ({ clock, random }: AuditDependencies, { caller, by, audited, called }: Change): AuditLine => {
  const subject = subjectOf(audited.subject, called, caller)
  const once = audited.onceFor?.(called)
  return {
    // Derived, and not left out when the call is sent again: the line of the first may be missing.
    id: once === undefined ? random.id() : hashedId(audited.action, subject, once),
    merchantId: caller.merchant.id,
    mode: caller.mode,
    at: clock.now(),
    person: by.person,
    action: audited.action,
    subject,
    details: audited.details?.(called) ?? '',
  }
}

/** Writes the line of a cancel in its transaction. A program's has none. */
export const noteCancel =
  (deps: AuditDependencies, caller: Caller, params: unknown) =>
  async (sql: Sql): Promise<void> => {
    const { by } = caller
    const called = { params, body: null, answer: null }
    if (by.kind === 'person') await insertAuditLine(sql, lineOf(deps, { caller, by, audited: CANCEL, called }))
  }

/**
 * Writes a line for each other change that a person makes. The change is stored before, in a transaction of its own, and the
 * answer is sent after: where the line cannot be written, the call fails and its caller sends it again (decision 61).
 */
export const auditChanges = (
  app: FastifyInstance,
  deps: AuditDependencies,
  callerOf: (request: FastifyRequest) => Caller | undefined,
): void => {
  app.addHook('preSerialization', async (request, reply, answer) => {
    const caller = callerOf(request)
    if (caller?.by.kind !== 'person' || reply.statusCode >= 300) return answer
    const { method, routeOptions, params, body } = request
    const audited = BY_ROUTE.get(routeName(method, routeOptions.url ?? ''))
    if (audited === undefined || audited === CANCEL || audited.isChange?.(answer) === false) return answer
    const called = { params, body, answer }
    await insertAuditLine(deps.database, lineOf(deps, { caller, by: caller.by, audited, called }))
    return answer
  })
}
