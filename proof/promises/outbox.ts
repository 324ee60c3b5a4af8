import { IMMEDIATE_ANSWER_MS } from '#payment/charge.ts'
import { isPaid, type CheckoutRecords } from './checkout-records.ts'
import type { OutboxRow, StoredAttempt } from './stored-records.ts'

/** Expected outbox row: a mail to the shopper. */
interface ExpectedMessage {
  readonly kind: 'mail'
  readonly event: string
  /** What it is about, where a checkout may have several of this event. */
  readonly about?: string
}

/** The page may have promised this shopper a mail about the outcome, and nothing was charged. */
const isOwedNothingChargedMail = ({ state, wasInDoubt, claimToEndMs }: StoredAttempt): boolean =>
  (state === 'declined' || state === 'void') && (wasInDoubt || claimToEndMs > IMMEDIATE_ANSWER_MS)

const expectedMessages = ({ checkout, attempts, refunds }: CheckoutRecords): ExpectedMessage[] => [
  ...(isPaid(checkout) ? [{ kind: 'mail', event: 'receipt' } as const] : []),
  ...refunds
    .filter(({ state }) => state === 'refunded')
    .flatMap(({ refundId: about }): ExpectedMessage[] => [{ kind: 'mail', event: 'refund', about }]),
  ...attempts
    .filter(isOwedNothingChargedMail)
    .map(({ orderCode: about }): ExpectedMessage => ({ kind: 'mail', event: 'nothing_charged', about })),
]

const describeMessage = ({ kind, event, id }: Omit<OutboxRow, 'checkoutId'>): string => `${kind} ${event}, ${id}`

/** Outbox: the mails that the end of a checkout calls for are there, each once, and no others. */
export const outboxHoldsEachMessageOnce = (records: CheckoutRecords): string[] => {
  const { checkout, outbox } = records
  const expected = expectedMessages(records).map(({ kind, event, about }) => {
    const what = about === undefined ? event : `${event}.${about}`
    return describeMessage({ kind, event, id: `${checkout.id}.${what}.${kind}` })
  })
  const written = outbox.map(describeMessage)
  return [...new Set([...expected, ...written])].flatMap((message) => {
    const [has, should] = [written, expected].map((all) => all.filter((each) => each === message).length)
    return has === should ? [] : [`has ${has} of "${message}", not ${should}`]
  })
}
