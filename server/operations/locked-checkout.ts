import { needsCard, type Attempt } from '#payment/attempt.ts'
import type { CardHold } from '#payment/ports.ts'
import type { CheckoutRef } from '#payment/refs.ts'
import type { Parts } from '../parts.ts'
import type { Sql } from '../store/database.ts'
import {
  lockCheckout,
  saveMoves,
  type Lock,
  type LockedCheckout,
  type Mover,
  type Moves,
} from '../store/transitions.ts'

/** A checkout in the hands of one transaction, which looks, decides and moves it. */
export interface HeldCheckout {
  readonly locked: LockedCheckout
  readonly sql: Sql
  readonly now: number
  /** Stores the next states, and forgets every card that nobody can need any more. */
  save(moves: Moves, mover: Omit<Mover, 'now'>): Promise<void>
}

/** Before the commit: should it fail, a card too many was forgotten, and its shopper types it once more. */
const forgetCards = (hold: CardHold, locked: LockedCheckout, moves: Moves): void => {
  const { state } = moves.checkout ?? locked.checkout
  const moved = new Map(moves.attempts?.map((attempt) => [attempt.orderCode, attempt]))
  for (const attempt of locked.attempts) {
    const next = moved.get(attempt.orderCode) ?? attempt
    if (state.status !== 'open' || !needsCard(next.state)) hold.wipe(attempt.orderCode)
  }
}

/** Null where there is no such checkout or, with `lockIfFree`, where another transaction holds it. */
export const underLock = <T>(
  { database, clock, cardHold }: Pick<Parts, 'database' | 'clock' | 'cardHold'>,
  ref: CheckoutRef,
  work: (held: HeldCheckout) => Promise<T>,
  lock: Lock = lockCheckout,
): Promise<T | null> =>
  database.transact(async (sql) => {
    const locked = await lock(sql, ref)
    if (locked === null) return null
    const now = clock.now()
    const save: HeldCheckout['save'] = async (moves, mover) => {
      await saveMoves(sql, locked, moves, { ...mover, now })
      forgetCards(cardHold, locked, moves)
    }
    return work({ locked, sql, now, save })
  })

/** For whoever knows that it is there: rows are never deleted. */
export const standing = <T>(found: T | null | undefined, what: string): T => {
  if (found === null || found === undefined) throw new Error(`${what} is gone from the store`)
  return found
}

export const attemptOf = ({ attempts }: LockedCheckout, orderCode: string): Attempt | null =>
  attempts.find((attempt) => attempt.orderCode === orderCode) ?? null
