/** Answers of lists and reports. */
import type { MerchantCheckoutAnswer } from '#contract/merchant.ts'
import type { ReceiptAnswer, SummaryAnswer, TimelineItem } from '#contract/merchant-lists.ts'
import { iso, merchantFacts } from '#payment/merchant-view.ts'
import type { Refund } from '#payment/refund.ts'
import type { ListedCheckout } from '../store/checkout/checkout-list.ts'
import type { ListPage } from '../store/engine/list-page.ts'
import type { StoredMail } from '../store/outbox/mails.ts'
import type { DaySums } from '../store/reports/movements.ts'
import type { TimelineLine } from '../store/checkout/timeline.ts'
import { writeCursor } from './cursor.ts'
import type { DayRange } from './list-query.ts'

export const presentListed = (listed: ListedCheckout, origin: string): MerchantCheckoutAnswer => ({
  ...merchantFacts({ ...listed, now: 'as stored' }, listed.refundedYen, origin),
  ...(listed.shopper === null ? {} : { shopper: listed.shopper }),
})

export const presentPage = <T, Item>({ items, after }: ListPage<T>, present: (item: T) => Item) => ({
  items: items.map(present),
  after: after === null ? null : writeCursor(after),
})

export const presentLine = ({ at, subject, id, from, to, by, why }: TimelineLine): TimelineItem => ({
  at: iso(at),
  what: subject,
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
