/** Events: those that the records of a checkout call for are there, each once, and no others. */
import type { CheckoutRecords } from './checkout-records.ts'
import type { StoredEventRow } from './stored-records.ts'

/** A merchant is told once of each way a checkout was closed, and of none while it is open. */
const closingEvents = (status: string): string[] => {
  if (status === 'open') return []
  return status === 'refunded' ? ['checkout.paid', 'checkout.refunded'] : [`checkout.${status}`]
}

const REFUND_EVENTS: Readonly<Record<string, string>> = { refunded: 'refund.succeeded', refused: 'refund.refused' }

const expectedEvents = ({ checkout, attempts, refunds }: CheckoutRecords): string[] => [
  ...closingEvents(checkout.status),
  ...refunds.flatMap(({ state, refundId }) => {
    const type = REFUND_EVENTS[state]
    return type === undefined ? [] : [`${type} ${refundId}`]
  }),
  ...attempts.filter(({ wasInDoubt }) => wasInDoubt).map(() => 'alert.payment_in_doubt'),
]

const describeEvent = ({ type, refundId }: StoredEventRow): string => (refundId === null ? type : `${type} ${refundId}`)

/** An attack is told of beside the checkout whose decline showed it: no checkout owes one. */
const isOwed = ({ type }: StoredEventRow): boolean => type !== 'alert.card_testing'

export const eventsTellEachChangeOnce = (records: CheckoutRecords): string[] => {
  const expected = expectedEvents(records)
  const written = records.events.filter(isOwed).map(describeEvent)
  return [...new Set([...expected, ...written])].flatMap((event) => {
    const [has, should] = [written, expected].map((all) => all.filter((each) => each === event).length)
    return has === should ? [] : [`has ${has} of the event "${event}", not ${should}`]
  })
}

/** The events of a checkout are numbered 1, 2, 3 and so on: none is missing, none has the number of another. */
export const eventsAreNumberedWithoutAGap = ({ events }: CheckoutRecords): string[] => {
  const numbers = events.map(({ sequence }) => sequence).toSorted((one, other) => one - other)
  return numbers.some((number, place) => number !== place + 1) ? [`has events numbered ${numbers.join(', ')}`] : []
}
