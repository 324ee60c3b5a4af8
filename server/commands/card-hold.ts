/** Card hold command: makes a key for the file that CARD_HOLD_KEYS_FILE names. */
import { newCardHoldKey } from '../card-hold/keys-file.ts'
import type { Command } from './command.ts'

export const cardHoldKey: Command = {
  summary: 'prints a new key for CARD_HOLD_KEYS_FILE: second there on every server before it is first',
  example: 'card-hold key',
  run: async () => {
    const key = newCardHoldKey()
    return { value: { key }, lines: [key] }
  },
}
