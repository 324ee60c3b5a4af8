/** Record disputes: asks an account at an acquirer for its disputes, and records what is new with its ledger lines and events. */
import type { Instant } from '#contract/jst.ts'
import type { Attempt } from '#payment/attempt.ts'
import { applyDispute, disputeEvents, type DisputeEventType } from '#payment/dispute.ts'
import type { AcquirerDispute, Period, ToldDisputes, Unknown, UnreadableDispute } from '#payment/ports.ts'
import { scopeName } from '#payment/references.ts'
import { DISPUTE_LASTS_MS, disputesToAskFor } from '#payment/reconciliation-period.ts'
import type { AcquirerAccount } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { findAttemptOfAnyMerchant } from '../store/checkout/attempts.ts'
import { disputesOfCheckout, oldestDisputeNotOver } from '../store/checkout/disputes.ts'
import { disputeBooking } from '../store/checkout/ledger.ts'
import { UnreadableRow } from '../store/engine/columns.ts'
import type { Sql } from '../store/engine/database.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { countSetAsideOf } from '../store/merchant/set-aside.ts'
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

/** Far more than a payment has. Each event of a dispute names all of them: thousands would fill the database. */
const DISPUTES_MAX = 50

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
  const known = await disputesOfCheckout(deps.database, attempt)
  if (applyDispute(attempt, known, told, askedAt) === null) return
  if (known.length >= DISPUTES_MAX && !known.some(({ disputeId }) => disputeId === told.disputeId))
    throw new UnreadableRow(`its payment has ${DISPUTES_MAX} disputes already`)
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

/** That of an order of another system is left alone, as one that can be read. */
const refuseUnreadable = async (
  { database }: CheckoutDependencies,
  { orderCode, why }: UnreadableDispute,
  isOurs: (scope: KeyScope) => boolean,
): Promise<void> => {
  const attempt = orderCode === null ? null : await findAttemptOfAnyMerchant(database, orderCode)
  if (orderCode === null || (attempt !== null && isOurs(attempt))) throw new UnreadableRow(why)
}

/** Those of an account that have no id are one there: an operator looks at the account. */
const UNNAMED = 'unnamed'
/** An account of which more cannot be read is looked at as a whole: its shop, or whoever knows its key, must not call a person for ever. */
const SET_ASIDE_MAX = 100

/** With one alarm. The acquirer names it again at the next reading: it is recorded as soon as it can be. */
const setDisputeAside = async (
  deps: CheckoutDependencies,
  merchantId: string,
  disputeId: string,
  error: unknown,
): Promise<boolean> => {
  if (!(error instanceof UnreadableRow)) return false
  if ((await countSetAsideOf(deps.database, { merchantId, queue: 'disputes' }, SET_ASIDE_MAX)) === SET_ASIDE_MAX) {
    deps.log.error('too many disputes are set aside', { merchant: merchantId, why: error.message })
    return true
  }
  return setAsideUnreadable(deps, { merchantId, queue: 'disputes', key: [disputeId] }, error)
}

/** Each by itself: one that cannot be read or recorded keeps no other from being booked. */
export const recordTold = async (
  deps: CheckoutDependencies,
  scopes: readonly KeyScope[],
  { disputes, unreadable = [] }: ToldDisputes,
  askedAt: Instant,
): Promise<void> => {
  const named = new Set(scopes.map(scopeName))
  const isOurs = (scope: KeyScope): boolean => named.has(scopeName(scope))
  const merchantId = scopes[0]?.merchantId ?? ''
  for (const told of [...disputes, ...unreadable])
    try {
      if ('status' in told) {
        await recordDispute(deps, told, isOurs, askedAt)
        await clearIfRead(deps, { merchantId, queue: 'disputes', key: [told.disputeId] })
      } else await refuseUnreadable(deps, told, isOurs)
    } catch (error) {
      const { disputeId, orderCode } = told
      if (!(await setDisputeAside(deps, merchantId, disputeId ?? UNNAMED, error)))
        deps.log.error('a dispute could not be recorded', { order: orderCode ?? 'none', ...errorFacts(error) })
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
  let after: string | null = null
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const askedAt = deps.clock.now()
    const page = await gateway.disputes(openedIn, after)
    if (page.outcome === 'unknown') return page
    await recordTold(deps, scopes, page, askedAt)
    after = page.after
    if (after === null) return { outcome: 'read' }
  }
  return { outcome: 'unknown', why: `more than ${PAGES_MAX} pages of disputes` }
}
