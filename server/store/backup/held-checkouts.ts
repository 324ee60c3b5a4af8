/** Held checkouts: those that are closed to payment after a restore, because they may have been paid after the backup. */
import { isMerchantMode } from '#contract/access.ts'
import type { Restore } from '#payment/recovery.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { changesWrite, type ChangedBy } from '../checkout/changes.ts'
import { BATCH_ROWS } from '../engine/change-in-batches.ts'
import { integer, oneOf, text } from '../engine/columns.ts'
import type { Database, Sql, SqlValue } from '../engine/database.ts'
import type { KeyScope } from '../merchant/keys.ts'

/** For the log of changes. */
const [OPEN, HELD] = ['open', 'held']

/** Sets the mark of the next checkouts that a condition finds, with a line in the log of changes for each that is open. */
const changeNext = (
  database: Database,
  { heldSince, where, values }: { heldSince: number | null; where: string; values: readonly SqlValue[] },
  changedBy: ChangedBy,
): Promise<{ readonly changed: number; readonly open: number }> =>
  database.transact(async (sql) => {
    const at = values.length
    const rows = await sql.rows(
      `UPDATE checkouts SET held_since = $${at + 1}, version = version + 1 WHERE (merchant_id, id) IN (
         SELECT merchant_id, id FROM checkouts WHERE ${where} LIMIT $${at + 2})
       RETURNING merchant_id, id, version, status`,
      ...values,
      heldSince,
      BATCH_ROWS,
    )
    const [from, to] = heldSince === null ? [HELD, OPEN] : [OPEN, HELD]
    const open = rows.filter((row) => text(row, 'status') === 'open')
    for (const row of open) {
      const checkout = { merchantId: text(row, 'merchant_id'), id: text(row, 'id') }
      const version = integer(row, 'version')
      await sql.writeAll(changesWrite({ checkout, version }, [{ subject: 'checkout', from, to }], changedBy))
    }
    return { changed: rows.length, open: open.length }
  })

/** A few at a time: on a running server the payments of others go between them. */
const changeAll = async (...args: Parameters<typeof changeNext>): Promise<number> => {
  let total = 0
  for (;;) {
    const { changed, open } = await changeNext(...args)
    total += open
    if (changed < BATCH_ROWS) return total
  }
}

const RESTORED = 'restored: may have been paid since the backup'

/** Holds every open checkout of an account that could have been paid since the backup. One whose link had ended could not. */
export const holdOpenCheckouts = async (
  database: Database,
  { merchantId, mode }: KeyScope,
  { takenAt, restoredAt }: Restore,
  now: number,
): Promise<number> => {
  const hold = (which: string, ...values: SqlValue[]): Promise<number> =>
    changeAll(
      database,
      {
        heldSince: restoredAt,
        where: `merchant_id = $1 AND mode = $2 AND status = 'open' AND valid_until >= $3 AND ${which}`,
        values: [merchantId, mode, takenAt, ...values],
      },
      { actor: 'inquiry', why: RESTORED, now },
    )
  // Those of an earlier restore by themselves: in one statement each batch would read again all that is held already.
  return (await hold('held_since IS NULL')) + (await hold('held_since <> $4', restoredAt))
}

/** Holds one checkout. */
export const holdCheckout = async (
  database: Database,
  { merchantId, checkoutId }: CheckoutRef,
  { restoredAt }: Pick<Restore, 'restoredAt'>,
  now: number,
): Promise<void> => {
  await changeNext(
    database,
    {
      heldSince: restoredAt,
      where: `merchant_id = $1 AND id = $2 AND status = 'open' AND (held_since IS NULL OR held_since <> $3)`,
      values: [merchantId, checkoutId, restoredAt],
    },
    { actor: 'inquiry', why: RESTORED, now },
  )
}

/**
 * Opens held checkouts of an account to payment: all but these, or by hand. By hand those that are paid keep their mark: their
 * refunds are still to be compared. How many are open again.
 */
export const releaseCheckouts = (
  database: Database,
  { merchantId, mode }: KeyScope,
  which: { readonly except: readonly string[] } | { readonly byHand: 'all' | { readonly only: string } },
  changedBy: ChangedBy,
): Promise<number> => {
  const byHand = 'byHand' in which
  const ids = byHand ? (which.byHand === 'all' ? [] : [which.byHand.only]) : which.except
  const marks = ids.map((_id, place) => `$${place + 3}`).join(', ')
  const named = ids.length === 0 ? '' : ` AND id ${byHand ? 'IN' : 'NOT IN'} (${marks})`
  const where = `merchant_id = $1 AND mode = $2 AND held_since IS NOT NULL${byHand ? ` AND status = 'open'` : ''}${named}`
  return changeAll(database, { heldSince: null, where, values: [merchantId, mode, ...ids] }, changedBy)
}

/** The held checkouts of one merchant and mode, with the restore that they are held for. */
export interface HeldCheckouts extends KeyScope, Restore {
  /** Of them, those that are closed to payment: others are paid by now, and their refunds are to be compared. */
  readonly count: number
}

export const findHeldCheckouts = async (sql: Sql): Promise<HeldCheckouts[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, mode, held_since, CAST(SUM(CASE WHEN status = 'open' THEN 1 ELSE 0 END) AS BIGINT) AS held,
       (SELECT COALESCE(min(taken_at), held_since) FROM restores WHERE restored_at = held_since) AS taken_at
     FROM checkouts WHERE held_since IS NOT NULL GROUP BY merchant_id, mode, held_since`,
  )
  return rows.map((row) => ({
    merchantId: text(row, 'merchant_id'),
    mode: oneOf(row, 'mode', isMerchantMode),
    count: integer(row, 'held'),
    restoredAt: integer(row, 'held_since'),
    takenAt: integer(row, 'taken_at'),
  }))
}

/**
 * Of all merchants, among so many that have the mark. Not `status = 'open'` behind WHERE: SQLite would then read every open checkout,
 * by the index of these.
 */
export const countHeldCheckouts = async (sql: Sql, most = Number.MAX_SAFE_INTEGER): Promise<number> => {
  const [row = {}] = await sql.rows(
    `SELECT COUNT(CASE WHEN status = 'open' THEN 1 END) AS held
     FROM (SELECT status FROM checkouts WHERE held_since IS NOT NULL LIMIT $1) AS marked`,
    most,
  )
  return integer(row, 'held')
}
