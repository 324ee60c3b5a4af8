/** Held watch: compares checkouts that a restore has closed to payment with the acquirer's list, and alarms while there are any. */
import { HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import type { Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { compareHeld } from '../operations/recovery/compare-held.ts'
import { createStateAlarm, startWatch, type Watch } from './watch.ts'

/** A settlement report comes once a day; a doubt that an operator settles opens its checkout within this time. */
const COMPARE_INTERVAL_MS = HOUR_MS
/** An acquirer that did not answer is asked again: a timeout would keep shops closed for an hour more. */
const RETRY_INTERVAL_MS = MINUTE_MS

/** One comparison, where it is due, and what it says in the log. */
export const createHeldLook = (deps: Dependencies): (() => Promise<void>) => {
  const alarm = createStateAlarm(deps, {
    begun: 'checkouts are closed to payment after a restore',
    ended: 'no checkout is closed to payment after a restore any more',
  })
  let dueAt = -Infinity
  return async () => {
    if (deps.elapsed() < dueAt) return
    // A comparison may take longer than the interval: without this the next one would run beside it.
    dueAt = Infinity
    let nextAt = -Infinity
    try {
      const { held, why, isSilent } = await compareHeld(deps)
      if (!isSilent) nextAt = deps.elapsed() + COMPARE_INTERVAL_MS
      if (held === 0) alarm.end()
      else alarm.raise(`${held} may have been paid since the backup: ${why.join('; ')}`)
    } catch (error) {
      deps.log.warn('held checkouts could not be compared', errorFacts(error))
    }
    dueAt = nextAt
  }
}

/** Looks at once and then every hour, after a silence each minute, until it is stopped. */
export const startHeldWatch = (deps: Dependencies): Watch => {
  const look = createHeldLook(deps)
  void look()
  return startWatch(RETRY_INTERVAL_MS, look)
}
