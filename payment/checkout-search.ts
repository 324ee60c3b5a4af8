/** Checkout search: what a text that somebody has typed into one search box may mean, decided by its form. */
import { isPayableYen } from '#contract/yen.ts'

/** One way to look for the text; each has an index of its own. */
export type SearchTerm =
  /** Of a checkout, or of an order at the acquirer: both have the same form. */
  | { readonly by: 'id'; readonly value: string }
  | { readonly by: 'email' | 'lastFour' | 'reference' | 'transactionId'; readonly value: string }
  | { readonly by: 'amount'; readonly value: number }

const ID = /^[a-z2-7]{32}$/
const LAST_FOUR = /^\d{4}$/
const PLAIN_AMOUNT = /^[1-9]\d{0,6}$/
/** With a sign, a unit or commas it is an amount and nothing else. */
const WRITTEN_AMOUNT = /^(?:[¥\\] ?)?(\d{1,3}(?:,\d{3}){0,2}|\d{1,7})(?: ?(?:円|yen|jpy))?$/

/** Full-width digits, signs and letters as a Japanese keyboard types them, in their plain form. */
const plain = (text: string): string => text.normalize('NFKC').trim()

const amountOf = (text: string): number | null => {
  const digits = WRITTEN_AMOUNT.exec(text.toLowerCase())?.[1]?.replaceAll(',', '')
  const amount = digits === undefined ? null : Number(digits)
  return amount !== null && isPayableYen(amount) ? amount : null
}

/** The id at the end of a link that was copied out of a mail or a browser. */
const idOfLink = (text: string): string | undefined =>
  URL.canParse(text) ? new URL(text).pathname.split('/').find((part) => ID.test(part)) : undefined

const each = <By extends 'email' | 'reference'>(by: By, ...values: readonly string[]) =>
  [...new Set(values)].map((value) => ({ by, value }))

/** Every meaning that the form of the text allows; none for a text of spaces. */
export const searchTerms = (typed: string): readonly SearchTerm[] => {
  const [text, bare] = [plain(typed), typed.trim()]
  if (text === '') return []
  const linked = idOfLink(text)
  if (linked !== undefined) return [{ by: 'id', value: linked }]
  // The page stores an address as its shopper has typed it, most often in small letters.
  if (text.includes('@')) return each('email', text, text.toLowerCase())
  const amount = amountOf(text)
  if (amount !== null && !/^\d+$/.test(text)) return [{ by: 'amount', value: amount }]
  return [
    ...(ID.test(text) ? [{ by: 'id', value: text } as const] : []),
    ...(LAST_FOUR.test(text) ? [{ by: 'lastFour', value: text } as const] : []),
    ...(amount !== null && PLAIN_AMOUNT.test(text) ? [{ by: 'amount', value: amount } as const] : []),
    ...each('reference', bare, text),
    { by: 'transactionId', value: text },
  ]
}
