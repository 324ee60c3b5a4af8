/** Routes of the merchant API that list and read reconciliations with the acquirer. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal, refuse } from '#contract/errors.ts'
import * as calls from '#contract/merchant/reconciliations.ts'
import { iso, when } from '#contract/answer-fields.ts'
import {
  findReconciliation,
  listReconciliations,
  type StoredReconciliation,
} from '../../../store/reports/reconciliations.ts'
import { answerCall } from '../contract-route.ts'
import { scopeOf, type CallerOptions } from './caller.ts'
import { presentPage, readPageQuery } from './lists.ts'

const RECONCILIATION_ID = /^rc_[a-z2-7]{32}$/

const present = ({ agreed, period, ...made }: StoredReconciliation): calls.ReconciliationAnswer => ({
  id: made.id,
  at: iso(made.madeAt),
  from: iso(period.from),
  to: iso(period.to),
  isComplete: made.isComplete,
  ...when(made.problem, (problem) => ({ problem })),
  charges: agreed.charge.count,
  chargedAmount: agreed.charge.yen,
  refunds: agreed.refund.count,
  refundedAmount: agreed.refund.yen,
  chargebacks: agreed.chargeback.count,
  chargebackAmount: agreed.chargeback.yen,
  chargebackReversals: agreed.chargeback_reversal.count,
  reversedAmount: agreed.chargeback_reversal.yen,
  breaks: made.breaks,
  inDoubt: made.inDoubt,
  unanswered: made.unanswered,
})

export const reconciliationRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf }) => {
  answerCall(app, calls.listReconciliations, async (request) => {
    const page = readPageQuery(request.query)
    if (isRefusal(page)) return page
    return presentPage(await listReconciliations(deps.database, scopeOf(callerOf(request)), page), present)
  })

  answerCall(app, calls.readReconciliation, async (request) => {
    const { reconciliationId } = request.params
    // Any other text is not looked up: a zero byte in it would be an error of PostgreSQL.
    const made = RECONCILIATION_ID.test(reconciliationId)
      ? await findReconciliation(deps.database, scopeOf(callerOf(request)), reconciliationId)
      : null
    return made === null ? refuse('reconciliation_not_found') : { ...present(made), found: [...made.found] }
  })
}
