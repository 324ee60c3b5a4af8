/** Chance that can be had again: the same seed gives the same run. */
export interface Dice {
  /** A number from 0 up to and without 1. */
  roll(): number
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True this often: 0.25 is one time in four. */
  chance(probability: number): boolean
  oneOf<T>(choices: readonly [T, ...T[]]): T
  /** Dice of their own for a part of the run, so that one part's rolls do not move another's. */
  split(): Dice
}

/** Mulberry32: 32 bits of state, more than enough to tell schedules apart. */
export const seededDice = (seed: number): Dice => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const roll = (): number => next() / 2 ** 32
  const between = (from: number, to: number): number => from + Math.floor(roll() * (to - from + 1))
  return {
    roll,
    between,
    chance: (probability) => roll() < probability,
    oneOf: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
    split: () => seededDice(next()),
  }
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** Ids in the shape of the real ones. */
export const seededId = (dice: Dice): string =>
  Array.from({ length: 32 }, () => BASE32[dice.between(0, BASE32.length - 1)]).join('')
