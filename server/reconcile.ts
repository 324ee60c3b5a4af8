import { isDeepStrictEqual } from 'node:util'
import { entryName, type Movement } from '#payment/movement.ts'
import type { Gateway, Unknown } from '#payment/ports.ts'
import { judge, openMatching, strangeEntry, type Break, type Here, type There } from '#payment/reconcile.ts'
import { findOrder } from './store/attempts.ts'
import type { Sql } from './store/database.ts'
import { allEntries, entriesOf } from './store/ledger.ts'
import { findMoving } from './store/moving.ts'
import { refundsOfCheckout } from './store/refunds.ts'

export type AcquirersBooks = Pick<Gateway, 'statement' | 'inquire' | 'inquireRefund'>

export interface Tally {
  readonly charges: number
  readonly refunds: number
  readonly breaks: number
  readonly inDoubt: number
}

/** `charges` and `refunds` are those on which both sides agree. */
export type Reconciliation = ({ readonly outcome: 'compared' } & Tally) | Unknown

const readHere = async (sql: Sql, movement: Movement): Promise<Here> => {
  const entries = await entriesOf(sql, movement)
  const attempt = await findOrder(sql, movement.orderCode)
  if (attempt === null) return { entries, checkoutId: null, begun: null }
  const { checkoutId, merchantId } = attempt
  if (movement.kind === 'charge') {
    return { entries, checkoutId, begun: { amountYen: attempt.amountYen, state: attempt.state.name } }
  }
  const asked = (await refundsOfCheckout(sql, merchantId, checkoutId)).find(
    ({ orderCode, refundId }) => orderCode === movement.orderCode && refundId === movement.refundId,
  )
  return { entries, checkoutId, begun: asked ? { amountYen: asked.amountYen, state: asked.state.name } : null }
}

const askThere = async (acquirer: AcquirersBooks, movement: Movement): Promise<{ there: There } | Unknown> => {
  if (movement.kind === 'charge') {
    const said = await acquirer.inquire(movement.orderCode)
    if (said.outcome === 'unknown') return said
    return { there: said.outcome === 'charged' ? said.amountYen : null }
  }
  const said = await acquirer.inquireRefund(movement)
  if (said.outcome === 'unknown') return said
  return { there: said.outcome === 'refunded' ? said.amountYen : null }
}

/**
 * The same movement on both sides at one moment: we look, ask, and look again, until nothing moved here meanwhile. We write
 * down before the acquirer is asked and book after it has answered, so what then differs was not just overtaken.
 */
const lookClosely = async (
  sql: Sql,
  acquirer: AcquirersBooks,
  movement: Movement,
): Promise<{ readonly here: Here; readonly there: There } | Unknown> => {
  let here = await readHere(sql, movement)
  for (;;) {
    const asked = await askThere(acquirer, movement)
    if ('outcome' in asked) return asked
    const still = await readHere(sql, movement)
    if (isDeepStrictEqual(here, still)) return { here, there: asked.there }
    here = still
  }
}

/**
 * Compares our ledger, of all merchants, with the acquirer's statement. What agrees at first sight is done with; the rest is
 * looked at one by one. Order codes and amounts of the statement are held in memory, some 270 MB for a million charges.
 */
export const reconcile = async (
  sql: Sql,
  acquirer: AcquirersBooks,
  onBreak: (found: Break) => void,
): Promise<Reconciliation> => {
  const matching = openMatching()
  let after: string | null = null
  do {
    const page = await acquirer.statement(after)
    if (page.outcome === 'unknown') return page
    for (const line of page.lines) matching.there(line)
    after = page.after
  } while (after !== null)

  const agreed = { charge: 0, refund: 0 }
  let [breaks, inDoubt] = [0, 0]
  const name = (found: Break): void => {
    breaks += 1
    onBreak(found)
  }

  const suspects = new Map<string, Movement>()
  const suspect = (movement: Movement): Map<string, Movement> => suspects.set(entryName(movement), movement)
  for await (const entry of allEntries(sql)) {
    if (entry.movement === null) name(strangeEntry(entry))
    else if (matching.here(entry)) agreed[entry.movement.kind] += 1
    else suspect(entry.movement)
  }
  for (const movement of matching.leftThere()) suspect(movement)
  for (const movement of await findMoving(sql)) suspect(movement)

  for (const movement of suspects.values()) {
    const seen = await lookClosely(sql, acquirer, movement)
    if ('outcome' in seen) return seen
    const judgement = judge(movement, seen.here, seen.there)
    if (judgement.is === 'broken') for (const found of judgement.breaks) name(found)
    else if (judgement.is === 'in doubt') inDoubt += 1
    else if (judgement.is === 'agreed') agreed[movement.kind] += 1
  }
  return { outcome: 'compared', charges: agreed.charge, refunds: agreed.refund, breaks, inDoubt }
}
