/** Credentials of an account at an acquirer: read from what the operator gives, and again from what is stored. */
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { MerchantMode } from '#contract/access.ts'
import type { AcquirerKind } from '#payment/acquirer-limits.ts'
import { parseJson } from '../parse-json.ts'

/** What is wrong with an account, without a full stop, and how to mend it. Neither quotes a credential. */
export interface AccountProblem {
  readonly problem: string
  readonly mend: string
}

const StripeCredentials = Type.Object(
  {
    kind: Type.Literal('stripe'),
    /** A secret key (sk_) or, better, a restricted one (rk_). */
    secretKey: Type.String({ pattern: '^(sk|rk)_(test|live)_[A-Za-z0-9_]{8,250}$' }),
  },
  { additionalProperties: false },
)
export type StripeCredentials = Static<typeof StripeCredentials>

/** What goes into a header may hold no other characters. */
const HeaderText = Type.String({ pattern: '^[\\x21-\\x7e]{1,1000}$' })

const AdyenCredentials = Type.Object(
  {
    kind: Type.Literal('adyen'),
    apiKey: HeaderText,
    merchantAccount: Type.String({ pattern: '^[A-Za-z0-9_-]{1,80}$' }),
    /** With which Adyen signs its notifications: 32 bytes, hexadecimal. */
    hmacKey: Type.String({ pattern: '^[0-9A-Fa-f]{64}$' }),
    /** Of the user that may download reports; without it there is no statement. */
    reportApiKey: Type.Optional(HeaderText),
    /** The first part of the live address, such as 1797a841fbb37ca7-AdyenDemo. */
    liveUrlPrefix: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' })),
  },
  { additionalProperties: false },
)
export type AdyenCredentials = Static<typeof AdyenCredentials>

export type AcquirerCredentials = StripeCredentials | AdyenCredentials

const SCHEMAS = { stripe: StripeCredentials, adyen: AdyenCredentials } as const

/** From what was opened; null: not the credentials of this kind. */
export const storedCredentials = (kind: AcquirerKind, text: string): AcquirerCredentials | null => {
  const value = parseJson(text)
  const schema: (typeof SCHEMAS)[AcquirerKind] = SCHEMAS[kind]
  return Check(schema, value) ? value : null
}

const modeOfStripeKey = (secretKey: string): MerchantMode => (/^[a-z]+_live_/.test(secretKey) ? 'live' : 'test')

const stripeFrom = (text: string, mode: MerchantMode): StripeCredentials | AccountProblem => {
  if (text.startsWith('pk_'))
    return {
      problem: 'this is a publishable key, which may not charge',
      mend: 'give the secret key (sk_) or a restricted key (rk_) of the account.',
    }
  const credentials = { kind: 'stripe', secretKey: text } as const
  if (!Check(StripeCredentials, credentials))
    return {
      problem: 'this is no key of Stripe',
      mend: `give a file that holds the key alone, which begins with sk_${mode}_ or rk_${mode}_.`,
    }
  const keyMode = modeOfStripeKey(text)
  return keyMode === mode
    ? credentials
    : {
        problem: `this is a ${keyMode} key, and the account is for ${mode} mode`,
        mend: `give the key that begins with sk_${mode}_ or rk_${mode}_, or say --mode ${keyMode}.`,
      }
}

const ADYEN_FILE =
  'give a JSON file with apiKey, merchantAccount, hmacKey (64 hexadecimal digits) and, if you have them, reportApiKey and liveUrlPrefix.'

/** Names of fields alone: what stands in them, and in names that nobody knows, may be a secret. */
const adyenFault = (value: object): string => {
  const { kind: _kind, ...known } = AdyenCredentials.properties
  const isOptional = (name: string): boolean => name === 'reportApiKey' || name === 'liveUrlPrefix'
  const wrong = Object.entries(known).flatMap(([name, schema]) => {
    const given: unknown = Reflect.get(value, name)
    const isRight = given === undefined ? isOptional(name) : Check(schema, given)
    return isRight ? [] : [name]
  })
  return wrong.length > 0
    ? `missing, or not of the right form: ${wrong.join(', ')}`
    : 'it holds names beside those of an account'
}

const adyenFrom = (text: string, mode: MerchantMode, hasApiBase: boolean): AdyenCredentials | AccountProblem => {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return { problem: 'this is no JSON object', mend: ADYEN_FILE }
  const given = { ...value, kind: 'adyen' }
  if (!Check(AdyenCredentials, given)) return { problem: adyenFault(value), mend: ADYEN_FILE }
  if (mode === 'live' && given.liveUrlPrefix === undefined && !hasApiBase)
    return {
      problem: 'a live account of Adyen has an address of its own, and liveUrlPrefix is missing',
      mend: 'add liveUrlPrefix (Customer Area, Developers, API URLs, Prefix), or give --api-base.',
    }
  return given
}

/** From the file that an operator gives. */
export const givenCredentials = (
  kind: AcquirerKind,
  text: string,
  { mode, hasApiBase }: { readonly mode: MerchantMode; readonly hasApiBase: boolean },
): AcquirerCredentials | AccountProblem =>
  kind === 'stripe' ? stripeFrom(text.trim(), mode) : adyenFrom(text, mode, hasApiBase)

const HINT_LENGTH = 4

/** The last characters of the key, by which a person tells one from another. */
export const hintOf = (credentials: AcquirerCredentials): string =>
  (credentials.kind === 'stripe' ? credentials.secretKey : credentials.apiKey).slice(-HINT_LENGTH)

/** What may be seen nowhere. */
export const secretsIn = (credentials: AcquirerCredentials): string[] =>
  credentials.kind === 'stripe'
    ? [credentials.secretKey]
    : [
        credentials.apiKey,
        credentials.hmacKey,
        ...(credentials.reportApiKey === undefined ? [] : [credentials.reportApiKey]),
      ]
