/** Ids: 160 random bits, base32. */
import { randomBytes } from 'node:crypto'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const ID_LENGTH = 32
const ID = new RegExp(`^[${BASE32}]{${ID_LENGTH}}$`)

/** Whether a text can be an id of ours. What cannot is not looked up: PostgreSQL takes a zero byte in a text for a fault. */
export const isId = (text: string): boolean => ID.test(text)

/** 32 characters of 5 bits each, every character from its own random byte: 256 is a multiple of 32, so none is favoured. */
export const randomId = (): string =>
  Array.from(randomBytes(ID_LENGTH), (byte) => BASE32[byte % BASE32.length]).join('')
