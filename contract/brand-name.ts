import { isCardBrand, type CardBrand } from './brands.ts'

const NAMES: Record<CardBrand, string> = {
  visa: 'Visa',
  master: 'Mastercard',
  jcb: 'JCB',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
}

/** Brand name: the same in every language. */
export const brandName = (brand: string): string => (isCardBrand(brand) ? NAMES[brand] : brand)
