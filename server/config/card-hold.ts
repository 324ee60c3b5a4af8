/** Configuration of the card hold: in memory, or sealed in a store that several servers share. */
import { resolve } from 'node:path'
import { readCardHoldAddress, type CardHoldAddress } from './card-hold-address.ts'
import { given, Problem, wholeNumber, type Environment } from './readers.ts'

export interface SharedCardHoldConfig {
  readonly address: CardHoldAddress
  readonly keysFile: string
  readonly timeoutMs: number
}

/** Null: in the memory of the one server. */
export const readCardHoldConfig = (env: Environment): SharedCardHoldConfig | null => {
  const timeoutMs = wholeNumber(env, 'CARD_HOLD_TIMEOUT_MS', { from: 50, to: 10_000, otherwise: 2500 })
  const url = given(env, 'CARD_HOLD_URL')
  const keysFile = given(env, 'CARD_HOLD_KEYS_FILE')
  if (url === undefined) {
    if (keysFile !== undefined)
      throw new Problem('CARD_HOLD_KEYS_FILE is set without CARD_HOLD_URL: set both, or none for a hold in memory.')
    return null
  }
  const address = readCardHoldAddress(url)
  if ('problem' in address) throw new Problem(`CARD_HOLD_URL ${address.problem}.`)
  if (keysFile === undefined)
    throw new Problem('CARD_HOLD_URL is set without CARD_HOLD_KEYS_FILE: cards are sealed with its keys; set both.')
  if (given(env, 'DATABASE_URL') === undefined)
    throw new Problem(
      'CARD_HOLD_URL is set without DATABASE_URL: several servers share a PostgreSQL database; set both, or none.',
    )
  if (given(env, 'SECRET_KEY') === undefined)
    throw new Problem(
      'CARD_HOLD_URL is set without SECRET_KEY: servers that share a card hold need the same one, and a file in DATA_DIR is of one machine; set SECRET_KEY on all of them to what openssl rand -hex 32 prints.',
    )
  return { address, keysFile: resolve(keysFile), timeoutMs }
}
