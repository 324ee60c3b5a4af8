/** Reconciliations: what comparisons with the acquirer came to for each shop and mode, kept for 400 days. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { ReconciliationBreak, RECONCILIATIONS_KEPT_DAYS } from '#contract/merchant/reconciliations.ts'
import type { Period } from '#payment/ports.ts'
import type { ReconciliationTally } from '#payment/reconciliation-tally.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import { integer, json, text, textOrNull } from '../engine/columns.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { conditions, pageOf, type ListPage, type PageRequest } from '../engine/list-page.ts'
import { insertRecords } from '../engine/write.ts'
import type { KeyScope } from '../merchant/keys.ts'

export interface StoredReconciliation extends Omit<ReconciliationTally, 'found'> {
  readonly id: string
  readonly madeAt: Instant
  readonly period: Period
  readonly isComplete: boolean
  /** Why the acquirer's statement could not be read; null: it was read. */
  readonly problem: string | null
}

const Agreed = Type.Object({ count: Type.Integer(), yen: Type.Integer() })
const storedAgreed = Compile(
  Type.Object({ charge: Agreed, refund: Agreed, chargeback: Agreed, chargeback_reversal: Agreed }),
)
const storedFound = Compile(Type.Array(ReconciliationBreak))

const COLUMNS = 'id, made_at, period_from, period_to, is_complete, problem, agreed, breaks, in_doubt, unanswered'

const fromRow = (row: Row): StoredReconciliation => ({
  id: text(row, 'id'),
  madeAt: integer(row, 'made_at'),
  period: { from: integer(row, 'period_from'), to: integer(row, 'period_to') },
  isComplete: integer(row, 'is_complete') === 1,
  problem: textOrNull(row, 'problem'),
  agreed: json(row, 'agreed', storedAgreed),
  breaks: integer(row, 'breaks'),
  inDoubt: integer(row, 'in_doubt'),
  unanswered: integer(row, 'unanswered'),
})

export const reconciliationWrite = (
  { merchantId, mode }: KeyScope,
  made: Omit<StoredReconciliation, keyof ReconciliationTally> & ReconciliationTally,
): Write[] =>
  insertRecords('reconciliations', [
    {
      merchant_id: merchantId,
      id: made.id,
      mode,
      made_at: made.madeAt,
      period_from: made.period.from,
      period_to: made.period.to,
      is_complete: made.isComplete ? 1 : 0,
      problem: made.problem,
      agreed: JSON.stringify(made.agreed),
      breaks: made.breaks,
      in_doubt: made.inDoubt,
      unanswered: made.unanswered,
      found: JSON.stringify(made.found),
    },
  ])

/** The newest first, without their breaks. */
export const listReconciliations = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { after, limit }: PageRequest,
): Promise<ListPage<StoredReconciliation>> => {
  const { values, add } = conditions(merchantId, mode)
  const older = after === null ? '' : `AND (made_at, id) < (${after.map((value) => add(value)).join(', ')})`
  const rows = await sql.rows(
    `SELECT ${COLUMNS} FROM reconciliations WHERE merchant_id = $1 AND mode = $2 ${older}
     ORDER BY made_at DESC, id DESC LIMIT ${add(limit + 1)}`,
    ...values,
  )
  return pageOf(rows, limit, { read: fromRow, placeOf: ({ madeAt, id }) => [madeAt, id] })
}

export const findReconciliation = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  id: string,
): Promise<(StoredReconciliation & Pick<ReconciliationTally, 'found'>) | null> => {
  const [row] = await sql.rows(
    `SELECT ${COLUMNS}, found FROM reconciliations WHERE merchant_id = $1 AND id = $2 AND mode = $3`,
    merchantId,
    id,
    mode,
  )
  return row === undefined ? null : { ...fromRow(row), found: json(row, 'found', storedFound) }
}

const OLD: BatchedChange = {
  table: 'reconciliations',
  key: ['merchant_id', 'id'],
  where: 'made_at < $1',
  order: 'made_at',
  change: 'DELETE',
}

/** True when there may be more. */
export const forgetOldReconciliations = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, OLD, [now - RECONCILIATIONS_KEPT_DAYS * DAY_MS])
