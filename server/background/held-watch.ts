/** Held watch: compares checkouts that a restore has closed to payment with the acquirer's list, and alarms while there are any. */
import { HOUR_MS } from '#contract/jst.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { compareHeld } from '../operations/recovery/compare-held.ts'
import { createStateAlarm, startWatch, type Watch } from './watch.ts'

/** A settlement report comes once a day; a doubt that an operator settles opens its checkout within this time. */
const COMPARE_INTERVAL_MS = HOUR_MS

/** One comparison, and what it says in the log. */
export const createHeldLook = (deps: Dependencies): (() => Promise<void>) => {
  const alarm = createStateAlarm(deps, {
    begun: 'checkouts are closed to payment after a restore',
    ended: 'no checkout is closed to payment after a restore any more',
  })
  return async () => {
    try {
      const { held, why } = await compareHeld(deps)
      if (held === 0) alarm.end()
      else alarm.raise(`${held} may have been paid since the backup: ${why.join('; ')}`)
    } catch (error) {
      deps.log.warn('held checkouts could not be compared', errorFacts(error))
    }
  }
}

/** Looks at once and then every hour, until it is stopped. */
export const startHeldWatch = (deps: Dependencies): Watch => {
  const look = createHeldLook(deps)
  void look()
  return startWatch(COMPARE_INTERVAL_MS, look)
}
