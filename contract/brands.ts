/** Card brands: display order, and the BIN ranges by which a number tells its brand. */

/** Display order; a brand outside this list comes last. */
export const CARD_BRANDS = ['visa', 'master', 'jcb', 'amex', 'diners', 'discover'] as const
export type CardBrand = (typeof CARD_BRANDS)[number]

export const isCardBrand = (text: string): text is CardBrand => CARD_BRANDS.some((brand) => brand === text)

const place = (brand: string): number => {
  const index = CARD_BRANDS.findIndex((known) => known === brand)
  return index === -1 ? CARD_BRANDS.length : index
}

export const inDisplayOrder = (brands: readonly string[]): string[] =>
  // Not toSorted: Safari before 16 and Chrome before 110 do not have it, and the page would stay blank.
  // oxlint-disable-next-line unicorn/no-array-sort -- the array is new
  [...new Set(brands)].sort((a, b) => place(a) - place(b))

export interface BinCode {
  readonly prefix: string
  readonly brand: string
}

/** First and last issuer prefix of each range, as the brands publish them. Both ends belong to the range. */
const RANGES: readonly (readonly [first: string, last: string, brand: CardBrand])[] = [
  ['4', '4', 'visa'],
  ['51', '55', 'master'],
  ['2221', '2720', 'master'],
  ['3528', '3589', 'jcb'],
  ['34', '34', 'amex'],
  ['37', '37', 'amex'],
  ['300', '305', 'diners'],
  ['3095', '3095', 'diners'],
  ['36', '36', 'diners'],
  ['38', '39', 'diners'],
  ['6011', '6011', 'discover'],
  ['622126', '622925', 'discover'],
  ['644', '649', 'discover'],
  ['65', '65', 'discover'],
]

/** The fewest prefixes that cover exactly first…last: 3528…3589 becomes 3528, 3529, 353, 354, … 358. */
export const prefixesBetween = (first: string, last: string): string[] => {
  const prefixes: string[] = []
  const end = Number(last)
  let next = Number(first)
  while (next <= end) {
    let size = 1
    while (next % (size * 10) === 0 && next + size * 10 - 1 <= end && size * 10 < 10 ** first.length) size *= 10
    prefixes.push(String(next / size))
    next += size
  }
  return prefixes
}

export const BIN_CODES: readonly BinCode[] = RANGES.flatMap(([first, last, brand]) =>
  prefixesBetween(first, last).map((prefix) => ({ prefix, brand })),
)

/** The brand whose longest prefix begins the digits typed so far; undefined while none does. */
export const brandByPrefix = (digits: string, binCodes: readonly BinCode[]): string | undefined => {
  let best: BinCode | undefined
  for (const code of binCodes) {
    if (digits.startsWith(code.prefix) && code.prefix.length > (best?.prefix.length ?? 0)) best = code
  }
  return best?.brand
}

export const brandOfNumber = (digits: string): CardBrand | undefined => {
  const brand = brandByPrefix(digits, BIN_CODES)
  return brand !== undefined && isCardBrand(brand) ? brand : undefined
}
