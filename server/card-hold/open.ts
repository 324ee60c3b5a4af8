/** Opens the card hold that the configuration names: in memory, or sealed in a shared store. */
import type { CardHold } from '#payment/ports.ts'
import type { SharedCardHoldConfig } from '../config/card-hold.ts'
import type { Elapsed } from '../dependencies.ts'
import type { Log } from '../log.ts'
import { readCardHoldKeys } from './keys-file.ts'
import { createCardHold } from './memory.ts'
import { CARD_COPY_MS, createSealedCardHold } from './sealed.ts'
import { createCardSealing } from './sealing.ts'
import { openValkeyStore } from './valkey.ts'

const SWEEP_INTERVAL_MS = 30_000

/** The hold, once there is a log; or the one line that says what to mend. */
type Opened = ((parts: { readonly elapsed: Elapsed; readonly log: Log }) => CardHold) | { readonly problem: string }

export const openCardHold = async (shared: SharedCardHoldConfig | null): Promise<Opened> => {
  const keys = shared === null ? null : await readCardHoldKeys(shared.keysFile)
  if (keys !== null && 'problem' in keys) return { problem: `CARD_HOLD_KEYS_FILE ${keys.problem}.` }
  return ({ elapsed, log }) => {
    const memory = keys === null ? createCardHold(elapsed) : createCardHold(elapsed, CARD_COPY_MS)
    setInterval(memory.sweep, SWEEP_INTERVAL_MS).unref()
    if (shared === null || keys === null) return memory
    const store = openValkeyStore(shared.address, shared.timeoutMs, log)
    return createSealedCardHold({ store, sealing: createCardSealing(keys), memory, log })
  }
}
