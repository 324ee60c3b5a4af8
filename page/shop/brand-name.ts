import type { CardBrand } from '#contract/brands.ts'

export type KnownBrand = CardBrand

const NAMES: Record<KnownBrand, string> = {
  visa: 'Visa',
  master: 'Mastercard',
  jcb: 'JCB',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
}

const isKnown = (brand: string): brand is KnownBrand => brand in NAMES

/** Brand names are the same in every language. */
export const brandName = (brand: string): string => (isKnown(brand) ? NAMES[brand] : brand)
