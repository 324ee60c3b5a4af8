/** Checkout search: one text looked for by every index that its form allows, merged into one page in the order of the list. */
import type { Instant } from '#contract/jst.ts'
import type { SearchTerm } from '#payment/checkout-search.ts'
import { text } from '../engine/columns.ts'
import type { Sql } from '../engine/database.ts'
import type { ListPage, PageRequest, Place } from '../engine/list-page.ts'
import type { KeyScope } from '../merchant/keys.ts'
import type { CheckoutFilters } from './checkout-list-conditions.ts'
import { listCheckouts, placeOf, type ListedCheckout } from './checkout-list.ts'

/** The checkout of an order at the acquirer; null: the id is that of a checkout, or of nothing. */
const findCheckoutOfOrder = async (sql: Sql, merchantId: string, orderCode: string): Promise<string | null> => {
  const [row] = await sql.rows(
    'SELECT checkout_id FROM attempts WHERE merchant_id = $1 AND order_code = $2',
    merchantId,
    orderCode,
  )
  return row === undefined ? null : text(row, 'checkout_id')
}

/** The filters with a term added to them; null: they contradict it. */
const withTerm = (filters: CheckoutFilters, term: SearchTerm): CheckoutFilters | null => {
  if (term.by === 'amount') {
    const { amountFrom = term.value, amountTo = term.value } = filters
    return amountFrom <= term.value && term.value <= amountTo
      ? { ...filters, amountFrom: term.value, amountTo: term.value }
      : null
  }
  const given = filters[term.by]
  return given === undefined || given === term.value ? { ...filters, [term.by]: term.value } : null
}

const isNewer = (one: Place, other: Place): boolean =>
  one[0] === other[0] ? String(one[1]) > String(other[1]) : one[0] > other[0]

const newestFirst = (one: ListedCheckout, other: ListedCheckout): number =>
  isNewer(placeOf(one), placeOf(other)) ? -1 : 1

/**
 * Merges pages that begin at the same place. Each was read down to its own end, so the merged page goes down to the newest of
 * these ends: below it an item of another page may be missing.
 */
const mergePages = (pages: readonly ListPage<ListedCheckout>[], limit: number): ListPage<ListedCheckout> => {
  const ends = pages.flatMap(({ after }) => (after === null ? [] : [after]))
  const [first, ...others] = ends
  const end =
    first === undefined ? null : others.reduce((newest, each) => (isNewer(each, newest) ? each : newest), first)
  const byId = new Map(pages.flatMap(({ items }) => items.map((item) => [item.checkout.id, item] as const)))
  const found = [...byId.values()].filter((item) => end === null || !isNewer(end, placeOf(item))).toSorted(newestFirst)
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, after: found.length > limit && last !== undefined ? placeOf(last) : end }
}

/** Costs as many pages as there are terms, which are few. */
export const searchCheckouts = async (
  sql: Sql,
  scope: KeyScope,
  { terms, filters }: { readonly terms: readonly SearchTerm[]; readonly filters: CheckoutFilters },
  page: PageRequest,
  now: Instant,
): Promise<ListPage<ListedCheckout>> => {
  const pages: ListPage<ListedCheckout>[] = []
  for (const term of terms) {
    const ofOrder = term.by === 'id' ? await findCheckoutOfOrder(sql, scope.merchantId, term.value) : null
    const found = withTerm(filters, ofOrder === null ? term : { by: 'id', value: ofOrder })
    if (found !== null) pages.push(await listCheckouts(sql, scope, found, page, now))
  }
  return mergePages(pages, page.limit)
}
