/** API key: read from the Authorization header and hashed. */
import { createHash } from 'node:crypto'

const KEY = /^Bearer (sk_(test|live)_[A-Za-z0-9]{16,64})$/

/** API key: the one in an Authorization header, hashed as it is stored: a copy of the database opens nothing. */
export const keyHashOf = (authorization: string | undefined): string | null => {
  const key = KEY.exec(authorization ?? '')?.[1]
  return key === undefined ? null : hashKey(key)
}

export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')
