/** Lost charges: what the acquirer has charged and the backup does not hold, and what it has charged twice, by its own record. */
import { integer, text, textOrNull } from '../../server/store/engine/columns.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { orderCodesOf, type LostAndRestored } from '../crashes/backup-round.ts'
import type { AcquirerDouble } from './acquirer-double.ts'

/** A charge that the backup does not hold, of a checkout that it holds. */
export interface LostCharge {
  readonly orderCode: string
  readonly checkoutId: string
  readonly reference: string
  readonly startedAt: number
}

export const lostChargesOf = async (
  { before, restored }: LostAndRestored,
  { chargedYen }: AcquirerDouble,
): Promise<LostCharge[]> => {
  const [held, open] = [
    await orderCodesOf(restored),
    // Not beside a charge that was under way when the backup was taken: only one of the two can be in doubt.
    await restored.rows(`SELECT id FROM checkouts WHERE status = 'open' AND NOT EXISTS (
      SELECT 1 FROM attempts WHERE attempts.merchant_id = checkouts.merchant_id
        AND attempts.checkout_id = checkouts.id AND attempts.state IN ('charging', 'unknown'))`),
  ]
  const openIds = new Set(open.map((row) => text(row, 'id')))
  const charges: LostCharge[] = []
  for (const row of await before.rows(
    'SELECT order_code, checkout_id, acquirer_reference, started_at FROM attempts ORDER BY started_at',
  )) {
    const [orderCode, checkoutId] = [text(row, 'order_code'), text(row, 'checkout_id')]
    const reference = textOrNull(row, 'acquirer_reference')
    if (reference === null || reference === '' || !openIds.has(checkoutId) || held.has(orderCode)) continue
    if ((await chargedYen(orderCode)) > 0)
      charges.push({ orderCode, checkoutId, reference, startedAt: integer(row, 'started_at') })
  }
  return charges
}

/** Payments of which Adyen told the server that is lost: it does not tell of them again, and its notification would be an answer. */
export const toldBefore = async ({ before, restored }: LostAndRestored): Promise<ReadonlySet<string>> => {
  const toldTo = async (database: Database) =>
    (await database.rows(`SELECT original_reference FROM acquirer_notifications WHERE event = 'CAPTURE'`)).map((row) =>
      textOrNull(row, 'original_reference'),
    )
  const known = new Set(await toldTo(restored))
  return new Set(
    (await toldTo(before)).flatMap((reference) => (reference === null || known.has(reference) ? [] : [reference])),
  )
}

export const doubleChargesOf = async ({ before, restored }: LostAndRestored, { chargedYen }: AcquirerDouble) => {
  const orders = new Map([...(await orderCodesOf(before)), ...(await orderCodesOf(restored))])
  const charged = new Map<string, number>()
  for (const [orderCode, checkoutId] of orders)
    if ((await chargedYen(orderCode)) > 0) charged.set(checkoutId, (charged.get(checkoutId) ?? 0) + 1)
  return [...charged.values()].filter((times) => times > 1).length
}
