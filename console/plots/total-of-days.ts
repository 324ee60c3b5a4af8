/** Total of days: the figures of several days together. */
import type { FiguresAnswer } from '#contract/merchant/figures.ts'

type Day = FiguresAnswer['days'][number]
type Checkouts = Day['checkouts']
type Brands = Day['cardBrands']

/** What a screen shows of several days. */
export interface Total {
  readonly charges: number
  readonly chargedAmount: number
  readonly refunds: number
  readonly refundedAmount: number
  /** Taken by chargebacks less returned by their reversals. */
  readonly disputedAmount: number
  readonly netAmount: number
  readonly checkouts: Checkouts
  readonly cardBrands: Brands
}

const addCheckouts = (one: Checkouts, other: Checkouts): Checkouts => ({
  begun: one.begun + other.begun,
  paid: one.paid + other.paid,
  declined: one.declined + other.declined,
  authenticationFailed: one.authenticationFailed + other.authenticationFailed,
  givenUp: one.givenUp + other.givenUp,
  inDoubt: one.inDoubt + other.inDoubt,
})

const addBrands = (one: Brands, other: Brands): Brands =>
  [...new Set([...one, ...other].map(({ cardBrand }) => cardBrand))].map((cardBrand) => {
    const found = [...one, ...other].filter((each) => each.cardBrand === cardBrand)
    return {
      cardBrand,
      charges: found.reduce((sum, { charges }) => sum + charges, 0),
      chargedAmount: found.reduce((sum, { chargedAmount }) => sum + chargedAmount, 0),
    }
  })

const NOTHING: Total = {
  charges: 0,
  chargedAmount: 0,
  refunds: 0,
  refundedAmount: 0,
  disputedAmount: 0,
  netAmount: 0,
  checkouts: { begun: 0, paid: 0, declined: 0, authenticationFailed: 0, givenUp: 0, inDoubt: 0 },
  cardBrands: [],
}

/** When the figures of days were counted that are not over, the earliest time; undefined: now. */
export const countedSince = (days: readonly Day[]): string | undefined =>
  days.flatMap(({ countedAt }) => countedAt ?? []).toSorted()[0]

export const totalOfDays = (days: readonly Day[]): Total =>
  days.reduce<Total>(
    (total, day) => ({
      charges: total.charges + day.charges,
      chargedAmount: total.chargedAmount + day.chargedAmount,
      refunds: total.refunds + day.refunds,
      refundedAmount: total.refundedAmount + day.refundedAmount,
      disputedAmount: total.disputedAmount + day.chargebackAmount - day.reversedAmount,
      netAmount: total.netAmount + day.netAmount,
      checkouts: addCheckouts(total.checkouts, day.checkouts),
      cardBrands: addBrands(total.cardBrands, day.cardBrands),
    }),
    NOTHING,
  )
