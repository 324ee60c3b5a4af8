/** Page asset HMAC: proves that a server with the secret key has stored an asset, under this name and with these bytes. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** A file of the built page. */
export interface PageAsset {
  readonly bytes: Buffer
  readonly mediaType: string
  /** The same bytes as the build has compressed them; pictures of pixels are not compressed again. */
  readonly compressed: Readonly<Partial<Record<'br' | 'gzip', Buffer>>>
}

export interface AssetHmac {
  /** Under the current secret key. */
  sign(name: string, asset: PageAsset): string
  /** Whether it was made under one of the keys: a row may be older than a key rotation. */
  verify(name: string, asset: PageAsset, hmac: string): boolean
}

const keyOf = (secretKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'kaikei page asset hmac', 32))

const digestOf = (bytes: Buffer | undefined): string | null =>
  bytes === undefined ? null : createHash('sha256').update(bytes).digest('hex')

/** As JSON, so that no two assets are written alike. The type and the compressed bytes are served too, and so are part of it. */
const contentsOf = (name: string, { bytes, mediaType, compressed }: PageAsset): string =>
  JSON.stringify([name, mediaType, digestOf(bytes), digestOf(compressed.br), digestOf(compressed.gzip)])

const hmacOf = (key: Buffer, contents: string): Buffer => createHmac('sha256', key).update(contents).digest()

/** The current secret key first. */
export const createAssetHmac = (secretKeys: readonly string[]): AssetHmac => {
  const keys = secretKeys.map(keyOf)
  const [current] = keys
  if (current === undefined) throw new Error('no page asset can be signed without a secret key')
  return {
    sign: (name, asset) => hmacOf(current, contentsOf(name, asset)).toString('hex'),
    verify: (name, asset, hmac) => {
      const [given, contents] = [Buffer.from(hmac, 'hex'), contentsOf(name, asset)]
      return keys.some((key) => {
        const own = hmacOf(key, contents)
        return own.length === given.length && timingSafeEqual(own, given)
      })
    },
  }
}
