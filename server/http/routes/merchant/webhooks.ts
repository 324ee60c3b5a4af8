/** Routes of the merchant API about webhooks and what was sent to them. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal, refuseField, type Refusal } from '#contract/errors.ts'
import { parseBeginning } from '#contract/jst.ts'
import * as calls from '#contract/merchant/webhooks.ts'
import { iso, when } from '#contract/answer-fields.ts'
import * as webhooks from '../../../operations/webhooks.ts'
import { listDeliveries, type ListedDelivery, type ListedTry } from '../../../store/outbox/event-list.ts'
import { endpointsOf, type WebhookEndpoint } from '../../../store/merchant/webhook-endpoints.ts'
import { NO_MOMENT, presentPage, readPageQuery } from './lists.ts'
import { answerCall } from '../contract-route.ts'
import { scopeOf, type CallerOptions } from './caller.ts'

const presentWebhook = (endpoint: WebhookEndpoint): calls.WebhookAnswer => ({
  id: endpoint.id,
  mode: endpoint.mode,
  url: endpoint.url,
  ...when(endpoint.types, (types) => ({ types: [...types] })),
  enabled: endpoint.disabled === null,
  ...when(endpoint.disabled, ({ at, why }) => ({ disabledAt: iso(at), disabledBecause: why })),
  ...when(endpoint.failingSince, (since) => ({ failingSince: iso(since) })),
  createdAt: iso(endpoint.createdAt),
})

const presentFound = (found: WebhookEndpoint | Refusal): calls.WebhookAnswer | Refusal =>
  isRefusal(found) ? found : presentWebhook(found)

const presentTry = ({ at, tookMs, status, problem, answer }: ListedTry): calls.DeliveryAnswer['tries'][number] => ({
  at: iso(at),
  tookMs,
  ...when(status, (answered) => ({ status: answered })),
  ...when(problem, (why) => ({ problem: why })),
  answer,
})

const presentDelivery = ({ eventId, type, state, createdAt, dueAt, tries }: ListedDelivery): calls.DeliveryAnswer => ({
  eventId,
  type,
  status: state,
  createdAt: iso(createdAt),
  ...when(dueAt, (at) => ({ nextTryAt: iso(at) })),
  tries: tries.map(presentTry),
})

export const webhookRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  answerCall(app, calls.createWebhook, async (request) => {
    const made = await webhooks.createWebhook(deps, scopeOf(callerOf(request)), request.body)
    if (isRefusal(made)) return made
    return { ...presentWebhook(made.endpoint), secret: made.secret }
  })

  answerCall(app, calls.listWebhooks, async (request) => {
    const endpoints = await endpointsOf(deps.database, scopeOf(callerOf(request)))
    return { items: endpoints.map(presentWebhook) }
  })

  answerCall(app, calls.readWebhook, async (request) =>
    presentFound(await webhooks.readWebhook(deps, scopeOf(callerOf(request)), request.params.webhookId)),
  )

  answerCall(app, calls.changeWebhook, async (request) => {
    const { webhookId } = request.params
    const changed = await webhooks.changeWebhook(deps, scopeOf(callerOf(request)), webhookId, request.body)
    return presentFound(changed)
  })

  answerCall(app, calls.removeWebhook, async (request) =>
    presentFound(await webhooks.removeWebhook(deps, scopeOf(callerOf(request)), request.params.webhookId)),
  )

  answerCall(app, calls.pingWebhook, async (request) =>
    webhooks.pingWebhook(deps, scopeOf(callerOf(request)), request.params.webhookId),
  )

  answerCall(app, calls.rollWebhook, async (request) => {
    const rolled = await webhooks.rollWebhook(deps, scopeOf(callerOf(request)), request.params.webhookId)
    if (isRefusal(rolled)) return rolled
    const { endpoint, secret, previousUntil } = rolled
    return { ...presentWebhook(endpoint), secret, previousSecretUntil: iso(previousUntil) }
  })

  answerCall(app, calls.replayWebhook, async (request) => {
    const since = parseBeginning(request.body.since)
    if (since === undefined) return refuseField('since', NO_MOMENT)
    const { webhookId } = request.params
    return webhooks.replayWebhook(deps, scopeOf(callerOf(request)), webhookId, since)
  })

  answerCall(app, calls.listDeliveries, async (request) => {
    const page = readPageQuery(request.query)
    if (isRefusal(page)) return page
    const found = await webhooks.readWebhook(deps, scopeOf(callerOf(request)), request.params.webhookId)
    if (isRefusal(found)) return found
    const endpoint = { merchantId: found.merchantId, endpointId: found.id }
    return presentPage(await listDeliveries(deps.database, endpoint, page), presentDelivery)
  })
}
