/** Shop facts: name, address, telephone, e-mail and site on a shop's page and receipts. The same rules for API and command line. */
import { checkEmail, foldFullWidth } from '#contract/card.ts'
import type { ReceiptFacts } from '#contract/checkout.ts'
import { refuseField, type Refusal } from '#contract/errors.ts'
import { drawsNothing, turningProblem } from '#contract/shown-text.ts'
import { SHOP_FACT_MAX } from '#contract/merchant/settings.ts'
import { holdsCardNumber } from './card-number-detector.ts'
import { readShopUrl, type UnicodeHost } from './link-address.ts'

type Fact = keyof ReceiptFacts

const NO_ADDRESS = 'is no e-mail address. Give one such as shop@example.com.'

/** What is wrong with a text of a shop. No long number belongs here, so a bare card number is refused too. */
const textProblem = (text: string, max: number): string | undefined => {
  if (drawsNothing(text)) return 'is empty. Give a text.'
  // Counts characters, as the schema does: some are two units of a string.
  const { length } = Array.from(text)
  if (length > max) return `has ${length} characters: ${max} are the most.`
  if (/\p{Cc}/u.test(text)) return 'holds a control character. Give one line of text.'
  return turningProblem(text) ?? (holdsCardNumber(text) ? 'holds a card number. Leave it out.' : undefined)
}

/** Refuses an address to which mails of a shop cannot go. `field` is its name in the settings. */
export const refuseMailAddress = (
  field: string,
  text: string,
  canBeMailed: (address: string) => boolean,
): Refusal | undefined => {
  const problem = textProblem(text, SHOP_FACT_MAX.shopEmail) ?? (canBeMailed(text) ? undefined : NO_ADDRESS)
  return problem === undefined ? undefined : refuseField(field, problem)
}

const asItIs = (_field: string, text: string): string => text

const readers: Readonly<Record<Fact, (field: string, text: string, unicodeHost: UnicodeHost) => string | Refusal>> = {
  shopName: asItIs,
  shopAddress: asItIs,
  // Without a digit the link on the page would not call anybody.
  shopPhoneNumber: (field, text) =>
    /\d/.test(foldFullWidth(text)) ? text : refuseField(field, 'holds no digit. Give a telephone number.'),
  shopEmail: (field, text) => (checkEmail(text).is === 'ok' ? text : refuseField(field, NO_ADDRESS)),
  shopUrl: readShopUrl,
}

const readShopFact = (fact: Fact, text: string, unicodeHost: UnicodeHost): string | Refusal => {
  const max = SHOP_FACT_MAX[fact]
  const problem = textProblem(text, max)
  if (problem !== undefined) return refuseField(fact, problem)
  const read = readers[fact](fact, text, unicodeHost)
  if (typeof read !== 'string') return read
  // The URL parser may write one letter as nine.
  const problemAsWritten = textProblem(read, max)
  return problemAsWritten === undefined ? read : refuseField(fact, problemAsWritten)
}

const isFact = (name: string): name is Fact => Object.hasOwn(readers, name)

/** Null removes a fact: it is stored as an empty text, and the page does not show it. */
export type GivenShopFacts = { readonly [Each in Fact]?: string | null | undefined }

/** The given facts in stored form, or a refusal that names the first wrong one. */
export const readShopFacts = (given: GivenShopFacts, unicodeHost: UnicodeHost): Partial<ReceiptFacts> | Refusal => {
  const facts: Partial<Record<Fact, string>> = {}
  for (const fact of Object.keys(readers).filter(isFact)) {
    const text = given[fact]
    if (text === undefined) continue
    const read = text === null ? '' : readShopFact(fact, text, unicodeHost)
    if (typeof read !== 'string') return read
    facts[fact] = read
  }
  return facts
}
