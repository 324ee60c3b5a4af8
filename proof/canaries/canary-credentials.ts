/** Canary credentials: secrets of an account at an acquirer, given once in a file, that may be found again nowhere. */
import { randomInt } from 'node:crypto'

const pick = (signs: string): string => signs.charAt(randomInt(signs.length))

/** With digits in every part: by them the decodings tell text from random bytes. */
const randomSecret = (length: number): string =>
  Array.from({ length }, (_, place) => pick(place % 4 < 2 ? 'bcdfghjkmnpqrtvwxz' : '23456789')).join('')

const randomHex = (length: number): string => Array.from({ length }, () => pick('0123456789ABCDEF')).join('')

export interface CanaryCredentials {
  readonly stripeKey: string
  readonly stripeTestKey: string
  /** The double does not accept it. */
  readonly revokedStripeKey: string
  readonly adyenKey: string
  readonly unknownAdyenKey: string
  readonly reportKey: string
  readonly hmacKey: string
  readonly threeDSToken: string
}

export const createCredentials = (): CanaryCredentials => ({
  stripeKey: `rk_live_${randomSecret(40)}`,
  stripeTestKey: `rk_test_${randomSecret(40)}`,
  revokedStripeKey: `rk_test_revoked${randomSecret(40)}`,
  adyenKey: `AQE${randomSecret(40)}`,
  unknownAdyenKey: `AQE${randomSecret(40)}`,
  reportKey: `AQE${randomSecret(40)}`,
  hmacKey: randomHex(64),
  threeDSToken: randomSecret(40),
})

/** A secret that is searched for. */
export interface NamedSecret {
  readonly name: string
  readonly text: string
  /** The one place where it belongs. */
  readonly belongsAt?: RegExp
}

/** `secretKey`: the one that the server made; it stands in its own file, and there alone. */
export const secretsOf = (credentials: CanaryCredentials, secretKey: string, keyFile: RegExp): NamedSecret[] => [
  ...Object.entries(credentials).map(([name, text]: readonly [string, string]) => ({ name, text })),
  { name: 'SECRET_KEY', text: secretKey, belongsAt: keyFile },
]

/** More than the four characters that are shown of a key, and than are the same by chance. */
const FRAGMENT_LENGTH = 12
const STEP = 6

/** A leak of half a secret is found too. What all keys of a kind begin with is none. */
const fragmentsOf = (text: string): string[] => {
  const own = text.replace(/^(rk_(live|test)_(revoked)?|AQE)/, '')
  const count = Math.floor((own.length - FRAGMENT_LENGTH) / STEP) + 1
  return Array.from({ length: count }, (_, place) => own.slice(place * STEP, place * STEP + FRAGMENT_LENGTH))
}

/** As it was given; a hexadecimal key in both cases, and its bytes as they are and in base64. */
const formsOf = (text: string): string[] => {
  if (!/^[0-9A-Fa-f]{64}$/.test(text)) return fragmentsOf(text)
  const bytes = Buffer.from(text, 'hex')
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(4, 40),
  )
  return [...fragmentsOf(text.toUpperCase()), ...fragmentsOf(text.toLowerCase()), bytes.toString('latin1'), ...encoded]
}

const escaped = (form: string): string =>
  form.replaceAll(/[^A-Za-z0-9]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Which of the secrets a text that was found at a place holds. */
export const createSecretSearch = (
  secrets: readonly NamedSecret[],
): ((place: string, text: string) => readonly string[]) => {
  const searched = secrets.map((secret) => ({ ...secret, forms: formsOf(secret.text) }))
  // One search for all of them: one for each of a hundred forms takes a third of the time of the whole scan.
  const anyForm = new RegExp(searched.flatMap(({ forms }) => forms.map((form) => escaped(form))).join('|'))
  return (place, text) =>
    !anyForm.test(text)
      ? []
      : searched
          .filter(
            ({ belongsAt, forms }) => belongsAt?.test(place) !== true && forms.some((form) => text.includes(form)),
          )
          .map(({ name }) => name)
}
