/** Mask of card numbers: removes card numbers from a text that another program wrote, so that the text can be stored. */
import { folded, isIssued } from './card-number-detector.ts'

const MASK = '•'
/** Between two digits of one number stand at most three other signs. */
const BETWEEN_MAX = 3
const LENGTHS = [14, 15, 16]
/** The first six digits of a card number name its issuer, not the card. */
const PREFIX_KEPT = 6

/** One digit, and the sign of the text that it comes from. */
interface Digit {
  readonly sign: number
  readonly value: string
  /** The sign before it is not a digit. */
  readonly isFirst: boolean
}

/** Digits that are near each other: no letter, line break or currency sign between them. */
type Row = readonly Digit[]

const isSeparator = (sign: string): boolean => /^[^\p{L}\p{N}\p{Sc}\p{Cc}\p{Zl}\p{Zp}]$/u.test(sign)

/** The digits of a sign in any script and width; empty for any other sign. */
const digitsIn = (sign: string): string => {
  if (/^[0-9]$/.test(sign)) return sign
  const plain = /^\p{N}$/u.test(sign) ? folded(sign) : ''
  return /^\d+$/.test(plain) ? plain : ''
}

/** Looks at each sign once. */
const rowsOf = (signs: readonly string[]): Row[] => {
  const rows: Digit[][] = []
  let row: Digit[] | undefined
  let between = 0
  for (const [at, sign] of signs.entries()) {
    const values = digitsIn(sign)
    if (values !== '') {
      if (row === undefined) {
        row = []
        rows.push(row)
      }
      const isFirst = row.length === 0 || between > 0
      row.push(...Array.from(values, (value, place) => ({ sign: at, value, isFirst: isFirst && place === 0 })))
      between = 0
    } else if (between < BETWEEN_MAX && isSeparator(sign)) between += 1
    else {
      row = undefined
      between = 0
    }
  }
  return rows
}

/** The digits of every card number in a row: from the beginning of a group to the end of one. */
const numbersIn = (row: Row): Digit[] =>
  row.flatMap(({ isFirst }, from) =>
    isFirst
      ? LENGTHS.filter((length) => row[from + length - 1] !== undefined && row[from + length]?.isFirst !== false)
          .map((length) => row.slice(from, from + length))
          .filter((digits) => isIssued(digits.map(({ value }) => value).join('')))
          .flat()
      : [],
  )

/** The possible beginning of a card number that continues after the end of a text. */
const cutNumber = (row: Row | undefined, signs: readonly string[]): Row => {
  const last = row?.at(-1)
  if (row === undefined || last === undefined) return []
  const behind = signs.slice(last.sign + 1)
  const reachesTheEnd = behind.length <= BETWEEN_MAX && behind.every(isSeparator)
  return reachesTheEnd && row.length > PREFIX_KEPT ? row.slice(-Math.max(...LENGTHS)) : []
}

/** Three or four separate digits: beside a card number they may be its security code. */
const SECURITY_CODE = /(?<![\p{L}\p{N}])\p{Nd}{3,4}(?![\p{L}\p{N}])/gu

/**
 * The text with a mark for every digit of a card number, and of a possible security code. `isCut`: the text may continue, and
 * with it a number at its end.
 */
export const maskCardNumbers = (text: string, isCut: boolean): string => {
  const signs = Array.from(text)
  const rows = rowsOf(signs)
  const found = [...rows.flatMap(numbersIn), ...(isCut ? cutNumber(rows.at(-1), signs) : [])]
  if (found.length === 0) return text
  for (const { sign } of found) signs[sign] = MASK
  return signs.join('').replaceAll(SECURITY_CODE, (code) => MASK.repeat(code.length))
}
