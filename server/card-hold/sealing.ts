/** Sealing of held cards: names and encrypted texts (AES-256-GCM) under a rotating master key. Pure but for its nonces. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { CardBinding } from '#payment/ports.ts'

const CIPHER = 'aes-256-gcm'
export const KEY_BYTES = 32
/** NIST SP 800-38D: a random nonce has 96 bits. Sealed twice with the same one, both texts could be read. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORMAT = 1

/** A card as it stands in the shared hold. */
export interface SealedCard {
  readonly name: string
  readonly bytes: Buffer
}

export interface CardSealing {
  seal(binding: CardBinding, plain: string): SealedCard
  /** The names under which a card may stand, one for each master key, the current one first. */
  namesOf(orderCode: string): readonly string[]
  /** `keyIndex`: the place of its name. Null: changed since, or sealed for another payment. */
  open(binding: CardBinding, keyIndex: number, bytes: Uint8Array): string | null
}

const derive = (master: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', purpose, KEY_BYTES))

/** As JSON, so that no two payments are written alike. */
const additionalData = ({ merchantId, checkoutId, orderCode, amountYen }: CardBinding): Buffer =>
  Buffer.from(JSON.stringify([merchantId, checkoutId, orderCode, amountYen]))

/** Who reads the store sees neither order codes nor which names belong together. */
const nameUnder = (nameKey: Buffer, orderCode: string): string =>
  `card:${createHmac('sha256', nameKey).update(orderCode).digest('base64url')}`

/** A key of its own for each order: one that leaks opens one card. */
const orderKey = (master: Uint8Array, orderCode: string): Buffer => derive(master, `kaikei held card ${orderCode}`)

/** The first key seals, each of them opens what it has sealed. */
export const createCardSealing = (masters: readonly [Uint8Array, ...Uint8Array[]]): CardSealing => {
  const nameKeys = masters.map((master) => derive(master, 'kaikei names of held cards'))
  const namesOf = (orderCode: string): string[] => nameKeys.map((nameKey) => nameUnder(nameKey, orderCode))
  return {
    namesOf,
    seal: (binding, plain) => {
      const { orderCode } = binding
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, orderKey(masters[0], orderCode), nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(additionalData(binding))
      const sealed = [Buffer.of(FORMAT), nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
      const [name = ''] = namesOf(orderCode)
      return { name, bytes: Buffer.concat(sealed) }
    },
    open: (binding, keyIndex, bytes) => {
      const master = masters[keyIndex]
      if (master === undefined || bytes[0] !== FORMAT || bytes.length < 1 + NONCE_BYTES + TAG_BYTES) return null
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
      const key = orderKey(master, binding.orderCode)
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(additionalData(binding))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const text = bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)
        return decipher.update(text, undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}
