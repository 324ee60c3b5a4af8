/** Database watch: alarms while nothing can be written, because the database is lost or its disk is full. */
import type { Dependencies } from '../dependencies.ts'
import { createStateAlarm, startWatch, type Watch } from './watch.ts'

const CHECK_INTERVAL_MS = 10_000

type Watched = Pick<Dependencies, 'writeProbe' | 'log' | 'elapsed'>

/** One look at the database, as often as it is called. */
export const createDatabaseCheck = (deps: Watched): (() => Promise<void>) => {
  const alarm = createStateAlarm(deps, {
    begun: 'the database takes no writes',
    ended: 'the database takes writes again',
  })
  return async () => {
    if (await deps.writeProbe.takesWrites()) alarm.end()
    else
      alarm.raise('it cannot be reached, its disk is full, or it is read-only: payments are refused until it is back')
  }
}

/** Looks every ten seconds until it is stopped: without traffic nobody else would notice. */
export const startDatabaseWatch = (deps: Watched): Watch => startWatch(CHECK_INTERVAL_MS, createDatabaseCheck(deps))
