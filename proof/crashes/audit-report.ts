import { createSandboxGateway } from '../../server/gateways/sandbox/gateway.ts'
import { readStoredRecords } from '../promises/stored-records.ts'
import { reconciliationFaults } from '../promises/reconciliation.ts'
import type { Sql } from '../../server/store/engine/database.ts'
import { text, textOrNull } from '../../server/store/engine/columns.ts'
import type { SandboxProcess } from '../harness/sandbox-process.ts'
import { audit, type Acknowledgement, type AuditRecords, type Finding } from './audit.ts'

/** Audit report: what is left after the kills, on disk and at the acquirer, compared with all that was acknowledged. */
export interface AuditReport {
  readonly checkouts: number
  /** Different writes that a response acknowledged. */
  readonly acknowledged: number
  readonly acknowledgedPayments: number
  readonly charges: number
  readonly refunds: number
  readonly doubts: number
  readonly findings: readonly Finding[]
}

/** As long as a busy machine may take for a page of the acquirer's statement: a timeout would be a finding. */
const STATEMENT_TIMEOUT_MS = 60_000

/** Charges and refunds whose outcome is not known yet. */
export const countPendingChargesAndRefunds = async (sql: Sql): Promise<number> => {
  const rows = await sql.rows(
    `SELECT order_code FROM attempts WHERE state IN ('charging', 'unknown')
     UNION ALL
     SELECT refund_id FROM refunds WHERE state IN ('requested', 'unknown')`,
  )
  return rows.length
}

/** How many charges and refunds were ever in doubt. */
const countDoubts = async (sql: Sql): Promise<number> => {
  const rows = await sql.rows(
    `SELECT DISTINCT checkout_id, subject FROM changes WHERE moved_to = 'unknown' AND moved_from <> 'unknown'`,
  )
  return rows.length
}

const readCheckCodes = async (sql: Sql): Promise<AuditRecords['checkCodes']> =>
  new Map(
    (await sql.rows('SELECT order_code, check_code FROM authentications')).map((row) => [
      text(row, 'order_code'),
      textOrNull(row, 'check_code'),
    ]),
  )

/** Empty when the file of the embedded database is intact. */
export const databaseFileFaults = async (sql: Sql): Promise<string[]> =>
  (await sql.rows('SELECT integrity_check FROM pragma_integrity_check'))
    .map((row) => text(row, 'integrity_check'))
    .filter((result) => result !== 'ok')

export const createAuditReport = async (
  sql: Sql,
  sandbox: SandboxProcess,
  acknowledgements: readonly Acknowledgement[],
): Promise<AuditReport> => {
  const [stored, acquirerOrders, checkCodes] = [
    await readStoredRecords(sql),
    await sandbox.ordersForPromises(),
    await readCheckCodes(sql),
  ]
  const discrepancies = await reconciliationFaults(
    sql,
    createSandboxGateway(sandbox.origin, STATEMENT_TIMEOUT_MS),
    acquirerOrders,
  )
  const charged = acquirerOrders.filter(({ status }) => status === 'charged')
  const writes = acknowledgements.filter(({ event }) => event !== 'nothing charged')
  const payments = acknowledgements.flatMap((each) => (each.event === 'paid' ? [each.checkoutId] : []))
  return {
    checkouts: stored.checkouts.length,
    acknowledged: new Set(writes.map((each) => JSON.stringify(each))).size,
    acknowledgedPayments: new Set(payments).size,
    charges: charged.length,
    refunds: charged.flatMap(({ refunds }) => refunds).length,
    doubts: await countDoubts(sql),
    findings: [
      ...audit({ acknowledgements, checkCodes, stored, acquirerOrders }),
      ...discrepancies.map((description): Finding => ({ kind: 'untrue', description })),
    ],
  }
}
