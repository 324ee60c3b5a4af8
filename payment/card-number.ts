import { brandOfNumber, type CardBrand } from '#contract/brands.ts'
import { cardNumberProblem, passesLuhn } from '#contract/card.ts'
import { isTestNumber } from '#contract/test-cards.ts'

/** What may be kept and shown of a card after the payment. */
export interface CardFace {
  readonly brand: CardBrand
  readonly lastFour: string
}

export const maskedNumber = (face: CardFace): string => `•••• ${face.lastFour}`

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A card number that masks itself in every print and can be wiped. Only adapters to the outside may reveal it. */
export class CardNumber {
  readonly face: CardFace
  readonly isTest: boolean
  readonly #digits: Uint8Array

  private constructor(digits: string, brand: CardBrand) {
    this.face = { brand, lastFour: digits.slice(-4) }
    this.isTest = isTestNumber(digits)
    this.#digits = encoder.encode(digits)
  }

  /** Undefined when the digits are no card number or belong to none of the six brands. */
  static parse(digits: string): CardNumber | undefined {
    const brand = brandOfNumber(digits)
    return brand === undefined || cardNumberProblem(digits, 'live') !== undefined
      ? undefined
      : new CardNumber(digits, brand)
  }

  reveal(): string {
    if (this.#digits[0] === 0) throw new Error('this card number has been wiped')
    return decoder.decode(this.#digits)
  }

  wipe(): void {
    this.#digits.fill(0)
  }

  toString(): string {
    return maskedNumber(this.face)
  }

  toJSON(): string {
    return this.toString()
  }

  /** Without this, `console.log` and test failure output of Node would walk into the private field's neighbours. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}

const LENGTHS: Readonly<Record<CardBrand, readonly number[]>> = {
  visa: [16],
  master: [16],
  jcb: [16],
  amex: [15],
  diners: [14, 16],
  discover: [16],
}

const isIssued = (digits: string): boolean => {
  const brand = brandOfNumber(digits)
  return brand !== undefined && LENGTHS[brand].includes(digits.length) && passesLuhn(digits)
}

const LONGEST = 16

/**
 * Whether a text that is about something else (a name, an address, a remark) has a card number in it, written as one or
 * in groups. Only whole groups count: a window of a longer number would make card numbers of most order numbers.
 */
export const holdsCardNumber = (text: string): boolean => {
  const runs = text.normalize('NFKC').match(/\d+(?:[^\p{L}\d]{1,3}\d+)*/gu) ?? []
  return runs.some((run) => {
    const groups = run.match(/\d+/g) ?? []
    return groups.some((_, from) => {
      let digits = ''
      for (const group of groups.slice(from, from + LONGEST)) {
        digits += group
        if (digits.length > LONGEST) return false
        if (isIssued(digits)) return true
      }
      return false
    })
  })
}
