/** Promise about the figures of days: the stored rows equal the ledger to the yen and the attempts, counted here by another way. */
import { isCardBrand } from '#contract/brands.ts'
import { jstDate, startOfJstDay, type Instant } from '#contract/jst.ts'
import {
  addCheckout,
  addMovement,
  checkoutEnd,
  differingFigures,
  firstOf,
  NO_FIGURES,
  type DayFigures,
} from '#payment/day-figures.ts'
import { parseLedgerEntryName } from '#payment/ledger-movement.ts'
import { stateFromRow } from '../../server/store/checkout/attempt-state.ts'
import type { Row, Sql } from '../../server/store/engine/database.ts'
import { integer, text, textOrNull } from '../../server/store/engine/columns.ts'
import type { KeyScope } from '../../server/store/merchant/keys.ts'
import { readFigureRows } from '../../server/store/reports/day-figure-rows.ts'

const attemptFrom = (row: Row) => ({
  orderCode: text(row, 'order_code'),
  startedAt: integer(row, 'started_at'),
  state: stateFromRow(row, 'details'),
})

/** Of all rows of the shop at once, without an index and without pieces. */
const countDays = async (sql: Sql, { merchantId, mode }: KeyScope): Promise<ReadonlyMap<Instant, DayFigures>> => {
  const days = new Map<Instant, DayFigures>()
  const change = (at: Instant, next: (figures: DayFigures) => DayFigures): void => {
    const day = startOfJstDay(at)
    days.set(day, next(days.get(day) ?? NO_FIGURES))
  }
  const attempts = await sql.rows('SELECT * FROM attempts WHERE merchant_id = $1 AND mode = $2', merchantId, mode)
  for (const ofCheckout of Map.groupBy(attempts, (row) => text(row, 'checkout_id')).values()) {
    const all = ofCheckout.map(attemptFrom)
    const [first, end] = [firstOf(all), checkoutEnd(all)]
    if (first !== null && end !== null) change(first.startedAt, (figures) => addCheckout(figures, end))
  }
  const lines = await sql.rows(
    `SELECT lines.entry, lines.amount_yen, lines.booked_at, checkouts.card_brand FROM ledger_lines AS lines
     LEFT JOIN checkouts ON checkouts.merchant_id = lines.merchant_id AND checkouts.id = lines.checkout_id
     WHERE lines.merchant_id = $1 AND lines.mode = $2 AND lines.account = 'acquirer'`,
    merchantId,
    mode,
  )
  for (const line of lines) {
    const movement = parseLedgerEntryName(text(line, 'entry'))
    if (movement === null) continue
    const brand = textOrNull(line, 'card_brand') ?? ''
    const [amountYen, cardBrand] = [Math.abs(integer(line, 'amount_yen')), isCardBrand(brand) ? brand : null]
    change(integer(line, 'booked_at'), (figures) => addMovement(figures, { kind: movement.kind, amountYen, cardBrand }))
  }
  return days
}

/** What is wrong with the stored figures of a shop all of whose days are summed. */
export const figureFaults = async (sql: Sql, scope: KeyScope): Promise<string[]> => {
  const counted = await countDays(sql, scope)
  const stored = await readFigureRows(sql, scope, { from: 0, to: Number.MAX_SAFE_INTEGER })
  return [...new Set([...counted.keys(), ...stored.keys()])].flatMap((day) => {
    const differing = differingFigures(stored.get(day) ?? NO_FIGURES, counted.get(day) ?? NO_FIGURES)
    return differing.length === 0 ? [] : [`the figures of ${jstDate(day)} are wrong: ${differing.join(', ')}`]
  })
}
