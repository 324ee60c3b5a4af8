/** Brand name: how a card brand is written, the same in every language. */
import { isCardBrand, type CardBrand } from './brands.ts'

const NAMES: Record<CardBrand, string> = {
  visa: 'Visa',
  master: 'Mastercard',
  jcb: 'JCB',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
}

export const brandName = (brand: string): string => (isCardBrand(brand) ? NAMES[brand] : brand)
