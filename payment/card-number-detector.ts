/** Detector of card numbers in texts: finds a number in a field where none belongs, so that it is refused and never stored. */
import { brandOfNumber, type CardBrand } from '#contract/brands.ts'
import { passesLuhn } from '#contract/card.ts'

const LENGTHS: Readonly<Record<CardBrand, readonly number[]>> = {
  visa: [16],
  master: [16],
  jcb: [16],
  amex: [15],
  diners: [14, 16],
  discover: [16],
}

/** A number with the length and the beginning of a brand, and a correct check digit. */
export const isIssued = (digits: string): boolean => {
  const brand = brandOfNumber(digits)
  return brand !== undefined && LENGTHS[brand].includes(digits.length) && passesLuhn(digits)
}

/** In every script the ten digits are next to each other, zero first. */
const digitValue = (sign: string): string => {
  const code = sign.codePointAt(0) ?? 0
  let zero = code
  while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

/** Letters that stand for a phrase: normalized, they become 18 and 8 letters, and none of these is a digit. */
const WORDS_IN_A_LETTER = /[\ufdfa\ufdfb]/g

/** Digits of any script and width as 0 to 9, any blank as a space, any dash as a hyphen. */
export const folded = (text: string): string =>
  text
    .replaceAll(WORDS_IN_A_LETTER, 'x')
    .normalize('NFKC')
    .replaceAll(/(?![0-9])\p{Nd}/gu, digitValue)
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/\p{Pd}/gu, '-')

/** As cards are embossed, and in fours as the page shows every number. */
const EMBOSSED = ['4-4-4-4', '4-4-4-3', '4-4-4-2', '4-6-5', '4-6-4']
const DIGIT_BY_DIGIT = [14, 15, 16].map((length) => Array.from({ length }, () => '1').join('-'))

/** Looks ahead, so that a number is found wherever it begins in a row of groups. The same sign must stand between all groups. */
const groupedBy = (between: string, shapes: readonly string[]): RegExp[] =>
  shapes.map((shape) => {
    const [first = '', second = '', ...others] = shape.split('-').map((size) => `\\d{${size}}`)
    const rest = others.map((group) => `\\k<between>${group}`).join('')
    // oxlint-disable-next-line kaikei/linear-regexp -- every repetition in it is counted
    return new RegExp(`(?<!\\d)(?=(?<number>${first}(?<between>${between})${second}${rest})(?!\\d))`, 'gu')
  })

const BARE = /(?<!\d)(?<number>\d{14,16})(?!\d)/gu
// Never across lines or currency signs: prices one below the other make a card number in one list of seven.
const IN_ANY_SHAPE = [
  BARE,
  ...groupedBy('[^\\p{L}\\p{N}\\p{Sc}\\p{Cc}\\p{Zl}\\p{Zp}]{1,3}', [...EMBOSSED, ...DIGIT_BY_DIGIT]),
]
const AS_EMBOSSED = groupedBy('[ .-]', EMBOSSED)

/** How many characters before a group are looked at. */
const NEIGHBOUR = 24

interface Found {
  readonly number: string
  readonly between: string
  readonly before: string
  readonly after: string
}

const holdsOne = (text: string, forms: readonly RegExp[], isMeant: (found: Found) => boolean): boolean => {
  const plain = folded(text)
  // Nearly every text ends here, before it is searched for each shape.
  if (!holdsDigitRun(plain)) return false
  return forms.some((form) =>
    [...plain.matchAll(form)].some(({ index, groups }) => {
      const { number = '', between = '' } = groups ?? {}
      if (!isIssued(number.replaceAll(/\D/g, ''))) return false
      return isMeant({
        number,
        between,
        before: plain.slice(Math.max(0, index - NEIGHBOUR), index),
        after: plain.slice(index + number.length),
      })
    }),
  )
}

/** Whether what a shopper or a browser says (a name, an address) has a card number in it, bare or as people write it. */
export const holdsCardNumber = (text: string): boolean => holdsOne(text, IN_ANY_SHAPE, () => true)

/** A row of five and more groups of four is a list or a serial number. A telephone number before it is another row. */
const isWholeRow = ({ between, before, after }: Found): boolean => {
  const [, earlier = '', last = ''] = /([ .-]?)\d{4,23}([ .-])$/.exec(before) ?? []
  const goesOnBefore = last === between && (earlier === '' || earlier === between)
  return !goesOnBefore && !(after.startsWith(between) && /^.\d{4}/.test(after))
}

/**
 * The same of what a merchant writes, where long numbers are most often its own: only groups as on a card count. Order
 * numbers that begin with the year and month lie in Mastercard's range, and one in ten of them passes Luhn.
 */
export const holdsEmbossedNumber = (text: string): boolean => holdsOne(text, AS_EMBOSSED, isWholeRow)

/**
 * Whether a long text of a program has digits enough for a card number, near each other. It looks at each character once:
 * all shapes of a card number in sixteen thousand characters would take a tenth of a second.
 */
export const holdsDigitRun = (text: string): boolean => /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){12}/u.test(text)

/** Whether a word looks like a security code. */
export const looksLikeSecurityCode = (word: string): boolean => /^\s*\p{Nd}{3,4}\s*$/u.test(word)
