/** Routes of the console that list what people have changed at a shop, and what belongs to no shop. */
import type { FastifyPluginAsync } from 'fastify'
import { listAudit, listInstallationAudit, type AuditLineAnswer } from '#contract/console/audit.ts'
import { isRefusal } from '#contract/errors.ts'
import type { PageQuery } from '#contract/merchant/lists.ts'
import { iso, when } from '#contract/answer-fields.ts'
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
  const linesOf = async (merchantId: AuditLine['merchantId'], query: PageQuery) => {
    const page = readPageQuery(query)
    return isRefusal(page) ? page : presentPage(await listAuditLines(deps.database, merchantId, page), presentLine)
  }

  answerConsoleCall(app, listAudit, async (request) => linesOf(shopOf(request).merchant.id, request.query))

  answerConsoleCall(app, listInstallationAudit, async (request) => linesOf(null, request.query))
}
