import { createSandboxGateway } from '../../server/gateways/sandbox/gateway.ts'
import { readFacts } from '../promises/facts.ts'
import { unreconciled } from '../promises/reconciled.ts'
import { text, textOrNull, type Sql } from '../../server/store/database.ts'
import type { Acquirer } from '../harness/acquirer-process.ts'
import { audit, type Acknowledged, type Acknowledgements, type Finding } from './audit.ts'

/** As long as a busy machine may take for a page of the acquirer's statement: its silence would be a finding. */
const STATEMENT_TIMEOUT_MS = 60_000

/** Charges and refunds of which nobody knows yet what became of them. */
export const countUnsettled = async (sql: Sql): Promise<number> => {
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

const readCheckCodes = async (sql: Sql): Promise<Acknowledgements['checkCodes']> =>
  new Map(
    (await sql.rows('SELECT order_code, check_code FROM authentications')).map((row) => [
      text(row, 'order_code'),
      textOrNull(row, 'check_code'),
    ]),
  )

/** Empty when the file of the embedded database is whole. */
export const faultsOfFile = async (sql: Sql): Promise<string[]> =>
  (await sql.rows('SELECT integrity_check FROM pragma_integrity_check'))
    .map((row) => text(row, 'integrity_check'))
    .filter((line) => line !== 'ok')

export interface Aftermath {
  readonly checkouts: number
  /** Different writes that an answer spoke of. */
  readonly acknowledged: number
  readonly acknowledgedPayments: number
  readonly charges: number
  readonly refunds: number
  readonly doubts: number
  readonly findings: readonly Finding[]
}

/** What the kills have left: on the disk, at the acquirer, and of all that was said. */
export const lookBack = async (
  sql: Sql,
  acquirer: Acquirer,
  acknowledged: readonly Acknowledged[],
): Promise<Aftermath> => {
  const [facts, books, checkCodes] = [await readFacts(sql), await acquirer.books(), await readCheckCodes(sql)]
  const disagreements = await unreconciled(sql, createSandboxGateway(acquirer.origin, STATEMENT_TIMEOUT_MS), books)
  const charged = books.filter(({ status }) => status === 'charged')
  const writes = acknowledged.filter(({ said }) => said !== 'nothing charged')
  const payments = acknowledged.flatMap((word) => (word.said === 'paid' ? [word.checkoutId] : []))
  return {
    checkouts: facts.checkouts.length,
    acknowledged: new Set(writes.map((word) => JSON.stringify(word))).size,
    acknowledgedPayments: new Set(payments).size,
    charges: charged.length,
    refunds: charged.flatMap(({ refunds }) => refunds).length,
    doubts: await countDoubts(sql),
    findings: [
      ...audit({ acknowledged, checkCodes, facts, books }),
      ...disagreements.map((line): Finding => ({ kind: 'untrue', line })),
    ],
  }
}
