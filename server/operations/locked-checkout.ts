/** Locked checkout: every transition of a checkout runs here, in one transaction under its row lock. */
import { needsCard, type Attempt } from '#payment/attempt.ts'
import type { CardHold } from '#payment/ports.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { forceChallengeIfDue } from './forced-challenge.ts'
import type { Dependencies } from '../dependencies.ts'
import { merchantOrigin } from '../origins.ts'
import type { ChangedBy } from '../store/checkout/changes.ts'
import type { Sql } from '../store/engine/database.ts'
import {
  lockCheckout,
  saveTransitions,
  writeEvent,
  type LockCheckout,
  type LockedCheckout,
  type Transitions,
} from '../store/checkout/transitions.ts'

/** What every transition needs of the world. */
export type CheckoutDependencies = Pick<
  Dependencies,
  'database' | 'clock' | 'cardHold' | 'cardTestingLimits' | 'log' | 'publicBase'
>

/** A checkout that one transaction has locked, with what it needs to decide and to store the decision. */
export interface CheckoutTransaction {
  readonly locked: LockedCheckout
  readonly sql: Sql
  readonly now: number
  /** Stores the next states, and forgets every card that nobody can need any more. */
  save(transitions: Transitions, changedBy: Omit<ChangedBy, 'now'>): Promise<void>
}

/** Before the commit: should it fail, a card too many was forgotten, and its shopper types it once more. */
const wipeUnneededCards = (hold: CardHold, locked: LockedCheckout, transitions: Transitions): void => {
  const { state } = transitions.checkout ?? locked.checkout
  const moved = new Map(transitions.attempts?.map((attempt) => [attempt.orderCode, attempt]))
  for (const attempt of locked.attempts) {
    const next = moved.get(attempt.orderCode) ?? attempt
    if (state.status !== 'open' || !needsCard(next.state)) hold.wipe(attempt.orderCode)
  }
}

/** Null where there is no such checkout or, with `lockIfFree`, where another transaction holds it. */
export const withLockedCheckout = async <T>(
  deps: CheckoutDependencies,
  ref: CheckoutRef,
  work: (held: CheckoutTransaction) => Promise<T>,
  lock: LockCheckout = lockCheckout,
): Promise<T | null> => {
  const { database, clock, cardHold, log, publicBase } = deps
  let orderUnderAttack: string | undefined
  const result = await database.transact(async (sql) => {
    const locked = await lock(sql, ref)
    if (locked === null) return null
    const now = clock.now()
    const save: CheckoutTransaction['save'] = async (transitions, changedBy) => {
      const origin = merchantOrigin(publicBase, locked.merchantLabel)
      await saveTransitions(sql, locked, transitions, { ...changedBy, now }, origin)
      wipeUnneededCards(cardHold, locked, transitions)
      const forced = await forceChallengeIfDue(deps, sql, locked.checkout, transitions.attempts ?? [], now)
      if (forced === undefined) return
      orderUnderAttack = forced.orderCode
      const event = { type: 'alert.card_testing', forcedChallengeUntil: forced.until } as const
      await writeEvent(sql, locked, transitions, event, { origin, now })
    }
    return work({ locked, sql, now, save })
  })
  if (orderUnderAttack !== undefined)
    log.alarm('cards are being tried out at a merchant', {
      merchant: ref.merchantId,
      order: orderUnderAttack,
      why: 'too many cards are refused: the challenge is mandatory until 10 minutes after the last refusal of an issuer',
    })
  return result
}

/** For a row that must be there: none is ever deleted. */
export const mustExist = <T>(found: T | null | undefined, what: string): T => {
  if (found === null || found === undefined) throw new Error(`${what} is gone from the store`)
  return found
}

export const attemptOf = ({ attempts }: LockedCheckout, orderCode: string): Attempt | null =>
  attempts.find((attempt) => attempt.orderCode === orderCode) ?? null
