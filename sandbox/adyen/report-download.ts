/** Download of a settlement report, for the report user's key. */
import type { Call, Reply, Route } from '../http/router.ts'
import { json } from '../http/router.ts'
import { reportKeyProblem } from './api-keys.ts'
import { batchOfFileName, settlementReport, type ReportedModification } from './settlement-report.ts'
import type { AdyenStore } from './store.ts'

/** docs.adyen.com/reporting/settlement-detail-report: …/reports/download/MerchantAccount/<name>/settlement_detail_report_batch_4.csv */
export const REPORT_FOLDER = '/adyen/reports/download/MerchantAccount'

export const reportRoute = (store: AdyenStore): Route => {
  const download = (call: Call): Reply => {
    const merchantAccount = call.param('merchantAccount')
    const problem = reportKeyProblem(store, call.header('x-api-key'), merchantAccount)
    if (problem !== undefined) return problem
    const batch = batchOfFileName(call.param('file'))
    const closedAt = batch === undefined ? undefined : store.batchClosedAt(merchantAccount, batch)
    if (batch === undefined || closedAt === undefined) return json(404, { error: 'report_not_found' })
    const modifications = store.reported(merchantAccount, batch).flatMap((modification): ReportedModification[] => {
      const payment = store.payment(modification.paymentPspReference)
      return payment === undefined ? [] : [{ payment, modification }]
    })
    const text = settlementReport({ merchantAccount, batch, closedAt, modifications })
    return { kind: 'html', status: 200, markup: text, headers: { 'Content-Type': 'text/csv; charset=utf-8' } }
  }
  return { method: 'GET', path: `${REPORT_FOLDER}/:merchantAccount/:file`, handle: download }
}
