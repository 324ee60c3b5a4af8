/** Routes of the merchant API that list events and send one again. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isRefusal, refuseField } from '#contract/errors.ts'
import * as calls from '#contract/merchant/events.ts'
import { redeliverEvent } from '../../../operations/webhooks.ts'
import { findPullPlace, listEvents } from '../../../store/outbox/event-list.ts'
import { presentEvent } from '../../../webhooks/signature.ts'
import { sendRefusal } from '../../errors.ts'
import { bodyRouteOf, queryRouteOf, sendAnswer } from '../contract-route.ts'
import { scopeOf, type KeyHolderOptions } from './key-holder.ts'
import { presentPage, readFilters, readPageQuery } from './lists.ts'

export const eventRoutes: FastifyPluginAsyncTypebox<KeyHolderOptions> = async (app, { deps, holderOf }) => {
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
      sendAnswer(reply, 201, await redeliverEvent(deps, scopeOf(holderOf(request)), request.params.eventId)),
  })
}
