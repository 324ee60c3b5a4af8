/** Routes of the merchant API about webhooks and events. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isRefusal, refuseField } from '#contract/errors.ts'
import { parseBeginning } from '#contract/jst.ts'
import * as calls from '#contract/webhook-calls.ts'
import { iso } from '#payment/merchant-view.ts'
import * as webhooks from '../../operations/webhooks.ts'
import { findPullPlace, listDeliveries, listEvents } from '../../store/outbox/event-list.ts'
import { endpointsOf } from '../../store/merchant/webhook-endpoints.ts'
import { presentEvent } from '../../webhooks/signature.ts'
import { sendRefusal } from '../errors.ts'
import { NO_MOMENT, readFilters, readPageQuery } from '../list-query.ts'
import { presentPage } from '../present-lists.ts'
import { presentDelivery, presentWebhook } from '../present-webhooks.ts'
import { bodyRouteOf, queryRouteOf, routeOf, sendAnswer } from './contract-route.ts'
import { scopeOf, type KeyHolderOptions } from './merchant-checkouts.ts'

export const merchantWebhookRoutes: FastifyPluginAsyncTypebox<KeyHolderOptions> = async (app, { deps, holderOf }) => {
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

  app.route({
    ...queryRouteOf(calls.listEvents),
    handler: async (request, reply) => {
      const [page, filters] = [readPageQuery(request.query), readFilters(request.query)]
      if (isRefusal(page)) return sendRefusal(reply, page)
      if (isRefusal(filters)) return sendRefusal(reply, filters)
      const scope = scopeOf(holderOf(request))
      const { newerThan: eventId } = request.query
      const place =
        eventId === undefined
          ? { newerThan: undefined, gap: false }
          : await findPullPlace(deps.database, scope, eventId)
      if (place === undefined)
        return sendRefusal(
          reply,
          refuseField('newerThan', 'must be the id of an event that was listed here; a ping never is.'),
        )
      const listed = await listEvents(deps.database, scope, { ...filters, newerThan: place.newerThan }, page)
      return sendAnswer(reply, 200, { ...presentPage(listed, presentEvent), ...(place.gap ? { gap: true } : {}) })
    },
  })

  app.route({
    ...bodyRouteOf(calls.redeliverEvent),
    handler: async (request, reply) =>
      sendAnswer(reply, 201, await webhooks.redeliverEvent(deps, scopeOf(holderOf(request)), request.params.eventId)),
  })
}
