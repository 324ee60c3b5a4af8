/** Mailed tokens: the token of a link that goes by mail, derived from the secret key, so that every try of a mail holds the same. */
import { createHmac, hkdfSync } from 'node:crypto'
import type { Dependencies } from '../../dependencies.ts'
import { idOf } from '../../ids.ts'

const KEY_BYTES = 32

/** Without the secret key nobody makes a token of what is stored: whoever reads the files of the database signs in as nobody. */
export const createMailedToken = (secretKey: string): Dependencies['mailedToken'] => {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'kaikei mailed token', KEY_BYTES))
  return (linkHash) => idOf(createHmac('sha256', key).update(linkHash).digest())
}
