/** Route of the console that lists what people have changed at a shop. */
import type { FastifyPluginAsync } from 'fastify'
import { listAudit, type AuditLineAnswer } from '#contract/console/audit.ts'
import { isRefusal } from '#contract/errors.ts'
import { iso, when } from '#payment/merchant-view.ts'
import { listAuditLines, type AuditLine } from '../../store/people/audit.ts'
import { presentPage, readPageQuery } from '../routes/merchant/lists.ts'
import { answerConsoleCall, type ConsoleRouteOptions } from './console-route.ts'

const presentLine = ({ id, mode, at, person, action, subject, details }: AuditLine): AuditLineAnswer => ({
  id,
  ...when(mode, (of) => ({ mode: of })),
  at: iso(at),
  personId: person.id,
  person: person.name,
  action,
  subject,
  details,
})

export const auditRoutes: FastifyPluginAsync<ConsoleRouteOptions> = async (app, { deps, shopOf }) => {
  answerConsoleCall(app, listAudit, async (request) => {
    const page = readPageQuery(request.query)
    if (isRefusal(page)) return page
    return presentPage(await listAuditLines(deps.database, shopOf(request).merchant.id, page), presentLine)
  })
}
