/** Keys of the shared card hold: one base64 key of 32 bytes a line, the first seals, all open. */
import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { messageOf } from '../log.ts'
import { KEY_BYTES } from './sealing.ts'

const KEY = /^[A-Za-z0-9+/]{43}=$/
/** Rotation needs two; more are forgotten ones. */
const KEYS_MAX = 8

export const newCardHoldKey = (): string => randomBytes(KEY_BYTES).toString('base64')

export type CardHoldKeys = readonly [Uint8Array, ...Uint8Array[]]

/** Or what is wrong with it, in words that follow the variable's name; never with a key. */
export const parseCardHoldKeys = (text: string): CardHoldKeys | { readonly problem: string } => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const wrong = lines.findIndex((line) => !KEY.test(line))
  if (wrong !== -1) return { problem: `has no key in line ${wrong + 1}: each line is 32 bytes in base64` }
  if (lines.length > KEYS_MAX) return { problem: `has ${lines.length} keys: keep at most ${KEYS_MAX}` }
  if (new Set(lines).size < lines.length) return { problem: 'has the same key twice: leave one of them out' }
  const [first, ...others] = lines.map((line) => Buffer.from(line, 'base64'))
  return first === undefined ? { problem: 'has no key: make one with kaikei card-hold key' } : [first, ...others]
}

/** A file that others may read is refused: with it and a copy of the store's memory every held card can be read. */
const OTHERS = 0o077

export const readCardHoldKeys = async (path: string): Promise<CardHoldKeys | { readonly problem: string }> => {
  try {
    const { mode } = await stat(path)
    if ((mode & OTHERS) !== 0) return { problem: `can be read by others: chmod 600 ${path}` }
    return parseCardHoldKeys(await readFile(path, 'utf8'))
  } catch (error) {
    return { problem: `cannot be read (${messageOf(error)})` }
  }
}
