/** Virtual authenticator: makes passkeys and signs with them as a browser's does (WebAuthn Level 3, section 6), with ES256. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { CreationOptions, NewCredential, RequestOptions, SignedChallenge } from '#contract/console/webauthn.ts'

const FLAGS = { present: 0x01, verified: 0x04, withCredential: 0x40 } as const

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()

/** CBOR of a text shorter than 24 bytes (RFC 8949, section 3). */
const shortText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

const byteString = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([Buffer.from([0x59]), length, bytes])
}

/** A public key of P-256 in COSE (RFC 9053, section 7.1.1): kty EC2, alg ES256, crv P-256, x and y. */
const coseOf = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (name: number, value: string): Buffer =>
    Buffer.concat([Buffer.from([name, 0x58, 0x20]), Buffer.from(value, 'base64url')])
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
  return Buffer.concat([head, coordinate(0x21, x), coordinate(0x22, y)])
}

interface Credential {
  readonly id: string
  readonly privateKey: KeyObject
}

/** How an authenticator, or a page that lies, differs from an honest one. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly isVerified?: boolean
  readonly counter?: number
  readonly crossOrigin?: boolean
  /** Bytes of the credential's id. */
  readonly idLength?: number
  /** What an attestation format other than `none` is called. */
  readonly format?: string
}

export interface VirtualAuthenticator {
  create(options: CreationOptions, deviation?: Deviation): NewCredential
  /** With the passkey of this id, or the newest. */
  sign(options: RequestOptions, deviation?: Deviation & { readonly id?: string }): SignedChallenge
}

export const createVirtualAuthenticator = (origin: string): VirtualAuthenticator => {
  const credentials: Credential[] = []

  const clientData = (type: string, challenge: string, deviation: Deviation): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: deviation.crossOrigin ?? false,
      }),
    )

  const authenticatorData = (rpId: string, flags: number, { isVerified = true, counter = 0 }: Deviation): Buffer => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const all = flags + FLAGS.present + (isVerified ? FLAGS.verified : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([all]), count])
  }

  return {
    create: ({ rp, challenge }, deviation = {}) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const bytes = randomBytes(deviation.idLength ?? 16)
      const id = bytes.toString('base64url')
      const rpId = deviation.rpId ?? rp.id
      credentials.push({ id, privateKey })
      const aaguidAndLength = Buffer.alloc(18)
      aaguidAndLength.writeUInt16BE(bytes.length, 16)
      const authData = Buffer.concat([
        authenticatorData(rpId, FLAGS.withCredential, deviation),
        aaguidAndLength,
        bytes,
        coseOf(publicKey),
      ])
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        shortText('fmt'),
        shortText(deviation.format ?? 'none'),
        shortText('attStmt'),
        Buffer.from([0xa0]),
        shortText('authData'),
        byteString(authData),
      ])
      const clientDataJSON = clientData('webauthn.create', challenge, deviation).toString('base64url')
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON,
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    sign: ({ challenge, rpId: asked }, { id: wanted, ...deviation } = {}) => {
      const found = credentials.findLast(({ id }) => wanted === undefined || id === wanted)
      if (found === undefined) throw new Error('the authenticator has no such passkey')
      const authData = authenticatorData(deviation.rpId ?? asked, 0, deviation)
      const data = clientData('webauthn.get', challenge, deviation)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), found.privateKey)
      return {
        id: found.id,
        rawId: found.id,
        type: 'public-key',
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
