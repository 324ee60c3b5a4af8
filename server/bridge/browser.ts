import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { firstLanguage } from '#contract/locale.ts'
import type { BrowserFacts } from '#payment/authentication.ts'

/** What a request alone tells of its browser. */
export const browserOf = ({ headers, ip }: FastifyRequest): BrowserFacts => ({
  acceptHeader: headers.accept ?? '*/*',
  userAgent: headers['user-agent'] ?? '',
  ip,
  language: firstLanguage(headers['accept-language']) ?? 'en',
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
export const withScreen = (facts: BrowserFacts, said: unknown): BrowserFacts | undefined => {
  if (!Check(SaidOfScreen, said)) return undefined
  const { language, ...screen } = said
  return { ...facts, language, screen }
}
