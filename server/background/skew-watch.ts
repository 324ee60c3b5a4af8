/** Skew watch: measures how far this server's time is from the database's, and alarms while that is too far for leases. */
import { CLOCK_SKEW_MAX_MS, isClockSkewed } from '#payment/clock.ts'
import type { Dependencies } from '../dependencies.ts'
import { createStateAlarm, startWatch, type Watch } from './watch.ts'

/** A clock drifts by milliseconds in this time; one that is set is measured before a lease of 35 seconds has ended. */
const MEASURE_INTERVAL_MS = 10_000

export interface ClockSkew {
  /** How far our time is ahead of the database's, as it was last measured; null: it was not, or nobody answered. */
  lastMs(): number | null
  measure(): Promise<number | null>
}

/** `ask` null: the embedded database has no clock of its own. */
export const createClockSkew = (ask: (() => Promise<number | null>) | null): ClockSkew => {
  let last: number | null = null
  return {
    lastMs: () => last,
    measure: async () => {
      last = ask === null ? null : await ask()
      return last
    },
  }
}

const whyOf = (skewMs: number): string =>
  `the time of this server is ${Math.abs(skewMs) / 1000} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's, and more than ${CLOCK_SKEW_MAX_MS / 1000} s is too far: another server may take over a charge, a refund or a webhook that is still under way. Let every machine keep its time by NTP`

/** One measurement, as often as it is called. Never fails. A database that does not answer says nothing of the clock. */
export const createSkewLook = (deps: Pick<Dependencies, 'log' | 'elapsed'>, skew: ClockSkew): (() => Promise<void>) => {
  const alarm = createStateAlarm(deps, {
    begun: 'the clock differs from that of the database',
    ended: 'the clock agrees with that of the database',
  })
  return async () => {
    const measured = await skew.measure()
    if (measured === null) return
    if (isClockSkewed(measured)) alarm.raise(whyOf(measured))
    else alarm.end()
  }
}

/** Measures at once and then every ten seconds, until it is stopped. */
export const startSkewWatch = (deps: Dependencies, skew: ClockSkew): Watch => {
  const look = createSkewLook(deps, skew)
  void look()
  return startWatch(MEASURE_INTERVAL_MS, look)
}
