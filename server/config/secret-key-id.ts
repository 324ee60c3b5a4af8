/** Secret key id: how a secret key is told from another without being known. */
import { createHmac } from 'node:crypto'

const ID_LENGTH = 16

export const secretKeyDigest = (secretKey: string): string =>
  createHmac('sha256', secretKey).update('kaikei secret key check').digest('hex')

/** The beginning of the digest: enough to tell the few keys of one database apart. */
export const secretKeyId = (secretKey: string): string => secretKeyDigest(secretKey).slice(0, ID_LENGTH)
