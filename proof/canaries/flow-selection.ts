/** Flow selection: what is run on the embedded database, and what on PostgreSQL. */
import { MISPLACED_CARD_FLOWS } from './misplaced-card-flows.ts'
import { PAYMENTS_IN_DOUBT, PAYMENT_FLOWS, type PaymentInDoubt } from './payment-flows.ts'
import type { CrashRound } from './crash-rounds.ts'
import type { Flow } from './shopper-requests.ts'

/** What is run on one database. */
export interface FlowsOfDatabase {
  readonly flows: readonly Flow[]
  readonly doubts: readonly PaymentInDoubt[]
  readonly rounds: readonly CrashRound[]
}

interface FlowSelection {
  readonly embedded: FlowsOfDatabase
  readonly postgres: FlowsOfDatabase
}

const repeated = <T>(table: readonly (readonly [count: number, each: T])[]): T[] =>
  table.flatMap(([count, each]) => Array.from({ length: count }, () => each))
const eachOnce = <T>(table: readonly (readonly [count: number, each: T])[]): T[] => table.map(([, each]) => each)

const everyNth = <T>(list: readonly T[], nth: number): T[] => list.filter((_, place) => place % nth === 0)
const exceptEveryNth = <T>(list: readonly T[], nth: number): T[] => list.filter((_, place) => place % nth !== 0)

/** More than 200 flows, a quarter of them on PostgreSQL. */
export const allFlows = (): FlowSelection => {
  const flows = [...repeated(PAYMENT_FLOWS), ...MISPLACED_CARD_FLOWS]
  const doubts = repeated(PAYMENTS_IN_DOUBT)
  return {
    embedded: {
      flows: exceptEveryNth(flows, 4),
      doubts: exceptEveryNth(doubts, 3),
      rounds: [
        { signal: 'SIGKILL', cardsHeld: 4, paymentsUnderWay: 4 },
        { signal: 'SIGKILL', cardsHeld: 4, paymentsUnderWay: 4 },
        { signal: 'SIGTERM', cardsHeld: 4, paymentsUnderWay: 4 },
      ],
    },
    postgres: {
      flows: everyNth(flows, 4),
      doubts: everyNth(doubts, 3),
      rounds: [{ signal: 'SIGKILL', cardsHeld: 3, paymentsUnderWay: 2 }],
    },
  }
}

/** Whatever else the sample holds: the table of pictures is to be looked at too. */
const isStoredPicture = ({ name }: { readonly name: string }): boolean => name.includes('text of a PNG')

/** About 40 of them, for every run of the tests: each kind of payment, and misplaced cards of every kind. */
export const sampleOfFlows = (): FlowsOfDatabase => ({
  flows: [
    ...eachOnce(PAYMENT_FLOWS),
    ...MISPLACED_CARD_FLOWS.filter((flow, place) => place % 9 === 0 || isStoredPicture(flow)),
  ],
  doubts: everyNth(eachOnce(PAYMENTS_IN_DOUBT), 2),
  rounds: [{ signal: 'SIGKILL', cardsHeld: 2, paymentsUnderWay: 1 }],
})
