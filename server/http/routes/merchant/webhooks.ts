/** Routes of the merchant API about webhooks and what was sent to them. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isRefusal, refuseField } from '#contract/errors.ts'
import { parseBeginning } from '#contract/jst.ts'
import * as calls from '#contract/merchant/webhooks.ts'
import { iso, when } from '#payment/merchant-view.ts'
import * as webhooks from '../../../operations/webhooks.ts'
import { listDeliveries, type ListedDelivery, type ListedTry } from '../../../store/outbox/event-list.ts'
import { endpointsOf, type WebhookEndpoint } from '../../../store/merchant/webhook-endpoints.ts'
import { sendRefusal } from '../../errors.ts'
import { NO_MOMENT, presentPage, readPageQuery } from './lists.ts'
import { bodyRouteOf, queryRouteOf, routeOf, sendAnswer } from '../contract-route.ts'
import { scopeOf, type KeyHolderOptions } from './key-holder.ts'

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

export const webhookRoutes: FastifyPluginAsyncTypebox<KeyHolderOptions> = async (app, { deps, holderOf }) => {
  app.route({
    ...bodyRouteOf(calls.createWebhook),
    handler: async (request, reply) => {
      const made = await webhooks.createWebhook(deps, scopeOf(holderOf(request)), request.body)
      if (isRefusal(made)) return sendRefusal(reply, made)
      return sendAnswer(reply, 201, { ...presentWebhook(made.endpoint), secret: made.secret })
    },
  })

  app.route({
    ...routeOf(calls.listWebhooks),
    handler: async (request, reply) => {
      const endpoints = await endpointsOf(deps.database, scopeOf(holderOf(request)))
      return sendAnswer(reply, 200, { items: endpoints.map(presentWebhook) })
    },
  })

  app.route({
    ...routeOf(calls.readWebhook),
    handler: async (request, reply) => {
      const found = await webhooks.readWebhook(deps, scopeOf(holderOf(request)), request.params.webhookId)
      return sendAnswer(reply, 200, isRefusal(found) ? found : presentWebhook(found))
    },
  })

  app.route({
    ...bodyRouteOf(calls.changeWebhook),
    handler: async (request, reply) => {
      const { webhookId } = request.params
      const changed = await webhooks.changeWebhook(deps, scopeOf(holderOf(request)), webhookId, request.body)
      return sendAnswer(reply, 200, isRefusal(changed) ? changed : presentWebhook(changed))
    },
  })

  app.route({
    ...bodyRouteOf(calls.removeWebhook),
    handler: async (request, reply) => {
      const removed = await webhooks.removeWebhook(deps, scopeOf(holderOf(request)), request.params.webhookId)
      return sendAnswer(reply, 200, isRefusal(removed) ? removed : presentWebhook(removed))
    },
  })

  app.route({
    ...bodyRouteOf(calls.pingWebhook),
    handler: async (request, reply) =>
      sendAnswer(reply, 201, await webhooks.pingWebhook(deps, scopeOf(holderOf(request)), request.params.webhookId)),
  })

  app.route({
    ...bodyRouteOf(calls.rollWebhook),
    handler: async (request, reply) => {
      const rolled = await webhooks.rollWebhook(deps, scopeOf(holderOf(request)), request.params.webhookId)
      if (isRefusal(rolled)) return sendRefusal(reply, rolled)
      const { endpoint, secret, previousUntil } = rolled
      return sendAnswer(reply, 200, {
        ...presentWebhook(endpoint),
        secret,
        previousSecretUntil: iso(previousUntil),
      })
    },
  })

  app.route({
    ...bodyRouteOf(calls.replayWebhook),
    handler: async (request, reply) => {
      const since = parseBeginning(request.body.since)
      if (since === undefined) return sendRefusal(reply, refuseField('since', NO_MOMENT))
      const { webhookId } = request.params
      return sendAnswer(reply, 201, await webhooks.replayWebhook(deps, scopeOf(holderOf(request)), webhookId, since))
    },
  })

  app.route({
    ...queryRouteOf(calls.listDeliveries),
    handler: async (request, reply) => {
      const page = readPageQuery(request.query)
      if (isRefusal(page)) return sendRefusal(reply, page)
      const found = await webhooks.readWebhook(deps, scopeOf(holderOf(request)), request.params.webhookId)
      if (isRefusal(found)) return sendRefusal(reply, found)
      const endpoint = { merchantId: found.merchantId, endpointId: found.id }
      return sendAnswer(reply, 200, presentPage(await listDeliveries(deps.database, endpoint, page), presentDelivery))
    },
  })
}
