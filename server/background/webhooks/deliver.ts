/** Deliver: one try of one event at one endpoint, claimed before it and written down after it. */
import { afterTry, fractionOf, type AfterTry, type WebhookAnswer } from '#payment/webhook-retries.ts'
import type { Dependencies } from '../../dependencies.ts'
import { setAsideUnreadable } from '../../operations/set-aside.ts'
import { dropPending } from '../../store/outbox/clear-endpoints.ts'
import { claimDelivery, endTry, tryWrite, type ClaimedDelivery, type Try } from '../../store/outbox/deliveries.ts'
import { noticeWrite } from '../../store/outbox/endpoint-notices.ts'
import {
  endpointWrite,
  lockEndpoint,
  type EndpointRef,
  type WebhookEndpoint,
} from '../../store/merchant/webhook-endpoints.ts'
import type { Write } from '../../store/engine/database.ts'
import { signedRequest } from '../../webhooks/signature.ts'

/** What became of an endpoint, where anything did. */
const endpointWrites = (
  endpoint: WebhookEndpoint,
  next: AfterTry['endpoint'],
  answer: WebhookAnswer,
  now: number,
): Write[] => {
  const { failingSince, disabled, notice } = next
  const isSame = failingSince === endpoint.failingSince && disabled === null
  const { merchantId, id: endpointId } = endpoint
  return [
    ...(isSame
      ? []
      : endpointWrite({
          ...endpoint,
          failingSince,
          disabled: disabled === null ? endpoint.disabled : { at: now, why: disabled },
        })),
    ...(notice === null || failingSince === null
      ? []
      : noticeWrite({ merchantId, endpointId, kind: notice, failingSince }, answer, now)),
  ]
}

/** The try, the delivery and the endpoint together. Of an endpoint that was removed meanwhile nothing is kept. */
const record = (
  deps: Dependencies,
  { step, endpoint: before }: ClaimedDelivery,
  tried: Try,
): Promise<AfterTry | null> =>
  deps.database.transact(async (sql) => {
    const endpoint = await lockEndpoint(sql, tried)
    if (endpoint === null) return null
    const now = deps.clock.now()
    const jitter = fractionOf(deps.random.id())
    const { failingSince } = endpoint
    const isMoved = endpoint.url !== before.url
    const next = afterTry({ step, failingSince, isMoved }, tried.answer, { now, jitter })
    // What was dropped or asked for anew since, this try says nothing of, nor of the endpoint: it may be enabled again.
    const isLast = await endTry(sql, tried, next.delivery, now)
    await sql.writeAll([
      ...tryWrite(tried),
      ...(isLast ? endpointWrites(endpoint, next.endpoint, tried.answer, now) : []),
    ])
    if (isLast && next.endpoint.disabled !== null) await dropPending(sql, tried, now)
    return next
  })

/** Tries the next event that is due at an endpoint. A worker that dies on the way leaves it due when its lease ends. */
export const deliverNext = async (
  deps: Dependencies,
  ref: EndpointRef,
): Promise<'delivered' | 'not delivered' | 'nothing due'> => {
  const at = deps.clock.now()
  const claimed = await claimDelivery(deps.database, ref, at)
  if (claimed === null) return 'nothing due'
  if ('unreadable' in claimed) {
    const { merchantId, endpointId } = ref
    const row =
      claimed.what === 'endpoint'
        ? ({ merchantId, queue: 'endpoints', key: [endpointId] } as const)
        : ({ merchantId, queue: 'deliveries', key: [endpointId, claimed.eventId] } as const)
    await setAsideUnreadable(deps, row, claimed.unreadable)
    return 'not delivered'
  }
  const { endpoint, event, claim } = claimed
  const request = signedRequest(deps.webhookSecret, endpoint, event, at)
  const began = deps.elapsed()
  const answer = await deps.sendWebhook({ url: endpoint.url, ...request })
  const tookMs = Math.round(deps.elapsed() - began)
  const { merchantId, endpointId } = ref
  const next = await record(deps, claimed, { merchantId, endpointId, eventId: event.id, claim, at, tookMs, answer })
  return next?.delivery.state === 'delivered' ? 'delivered' : 'not delivered'
}
