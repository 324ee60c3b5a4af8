/** Route of the merchant API that lists what happened to a checkout. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { PageQuery } from '#contract/merchant/lists.ts'
import { readTimeline, type TimelineItem } from '#contract/merchant/timeline.ts'
import { iso } from '#contract/answer-fields.ts'
import { timelineOf, type TimelineLine } from '../../../store/checkout/timeline.ts'
import type { PageRequest } from '../../../store/engine/list-page.ts'
import { answerCall } from '../contract-route.ts'
import { isOwnCheckout, scopeOf, type CallerOptions } from './caller.ts'
import { presentPage, readPageQuery, refusePlace } from './lists.ts'

/** A place in a timeline begins with two numbers. An id of another list is refused here: the database would fail on it. */
const readTimelinePageQuery = (query: PageQuery): PageRequest | Refusal => {
  const page = readPageQuery(query, 2)
  if (isRefusal(page) || page.after === null) return page
  const [, place = ''] = page.after
  return /^\d{1,15}$/.test(place) ? page : refusePlace()
}

const presentLine = ({ at, subject, id, from, to, by, why }: TimelineLine): TimelineItem => ({
  at: iso(at),
  what: subject,
  ...(id === null ? {} : { id }),
  ...(from === null ? {} : { from }),
  to,
  by,
  why,
})

export const timelineRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  answerCall(app, readTimeline, async (request) => {
    const scope = scopeOf(callerOf(request))
    const { checkoutId } = request.params
    const page = readTimelinePageQuery(request.query)
    if (isRefusal(page)) return page
    if (!(await isOwnCheckout(deps, scope, checkoutId))) return refuse('checkout_not_found')
    const lines = await timelineOf(deps.database, { merchantId: scope.merchantId, checkoutId }, page)
    return presentPage(lines, presentLine)
  })
}
