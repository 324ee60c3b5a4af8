/** Ends of doubts in the contract's tests: inquiry, fence and the same request again, as the operations end them, and the acquirer's record beside. */
import assert from 'node:assert/strict'
import type { ChargeOutcome, RefundOrder, RefundOutcome, SentOrder } from '#payment/ports.ts'
import { systemClock } from '../../server/dependencies.ts'
import { inquireOrFence } from '../../server/operations/resolve-doubt.ts'
import type { AcquirerUnderTest, Connection } from './gateway-under-test.ts'

/** More inquiries than any doubt of these tests needs. */
const INQUIRIES_MAX = 5

/** Ends a doubt as the operations do: inquiry, and a fence for an order that is not found. */
export const settleCharge = async (
  { gateway }: Connection,
  acquirer: AcquirerUnderTest,
  sent: SentOrder,
): Promise<Exclude<ChargeOutcome, { outcome: 'unknown' }>> => {
  let last = ''
  for (let count = 0; count < INQUIRIES_MAX; count += 1) {
    await acquirer.notify?.()
    const answer = await inquireOrFence(gateway, sent)
    if (answer.outcome === 'charged' || answer.outcome === 'declined' || answer.outcome === 'not_charged') return answer
    last = answer.outcome === 'unknown' ? answer.why : answer.outcome
  }
  return assert.fail(`still in doubt after ${INQUIRIES_MAX} inquiries: ${last}`)
}

export const refundOf = (
  { orderCode, reference }: { readonly orderCode: string; readonly reference: string },
  refundId: string,
  amountYen: number,
): RefundOrder => ({ orderCode, reference, refundId, amountYen, requestedAt: systemClock.now() })

/** Ends the doubt of a refund as the operations do: inquiry, and the same request again for a refund that is not found. */
export const settleRefund = async (
  { gateway }: Connection,
  acquirer: AcquirerUnderTest,
  order: RefundOrder,
): Promise<Exclude<RefundOutcome, { outcome: 'unknown' }>> => {
  let last = ''
  for (let count = 0; count < INQUIRIES_MAX; count += 1) {
    await acquirer.notify?.()
    const inquiry = await gateway.inquireRefund(order)
    const answer = inquiry.outcome === 'not_found' ? await gateway.refund(order) : inquiry
    if (answer.outcome !== 'unknown') return answer
    last = answer.why
  }
  return assert.fail(`still in doubt after ${INQUIRIES_MAX} inquiries: ${last}`)
}

/** Requests a refund and waits for its end, which some acquirers tell by a notification alone. */
export const refund = async (connection: Connection, acquirer: AcquirerUnderTest, order: RefundOrder) => {
  const answer = await connection.gateway.refund(order)
  return answer.outcome === 'unknown' ? settleRefund(connection, acquirer, order) : answer
}

/** The acquirer's record says what the adapter said: all of the amount once, or nothing. */
export const assertTrue = async (
  acquirer: AcquirerUnderTest,
  { orderCode, amountYen }: Pick<SentOrder, 'orderCode' | 'amountYen'>,
  outcome: Exclude<ChargeOutcome, { outcome: 'unknown' }>,
  when: string,
): Promise<void> => {
  await acquirer.notify?.()
  const chargedYen = outcome.outcome === 'charged' ? amountYen : 0
  const said = `${outcome.outcome} ${when}`
  if (outcome.outcome === 'charged') assert.equal(outcome.amountYen, amountYen, said)
  assert.deepEqual(await acquirer.orderAtAcquirer(orderCode), { chargedYen, refundedYen: 0 }, said)
}
