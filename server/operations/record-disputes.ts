/** Record disputes: asks an account at an acquirer for its disputes, and records what is new with its ledger lines and events. */
import type { Instant } from '#contract/jst.ts'
import type { Attempt } from '#payment/attempt.ts'
import { applyDispute, disputeEvents, type DisputeEventType } from '#payment/dispute.ts'
import type { AcquirerDispute, Period, Unknown } from '#payment/ports.ts'
import { scopeName } from '#payment/references.ts'
import { DISPUTE_LASTS_MS, disputesToAskFor } from '#payment/reconciliation-period.ts'
import type { AcquirerAccount } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { findAttemptOfAnyMerchant } from '../store/checkout/attempts.ts'
import { disputesOfCheckout, oldestDisputeNotOver } from '../store/checkout/disputes.ts'
import { disputeBooking } from '../store/checkout/ledger.ts'
import type { Sql } from '../store/engine/database.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { withLockedCheckout, type CheckoutDependencies } from './locked-checkout.ts'
import { clearIfRead, setAsideUnreadable } from './set-aside.ts'

/** The disputes that the acquirer is asked for now. */
export const findDisputesToAskFor = async (sql: Sql, now: Instant): Promise<Period> =>
  disputesToAskFor(now, await oldestDisputeNotOver(sql, now - DISPUTE_LASTS_MS))

const LOG_LINES: Readonly<Record<DisputeEventType, string | null>> = {
  'dispute.opened': 'a payment is disputed',
  'dispute.updated': null,
  'dispute.closed': 'a dispute is over',
}

const ABOVE_PAYMENT = 'a dispute is above its payment'

/** Recorded all the same: what the acquirer has taken is missing in the shop's money, whatever was paid. */
const isAbovePayment = ({ amountYen }: Pick<Attempt, 'amountYen'>, told: AcquirerDispute): boolean =>
  [told, ...told.movements].some((each) => each.amountYen > amountYen)

/** One dispute in one transaction under the lock of its checkout. An order of another system is left alone. */
const recordDispute = async (
  deps: CheckoutDependencies,
  told: AcquirerDispute,
  isOurs: (scope: KeyScope) => boolean,
  askedAt: Instant,
): Promise<void> => {
  const attempt = await findAttemptOfAnyMerchant(deps.database, told.orderCode)
  if (attempt === null || !isOurs(attempt)) return
  // Checked without the lock: most of what is told was told an hour ago.
  if (applyDispute(attempt, await disputesOfCheckout(deps.database, attempt), told, askedAt) === null) return
  const events = await withLockedCheckout(deps, attempt, async ({ locked, save }) => {
    // The charge itself is not recorded yet. The next reading finds the dispute again.
    if (locked.checkout.state.status === 'open') return []
    const change = applyDispute(attempt, locked.disputes, told, askedAt)
    if (change === null) return []
    const { dispute, movements } = change
    const bookings = movements.map((movement) => disputeBooking(dispute, movement))
    await save({ disputes: [dispute], bookings }, { actor: 'inquiry', why: 'dispute' })
    return disputeEvents(locked.disputes.find(({ disputeId }) => disputeId === dispute.disputeId) ?? null, dispute)
  })
  // After the commit: a line cannot be rolled back.
  if ((events ?? []).length > 0 && isAbovePayment(attempt, told))
    deps.log.alarm(ABOVE_PAYMENT, { order: attempt.orderCode, why: 'the acquirer names more than was paid' })
  for (const event of events ?? []) {
    const line = LOG_LINES[event]
    const { merchantId: merchant, orderCode: order } = attempt
    if (line !== null)
      deps.log.warn(line, { merchant, order, code: told.status, why: told.reason ?? 'no reason named' })
  }
}

/** Far more than an account has; without a bound a list that never ends would keep one worker for ever. */
const PAGES_MAX = 1000

/** Records the disputes of an account that were opened in a period. Unknown: the acquirer did not name all of them. */
export const recordDisputes = async (
  deps: CheckoutDependencies,
  { gateway, scopes }: AcquirerAccount,
  openedIn: Period,
): Promise<{ readonly outcome: 'read' } | Unknown> => {
  const named = new Set(scopes.map(scopeName))
  const isOurs = (scope: KeyScope): boolean => named.has(scopeName(scope))
  let after: string | null = null
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const askedAt = deps.clock.now()
    const page = await gateway.disputes(openedIn, after)
    if (page.outcome === 'unknown') return page
    for (const told of page.disputes) {
      const row = { merchantId: scopes[0]?.merchantId ?? '', queue: 'disputes', key: [told.disputeId] } as const
      try {
        await recordDispute(deps, told, isOurs, askedAt)
        await clearIfRead(deps, row)
      } catch (error) {
        // One that cannot be recorded must not keep the others from it.
        if (!(await setAsideUnreadable(deps, row, error)))
          deps.log.error('a dispute could not be recorded', { order: told.orderCode, ...errorFacts(error) })
      }
    }
    after = page.after
    if (after === null) return { outcome: 'read' }
  }
  return { outcome: 'unknown', why: `more than ${PAGES_MAX} pages of disputes` }
}
