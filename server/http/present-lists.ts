/** Answers of lists and reports, and all that a merchant reads of one checkout. */
import type { MerchantCheckoutAnswer } from '#contract/merchant.ts'
import type { ReceiptAnswer, SummaryAnswer, TimelineItem } from '#contract/merchant-lists.ts'
import type { Refund } from '#payment/refund.ts'
import type { CheckoutDetails } from '../operations/list-checkouts.ts'
import type { ListedCheckout } from '../store/checkout-list.ts'
import type { ListPage } from '../store/list-page.ts'
import type { StoredMail } from '../store/mails.ts'
import type { DaySums } from '../store/movements.ts'
import type { TimelineLine } from '../store/timeline.ts'
import { writeCursor } from './cursor.ts'
import type { DayRange } from './list-query.ts'
import { iso, merchantFacts, presentToMerchant } from './present.ts'

const detailsOf = ({ paying }: CheckoutDetails): Partial<MerchantCheckoutAnswer> => {
  if (paying === null) return {}
  const { attempt, authentication } = paying
  const { state, consentVersion, startedAt } = attempt
  return {
    ...('receipt' in state ? { shopper: { email: state.receipt.email, locale: state.receipt.locale } } : {}),
    ...(authentication === null ? {} : { authentication }),
    ...(consentVersion === null ? {} : { consent: { version: consentVersion, at: iso(startedAt) } }),
  }
}

/** One checkout with all that is known of its payment. */
export const presentDetails = (details: CheckoutDetails, origin: string): MerchantCheckoutAnswer => ({
  ...presentToMerchant(details, details.refunds, origin),
  ...detailsOf(details),
})

/** As it is stored: whether a deadline has passed is stored before a list is read, and by nobody guessed. */
const AS_STORED = 0

export const presentListed = (listed: ListedCheckout, origin: string): MerchantCheckoutAnswer => ({
  ...merchantFacts({ ...listed, now: AS_STORED }, listed.refundedYen, origin),
  ...(listed.shopper === null ? {} : { shopper: listed.shopper }),
})

export const presentPage = <T, Item>({ items, after }: ListPage<T>, present: (item: T) => Item) => ({
  items: items.map(present),
  after: after === null ? null : writeCursor(after),
})

export const presentLine = ({ at, subject, id, from, to, by, why }: TimelineLine): TimelineItem => ({
  at: iso(at),
  subject,
  ...(id === null ? {} : { id }),
  ...(from === null ? {} : { from }),
  to,
  by,
  why,
})

export const presentReceipt = (checkoutId: string, { state, createdAt }: StoredMail): ReceiptAnswer => ({
  checkoutId,
  status: state,
  createdAt: iso(createdAt),
})

type Sums = SummaryAnswer['total']

const sumsOf = ({ charges, chargedYen, refunds, refundedYen }: Omit<DaySums, 'date'>): Sums => ({
  charges,
  chargedAmount: chargedYen,
  refunds,
  refundedAmount: refundedYen,
  netAmount: chargedYen - refundedYen,
})

const NOTHING = { charges: 0, chargedYen: 0, refunds: 0, refundedYen: 0 }

export const presentSummary = ({ fromDate, toDate }: DayRange, days: readonly DaySums[]): SummaryAnswer => {
  const total = days.reduce(
    (sum, day) => ({
      charges: sum.charges + day.charges,
      chargedYen: sum.chargedYen + day.chargedYen,
      refunds: sum.refunds + day.refunds,
      refundedYen: sum.refundedYen + day.refundedYen,
    }),
    NOTHING,
  )
  return {
    from: fromDate,
    to: toDate,
    days: days.map((day) => ({ date: day.date, ...sumsOf(day) })),
    total: sumsOf(total),
  }
}

/** Refunds of one checkout, the newest first. */
export const newestFirst = (refunds: readonly Refund[]): Refund[] => refunds.toReversed()
