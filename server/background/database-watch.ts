/** Database watch: an alarm when nothing can be written, because the database is lost or its disk is full. */
import type { Dependencies } from '../dependencies.ts'

const CHECK_INTERVAL_MS = 10_000
/** While it lasts, the alarm is repeated: one line in a long log is overlooked. */
const ALARM_INTERVAL_MS = 300_000

type Watched = Pick<Dependencies, 'writeProbe' | 'log' | 'elapsed'>

/** One look at the database, as often as it is called. */
export const createDatabaseCheck = ({ writeProbe, log, elapsed }: Watched): (() => Promise<void>) => {
  let alarmedAt: number | undefined
  return async () => {
    if (await writeProbe.takesWrites()) {
      if (alarmedAt !== undefined) log.info('the database takes writes again')
      alarmedAt = undefined
      return
    }
    if (alarmedAt !== undefined && elapsed() - alarmedAt < ALARM_INTERVAL_MS) return
    alarmedAt = elapsed()
    log.alarm('the database takes no writes', {
      why: 'it cannot be reached, its disk is full, or it is read-only: payments are refused until it is back',
    })
  }
}

/** Looks every ten seconds until it is stopped: without traffic nobody else would notice. */
export const startDatabaseWatch = (deps: Watched): { stop(): void } => {
  const check = createDatabaseCheck(deps)
  let underWay = false
  const timer = setInterval(() => {
    // A database that hangs must not be asked by more and more checks.
    if (underWay) return
    underWay = true
    void check().finally(() => {
      underWay = false
    })
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
