/** Seeded random numbers: the same seed gives the same run. */
export interface SeededRandom {
  /** A number from 0 up to, but not including, 1. */
  fraction(): number
  /** An integer from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True with this probability: 0.25 is one time in four. */
  chance(probability: number): boolean
  oneOf<T>(choices: readonly [T, ...T[]]): T
  /** A generator of its own for a part of the run, so that numbers drawn there do not change another part's. */
  split(): SeededRandom
}

/** Mulberry32: 32 bits of state, more than enough to tell schedules apart. */
export const seededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const fraction = (): number => next() / 2 ** 32
  const between = (from: number, to: number): number => from + Math.floor(fraction() * (to - from + 1))
  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    oneOf: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
    split: () => seededRandom(next()),
  }
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** Ids in the shape of the real ones. */
export const seededId = (random: SeededRandom): string =>
  Array.from({ length: 32 }, () => BASE32[random.between(0, BASE32.length - 1)]).join('')
