/** Browser facts: what an issuer is told about the shopper's browser, parsed once. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { firstLanguage } from '#contract/locale.ts'
import type { BrowserFacts } from '#payment/authentication-verdict.ts'
import { holdsCardNumber } from '#payment/card-number-detector.ts'

/** EMV 3-D Secure takes no longer header, and looking for card numbers in a longer one would cost too much time. */
const HEADER_MAX_LENGTH = 2048
const LANGUAGE_MAX_LENGTH = 35

/** A card number, digit by digit with three signs between them, is not longer. */
const NUMBER_MAX_LENGTH = 64

/** Facts are stored until the issuer is asked. One that holds a card number is left out, also where it would be cut off. */
const withoutCardNumber = (text: string | undefined, maxLength: number): string | undefined =>
  text !== undefined && holdsCardNumber(text.slice(0, maxLength + NUMBER_MAX_LENGTH))
    ? undefined
    : text?.slice(0, maxLength)

/** What a request alone tells of its browser. */
export const browserOf = ({ headers, ip }: FastifyRequest): BrowserFacts => ({
  acceptHeader: withoutCardNumber(headers.accept, HEADER_MAX_LENGTH) ?? '*/*',
  userAgent: withoutCardNumber(headers['user-agent'], HEADER_MAX_LENGTH) ?? '',
  ip,
  language: withoutCardNumber(firstLanguage(headers['accept-language']), LANGUAGE_MAX_LENGTH) ?? 'en',
  screen: null,
})

const pixels = Type.Integer({ minimum: 0, maximum: 999_999 })

/** What the bridge's script says; a browser can be made to say anything, so it is only ever passed on. */
const ScreenFacts = Type.Object(
  {
    language: Type.String({ minLength: 1, maxLength: LANGUAGE_MAX_LENGTH }),
    javaEnabled: Type.Boolean(),
    colorDepth: Type.Integer({ minimum: 1, maximum: 64 }),
    height: pixels,
    width: pixels,
    timeZoneOffset: Type.Integer({ minimum: -1440, maximum: 1440 }),
  },
  { additionalProperties: false },
)

/** The facts of a request completed by what its script said, or undefined when that cannot be read. */
export const withScreen = (facts: BrowserFacts, screenFacts: unknown): BrowserFacts | undefined => {
  if (!Check(ScreenFacts, screenFacts)) return undefined
  const { language, ...screen } = screenFacts
  if (holdsCardNumber(language)) return undefined
  return { ...facts, language, screen }
}
