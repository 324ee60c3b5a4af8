/** Whole numbers as arguments of a proof or a bench. */
import { CommandError } from '../command-error.mjs'

/** Both ends are included. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** The seeds that a proof may be given; its parts use the seeds that follow. */
export const SEED_RANGE: Range = { from: 1, to: 999_999_999 }

/** `Number` alone would take '', '0x10' and '1e3' for numbers, and return NaN for the rest. */
export const wholeNumber = (name: string, text: string, { from, to }: Range): number => {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= from && value <= to) return value
  throw new CommandError(`${name} is ${text === '' ? 'empty' : text}: give a whole number from ${from} to ${to}`)
}
