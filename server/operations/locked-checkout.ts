/** Locked checkout: every transition of a checkout runs in one transaction under its row lock. */
import { needsCard, type Attempt } from '#payment/attempt.ts'
import type { CheckoutRef } from '#payment/references.ts'
import { forceChallengeIfDue } from './card-testing/forced-challenge.ts'
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

/** What every transition needs. */
export type CheckoutDependencies = Pick<
  Dependencies,
  'database' | 'clock' | 'cardHold' | 'cardTestingLimits' | 'log' | 'publicBase'
>

/** A checkout that one transaction has locked, with what the transaction needs to decide and to store the decision. */
export interface CheckoutTransaction {
  readonly locked: LockedCheckout
  readonly sql: Sql
  readonly now: number
  /** Stores the next states. It can be called once; what follows from them is done when the transaction's work is done. */
  save(transitions: Transitions, changedBy: Omit<ChangedBy, 'now'>): Promise<void>
}

/** The order codes of the attempts whose card was needed before these transitions, and by nobody after them. */
const cardsNotNeeded = (locked: LockedCheckout, { checkout = locked.checkout, attempts }: Transitions): string[] => {
  const next = new Map(attempts?.map((attempt) => [attempt.orderCode, attempt]))
  return locked.attempts
    .filter(({ orderCode, state }) => {
      const after = next.get(orderCode)?.state ?? state
      return needsCard(state) && (checkout.state.status !== 'open' || !needsCard(after))
    })
    .map(({ orderCode }) => orderCode)
}

const TOO_MANY_REFUSED =
  'too many cards are refused: the challenge is mandatory until 10 minutes after the last refusal of an issuer'

/**
 * Locks a checkout, runs `work`, and does what follows from the states that `work` has saved: cards are wiped, a forced
 * challenge begins and is told to the merchant, and a person is called. Null: there is no such checkout or, with `lockIfFree`,
 * another transaction holds it.
 */
export const withLockedCheckout = async <T>(
  deps: CheckoutDependencies,
  ref: CheckoutRef,
  work: (transaction: CheckoutTransaction) => Promise<T>,
  lock: LockCheckout = lockCheckout,
): Promise<T | null> => {
  const { database, clock, cardHold, log, publicBase } = deps
  const done = await database.transact(async (sql) => {
    const locked = await lock(sql, ref)
    if (locked === null) return null
    const now = clock.now()
    const origin = merchantOrigin(publicBase, locked.merchantLabel)
    const saved: Transitions[] = []
    const save: CheckoutTransaction['save'] = async (transitions, changedBy) => {
      if (saved.length > 0) throw new Error('a transaction saves the next states of a checkout once')
      await saveTransitions(sql, locked, transitions, { ...changedBy, now }, origin)
      saved.push(transitions)
    }
    const result = await work({ locked, sql, now, save })
    const [transitions] = saved
    if (transitions === undefined) return { result }
    const wiped = cardsNotNeeded(locked, transitions)
    const forced = await forceChallengeIfDue(deps, sql, locked.checkout, transitions.attempts ?? [], now)
    if (forced === undefined) return { result, wiped }
    const alert = { type: 'alert.card_testing', forcedChallengeUntil: forced.until } as const
    await writeEvent(sql, locked, transitions, alert, { origin, now })
    return { result, wiped, attackedOrder: forced.orderCode }
  })
  // After the commit: the hold may be another machine, which no transaction waits for.
  if (done?.wiped !== undefined && done.wiped.length > 0) await cardHold.wipe(done.wiped)
  // After the commit: an alarm cannot be rolled back.
  if (done?.attackedOrder !== undefined)
    log.alarm('cards are being tried out at a merchant', {
      merchant: ref.merchantId,
      order: done.attackedOrder,
      why: TOO_MANY_REFUSED,
    })
  return done === null ? null : done.result
}

/** For a row that must exist: such rows are never deleted. */
export const mustExist = <T>(found: T | null | undefined, what: string): T => {
  if (found === null || found === undefined) throw new Error(`${what} is gone from the store`)
  return found
}

export const attemptOf = ({ attempts }: LockedCheckout, orderCode: string): Attempt | null =>
  attempts.find((attempt) => attempt.orderCode === orderCode) ?? null
