import { attentionFor, moveAttempt, type Attempt, type AttemptState } from '#payment/attempt.ts'
import { owedALetter, settle, type Settlement } from '#payment/charge.ts'
import { isLongDoubt } from '#payment/doubt.ts'
import { countedDeclines, type CheckoutInPlay } from '#payment/checkout.ts'
import type { ChargeOutcome, Gateway, Inquiry } from '#payment/ports.ts'
import { errorFacts } from './log.ts'
import type { Parts } from './parts.ts'
import { attendRefunds } from './refund.ts'
import { bookCharge } from './store/ledger.ts'
import { lockCheckout, lockIfFree, readInPlay, saveMoves, type Lock } from './store/moves.ts'
import { postNothingCharged, postReceipt } from './store/outbox.ts'

export interface OrderRef {
  readonly merchantId: string
  readonly checkoutId: string
  readonly orderCode: string
}

type Said = ChargeOutcome | Extract<Inquiry, { outcome: 'pending' }>

const isOver = ({ name }: AttemptState): boolean => name === 'declined' || name === 'void'

/** Writes down what the acquirer said: attempt, checkout, ledger lines and news in one transaction, or none of them. */
export const record = async (
  parts: Parts,
  order: OrderRef,
  said: Said,
  actor: 'shopper' | 'settlement',
): Promise<Settlement> => {
  const settlement = await parts.database.transact(async (sql) => {
    const locked = await lockCheckout(sql, order.merchantId, order.checkoutId)
    const attempt = locked?.attempts.find(({ orderCode }) => orderCode === order.orderCode)
    if (locked === null || attempt === undefined) throw new Error('an attempt that was charged is not in the store')
    const now = parts.clock.now()
    const next = settle(locked.checkout, attempt, said, countedDeclines(locked.attempts), now)
    await saveMoves(
      sql,
      locked,
      { checkout: next.checkout, attempts: [next.attempt] },
      { actor, why: said.outcome, now },
    )
    const { state } = next.checkout
    if (state.status === 'paid' && locked.checkout.state.status === 'open' && next.attempt.state.name === 'charged') {
      await bookCharge(sql, next.checkout, state.payment)
      await postReceipt(sql, next.checkout, next.attempt.state.receipt, now)
    }
    const wish = owedALetter(attempt.state, parts.gatewayTimeoutMs, now)
    if (wish !== null && isOver(next.attempt.state))
      await postNothingCharged(sql, next.checkout, attempt.orderCode, wish, now)
    // Still held where the claim was stored and its answer lost: that pay call never came to charge and forget it.
    if (isOver(next.attempt.state)) parts.cardHold.wipe(attempt.orderCode)
    if (state.status !== 'open') for (const { orderCode } of locked.attempts) parts.cardHold.wipe(orderCode)
    return next
  })
  if (settlement.alarm !== undefined)
    parts.log.alarm('payment needs a person', { order: order.orderCode, why: settlement.alarm })
  return settlement
}

/** Not found is no proof: a late request can still arrive. Only a fenced order id can never be charged any more. */
const ask = async (gateway: Gateway, orderCode: string): Promise<Said> => {
  const inquiry = await gateway.inquire(orderCode)
  if (inquiry.outcome !== 'not_found') return inquiry
  const fencing = await gateway.fence(orderCode)
  switch (fencing.outcome) {
    case 'fenced':
      return { outcome: 'void' }
    case 'exists':
      return { outcome: 'pending' }
    case 'unknown':
      return fencing
  }
}

/** Stores that this process asks now, so that of many readers one asks the acquirer. */
const takeTurn = async (parts: Parts, merchantId: string, checkoutId: string, lock: Lock): Promise<Attempt | null> =>
  await parts.database.transact(async (sql) => {
    const locked = await lock(sql, merchantId, checkoutId)
    if (locked === null || locked.inFlight === null) return null
    const now = parts.clock.now()
    const attention = attentionFor(locked.inFlight.state, now)
    if (attention.need === 'nothing') return null
    const attempt = moveAttempt(locked.inFlight, attention.next)
    await saveMoves(sql, locked, { attempts: [attempt] }, { actor: 'settlement', why: 'lease passed', now })
    return attempt
  })

/** Clears up a doubt about this checkout, if there is one and its next inquiry is due. */
export const attend = async (
  parts: Parts,
  merchantId: string,
  checkoutId: string,
  lock: Lock = lockCheckout,
): Promise<void> => {
  const inPlay = await readInPlay(parts.database, merchantId, checkoutId)
  const inFlight = inPlay?.inFlight ?? null
  if (inFlight === null || attentionFor(inFlight.state, parts.clock.now()).need === 'nothing') return
  const attempt = await takeTurn(parts, merchantId, checkoutId, lock)
  if (attempt === null) return
  if (attempt.state.name === 'unknown' && isLongDoubt(attempt.state.since, parts.clock.now()))
    parts.log.alarm('payment needs a person', { order: attempt.orderCode, why: 'in doubt for ten minutes and more' })
  const said = await ask(parts.gateway, attempt.orderCode)
  await record(parts, attempt, said, 'settlement')
}

const READ_PATIENCE_MS = 1000

/**
 * The checkout as it is now. A reader sets off the inquiry that is due but does not wait long for a slow acquirer, and not
 * at all for a row that another holds: given up or not, each would wait on with a connection, until no call has one.
 */
export const readSettled = async (
  parts: Parts,
  merchantId: string,
  checkoutId: string,
): Promise<CheckoutInPlay | null> => {
  const inquiries = [attend, attendRefunds].map((each) => each(parts, merchantId, checkoutId, lockIfFree))
  const attending = Promise.all(inquiries).catch((error: unknown) => {
    parts.log.warn('an inquiry failed', errorFacts(error))
  })
  await Promise.race([attending, parts.clock.sleep(READ_PATIENCE_MS)])
  return readInPlay(parts.database, merchantId, checkoutId)
}

export const PATIENCE_MS = 30_000
const LOOK_AGAIN_MS = 150

/** Waits while somebody else's charge is under way; ends when it has an outcome, falls into doubt, or patience ends. */
export const waitForOutcome = async (
  parts: Parts,
  merchantId: string,
  checkoutId: string,
  deadline: number,
): Promise<'look again' | 'in doubt'> => {
  for (;;) {
    const inPlay = await readInPlay(parts.database, merchantId, checkoutId)
    const state = inPlay?.inFlight?.state.name
    if (state === undefined) return 'look again'
    if (state === 'unknown' || parts.clock.now() >= deadline) return 'in doubt'
    await parts.clock.sleep(LOOK_AGAIN_MS)
  }
}
