/** Text rules: the regular expressions of both APIs, each with the words that a caller reads instead of it. */
import { CARD_NUMBER_MAX_DIGITS, CARD_NUMBER_MIN_DIGITS, CVC_MAX_DIGITS, CVC_MIN_DIGITS } from './card.ts'

interface TextRule {
  readonly pattern: string
  /** Continues the sentence that begins with the field's name. */
  readonly mend: string
}

export const TEXT_RULES = {
  cardNumber: {
    pattern: `^[0-9]{${CARD_NUMBER_MIN_DIGITS},${CARD_NUMBER_MAX_DIGITS}}$`,
    mend: `must be ${CARD_NUMBER_MIN_DIGITS} to ${CARD_NUMBER_MAX_DIGITS} digits, without spaces.`,
  },
  cvc: {
    pattern: `^[0-9]{${CVC_MIN_DIGITS},${CVC_MAX_DIGITS}}$`,
    mend: `must be ${CVC_MIN_DIGITS} or ${CVC_MAX_DIGITS} digits.`,
  },
  lastFour: { pattern: '^[0-9]{4}$', mend: 'must be four digits, such as 4242.' },
  /** A query holds texts only, so that a number is checked by a pattern. */
  limit: { pattern: '^([1-9][0-9]?|100)$', mend: 'must be a whole number from 1 to 100.' },
  yen: { pattern: '^[1-9][0-9]{0,6}$', mend: 'must be an amount in whole yen from 1 to 9999999, such as 1980.' },
  day: { pattern: '^\\d{4}-\\d{2}-\\d{2}$', mend: 'must be a day such as 2026-11-30.' },
  refundId: {
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    mend: 'must be 1 to 64 of these: letters a to z, small or large, digits, hyphens and underscores.',
  },
  hexColour: {
    pattern: '^#[0-9a-fA-F]{6}$',
    mend: 'must be a hash sign and six digits of 0 to 9 and a to f, such as #29abe9.',
  },
  registrationNumber: { pattern: '^T[0-9]{13}$', mend: 'must be the letter T and 13 digits, such as T1234567890123.' },
  base64Url: {
    pattern: '^[A-Za-z0-9_-]+$',
    mend: 'must be base64url: letters a to z, small or large, digits, hyphens and underscores.',
  },
  /** PostgreSQL cannot hold U+0000 in a text. */
  withoutNul: { pattern: '^[^\\u0000]*$', mend: 'must not hold the character U+0000. Leave it out.' },
  someWithoutNul: {
    pattern: '^[^\\u0000]+$',
    mend: 'must not be empty, and not hold the character U+0000.',
  },
} as const satisfies Record<string, TextRule>

const RULES: readonly TextRule[] = Object.values(TEXT_RULES)

/** What a caller must send instead; undefined for an expression that is none of these. */
export const mendOfPattern = (pattern: string): string | undefined =>
  RULES.find((rule) => rule.pattern === pattern)?.mend
