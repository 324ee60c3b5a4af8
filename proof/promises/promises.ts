import { followTrails, yenOf, type BothSides, type CheckoutTrail } from './both-sides.ts'
import { everyLetterIsPosted } from './letters.ts'
import {
  chargedAtMostOnce,
  chargedItsPrice,
  ledgerHoldsWhatIsLeft,
  paidByTheChargeItNames,
  paidMeansCharged,
  refundedNoMoreThanPaid,
  refundedWhenAllIsGivenBack,
  refundsAreTheSameOnBothSides,
} from './money.ts'

/** One broken promise, in a sentence. */
export interface BrokenPromise {
  readonly kind: 'double charge' | 'unsettled' | 'untrue'
  readonly line: string
}

type Promised<T> = readonly [kind: BrokenPromise['kind'], breachesOf: (of: T) => readonly string[]]

const OPEN_ENDS: readonly string[] = ['charging', 'unknown', 'requested']

const nothingIsInDoubt = ({ facts }: BothSides): string[] => [
  ...facts.attempts
    .filter(({ state }) => OPEN_ENDS.includes(state))
    .map(({ orderCode, state }) => `attempt ${orderCode} is still ${state}`),
  ...facts.refunds
    .filter(({ state }) => OPEN_ENDS.includes(state))
    .map(({ checkoutId, refundId, state }) => `refund ${refundId} of checkout ${checkoutId} is still ${state}`),
]

const theAcquirerHasDecided = ({ books }: BothSides): string[] =>
  books.filter(({ status }) => status === 'pending').map(({ orderCode }) => `the acquirer still weighs ${orderCode}`)

/** With this the ledger as a whole adds up to zero. */
const everyEntryIsBalanced = ({ facts }: BothSides): string[] =>
  [...Map.groupBy(facts.ledger, ({ checkoutId, entry }) => `${entry} of checkout ${checkoutId}`)]
    .filter(([, lines]) => yenOf(lines) !== 0)
    .map(([entry, lines]) => `the ledger is out of balance by ${yenOf(lines)} yen: ${entry}`)

/** The store holds no ledger line and no letter to a checkout by a foreign key. */
const nothingIsWrittenOfNobody = ({ facts }: BothSides): string[] => {
  const known = new Set(facts.checkouts.map(({ id }) => id))
  return [
    ...facts.ledger.map(({ checkoutId, entry }) => ({ checkoutId, what: `ledger entry ${entry}` })),
    ...facts.letters.map(({ checkoutId, id }) => ({ checkoutId, what: `letter ${id}` })),
  ]
    .filter(({ checkoutId }) => !known.has(checkoutId))
    .map(({ checkoutId, what }) => `${what} is of checkout ${checkoutId}, and there is none`)
}

const OF_ALL: readonly Promised<BothSides>[] = [
  ['unsettled', nothingIsInDoubt],
  ['unsettled', theAcquirerHasDecided],
  ['untrue', everyEntryIsBalanced],
  ['untrue', nothingIsWrittenOfNobody],
]

const OF_EACH_CHECKOUT: readonly Promised<CheckoutTrail>[] = [
  ['double charge', chargedAtMostOnce],
  ['untrue', paidMeansCharged],
  ['untrue', paidByTheChargeItNames],
  ['untrue', chargedItsPrice],
  ['untrue', refundsAreTheSameOnBothSides],
  ['untrue', refundedNoMoreThanPaid],
  ['untrue', refundedWhenAllIsGivenBack],
  ['untrue', ledgerHoldsWhatIsLeft],
  ['untrue', everyLetterIsPosted],
]

/** What must hold of the money whatever happened, when all is settled: our store against the acquirer's books. */
export const brokenPromises = (sides: BothSides): BrokenPromise[] => {
  const { trails, strangeCharges } = followTrails(sides)
  return [
    ...OF_ALL.flatMap(([kind, breachesOf]) => breachesOf(sides).map((line): BrokenPromise => ({ kind, line }))),
    ...strangeCharges.map(({ orderCode }): BrokenPromise => ({
      kind: 'untrue',
      line: `order ${orderCode} was charged and nobody here knows it`,
    })),
    ...trails.flatMap((trail) =>
      OF_EACH_CHECKOUT.flatMap(([kind, breachesOf]) =>
        breachesOf(trail).map((what): BrokenPromise => ({ kind, line: `checkout ${trail.checkout.id} ${what}` })),
      ),
    ),
  ]
}
