import { inquiryDue, type AttemptIn, type ReceiptWish } from '#payment/attempt.ts'
import { settle, type ChargeWord, type Settlement } from '#payment/charge.ts'
import type { CheckoutInPlay } from '#payment/checkout.ts'
import { isLongDoubt, LEASE_PASSED, LONG_DOUBT } from '#payment/doubt.ts'
import type { Gateway } from '#payment/ports.ts'
import type { CheckoutRef, OrderRef } from '#payment/refs.ts'
import { errorFacts } from '../log.ts'
import type { Parts } from '../parts.ts'
import { LOOK_AGAIN_MS } from './timeouts.ts'
import { attendRefunds } from './refund.ts'
import { bookCharge } from '../store/ledger.ts'
import { lockCheckout, lockIfFree, readInPlay, type Lock } from '../store/transitions.ts'
import { postNothingCharged, postReceipt } from '../store/outbox.ts'
import { attemptOf, standing, underLock, type HeldCheckout } from './locked-checkout.ts'

/** Books and posts what a settlement means, in the transaction that stores it. */
const publish = async ({ sql, now }: HeldCheckout, { checkout, attempt, news }: Settlement): Promise<void> => {
  switch (news?.kind) {
    case 'paid':
      await bookCharge(sql, checkout, news.payment)
      return postReceipt(sql, checkout, news.receipt, now)
    case 'nothing charged':
      return postNothingCharged(sql, attempt, news.receipt, now)
    case undefined:
      return undefined
  }
}

/** An order of which the acquirer was asked, with the wish for a receipt that was known then. */
interface AskedOrder extends OrderRef {
  readonly state: { readonly receipt: ReceiptWish }
}

/** Writes down what the acquirer said: attempt, checkout, ledger lines and news in one transaction, or none of them. */
export const record = async (
  parts: Parts,
  asked: AskedOrder,
  said: ChargeWord,
  actor: 'shopper' | 'settlement',
): Promise<Settlement> => {
  const settlement = await underLock(parts, asked, async (held) => {
    const { locked, now, save } = held
    const attempt = attemptOf(locked, asked.orderCode)
    if (attempt === null) return null
    const settled = settle(locked, attempt, { said, receipt: asked.state.receipt, now })
    await save({ checkout: settled.checkout, attempts: [settled.attempt] }, { actor, why: said.outcome })
    await publish(held, settled)
    return settled
  })
  const alarm = settlement === null ? `the acquirer says ${said.outcome} of an order that is gone` : settlement.alarm
  if (alarm !== undefined) parts.log.alarm('payment needs a person', { order: asked.orderCode, why: alarm })
  return standing(settlement, 'an attempt that the acquirer was asked about')
}

/** Not found is no proof: a late request can still arrive. Only a fenced order id can never be charged any more. */
const ask = async (gateway: Gateway, orderCode: string): Promise<ChargeWord> => {
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
const takeTurn = (parts: Parts, ref: CheckoutRef, lock: Lock): Promise<AttemptIn<'unknown'> | null> =>
  underLock(
    parts,
    ref,
    async ({ locked, now, save }) => {
      const attempt = locked.inFlight === null ? undefined : inquiryDue(locked.inFlight, now)
      if (attempt === undefined) return null
      await save({ attempts: [attempt] }, { actor: 'settlement', why: LEASE_PASSED })
      return attempt
    },
    lock,
  )

/** Clears up a doubt about this checkout, if there is one and its next inquiry is due. */
export const attend = async (parts: Parts, ref: CheckoutRef, lock: Lock = lockCheckout): Promise<void> => {
  const inFlight = (await readInPlay(parts.database, ref))?.inFlight ?? null
  // Looked at before it is locked: a lock for every reading would keep payments from being written down.
  if (inFlight === null || inquiryDue(inFlight, parts.clock.now()) === undefined) return
  const attempt = await takeTurn(parts, ref, lock)
  if (attempt === null) return
  if (isLongDoubt(attempt.state.since, parts.clock.now()))
    parts.log.alarm('payment needs a person', { order: attempt.orderCode, why: LONG_DOUBT })
  await record(parts, attempt, await ask(parts.gateway, attempt.orderCode), 'settlement')
}

const READ_PATIENCE_MS = 1000

/**
 * The checkout as it is now. A reader sets off the inquiry that is due but does not wait long for a slow acquirer, and not
 * at all for a row that another holds: it would keep its connection even after we stop waiting, until the pool is empty.
 */
export const readSettled = async (parts: Parts, ref: CheckoutRef): Promise<CheckoutInPlay | null> => {
  const inquiries = [attend(parts, ref, lockIfFree), attendRefunds(parts, ref, { lock: lockIfFree })]
  const attending = Promise.all(inquiries).catch((error: unknown) => {
    parts.log.warn('an inquiry failed', errorFacts(error))
  })
  await Promise.race([attending, parts.clock.sleep(READ_PATIENCE_MS)])
  return readInPlay(parts.database, ref)
}

/** Waits while somebody else's charge is under way; ends when it has an outcome, falls into doubt, or patience ends. */
export const waitForOutcome = async (
  parts: Parts,
  ref: CheckoutRef,
  deadline: number,
): Promise<'look again' | 'in doubt'> => {
  for (;;) {
    const inPlay = await readInPlay(parts.database, ref)
    const state = inPlay?.inFlight?.state.name
    if (state === undefined) return 'look again'
    if (state === 'unknown' || parts.clock.now() >= deadline) return 'in doubt'
    await parts.clock.sleep(LOOK_AGAIN_MS)
  }
}
