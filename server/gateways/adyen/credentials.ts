/** Adyen, credentials: the JSON that an operator hands in, parsed once, and the addresses that follow from it. */
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { MerchantMode } from '#contract/access.ts'
import { parseJson } from '../../parse-json.ts'

const Key = Type.String({ pattern: '^[\\x21-\\x7e]{1,1000}$' })

const Fields = {
  apiKey: Key,
  merchantAccount: Type.String({ pattern: '^[A-Za-z0-9_-]{1,80}$' }),
  /** 32 bytes in hexadecimal, as Adyen's Customer Area shows it. */
  hmacKey: Type.String({ pattern: '^[0-9A-Fa-f]{64}$' }),
  reportApiKey: Type.Optional(Key),
  liveUrlPrefix: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$', maxLength: 100 })),
} as const
const Credentials = Type.Object(Fields, { additionalProperties: false })

/** An account at Adyen, with everything that a call needs. */
export interface AdyenAccount {
  readonly mode: MerchantMode
  readonly apiKey: string
  readonly merchantAccount: string
  readonly hmacKey: string
  /** Null: no settlement report can be read. */
  readonly reportApiKey: string | null
  /** Without the version. */
  readonly apiBase: string
  /** The only origin from which settlement reports are fetched. */
  readonly reportOrigin: string
}

/** What each field must be. The words never repeat a value: it may be a key. */
const MENDS: Readonly<Record<keyof typeof Fields, string>> = {
  apiKey: 'apiKey must be the API key of a web service user (Customer Area, Developers, API credentials).',
  merchantAccount: 'merchantAccount must be the name of the merchant account, such as TeaShopJP.',
  hmacKey:
    'hmacKey must be the HMAC key of the standard webhook: 64 hexadecimal digits (Customer Area, Developers, Webhooks).',
  reportApiKey: 'reportApiKey must be the API key of a report user, or be left out.',
  liveUrlPrefix:
    'liveUrlPrefix must be the prefix of your live endpoints, such as 1797a841fbb37ca7-TeaShop, or be left out.',
}

const isField = (name: string): name is keyof typeof Fields => Object.hasOwn(Fields, name)

const problemOf = (given: unknown): string => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'The file must hold a JSON object with apiKey, merchantAccount and hmacKey.'
  const values = new Map<string, unknown>(Object.entries(given))
  const extra = [...values.keys()].find((name) => !isField(name))
  if (extra !== undefined) return `The file may hold ${Object.keys(Fields).join(', ')} and nothing else.`
  const wrong = Object.entries(Fields).find(
    ([name, schema]) => !Check(schema, values.get(name)) && !(isOptional(name) && !values.has(name)),
  )
  return wrong !== undefined && isField(wrong[0]) ? MENDS[wrong[0]] : 'The file cannot be read.'
}

const isOptional = (name: string): boolean => name === 'reportApiKey' || name === 'liveUrlPrefix'

interface Addresses {
  readonly apiBase: string
  readonly reportOrigin: string
}

const addressesOf = (mode: MerchantMode, liveUrlPrefix: string | undefined): Addresses | null => {
  if (mode === 'test') return { apiBase: 'https://checkout-test.adyen.com', reportOrigin: 'https://ca-test.adyen.com' }
  if (liveUrlPrefix === undefined) return null
  return {
    apiBase: `https://${liveUrlPrefix}-checkout-live.adyenpayments.com/checkout`,
    reportOrigin: 'https://ca-live.adyen.com',
  }
}

/** `apiBase`, without a version, takes the place of Adyen's own address, for a double of it; reports then come from its origin too. */
export interface AccountPlace {
  readonly mode: MerchantMode
  readonly apiBase: string | null
}

/** The account, or what is wrong with its credentials and how to mend it. */
export const readAdyenAccount = (
  secret: string,
  { mode, apiBase }: AccountPlace,
): AdyenAccount | { readonly problem: string } => {
  const given = parseJson(secret)
  if (!Check(Credentials, given)) return { problem: problemOf(given) }
  const { apiKey, merchantAccount, hmacKey, reportApiKey = null, liveUrlPrefix } = given
  const addresses =
    apiBase === null
      ? addressesOf(mode, liveUrlPrefix)
      : { apiBase: apiBase.replace(/\/$/, ''), reportOrigin: new URL(apiBase).origin }
  return addresses === null
    ? { problem: `For live payments ${MENDS.liveUrlPrefix.replace(', or be left out', '')}` }
    : { mode, apiKey, merchantAccount, hmacKey, reportApiKey, ...addresses }
}
