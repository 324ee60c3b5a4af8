/** Card hold check: whether the keys and the store of the shared card hold can be used, and whether it keeps cards off its disk. */
import { readCardHoldKeys } from '../../card-hold/keys-file.ts'
import { openValkeyStore, type DiskSettings } from '../../card-hold/valkey.ts'
import type { SharedCardHoldConfig } from '../../config/card-hold.ts'
import { messageOf } from '../../log.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

const REACH =
  'see that it runs, that CARD_HOLD_URL is right and that no firewall is between: meanwhile nobody can start a payment.'
const ON_DISK = 'set save "" and appendonly no there: sealed cards belong in memory alone.'

export const judgeDiskSettings = (settings: DiskSettings | null): Finding => {
  if (settings === null)
    return warn('it is reached, and does not tell whether it writes to disk', `see that it does not: ${ON_DISK}`)
  const { save, appendOnly } = settings
  const writes = [...(save === '' ? [] : [`save "${save}"`]), ...(appendOnly === 'no' ? [] : ['appendonly yes'])]
  return writes.length === 0
    ? ok('shared: it is reached, and keeps cards in memory alone')
    : warn(`it is reached, and writes to disk (${writes.join(', ')})`, ON_DISK)
}

export const lookAtCardHold = async (shared: SharedCardHoldConfig | null): Promise<Finding> => {
  if (shared === null) return ok('in the memory of one server')
  const keys = await readCardHoldKeys(shared.keysFile)
  if ('problem' in keys) return fail(`CARD_HOLD_KEYS_FILE ${keys.problem}`, 'mend the file, as on the other servers.')
  const store = openValkeyStore(shared.address, shared.timeoutMs, { warn: () => undefined })
  try {
    return judgeDiskSettings(await store.diskSettings())
  } catch (error) {
    return fail(`it cannot be reached (${messageOf(error)})`, REACH)
  } finally {
    store.close()
  }
}
