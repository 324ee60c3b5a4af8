/** Combinations of filters: alone and together, common and rare values, and those that match nothing. */
import { DAY_MS } from '#contract/jst.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import type { CheckoutFilters } from '../../server/store/checkout/checkout-list-conditions.ts'

type Choice = {
  [Name in keyof CheckoutFilters]-?: readonly [
    NonNullable<CheckoutFilters[Name]>,
    ...NonNullable<CheckoutFilters[Name]>[],
  ]
}

/** Values that many have, that few have, and that nobody has. */
const choicesAt = (now: number): Choice => ({
  status: ['open', 'paid', 'refunded', 'expired', 'failed', 'cancelled'],
  pending: [true, false],
  reference: ['order-7', 'order-unknown'],
  email: ['shopper-7@example.com', 'nobody@example.com'],
  lastFour: ['4242', '1111', '9999'],
  linkId: ['a'.repeat(32), 'b'.repeat(32)],
  transactionId: ['txn-unknown'],
  id: ['k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7'],
  amountFrom: [107, 9_000_000],
  amountTo: [107, 9_999_999],
  cardBrand: ['visa', 'jcb'],
  createdFrom: [now - 3 * DAY_MS, now - DAY_MS],
  createdTo: [now, now - 2 * DAY_MS + 60_000],
  paidFrom: [now - 3 * DAY_MS, now],
  paidTo: [now, now - 2 * DAY_MS + 60_000, now - 3 * DAY_MS],
})

export const describeFilters = (filters: CheckoutFilters): string =>
  Object.entries(filters)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ')

/** Every value alone, then two to four together, each combination once. */
export const combinationsOf = (count: number, now: number): CheckoutFilters[] => {
  const found = new Map<string, CheckoutFilters>()
  const add = (filters: CheckoutFilters): void => void found.set(describeFilters(filters), filters)
  const entries = Object.entries<readonly [unknown, ...unknown[]]>(choicesAt(now))
  for (const [name, values] of entries) for (const value of values) add({ [name]: value })
  const random = seededRandom(1)
  while (found.size < count) {
    const size = random.between(2, 4)
    const some = entries.filter(() => random.chance(size / entries.length))
    if (some.length > 1) add(Object.fromEntries(some.map(([name, values]) => [name, random.oneOf(values)])))
  }
  return [...found.values()].slice(0, count)
}
