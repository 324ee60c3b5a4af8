/** Promise about home: its list names every charge and refund in doubt and no other, found here by reading all rows. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '#contract/jst.ts'
import { ATTENTION_COUNTED_MAX, ATTENTION_ITEMS_MAX, type AttentionItem } from '#contract/merchant/attention-items.ts'
import { attentionOf } from '../../server/operations/attention.ts'
import { json, text } from '../../server/store/engine/columns.ts'
import type { Database } from '../../server/store/engine/database.ts'
import type { KeyScope } from '../../server/store/merchant/keys.ts'
import type { Merchant } from '../../server/store/merchant/merchants.ts'

const State = Compile(Type.Object({ name: Type.String(), leaseUntil: Type.Optional(Type.Integer()) }))

/** Their checkouts. By the whole state alone: the list itself reads by the columns and indexes that repeat a part of it. */
const doubtsIn = async (
  database: Database,
  table: 'attempts' | 'refunds',
  { merchantId, mode }: KeyScope,
  now: Instant,
): Promise<string[]> => {
  const rows = await database.rows(
    `SELECT checkout_id, details FROM ${table} WHERE merchant_id = $1 AND mode = $2`,
    merchantId,
    mode,
  )
  return rows.flatMap((row) => {
    const { name, leaseUntil } = json(row, 'details', State)
    return name === 'unknown' || (leaseUntil !== undefined && leaseUntil < now) ? [text(row, 'checkout_id')] : []
  })
}

type DoubtKind = 'payments_in_doubt' | 'refunds_in_doubt'
type DoubtItem = Extract<AttentionItem, { kind: DoubtKind }>

const faultsOf = (kind: DoubtKind, shown: DoubtItem | undefined, inDoubt: readonly string[]): string[] => {
  const count = Math.min(inDoubt.length, ATTENTION_COUNTED_MAX)
  const named = (shown?.items ?? []).map(({ checkoutId }) => checkoutId)
  const left = [...inDoubt]
  const unknown = named.filter((id) => {
    const at = left.indexOf(id)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return [
    ...((shown?.count ?? 0) === count ? [] : [`home counts ${shown?.count ?? 0} ${kind}, and there are ${count}`]),
    ...unknown.map((id) => `home names checkout ${id} among its ${kind}, and it is not in doubt`),
    ...(named.length === Math.min(count, ATTENTION_ITEMS_MAX)
      ? []
      : [`home names ${named.length} ${kind} and not ${left.join(', ')}`]),
  ]
}

/** What is wrong with the list of home at this moment, and how many doubts it had to name. For an acquirer all of whose doubts are shown. */
export const attentionFaults = async (
  database: Database,
  merchant: Merchant,
  scope: KeyScope,
  now: Instant,
): Promise<{ readonly inDoubt: number; readonly faults: readonly string[] }> => {
  const items = await attentionOf({ database, clock: { now: () => now, sleep: async () => {} } }, merchant, scope)
  const [charges, refunds] = [
    await doubtsIn(database, 'attempts', scope, now),
    await doubtsIn(database, 'refunds', scope, now),
  ]
  const shown = (kind: DoubtKind): DoubtItem | undefined => items.find((item): item is DoubtItem => item.kind === kind)
  return {
    inDoubt: charges.length + refunds.length,
    faults: [
      ...faultsOf('payments_in_doubt', shown('payments_in_doubt'), charges),
      ...faultsOf('refunds_in_doubt', shown('refunds_in_doubt'), refunds),
    ],
  }
}
