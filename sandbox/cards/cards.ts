/** Card lookup: what a card number does, and which brand it is of. */
import { sandboxCards, type CardRow } from './card-table.ts'
import { frictionless, type AcquirerBehaviour, type ThreeDSScenario } from './scenarios.ts'

const cardsByNumber = new Map<string, CardRow>(sandboxCards.map((card) => [card.number, card]))

/** An unlisted number is authenticated without a challenge and charged at once. */
export const threeDSScenarioOf = (number: string): ThreeDSScenario =>
  cardsByNumber.get(number)?.threeDS ?? frictionless()

export const acquirerBehaviourOf = (number: string): AcquirerBehaviour =>
  cardsByNumber.get(number)?.acquirer ?? { kind: 'charge' }

export const BRANDS = ['visa', 'master', 'jcb', 'amex', 'diners', 'discover', 'unknown'] as const
export type Brand = (typeof BRANDS)[number]

interface BrandPrefixes {
  readonly brand: Brand
  readonly from: number
  readonly to: number
}

const brandPrefixes: readonly BrandPrefixes[] = [
  { brand: 'visa', from: 4, to: 4 },
  { brand: 'master', from: 51, to: 55 },
  { brand: 'master', from: 2221, to: 2720 },
  { brand: 'jcb', from: 3528, to: 3589 },
  { brand: 'amex', from: 34, to: 34 },
  { brand: 'amex', from: 37, to: 37 },
  { brand: 'diners', from: 300, to: 305 },
  { brand: 'diners', from: 36, to: 36 },
  { brand: 'diners', from: 38, to: 39 },
  { brand: 'discover', from: 6011, to: 6011 },
  { brand: 'discover', from: 644, to: 649 },
  { brand: 'discover', from: 65, to: 65 },
]

export const brandOf = (number: string): Brand => {
  const match = brandPrefixes.find(({ from, to }) => {
    const prefix = Number(number.slice(0, String(from).length))
    return from <= prefix && prefix <= to
  })
  return match?.brand ?? 'unknown'
}

export const brandNames: Record<Brand, string> = {
  visa: 'Visa',
  master: 'Mastercard',
  jcb: 'JCB',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  unknown: '',
}

export const passesLuhn = (number: string): boolean => {
  const digits = Array.from(number, Number).toReversed()
  const sum = digits.reduce((total, digit, index) => {
    const weighted = index % 2 === 1 ? digit * 2 : digit
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return sum % 10 === 0
}
