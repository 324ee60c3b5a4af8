/** Promises about the money of one checkout: each function answers what is wrong, nothing where the promise is kept. */
import { isPaid, sumYen, type AcquirerOrder, type CheckoutRecords } from './checkout-records.ts'

export const chargedAtMostOnce = ({ charges }: CheckoutRecords): string[] =>
  charges.length > 1 ? [`was charged ${charges.length} times`] : []

export const paidMeansCharged = ({ checkout, charges }: CheckoutRecords): string[] => {
  const isCharged = charges.length > 0
  if (isPaid(checkout)) return isCharged ? [] : [`is ${checkout.status} and was never charged`]
  return isCharged ? [`was charged and is ${checkout.status}`] : []
}

export const orderAndTransactionMatch = ({ checkout, charges }: CheckoutRecords): string[] => {
  if (charges.length === 0 || !isPaid(checkout)) return []
  const { orderCode, transactionId } = checkout
  const isMatched = charges.some((order) => order.orderCode === orderCode && order.transactionId === transactionId)
  return isMatched ? [] : ['names another charge than the acquirer']
}

export const chargedTheExactAmount = ({ checkout: { amountYen }, charges }: CheckoutRecords): string[] =>
  charges
    .filter((order) => order.amountYen !== amountYen)
    .map((order) => `of ${amountYen} yen was charged ${order.amountYen}`)

const listRefunds = (refunds: AcquirerOrder['refunds']): string =>
  refunds
    .map(({ refundId, amountYen }) => `${refundId}: ${amountYen} yen`)
    .toSorted()
    .join(', ')

export const refundsMatch = ({ refunds, charges }: CheckoutRecords): string[] => {
  const ours = listRefunds(refunds.filter(({ state }) => state === 'refunded'))
  const theirs = listRefunds(charges.flatMap((order) => order.refunds))
  return ours === theirs ? [] : [`gave back "${ours}", and by the acquirer "${theirs}"`]
}

const refundedYen = ({ charges }: CheckoutRecords): number => sumYen(charges.flatMap(({ refunds }) => refunds))

export const refundedNoMoreThanPaid = (records: CheckoutRecords): string[] => {
  const [refunded, paid] = [refundedYen(records), sumYen(records.charges)]
  return refunded <= paid ? [] : [`was given back ${refunded} of ${paid} yen`]
}

export const refundedMeansAllIsRefunded = (records: CheckoutRecords): string[] => {
  const { status, amountYen } = records.checkout
  const refunded = refundedYen(records)
  return (status === 'refunded') === (refunded === amountYen)
    ? []
    : [`is ${status} with ${refunded} of ${amountYen} yen given back`]
}

/** Measured by what moved at the acquirer, whatever status our checkout has. */
export const ledgerEqualsChargesMinusRefunds = (records: CheckoutRecords): string[] => {
  const expected = sumYen(records.charges) - refundedYen(records)
  const inLedger = sumYen(records.ledger.filter((line) => line.account === 'acquirer'))
  return inLedger === expected ? [] : [`has ${inLedger} yen in the ledger, not ${expected}`]
}
