/** Routes of the console by which an operator sees payments in doubt and what waits to be sent, and has it tried again. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import * as calls from '#contract/console/operator.ts'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { iso, when } from '#payment/merchant-view.ts'
import { retryMerchantDeliveries, retryNamedMail } from '../../operations/retry-outbox.ts'
import { parseJson } from '../../parse-json.ts'
import { countHeldCheckouts } from '../../store/backup/held-checkouts.ts'
import type { Place } from '../../store/engine/list-page.ts'
import { findEventOwner } from '../../store/outbox/event-list.ts'
import { findMail } from '../../store/outbox/mails.ts'
import { listOutbox, type OutboxItem } from '../../store/outbox/outbox-list.ts'
import { insertAuditLine } from '../../store/people/audit.ts'
import { listDoubts, type ListedDoubt } from '../../store/reports/doubts.ts'
import { refusePlace } from '../routes/merchant/lists.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from './console-route.ts'

const presentDoubt = (doubt: ListedDoubt): calls.DoubtAnswer => ({
  kind: doubt.kind,
  shop: doubt.merchant,
  checkoutId: doubt.checkoutId,
  orderCode: doubt.orderCode,
  ...when(doubt.refundId, (refundId) => ({ refundId })),
  amount: doubt.amountYen,
  since: iso(doubt.since),
  inquiries: doubt.inquiries,
  nextInquiryAt: iso(doubt.nextInquiryAt),
  why: doubt.why,
})

const presentItem = (item: OutboxItem): calls.OutboxItemAnswer => ({
  kind: item.kind,
  shop: item.merchant,
  id: item.id,
  ...when(item.webhookId, (webhookId) => ({ webhookId })),
  ...when(item.checkoutId, (checkoutId) => ({ checkoutId })),
  type: item.type,
  state: item.state,
  since: iso(item.since),
  tries: item.tries,
  ...when(item.lastAnswer, (lastAnswer) => ({ lastAnswer })),
  ...when(item.nextTryAt, (at) => ({ nextTryAt: iso(at) })),
})

/** The id of a mail has dots, so that no cursor of the other lists can hold it. */
const OutboxPlace = Compile(
  Type.Tuple([
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    Type.String({ pattern: '^[a-z0-9-]{1,63}$' }),
    Type.String({ pattern: '^[\\w.-]{1,200}$' }),
    Type.String({ pattern: '^\\w{0,64}$' }),
  ]),
)

const writePlace = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Undefined for a text that this list cannot have given out. */
const readPlace = (text: string): Place | undefined => {
  const place = parseJson(Buffer.from(text, 'base64url').toString('latin1'))
  return OutboxPlace.Check(place) ? place : undefined
}

/** What is tried again, and whose it is. */
interface Retried {
  readonly merchantId: string
  readonly subject: string
  readonly deliveries: number
  readonly mails: number
}

export const outboxRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (app, { deps, signedInOf }) => {
  const { database, clock, random } = deps

  answerConsoleCall(app, calls.listDoubts, async () => {
    const doubts = await listDoubts(database, clock.now(), calls.DOUBTS_LISTED + 1)
    const items = doubts.slice(0, calls.DOUBTS_LISTED).map(presentDoubt)
    return { items, isMore: doubts.length > items.length, held: await countHeldCheckouts(database) }
  })

  answerConsoleCall(app, calls.listOutbox, async (request) => {
    const { shop = null, state = null, after: place } = request.query
    const after = place === undefined ? null : readPlace(place)
    if (after === undefined) return refusePlace()
    const found = await listOutbox(database, { merchant: shop, state }, { after, limit: calls.OUTBOX_LISTED })
    return { items: found.items.map(presentItem), after: found.after === null ? null : writePlace(found.after) }
  })

  const retryEvent = async (eventId: string, webhookId: string | null): Promise<Retried | Refusal> => {
    const merchantId = await findEventOwner(database, eventId)
    if (merchantId === null) return refuse('nothing_to_retry')
    const { deliveries, disabled } = await retryMerchantDeliveries(deps, merchantId, { eventId }, webhookId)
    if (deliveries === 0) return refuse(disabled.length > 0 ? 'webhook_disabled' : 'nothing_to_retry')
    return { merchantId, subject: eventId, deliveries, mails: 0 }
  }

  const retryMail = async (mailId: string): Promise<Retried | Refusal> => {
    const mail = await findMail(database, mailId)
    const isOver = mail === null || mail.isEmptied || mail.state === 'sent' || mail.state === 'sending'
    return isOver || !(await retryNamedMail(deps, mail))
      ? refuse('nothing_to_retry')
      : { merchantId: mail.merchantId, subject: mailId, deliveries: 0, mails: 1 }
  }

  const noteRetry = (request: FastifyRequest, { merchantId, subject }: Retried): Promise<void> =>
    insertAuditLine(database, {
      id: random.id(),
      merchantId,
      mode: null,
      at: clock.now(),
      person: signedInOf(request).person,
      action: 'outbox_retried',
      subject,
      details: '',
    })

  answerConsoleCall(app, calls.retryOutbox, async (request) => {
    const { body } = request
    const retried =
      'mailId' in body ? await retryMail(body.mailId) : await retryEvent(body.eventId, body.webhookId ?? null)
    if (isRefusal(retried)) return retried
    await noteRetry(request, retried)
    return { deliveries: retried.deliveries, mails: retried.mails }
  })
}
