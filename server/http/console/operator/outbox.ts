/** Routes of the console by which an operator sees what waits to be sent or has failed, and has it tried again. */
import type { FastifyPluginAsync } from 'fastify'
import * as calls from '#contract/console/operator.ts'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import { iso, when } from '#contract/answer-fields.ts'
import { noteAtShop } from '../../../operations/people/change-people.ts'
import { retryMerchantDeliveries, retryNamedMail } from '../../../operations/retry-outbox.ts'
import { parseJson } from '../../../parse-json.ts'
import type { Place } from '../../../store/engine/list-page.ts'
import { findEventOwner } from '../../../store/outbox/event-list.ts'
import { findMail } from '../../../store/outbox/mails.ts'
import { isOutboxPlace, listOutbox, type OutboxItem } from '../../../store/outbox/outbox-list.ts'
import { refusePlace } from '../../routes/merchant/lists.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from '../console-route.ts'

const presentItem = (item: OutboxItem): calls.OutboxItemAnswer => ({
  kind: item.kind,
  shop: item.merchant,
  id: item.id,
  ...when(item.webhookId, (webhookId) => ({ webhookId })),
  ...when(item.checkoutId, (checkoutId) => ({ checkoutId })),
  ...when(item.type, (type) => ({ type })),
  state: item.state,
  since: iso(item.since),
  tries: item.tries,
  ...when(item.lastAnswer, (lastAnswer) => ({ lastAnswer })),
  ...when(item.nextTryAt, (at) => ({ nextTryAt: iso(at) })),
})

const writePlace = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Undefined for a text that this list cannot have given out. */
const readPlace = (text: string): Place | undefined => {
  const place = parseJson(Buffer.from(text, 'base64url').toString('latin1'))
  return isOutboxPlace(place) ? place : undefined
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

  answerConsoleCall(app, calls.retryOutbox, async (request) => {
    const { body } = request
    const retried =
      'mailId' in body ? await retryMail(body.mailId) : await retryEvent(body.eventId, body.webhookId ?? null)
    if (isRefusal(retried)) return retried
    const { merchantId, subject } = retried
    const by = signedInOf(request).person
    await noteAtShop(database, random, merchantId, { by, action: 'outbox_retried', subject, at: clock.now() })
    return { deliveries: retried.deliveries, mails: retried.mails }
  })
}
