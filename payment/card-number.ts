/** Card number (PAN): masks itself in every print and can be wiped. Only adapters may reveal it. */
import { brandOfNumber, type CardBrand } from '#contract/brands.ts'
import { checkCardNumber } from '#contract/card.ts'
import { isTestNumber } from '#contract/test-cards.ts'

/** What may be kept and shown of a card after the payment. */
export interface CardFace {
  readonly brand: CardBrand
  readonly lastFour: string
}

export const maskedNumber = (face: CardFace): string => `•••• ${face.lastFour}`

const encoder = new TextEncoder()
const decoder = new TextDecoder()

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
    return brand === undefined || checkCardNumber(digits, 'live').is !== 'ok'
      ? undefined
      : new CardNumber(digits, brand)
  }

  /** The payment has ended or was abandoned: there is no number left to send. */
  get isWiped(): boolean {
    return this.#digits[0] === 0
  }

  reveal(): string {
    if (this.isWiped) throw new Error('this card number has been wiped')
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

  /** Without this, `console.log` and the output of failed tests could print the fields. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString()
  }
}
