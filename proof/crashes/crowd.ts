import type { Dice } from '../harness/seeded.ts'
import type { Acknowledged } from './audit.ts'
import type { Line } from './line.ts'
import { liveThrough } from './merchant.ts'

/** Many shoppers at different calls at any moment, and one more as soon as one has ended or has nothing to do but wait. */
export interface Crowd {
  /** All that the answers said. */
  readonly acknowledged: readonly Acknowledged[]
  /** Shoppers who met something that no server may do. */
  readonly astray: readonly string[]
  /** Nobody begins any more; resolves when everybody knows how their payment ended. */
  disperse(): Promise<void>
}

interface CrowdOptions {
  readonly size: number
  readonly line: Line
  readonly dice: Dice
  readonly sleep: (ms: number) => Promise<void>
  /** True when nobody waits any longer. */
  readonly isOver: () => boolean
}

const PAUSE_MS = 100

export const gather = ({ size, line, dice, sleep, isOver }: CrowdOptions): Crowd => {
  const acknowledged: Acknowledged[] = []
  const astray: string[] = []
  const lives: Promise<void>[] = []
  const closing = new AbortController()

  /** Resolves when the life has ended or waits for what became of a charge, which may take a lease of many seconds. */
  const liveUntilParked = async (mood: Dice): Promise<void> => {
    const { promise: parked, resolve: park } = Promise.withResolvers<void>()
    const note = (word: Acknowledged): void => void acknowledged.push(word)
    const life = liveThrough({ line, dice: mood, sleep, note, park, isOver }).catch((error: unknown) => {
      astray.push(String(error))
    })
    lives.push(life)
    await Promise.race([life, parked])
  }
  const keepLiving = async (mood: Dice): Promise<void> => {
    while (!closing.signal.aborted && !isOver()) {
      await sleep(mood.between(0, PAUSE_MS))
      await liveUntilParked(mood.split())
    }
  }

  const places = Array.from({ length: size }, () => keepLiving(dice.split()))
  return {
    acknowledged,
    astray,
    disperse: async () => {
      closing.abort()
      await Promise.all(places)
      await Promise.all(lives)
    },
  }
}
