import { randomInt } from 'node:crypto'
import { passesLuhn } from '#contract/card.ts'
import { isTestNumber } from '#contract/test-cards.ts'

/** A card that is told to the server once, so that wherever it turns up again it was written down. */
export interface Canary {
  readonly number: string
  readonly cvc: string
  readonly holderName: string
  readonly email: string
  /** What a CVC would be written beside: the flow's own name, address, checkout and order codes. Grows as it goes. */
  readonly belongings: Set<string>
}

const letters = (count: number): string =>
  Array.from({ length: count }, () => String.fromCharCode(97 + randomInt(26))).join('')

const digits = (count: number): string => Array.from({ length: count }, () => String(randomInt(10))).join('')

const BRANDS: readonly (readonly [prefix: string, length: number])[] = [
  ['4', 16],
  ['52', 16],
  ['3530', 16],
  ['37', 15],
  ['36', 14],
  ['6011', 16],
]

/** A number that passes every check and that nobody publishes. Its last four may be stored, so they never look like a CVC. */
const newNumber = (place: number): string => {
  const [prefix, length] = BRANDS[place % BRANDS.length] ?? ['4', 16]
  for (;;) {
    const number = prefix + digits(length - prefix.length)
    if (passesLuhn(number) && number.at(-4) !== '0' && !isTestNumber(number)) return number
  }
}

const FIRST_LONG = 200
const FIRST_SHORT = 20
const PER_SHELF = 400

/**
 * Security codes begin with a zero: years, yen, ports, lengths and milliseconds never do, and ids are written without the
 * digit. What is then found is no coincidence. The last four digits of published numbers lie below 0200. Two shelves, so
 * that what a test plants is not taken for a leak of the flows that run beside it on the same database server.
 */
const shelfOf = (shelf: 'flows' | 'planted'): { readonly long: string[]; readonly short: string[] } => {
  const from = shelf === 'flows' ? 0 : 1
  const long = Array.from({ length: PER_SHELF }, (_, place) => `0${FIRST_LONG + from * PER_SHELF + place}`)
  const short = Array.from({ length: 40 }, (_, place) => `0${FIRST_SHORT + from * 40 + place}`)
  return { long: long.map((code) => code.slice(-4)), short: short.map((code) => code.slice(-3)) }
}

/** Canaries no two of which share a number; three in four have a CVC of four digits, which no other has. */
export const mintCanaries = (count: number, shelf: 'flows' | 'planted'): Canary[] => {
  const { long, short } = shelfOf(shelf)
  const first = randomInt(PER_SHELF)
  return Array.from({ length: count }, (_, place) => {
    const cvc = (place % 4 === 3 ? short[place % short.length] : long[(first + place) % long.length]) ?? ''
    const holderName = `CANARY ${letters(12).toUpperCase()}`
    const email = `canary.${letters(12)}@example.com`
    return { number: newNumber(place), cvc, holderName, email, belongings: new Set([holderName, email]) }
  })
}

/** Hands out canaries, each once, and remembers which. */
export interface Mint {
  /** With a published number, by which the sandbox knows what to do; else with one of its own. */
  next(number?: string): Canary
  readonly handedOut: readonly Canary[]
}

export const openMint = (count: number): Mint => {
  const minted = mintCanaries(count, 'flows').values()
  const handedOut: Canary[] = []
  return {
    handedOut,
    next: (number) => {
      const { value } = minted.next()
      if (value === undefined) throw new Error('too few canaries')
      const canary = number === undefined ? value : { ...value, number }
      handedOut.push(canary)
      return canary
    },
  }
}

/** In fours, as on a card. */
export const grouped = (number: string, between: string): string => number.replaceAll(/(\d{4})(?=\d)/g, `$1${between}`)

/** As a Japanese keyboard writes digits. */
export const fullWidth = (number: string): string =>
  number.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
