/** Sealed text: a credential as it is stored, encrypted (AES-256-GCM) with a key that is derived from the secret key. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { secretKeyId } from './secret-key-id.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
/** NIST SP 800-38D: a random nonce has 96 bits. Sealed twice with the same one, both texts could be read. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORMAT = 'v1.'

export interface Sealed {
  /** The id of the secret key that opens it. */
  readonly keyId: string
  readonly text: string
}

/** What a sealed text belongs to, such as its merchant and its mode: copied to another place it does not open. */
export type SealedPlace = readonly string[]

export interface Sealing {
  /** The id of the current secret key; null: there is none, so nothing can be sealed or opened. */
  readonly currentKeyId: string | null
  seal(plain: string, place: SealedPlace): Sealed
  /** Null: sealed with a key that is not here, for another place, or changed since. */
  open(sealed: Sealed, place: SealedPlace): string | null
}

const sealingKey = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'kaikei sealed credentials', KEY_BYTES))

/** As JSON, so that no two places are written alike: ['a', 'bc'] is not ['ab', 'c']. */
const additionalData = (place: SealedPlace): Buffer => Buffer.from(JSON.stringify(place))

const openWith = (key: Buffer, text: string, place: SealedPlace): string | null => {
  if (!text.startsWith(FORMAT)) return null
  const bytes = Buffer.from(text.slice(FORMAT.length), 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(additionalData(place))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}

/** The current secret key first: it seals. Each of them opens what it has sealed. */
export const createSealing = (secretKeys: readonly string[]): Sealing => {
  const keys = new Map(secretKeys.map((secretKey) => [secretKeyId(secretKey), sealingKey(secretKey)]))
  const [current] = keys
  return {
    currentKeyId: current?.[0] ?? null,
    seal: (plain, place) => {
      if (current === undefined) throw new Error('nothing can be sealed without a secret key')
      const [keyId, key] = current
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(additionalData(place))
      const bytes = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return { keyId, text: FORMAT + Buffer.concat(bytes).toString('base64url') }
    },
    open: ({ keyId, text }, place) => {
      const key = keys.get(keyId)
      return key === undefined ? null : openWith(key, text, place)
    },
  }
}
