import { isDeepStrictEqual } from 'node:util'
import type { Attempt } from '#payment/attempt.ts'
import { entryName, type Movement } from '#payment/ledger-movement.ts'
import type { Gateway, Unknown } from '#payment/ports.ts'
import { openMatching } from '#payment/reconcile-matching.ts'
import {
  judgeMovement,
  strangeEntry,
  type Begun,
  type Break,
  type Here,
  type Open,
  type There,
} from '#payment/reconcile.ts'
import type { Refund } from '#payment/refund.ts'
import { findOrder } from '../store/attempts.ts'
import type { Sql } from '../store/database.ts'
import { allEntries, entriesOf } from '../store/ledger.ts'
import { findMoving, findUnbooked } from '../store/money-in-flight.ts'
import { refundsOfCheckout } from '../store/refunds.ts'

export type AcquirersBooks = Pick<Gateway, 'statement' | 'inquire' | 'inquireRefund'>

export interface Tally {
  readonly charges: number
  readonly refunds: number
  readonly breaks: number
  readonly inDoubt: number
  /** What the acquirer would not speak of and no doubt here explains: with any of these the comparison is not complete. */
  readonly unasked: number
}

/** `charges` and `refunds` are those on which both sides agree. */
export type Reconciliation = ({ readonly outcome: 'compared' } & Tally) | Unknown

const begunOf = ({ amountYen, state }: Attempt | Refund): Begun => {
  if (state.name === 'unknown') return { amountYen, state: state.name, since: state.since }
  return state.name === 'charging' || state.name === 'requested'
    ? { amountYen, state: state.name, since: state.leaseUntil }
    : { amountYen, state: state.name }
}

const readHere = async (sql: Sql, movement: Movement): Promise<Here> => {
  const entries = await entriesOf(sql, movement)
  const attempt = await findOrder(sql, movement.orderCode)
  if (attempt === null) return { entries, checkoutId: null, begun: null }
  const { checkoutId } = attempt
  if (movement.kind === 'charge') return { entries, checkoutId, begun: begunOf(attempt) }
  const asked = (await refundsOfCheckout(sql, attempt)).find(
    ({ orderCode, refundId }) => orderCode === movement.orderCode && refundId === movement.refundId,
  )
  return { entries, checkoutId, begun: asked ? begunOf(asked) : null }
}

const askThere = async (acquirer: AcquirersBooks, movement: Movement): Promise<There> => {
  if (movement.kind === 'charge') {
    const said = await acquirer.inquire(movement.orderCode)
    if (said.outcome === 'unknown') return said
    return said.outcome === 'charged' ? said.amountYen : null
  }
  const said = await acquirer.inquireRefund(movement)
  if (said.outcome === 'unknown') return said
  return said.outcome === 'refunded' ? said.amountYen : null
}

/**
 * The same movement on both sides at one moment: we look, ask, and look again, until nothing moved here meanwhile. We write
 * down before the acquirer is asked and book after it has answered, so what then differs was not just overtaken.
 */
const lookClosely = async (
  sql: Sql,
  acquirer: AcquirersBooks,
  movement: Movement,
): Promise<{ readonly here: Here; readonly there: There }> => {
  let here = await readHere(sql, movement)
  for (;;) {
    const there = await askThere(acquirer, movement)
    const still = await readHere(sql, movement)
    if (isDeepStrictEqual(here, still)) return { here, there }
    here = still
  }
}

/**
 * Compares our ledger, of all merchants, with the acquirer's statement. What agrees at first sight is done with; the rest is
 * looked at one by one. Breaks are told as they are found, what stays open after the last of them. Order codes and amounts of
 * the statement are held in memory, some 270 MB for a million charges.
 */
export const reconcile = async (
  sql: Sql,
  acquirer: AcquirersBooks,
  onBreak: (found: Break) => void,
  onOpen: (open: Open) => void = () => undefined,
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
  let breaks = 0
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
  for (const movement of await findUnbooked(sql)) suspect(movement)
  for (const movement of await findMoving(sql)) suspect(movement)

  const left: Open[] = []
  for (const movement of suspects.values()) {
    const { here, there } = await lookClosely(sql, acquirer, movement)
    const listedYen = matching.listedTwice(movement)
    if (listedYen !== null) name({ kind: 'listed twice', movement, checkoutId: here.checkoutId, listedYen })
    const judgement = judgeMovement(movement, here, there)
    if (judgement.is === 'agreed' && listedYen === null) agreed[movement.kind] += 1
    if ('breaks' in judgement) for (const found of judgement.breaks) name(found)
    if (judgement.is === 'open') left.push(judgement.open)
  }
  for (const open of left) onOpen(open)
  const inDoubt = left.filter(({ kind }) => kind === 'in doubt').length
  const unasked = left.length - inDoubt
  return { outcome: 'compared', charges: agreed.charge, refunds: agreed.refund, breaks, inDoubt, unasked }
}
