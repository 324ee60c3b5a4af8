/** Resolve doubt: the inquiry, and the fence, for a charge whose outcome is unknown. */
import { inquiryDue, sentOrderOf, type AttemptIn } from '#payment/attempt.ts'
import type { ChargeAnswer } from '#payment/charge.ts'
import { isPaymentPending, type CheckoutSnapshot } from '#payment/checkout.ts'
import { isLongDoubt, LEASE_EXPIRED, LONG_DOUBT } from '#payment/doubt.ts'
import type { Gateway, SentOrder } from '#payment/ports.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Dependencies } from '../dependencies.ts'
import { readReference } from '../store/checkout/attempts.ts'
import { readCheckoutSnapshot } from '../store/checkout/checkout-reads.ts'
import { lockCheckout, type LockCheckout } from '../store/checkout/transitions.ts'
import { withLockedCheckout } from './locked-checkout.ts'
import { recordOutcome } from './record-outcome.ts'
import { OUTCOME_POLL_INTERVAL_MS } from './timeouts.ts'
import { untilRecorded } from './record-with-retry.ts'

/** An order that is not found may still be charged by a late request. Only a fenced order id can never be charged. */
export const inquireOrFence = async (gateway: Gateway, order: SentOrder): Promise<ChargeAnswer> => {
  const inquiry = await gateway.inquire(order)
  if (inquiry.outcome !== 'not_found') return inquiry
  const fencing = await gateway.fence(order)
  switch (fencing.outcome) {
    case 'fenced':
      return { outcome: 'not_charged' }
    case 'exists':
      return { outcome: 'pending' }
    case 'unknown':
      return fencing
  }
}

/** Stores that this process inquires now, so that only one of many readers asks the acquirer. */
const claimInquiry = (deps: Dependencies, ref: CheckoutRef, lock: LockCheckout): Promise<AttemptIn<'unknown'> | null> =>
  withLockedCheckout(
    deps,
    ref,
    async ({ locked, sql, now, save }) => {
      const attempt = locked.inFlight === null ? undefined : inquiryDue(locked.inFlight, now)
      if (attempt === undefined) return null
      await save({ attempts: [attempt] }, { actor: 'inquiry', why: LEASE_EXPIRED })
      // Read again: `remember` takes no lock of the checkout, so on PostgreSQL a reference may have been stored since the attempt
      // was read. From here on none can be. With null in its place a charge that is being made would count as never sent.
      return { ...attempt, reference: await readReference(sql, attempt) }
    },
    lock,
  )

/** Asks the acquirer about the attempt in flight of a checkout, if an inquiry is due. True: it was, so `seen` is out of date. */
export const inquireIfDue = async (
  deps: Dependencies,
  seen: CheckoutSnapshot | null,
  lock: LockCheckout = lockCheckout,
): Promise<boolean> => {
  const inFlight = seen?.inFlight ?? null
  // Checked without the lock: a lock for every reading would delay the writes of payments.
  if (inFlight === null || inquiryDue(inFlight, deps.clock.now()) === undefined) return false
  const attempt = await claimInquiry(deps, inFlight, lock)
  if (attempt === null) return true
  const { since, why } = attempt.state
  if (isLongDoubt(since, deps.clock.now()))
    deps.log.alarm('payment needs a person', { order: attempt.orderCode, why: `${why}: ${LONG_DOUBT}` })
  const order = sentOrderOf(attempt)
  // A restore may have lost the reference: without one, an order that was charged would count as never sent.
  const asked = (seen?.checkout.heldSince ?? null) === null ? order : ({ ...order, isRestored: true } as const)
  const answer = await inquireOrFence(await deps.gateways.of(attempt), asked)
  if (answer.outcome === 'unknown' && answer.needsPerson)
    deps.log.alarm('payment needs a person', { order: attempt.orderCode, why: answer.why })
  await untilRecorded(deps, () => recordOutcome(deps, attempt, answer, { actor: 'inquiry' }))
  return true
}

/** Waits while another call charges: until there is an outcome or a doubt, or the time is up. */
export const waitForOutcome = async (
  deps: Dependencies,
  ref: CheckoutRef,
  deadline: number,
): Promise<'has outcome' | 'in doubt'> => {
  for (;;) {
    const snapshot = await readCheckoutSnapshot(deps.database, ref)
    const state = snapshot?.inFlight?.state.name
    if (state === undefined) return snapshot !== null && isPaymentPending(snapshot) ? 'in doubt' : 'has outcome'
    if (state === 'unknown' || deps.elapsed() >= deadline) return 'in doubt'
    await deps.clock.sleep(OUTCOME_POLL_INTERVAL_MS)
  }
}
