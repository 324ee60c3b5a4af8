/** Held checkout watch: compares checkouts that a restore has closed to payment with the acquirer's list, and alarms while there are any. */
import { HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import type { AcquirerAccount, Dependencies } from '../dependencies.ts'
import { errorFacts } from '../log.ts'
import { compareHeld, type Told } from '../operations/recovery/compare-held.ts'
import { createStateAlarm, startWatch, type Watch } from './watch.ts'

/** A settlement report comes once a day; a doubt that an operator settles opens its checkout within this time. */
const COMPARE_INTERVAL_MS = HOUR_MS
/** An acquirer that did not answer is asked again: a timeout would keep shops closed for an hour more. */
const RETRY_INTERVAL_MS = MINUTE_MS

/** The merchant and mode that use it first: an account has no name of its own, and every merchant has one account in a mode. */
const nameOf = ({ scopes: [first] }: AcquirerAccount): string => `${first?.merchantId} ${first?.mode}`

/** Compares the accounts that are due, where there are any. The log says of the others what they said last. */
export const createHeldLook = (deps: Dependencies): (() => Promise<void>) => {
  const alarm = createStateAlarm(deps, {
    begun: 'checkouts are closed to payment after a restore',
    ended: 'no checkout is closed to payment after a restore any more',
  })
  const compared = new Map<string, { readonly told: Told; readonly dueAt: number }>()
  let dueAt = -Infinity
  return async () => {
    if (deps.elapsed() < dueAt) return
    // A comparison may take longer than the interval: without this the next one would run beside it.
    dueAt = Infinity
    const begunAt = deps.elapsed()
    const dueTimes: number[] = []
    let nextAt = -Infinity
    try {
      const { held, why } = await compareHeld(deps, {
        lately: (account) => {
          const last = compared.get(nameOf(account))
          if (last === undefined || last.dueAt <= begunAt) return null
          dueTimes.push(last.dueAt)
          return last.told
        },
        note: (account, told) => {
          // A silent one is due at the next look.
          const next = told.isSilent ? -Infinity : deps.elapsed() + COMPARE_INTERVAL_MS
          compared.set(nameOf(account), { told, dueAt: next })
          dueTimes.push(next)
        },
      })
      nextAt = Math.min(deps.elapsed() + COMPARE_INTERVAL_MS, ...dueTimes)
      if (held === 0) alarm.end()
      else alarm.raise(`${held} may have been paid since the backup: ${why.join('; ')}`)
    } catch (error) {
      deps.log.warn('held checkouts could not be compared', errorFacts(error))
    }
    dueAt = nextAt
  }
}

/** Looks at once and then every hour, at a silent account each minute, until it is stopped. */
export const startHeldWatch = (deps: Dependencies): Watch => {
  const look = createHeldLook(deps)
  void look()
  return startWatch(RETRY_INTERVAL_MS, look)
}
