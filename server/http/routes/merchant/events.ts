/** Routes of the merchant API that list events and send one again. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal, refuseField } from '#contract/errors.ts'
import * as calls from '#contract/merchant/events.ts'
import { redeliverEvent } from '../../../operations/webhooks.ts'
import { findPullPlace, listEvents } from '../../../store/outbox/event-list.ts'
import { presentEvent } from '../../../webhooks/signature.ts'
import { answerCall } from '../contract-route.ts'
import { scopeOf, type CallerOptions } from './caller.ts'
import { presentPage, readFilters, readPageQuery } from './lists.ts'

export const eventRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  answerCall(app, calls.listEvents, async (request) => {
    const [page, filters] = [readPageQuery(request.query), readFilters(request.query)]
    if (isRefusal(page)) return page
    if (isRefusal(filters)) return filters
    const scope = scopeOf(callerOf(request))
    const { newerThan: eventId } = request.query
    const place =
      eventId === undefined ? { newerThan: undefined, gap: false } : await findPullPlace(deps.database, scope, eventId)
    if (place === undefined)
      return refuseField('newerThan', 'must be the id of an event that was listed here; a ping never is.')
    const listed = await listEvents(deps.database, scope, { ...filters, newerThan: place.newerThan }, page)
    return { ...presentPage(listed, presentEvent), ...(place.gap ? { gap: true } : {}) }
  })

  answerCall(app, calls.redeliverEvent, async (request) =>
    redeliverEvent(deps, scopeOf(callerOf(request)), request.params.eventId, request.query.webhookId ?? null),
  )
}
