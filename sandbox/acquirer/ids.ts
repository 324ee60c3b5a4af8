/** Ids of the acquirer: a word for what it names, and 100 random bits. */
import { randomBytes } from 'node:crypto'

const BASE32_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

export const newId = (prefix: 'txn' | 'dsp' | 'mov'): string =>
  `${prefix}_${Array.from(randomBytes(20), (byte) => BASE32_ALPHABET.charAt(byte % BASE32_ALPHABET.length)).join('')}`
