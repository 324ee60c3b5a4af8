/** Disputes of the double: what one takes and gives back, and how it is opened and closed (docs.stripe.com/disputes/how-disputes-work). */
import type { JsonObject } from '../http/json.ts'
import type { DisputeRecord } from './records.ts'

/** Shops have some days to answer; how many, the card scheme says. */
export const ANSWER_SECONDS = 9 * 24 * 60 * 60
/** A dispute costs a fee. It is apart from the disputed amount. */
const FEE_YEN = 1500

/** An inquiry takes no money (docs.stripe.com/disputes/how-disputes-work, Inquiries and retrievals). */
export const isInquiry = ({ status }: Pick<DisputeRecord, 'status'>): boolean =>
  status === 'warning_needs_response' || status === 'warning_closed'

export const isWaiting = ({ status }: Pick<DisputeRecord, 'status'>): boolean =>
  status === 'needs_response' || status === 'warning_needs_response'

/** What the dispute keeps from the shop, without the fee. */
export const takenBy = (dispute: DisputeRecord): number =>
  isInquiry(dispute) || dispute.status === 'won' ? 0 : dispute.amount

const transaction = (id: string, amount: number, fee: number, created: number, source: string): JsonObject => ({
  id,
  object: 'balance_transaction',
  amount,
  available_on: created,
  balance_type: 'payments',
  created,
  currency: 'jpy',
  description: null,
  exchange_rate: null,
  fee,
  fee_details: [],
  net: amount - fee,
  reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
  source,
  status: 'available',
  type: 'adjustment',
})

export const disputeTransactions = (dispute: DisputeRecord): readonly JsonObject[] => {
  if (isInquiry(dispute)) return []
  const { id, amount, created, wonAt } = dispute
  const name = id.replace(/^du_/, 'txn_')
  return [
    transaction(name, -amount, FEE_YEN, created, id),
    ...(wonAt === undefined ? [] : [transaction(`${name}back`, amount, 0, wonAt, id)]),
  ]
}

/** Undefined: an inquiry is not lost, it becomes a dispute; and what is closed stays closed. */
export const closedDispute = (
  dispute: DisputeRecord,
  outcome: 'won' | 'lost',
  /** In seconds. */
  wonAt: number,
): DisputeRecord | undefined => {
  if (dispute.status === 'warning_needs_response')
    return outcome === 'won' ? { ...dispute, status: 'warning_closed' } : undefined
  if (dispute.status !== 'needs_response') return undefined
  return outcome === 'won' ? { ...dispute, status: 'won', wonAt } : { ...dispute, status: 'lost' }
}
