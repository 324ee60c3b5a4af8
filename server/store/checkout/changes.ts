/** Changes: one line for each change of state of a checkout and what belongs to it; that it was opened, its own row tells. */
import { recordedWord } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Sql, Write } from '../engine/database.ts'
import { integer } from '../engine/columns.ts'
import { insertRows } from '../engine/write.ts'

export interface ChangedBy {
  readonly actor: 'shopper' | 'merchant' | 'inquiry' | 'worker' | 'operator'
  readonly why: string
  readonly now: number
}

/** What was there before the first state. */
export const NONE = 'none'

/** One change of state. */
export interface Change {
  readonly subject: string
  readonly from: string
  readonly to: string
}

const CHANGE_COLUMNS = [
  'merchant_id',
  'checkout_id',
  'version',
  'place',
  'subject',
  'actor',
  'moved_from',
  'moved_to',
  'why',
  'at',
]

/**
 * One line for each change of state: who changed it, from what, to what, why, when. Lines are only ever added, and read as they
 * are stored: they hold the words of every release, of which `settlement` is the inquiry.
 */
export const changesWrite = (
  { checkout, version }: { readonly checkout: Pick<Checkout, 'merchantId' | 'id'>; readonly version: number },
  changes: readonly Change[],
  { actor, why, now }: ChangedBy,
): Write[] =>
  insertRows(
    'changes',
    CHANGE_COLUMNS,
    changes.map(({ subject, from, to }, place) => [
      checkout.merchantId,
      checkout.id,
      version,
      place,
      subject,
      actor === 'inquiry' ? 'settlement' : actor,
      recordedWord(from),
      recordedWord(to),
      recordedWord(why),
      now,
    ]),
  )

/**
 * What ended beside the states of a checkout, as a line of its timeline. The row lock of the checkout is taken first, as by
 * every transition: two that take rows in another order would wait for each other for ever.
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
