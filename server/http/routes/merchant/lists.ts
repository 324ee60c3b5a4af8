/** Lists of the merchant API: the query of a page turned into a place and filters, and a page turned into its answer. */
import { isRefusal, refuseField, type Refusal } from '#contract/errors.ts'
import { parseBeginning, parseDeadline, type Instant } from '#contract/jst.ts'
import type { CheckoutListQuery } from '#contract/merchant/checkout-lists.ts'
import { LIMIT_DEFAULT, type PageQuery } from '#contract/merchant/lists.ts'
import { searchTerms } from '#payment/checkout-search.ts'
import type { ListedBy } from '../../../operations/list-checkouts.ts'
import type { CheckoutFilters } from '../../../store/checkout/checkout-list-conditions.ts'
import type { ListPage, PageRequest } from '../../../store/engine/list-page.ts'
import { readCursor, writeCursor } from './cursor.ts'

export const refusePlace = (): Refusal =>
  refuseField('after', 'is no place in this list. Send what the page before has answered.')

/** `ids`: how many a place in this list has behind its time. */
export const readPageQuery = ({ limit, after }: PageQuery, ids = 1): PageRequest | Refusal => {
  const place = after === undefined ? null : readCursor(after, ids)
  if (place === undefined) return refusePlace()
  return { after: place, limit: limit === undefined ? LIMIT_DEFAULT : Number(limit) }
}

export const NO_MOMENT = 'must be a date such as 2026-12-31 or an instant such as 2026-12-31T18:00:00+09:00.'

const MOMENTS = ['createdFrom', 'createdTo', 'paidFrom', 'paidTo'] as const
type Moment = (typeof MOMENTS)[number]

const readMoment = (name: Moment, text: string): Instant | Refusal => {
  const instant = name.endsWith('From') ? parseBeginning(text) : parseDeadline(text)
  return instant ?? refuseField(name, NO_MOMENT)
}

const yenOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

export const readFilters = (query: Omit<CheckoutListQuery, 'limit' | 'after'>): CheckoutFilters | Refusal => {
  const moments: Partial<Record<Moment, Instant>> = {}
  for (const name of MOMENTS) {
    const given = query[name]
    if (given === undefined) continue
    const instant = readMoment(name, given)
    if (typeof instant !== 'number') return instant
    moments[name] = instant
  }
  const { status, pending, reference, email, lastFour, linkId, transactionId, cardBrand } = query
  const isPending = pending === undefined ? undefined : pending === 'true'
  const [amountFrom, amountTo] = [yenOf(query.amountFrom), yenOf(query.amountTo)]
  const amounts = { amountFrom, amountTo }
  return {
    status,
    pending: isPending,
    reference,
    email,
    lastFour,
    linkId,
    transactionId,
    cardBrand,
    ...amounts,
    ...moments,
  }
}

/** What a list or an export of checkouts is asked for. */
export const readListedBy = (query: Omit<CheckoutListQuery, 'limit' | 'after'>): ListedBy | Refusal => {
  const filters = readFilters(query)
  if (isRefusal(filters)) return filters
  return { filters, terms: query.search === undefined ? null : searchTerms(query.search) }
}

export const presentPage = <T, Item>({ items, after }: ListPage<T>, present: (item: T) => Item) => ({
  items: items.map(present),
  after: after === null ? null : writeCursor(after),
})
