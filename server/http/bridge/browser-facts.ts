/** Browser facts: what an issuer is told about the shopper's browser, parsed once. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { firstLanguage } from '#contract/locale.ts'
import type { BrowserFacts } from '#payment/verdict.ts'
import { holdsCardNumber } from '#payment/card-number-detector.ts'

/** Facts are stored until the issuer is asked. A browser that holds a card number in one has said nothing by it. */
const said = (text: string | undefined): string | undefined =>
  text !== undefined && holdsCardNumber(text) ? undefined : text

/** What a request alone tells of its browser. */
export const browserOf = ({ headers, ip }: FastifyRequest): BrowserFacts => ({
  acceptHeader: said(headers.accept) ?? '*/*',
  userAgent: said(headers['user-agent']) ?? '',
  ip,
  language: said(firstLanguage(headers['accept-language'])) ?? 'en',
  screen: null,
})

const pixels = Type.Integer({ minimum: 0, maximum: 999_999 })

/** What the bridge's script says; a browser can be made to say anything, so it is only ever passed on. */
const SaidOfScreen = Type.Object(
  {
    language: Type.String({ minLength: 1, maxLength: 35 }),
    javaEnabled: Type.Boolean(),
    colorDepth: Type.Integer({ minimum: 1, maximum: 64 }),
    height: pixels,
    width: pixels,
    timeZoneOffset: Type.Integer({ minimum: -1440, maximum: 1440 }),
  },
  { additionalProperties: false },
)

/** The facts of a request completed by what its script said, or undefined when that cannot be read. */
export const withScreen = (facts: BrowserFacts, saidOfScreen: unknown): BrowserFacts | undefined => {
  if (!Check(SaidOfScreen, saidOfScreen)) return undefined
  const { language, ...screen } = saidOfScreen
  if (holdsCardNumber(language)) return undefined
  return { ...facts, language, screen }
}
