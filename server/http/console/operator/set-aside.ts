/** Routes of the console by which an operator looks at what cannot be read, has it tried again or drops it. */
import type { FastifyPluginAsync } from 'fastify'
import * as calls from '#contract/console/operator.ts'
import { iso, when } from '#contract/answer-fields.ts'
import { decideSetAside } from '../../../operations/set-aside.ts'
import { listSetAside } from '../../../store/merchant/set-aside.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from '../console-route.ts'

export const setAsideRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (app, { deps, signedInOf }) => {
  answerConsoleCall(app, calls.listSetAside, async () => {
    const found = await listSetAside(deps.database, calls.SET_ASIDE_LISTED + 1)
    return {
      items: found.slice(0, calls.SET_ASIDE_LISTED).map(({ queue, id, why, at, shop }) => ({
        queue,
        id,
        why,
        at: iso(at),
        ...when(shop, (label) => ({ shop: label })),
      })),
      isMore: found.length > calls.SET_ASIDE_LISTED,
    }
  })

  answerConsoleCall(app, calls.decideSetAside, async (request) => {
    const { shop = null, queue, id, decision } = request.body
    const { person } = signedInOf(request)
    const { outcome, said } = await decideSetAside(deps, { shop, queue, id }, decision, person)
    return { outcome, ...when(said, (text) => ({ said: text })) }
  })
}
