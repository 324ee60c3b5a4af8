import { cardGroups, type CardRow } from './card-table.ts'
import { type Behaviour, frictionless, type Scenario } from './scenarios.ts'

export type Brand = 'visa' | 'master' | 'jcb' | 'amex' | 'diners' | 'discover' | 'unknown'

const rows = new Map<string, CardRow>(cardGroups.flatMap(({ cards }) => cards).map((card) => [card.number, card]))

export const behaviourOf = (number: string): Behaviour => rows.get(number)?.behaviour ?? { kind: 'charge' }

export const scenarioOf = (number: string): Scenario => rows.get(number)?.scenario ?? frictionless()

const brandPrefixes: readonly { brand: Brand; from: number; to: number }[] = [
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
  const sum = digits.reduce((total, digit, place) => {
    const weighed = place % 2 === 1 ? digit * 2 : digit
    return total + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}

export type SandboxCard = { number: string; brand: Brand; does: string }

export const sandboxCards: readonly SandboxCard[] = [...rows.values()].map(({ number, does }) => ({
  number,
  brand: brandOf(number),
  does,
}))
