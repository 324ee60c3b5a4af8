import { moveAttempt } from '#payment/attempt.ts'
import { isGivenUpByCancel, moveCheckout, stateAsRead } from '#payment/checkout.ts'
import type { Parts } from './parts.ts'
import { lockIfFree, saveMoves } from './store/moves.ts'

/** Writes down that a checkout's deadline has passed. It read as expired from that moment on; a payment in time may finish. */
export const expire = async (parts: Parts, merchantId: string, checkoutId: string): Promise<void> => {
  await parts.database.transact(async (sql) => {
    const locked = await lockIfFree(sql, merchantId, checkoutId)
    if (locked === null || locked.checkout.state.status !== 'open') return
    const now = parts.clock.now()
    const state = stateAsRead(locked, now)
    if (state.status !== 'expired') return
    const attempts = locked.attempts
      .filter(isGivenUpByCancel)
      .map((attempt) => moveAttempt(attempt, { name: 'abandoned', why: 'expired' }))
    const checkout = moveCheckout(locked.checkout, state)
    await saveMoves(sql, locked, { checkout, attempts }, { actor: 'worker', why: 'deadline', now })
    for (const { orderCode } of locked.attempts) parts.cardHold.wipe(orderCode)
  })
}
