import { MISTAKES } from './mistakes.ts'
import { DOUBTS, PAYMENTS } from './payments.ts'
import type { Plan } from './run.ts'

type Part = Pick<Plan, 'flows' | 'doubts' | 'rounds'>

/** What is run on the embedded database, and what on PostgreSQL. */
interface Parts {
  readonly embedded: Part
  readonly postgres: Part
}

const repeated = <T>(table: readonly (readonly [count: number, each: T])[]): T[] =>
  table.flatMap(([count, each]) => Array.from({ length: count }, () => each))
const once = <T>(table: readonly (readonly [count: number, each: T])[]): T[] => table.map(([, each]) => each)

const everyNth = <T>(list: readonly T[], nth: number): T[] => list.filter((_, place) => place % nth === 0)
const theOthers = <T>(list: readonly T[], nth: number): T[] => list.filter((_, place) => place % nth !== 0)

/** 200 flows: 150 on the embedded database, 50 on PostgreSQL. */
export const everyFlow = (): Parts => {
  const flows = [...repeated(PAYMENTS), ...MISTAKES]
  const doubts = repeated(DOUBTS)
  return {
    embedded: {
      flows: theOthers(flows, 4),
      doubts: theOthers(doubts, 3),
      rounds: [
        { signal: 'SIGKILL', held: 4, paying: 4 },
        { signal: 'SIGKILL', held: 4, paying: 4 },
        { signal: 'SIGTERM', held: 4, paying: 4 },
      ],
    },
    postgres: {
      flows: everyNth(flows, 4),
      doubts: everyNth(doubts, 3),
      rounds: [{ signal: 'SIGKILL', held: 3, paying: 2 }],
    },
  }
}

/** About 60 of them, for every run of the tests: each kind of payment, and mistakes of every sort. */
export const someFlows = (): Parts => ({
  embedded: {
    flows: [...once(PAYMENTS), ...everyNth(MISTAKES, 4)],
    doubts: everyNth(once(DOUBTS), 2),
    rounds: [{ signal: 'SIGKILL', held: 2, paying: 1 }],
  },
  postgres: {
    flows: [...everyNth(once(PAYMENTS), 4), ...everyNth(theOthers(MISTAKES, 4), 12)],
    doubts: everyNth(theOthers(once(DOUBTS), 2), 2),
    rounds: [{ signal: 'SIGTERM', held: 1, paying: 1 }],
  },
})
