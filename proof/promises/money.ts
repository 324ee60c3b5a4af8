import { isPaid, yenOf, type AcquirerOrder, type CheckoutTrail } from './both-sides.ts'

export const chargedAtMostOnce = ({ charges }: CheckoutTrail): string[] =>
  charges.length > 1 ? [`was charged ${charges.length} times`] : []

export const paidMeansCharged = ({ checkout, charges }: CheckoutTrail): string[] => {
  const isCharged = charges.length > 0
  if (isPaid(checkout)) return isCharged ? [] : [`is ${checkout.status} and was never charged`]
  return isCharged ? [`was charged and is ${checkout.status}`] : []
}

export const paidByTheChargeItNames = ({ checkout, charges }: CheckoutTrail): string[] => {
  if (charges.length === 0 || !isPaid(checkout)) return []
  const { orderCode, transactionId } = checkout
  const isNamed = charges.some((order) => order.orderCode === orderCode && order.transactionId === transactionId)
  return isNamed ? [] : ['names another charge than the acquirer']
}

export const chargedItsPrice = ({ checkout: { amountYen }, charges }: CheckoutTrail): string[] =>
  charges
    .filter((order) => order.amountYen !== amountYen)
    .map((order) => `of ${amountYen} yen was charged ${order.amountYen}`)

const namesAndYen = (refunds: AcquirerOrder['refunds']): string =>
  refunds
    .map(({ refundId, amountYen }) => `${refundId}: ${amountYen} yen`)
    .toSorted()
    .join(', ')

export const refundsAreTheSameOnBothSides = ({ refunds, charges }: CheckoutTrail): string[] => {
  const ours = namesAndYen(refunds.filter(({ state }) => state === 'refunded'))
  const theirs = namesAndYen(charges.flatMap((order) => order.refunds))
  return ours === theirs ? [] : [`gave back "${ours}", and by the acquirer "${theirs}"`]
}

const givenBack = ({ charges }: CheckoutTrail): number => yenOf(charges.flatMap(({ refunds }) => refunds))

export const refundedNoMoreThanPaid = (trail: CheckoutTrail): string[] => {
  const [given, paid] = [givenBack(trail), yenOf(trail.charges)]
  return given <= paid ? [] : [`was given back ${given} of ${paid} yen`]
}

export const refundedWhenAllIsGivenBack = (trail: CheckoutTrail): string[] => {
  const { status, amountYen } = trail.checkout
  const given = givenBack(trail)
  return (status === 'refunded') === (given === amountYen)
    ? []
    : [`is ${status} with ${given} of ${amountYen} yen given back`]
}

/** Measured by what moved at the acquirer, whatever the checkout says of itself. */
export const ledgerHoldsWhatIsLeft = (trail: CheckoutTrail): string[] => {
  const left = yenOf(trail.charges) - givenBack(trail)
  const booked = yenOf(trail.ledger.filter((line) => line.account === 'acquirer'))
  return booked === left ? [] : [`has ${booked} yen in the ledger, not ${left}`]
}
