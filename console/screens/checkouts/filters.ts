/** Filters of the list of checkouts: in the address of the screen, so that going back finds the same list, and as the API takes them. */
import { CARD_BRANDS, isCardBrand, type CardBrand } from '#contract/brands.ts'
import { CHECKOUT_STATUSES, type CheckoutStatus } from '#contract/checkout.ts'
import type { CheckoutExportQuery } from '#contract/merchant/checkout-lists.ts'
import { rangeProblem, type DateRange } from '../../forms/date-range.ts'
import { parseYen } from '../../forms/parse-yen.ts'

/** `pending`: those whose payment is under way or in doubt. */
export const STATUS_CHOICES = ['', ...CHECKOUT_STATUSES, 'pending'] as const
export type StatusChoice = (typeof STATUS_CHOICES)[number]
export const BRAND_CHOICES = ['', ...CARD_BRANDS] as const
export type BrandChoice = '' | CardBrand

export interface Filters {
  readonly search: string
  readonly status: StatusChoice
  readonly brand: BrandChoice
  readonly created: DateRange | null
  /** As they were typed. */
  readonly amountFrom: string
  readonly amountTo: string
}

export const NO_FILTERS: Filters = { search: '', status: '', brand: '', created: null, amountFrom: '', amountTo: '' }

const isStatusChoice = (text: string): text is StatusChoice => STATUS_CHOICES.some((choice) => choice === text)

/** An address may be anybody's: what is no filter is passed over. */
export const filtersIn = (address: URLSearchParams): Filters => {
  const text = (name: string): string => address.get(name) ?? ''
  const [status, brand, from, to] = [text('status'), text('brand'), text('from'), text('to')]
  return {
    search: text('search').slice(0, 300),
    status: isStatusChoice(status) ? status : '',
    brand: isCardBrand(brand) ? brand : '',
    created: rangeProblem({ from, to }) === undefined ? { from, to } : null,
    amountFrom: text('min').slice(0, 20),
    amountTo: text('max').slice(0, 20),
  }
}

export const addressOf = ({ search, status, brand, created, amountFrom, amountTo }: Filters): URLSearchParams =>
  new URLSearchParams(
    Object.entries({
      search: search.trim(),
      status,
      brand,
      from: created?.from ?? '',
      to: created?.to ?? '',
      min: amountFrom.trim(),
      max: amountTo.trim(),
    }).filter(([, value]) => value !== ''),
  )

const isStatus = (status: StatusChoice): status is CheckoutStatus => status !== '' && status !== 'pending'

const amountText = (typed: string): string | undefined => {
  const read = parseYen(typed)
  return read.state === 'amount' ? String(read.amount) : undefined
}

/** An amount that cannot be read is left out: its field says so. */
export const queryOf = (filters: Filters): CheckoutExportQuery => {
  const { search, status, brand, created } = filters
  const [amountFrom, amountTo] = [amountText(filters.amountFrom), amountText(filters.amountTo)]
  return {
    ...(search.trim() === '' ? {} : { search: search.trim() }),
    ...(isStatus(status) ? { status } : {}),
    ...(status === 'pending' ? { pending: 'true' } : {}),
    ...(brand === '' ? {} : { cardBrand: brand }),
    ...(created === null ? {} : { createdFrom: created.from, createdTo: created.to }),
    ...(amountFrom === undefined ? {} : { amountFrom }),
    ...(amountTo === undefined ? {} : { amountTo }),
  }
}

export const isWrongAmount = (typed: string): boolean => parseYen(typed).state === 'wrong'

/** How many filters are set beside the search box, which are hidden on a phone. */
export const countSet = ({ status, brand, created, amountFrom, amountTo }: Filters): number =>
  [status, brand, created === null ? '' : 'created', amountFrom, amountTo].filter((value) => value !== '').length
