/** Challenge MACs: keyed hashes (HMAC-SHA-256) by which a server knows a challenge that it, or one beside it, has made. */
import { createHmac, hkdfSync } from 'node:crypto'
import type { Dependencies } from '../../dependencies.ts'

const KEY_BYTES = 32

/** All keys, so that nobody who signs in while the secret key is changed is refused. */
export const createChallengeMacs = (secretKeys: readonly string[]): Dependencies['challengeMacs'] => {
  const keys = secretKeys.map((each) =>
    Buffer.from(hkdfSync('sha256', each, '', 'kaikei passkey challenge', KEY_BYTES)),
  )
  return (text) => keys.map((key) => createHmac('sha256', key).update(text).digest())
}
