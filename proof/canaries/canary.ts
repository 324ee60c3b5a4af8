/** Canary card: sent to the server once, so that wherever it is found again, the server wrote it there. */
import { randomInt } from 'node:crypto'
import { passesLuhn } from '#contract/card.ts'
import { isTestNumber } from '#contract/test-cards.ts'

export interface Canary {
  readonly number: string
  readonly cvc: string
  readonly holderName: string
  readonly email: string
  /** What a CVC would be written beside: holder name, email, checkout id and order codes. Grows during the flow. */
  readonly identifiers: Set<string>
}

const randomLetters = (count: number): string =>
  Array.from({ length: count }, () => String.fromCharCode(97 + randomInt(26))).join('')

const randomDigits = (count: number): string => Array.from({ length: count }, () => String(randomInt(10))).join('')

const BRANDS: readonly (readonly [prefix: string, length: number])[] = [
  ['4', 16],
  ['52', 16],
  ['3530', 16],
  ['37', 15],
  ['36', 14],
  ['6011', 16],
]

/** A number that passes every check and is no published test number. Its last four may be stored, so they never look like a CVC. */
const newNumber = (place: number): string => {
  const [prefix, length] = BRANDS[place % BRANDS.length] ?? ['4', 16]
  for (;;) {
    const number = prefix + randomDigits(length - prefix.length)
    if (passesLuhn(number) && number.at(-4) !== '0' && !isTestNumber(number)) return number
  }
}

const FIRST_LONG_CODE = 200
const FIRST_SHORT_CODE = 20
const LONG_CODES_PER_USE = 400

/**
 * Security codes begin with a zero: years, yen, ports, lengths and milliseconds never do, and ids are written without the
 * digit. What is then found is no coincidence. The last four digits of published numbers lie below 0200. Flows and planted
 * leaks have codes of their own: a leak that a test plants must not look like one of the flows that run at the same time on
 * the same database server.
 */
const securityCodesFor = (use: 'flows' | 'planted'): { readonly long: string[]; readonly short: string[] } => {
  const block = use === 'flows' ? 0 : 1
  const long = Array.from(
    { length: LONG_CODES_PER_USE },
    (_, place) => `0${FIRST_LONG_CODE + block * LONG_CODES_PER_USE + place}`,
  )
  const short = Array.from({ length: 40 }, (_, place) => `0${FIRST_SHORT_CODE + block * 40 + place}`)
  return { long: long.map((code) => code.slice(-4)), short: short.map((code) => code.slice(-3)) }
}

/** Canaries no two of which share a number; three in four have a CVC of four digits, which no other has. */
export const createCanaries = (count: number, use: 'flows' | 'planted'): Canary[] => {
  const { long, short } = securityCodesFor(use)
  const first = randomInt(LONG_CODES_PER_USE)
  return Array.from({ length: count }, (_, place) => {
    const cvc = (place % 4 === 3 ? short[place % short.length] : long[(first + place) % long.length]) ?? ''
    const holderName = `CANARY ${randomLetters(12).toUpperCase()}`
    const email = `canary.${randomLetters(12)}@example.com`
    return { number: newNumber(place), cvc, holderName, email, identifiers: new Set([holderName, email]) }
  })
}

/** Gives each canary once, and keeps those that were given. */
export interface CanarySupply {
  /** With a published number that makes the sandbox behave in one way; else with a number of its own. */
  next(number?: string): Canary
  readonly used: readonly Canary[]
}

export const createCanarySupply = (count: number): CanarySupply => {
  const canaries = createCanaries(count, 'flows').values()
  const used: Canary[] = []
  return {
    used,
    next: (number) => {
      const { value } = canaries.next()
      if (value === undefined) throw new Error('too few canaries')
      const canary = number === undefined ? value : { ...value, number }
      used.push(canary)
      return canary
    },
  }
}

/** In fours, as on a card. */
export const groupInFours = (number: string, separator: string): string =>
  number.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`)

/** As a Japanese keyboard writes digits. */
export const toFullWidth = (number: string): string =>
  number.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
