/**
 * Reconciliation check: on a settled store the server's own `reconcile` must agree with every charge and refund in the
 * acquirer's record, and leave nothing open.
 */
import { accountOfAll } from './shared-account.ts'
import type { ReconciliationGateway } from '../../server/operations/reconcile-second-pass.ts'
import { ALL_TIME } from '#payment/reconciliation-period.ts'
import { reconcile } from '../../server/operations/reconcile.ts'
import type { Sql } from '../../server/store/engine/database.ts'
import type { AcquirerOrder } from './checkout-records.ts'

export const reconciliationFaults = async (
  sql: Sql,
  gateway: ReconciliationGateway,
  acquirerOrders: readonly AcquirerOrder[],
): Promise<string[]> => {
  const faults: string[] = []
  const account = await accountOfAll(sql, gateway)
  const result = await reconcile(sql, [account], ALL_TIME, (found) => {
    faults.push(`a discrepancy: ${JSON.stringify(found)}`)
  })
  if (result.outcome === 'unknown') return [...faults, `the two records could not be compared: ${result.why}`]
  const charged = acquirerOrders.filter(({ status }) => status === 'charged')
  const refunds = charged.flatMap((order) => order.refunds)
  if (result.inDoubt > 0) faults.push(`${result.inDoubt} movements of money are in doubt for ever`)
  if (result.unanswered > 0) faults.push(`${result.unanswered} movements of money could not be asked about`)
  if (result.discrepancies > 0) return faults
  if (result.charges !== charged.length) faults.push(`${result.charges} of ${charged.length} charges agree`)
  if (result.refunds !== refunds.length) faults.push(`${result.refunds} of ${refunds.length} refunds agree`)
  return faults
}
