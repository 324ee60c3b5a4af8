import type { Canary } from './canary.ts'
import type { Request } from './client.ts'
import { SHOPPER, type Order } from './shopper.ts'

/** What a mistake can be made with. */
export interface Facts extends Order {
  readonly canary: Canary
  readonly port: string
  readonly key: string
  readonly ticket: string
  /** How the 3-D Secure server knows the attempt: it listens to no event that does not name this. */
  readonly session: string
}

/** A card number or a security code where it does not belong, and the status that it is answered with. */
export type Mistake = readonly [name: string, status: number, request: (facts: Facts) => Request]

export const grouped = (number: string, between: string): string => number.replaceAll(/(\d{4})(?=\d)/g, `$1${between}`)

export const paying = ({ checkoutId, orderCode, canary }: Facts, wrong: object): Request => ({
  method: 'PATCH',
  path: `/api/v1/checkouts/${checkoutId}/3ds/${orderCode}/pay`,
  headers: SHOPPER,
  body: JSON.stringify({ cvc: canary.cvc, locale: 'ja_JP', receiptEmail: canary.email, ...wrong }),
})
