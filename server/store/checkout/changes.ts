/** Changes: one line for each change of state of a checkout, its attempts and refunds. Its creation has no line: see timeline.ts. */
import { recordedWord } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Sql, Write } from '../engine/database.ts'
import { integer } from '../engine/columns.ts'
import { insertRecords } from '../engine/write.ts'

export interface ChangedBy {
  readonly actor: 'shopper' | 'merchant' | 'inquiry' | 'worker' | 'operator'
  readonly why: string
  readonly now: number
}

/** The state before the first one. */
export const NONE = 'none'

/** One change of state. */
export interface Change {
  readonly subject: string
  readonly from: string
  readonly to: string
}

/**
 * One line for each change of state: by whom, from, to, why, when. Lines are never changed or deleted, and are read as they are
 * stored: they hold the words of every release, of which `settlement` is the inquiry.
 */
export const changesWrite = (
  { checkout, version }: { readonly checkout: Pick<Checkout, 'merchantId' | 'id'>; readonly version: number },
  changes: readonly Change[],
  { actor, why, now }: ChangedBy,
): Write[] =>
  insertRecords(
    'changes',
    changes.map(({ subject, from, to }, place) => ({
      merchant_id: checkout.merchantId,
      checkout_id: checkout.id,
      version,
      place,
      subject,
      actor: actor === 'inquiry' ? 'settlement' : actor,
      moved_from: recordedWord(from),
      moved_to: recordedWord(to),
      why: recordedWord(why),
      at: now,
    })),
  )

/**
 * For a change that is no transition, such as a sent mail: adds its line under the row lock of the checkout. Every transition
 * takes that lock first; another order would end in a deadlock.
 */
export const withNextVersion = async <T>(
  sql: Sql,
  { merchantId, checkoutId }: CheckoutRef,
  work: (addLine: (change: Change, changedBy: ChangedBy) => Promise<void>) => Promise<T>,
): Promise<T> => {
  const [row] = await sql.rows(
    'UPDATE checkouts SET version = version + 1 WHERE merchant_id = $1 AND id = $2 RETURNING version',
    merchantId,
    checkoutId,
  )
  if (row === undefined) throw new Error('a checkout is gone from the store')
  const checkout = { merchantId, id: checkoutId }
  return work((change, changedBy) =>
    sql.writeAll(changesWrite({ checkout, version: integer(row, 'version') }, [change], changedBy)),
  )
}
