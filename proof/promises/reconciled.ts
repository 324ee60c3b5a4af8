import { reconcile, type ReconciliationGateway } from '../../server/operations/reconcile.ts'
import type { Sql } from '../../server/store/database.ts'
import type { AcquirerOrder } from './both-sides.ts'

/**
 * What the server's own reconciliation makes of a settled store: it must agree with every charge and every refund that the
 * witness has, and leave nothing open.
 */
export const unreconciled = async (
  sql: Sql,
  acquirer: ReconciliationGateway,
  witness: readonly AcquirerOrder[],
): Promise<string[]> => {
  const named: string[] = []
  const said = await reconcile(sql, acquirer, (found) => named.push(`a discrepancy: ${JSON.stringify(found)}`))
  if (said.outcome === 'unknown') return [...named, `the books could not be compared: ${said.why}`]
  const charged = witness.filter(({ status }) => status === 'charged')
  const refunds = charged.flatMap((order) => order.refunds)
  if (said.inDoubt > 0) named.push(`${said.inDoubt} movements of money are in doubt for ever`)
  if (said.unanswered > 0) named.push(`${said.unanswered} movements of money could not be asked about`)
  if (said.discrepancies > 0) return named
  if (said.charges !== charged.length) named.push(`${said.charges} of ${charged.length} charges agree`)
  if (said.refunds !== refunds.length) named.push(`${said.refunds} of ${refunds.length} refunds agree`)
  return named
}
