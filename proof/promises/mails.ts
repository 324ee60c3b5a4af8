/** Mails that the end of a checkout calls for are there, each once, and no others. */
import { IMMEDIATE_ANSWER_MS } from '#payment/charge.ts'
import { isPaid, type CheckoutRecords } from './checkout-records.ts'
import type { StoredMailRow, StoredAttempt } from './stored-records.ts'

/** A mail that is owed to the shopper. */
interface ExpectedMail {
  readonly kind: string
  /** What it is about, where a checkout may have several of this kind. */
  readonly about?: string
}

/** The page may have promised this shopper a mail about the outcome, and nothing was charged. */
const isOwedNothingChargedMail = ({ state, wasInDoubt, claimToEndMs }: StoredAttempt): boolean =>
  (state === 'declined' || state === 'void') && (wasInDoubt || claimToEndMs > IMMEDIATE_ANSWER_MS)

const expectedMails = ({ checkout, attempts, refunds }: CheckoutRecords): ExpectedMail[] => [
  ...(isPaid(checkout) ? [{ kind: 'receipt' }] : []),
  ...refunds.filter(({ state }) => state === 'refunded').map(({ refundId: about }) => ({ kind: 'refund', about })),
  ...attempts.filter(isOwedNothingChargedMail).map(({ orderCode: about }) => ({ kind: 'nothing_charged', about })),
]

const describeMail = ({ kind, id }: Omit<StoredMailRow, 'checkoutId'>): string => `mail ${kind}, ${id}`

export const eachMailIsWrittenOnce = (records: CheckoutRecords): string[] => {
  const { checkout, mails } = records
  const expected = expectedMails(records).map(({ kind, about }) => {
    const what = about === undefined ? kind : `${kind}.${about}`
    return describeMail({ kind, id: `${checkout.id}.${what}` })
  })
  const written = mails.map(describeMail)
  return [...new Set([...expected, ...written])].flatMap((mail) => {
    const [has, should] = [written, expected].map((all) => all.filter((each) => each === mail).length)
    return has === should ? [] : [`has ${has} of "${mail}", not ${should}`]
  })
}
