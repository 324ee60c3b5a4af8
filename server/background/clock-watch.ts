/** Clock watch: an alarm while the clock of this machine is not confirmed, and the end of that as soon as somebody confirms it. */
import { COMMAND_NAMES } from '../config/release.ts'
import type { GuardedClock } from '../operations/clock/guarded-clock.ts'
import { confirmClock, type SecondClock } from '../operations/clock/confirm-clock.ts'
import type { Dependencies } from '../dependencies.ts'

/** Looking costs nothing. Others are asked only while the clock is in doubt, and more seldom. */
const CHECK_INTERVAL_MS = 1000
const ASK_INTERVAL_MS = 10_000
/** While it lasts, the alarm is repeated: one line in a long log is overlooked. */
const ALARM_INTERVAL_MS = 300_000

interface Watched extends Pick<Dependencies, 'database' | 'log' | 'elapsed'> {
  readonly clock: GuardedClock
  readonly secondClocks: readonly SecondClock[]
}

const timeText = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z')

const whyOf = (clock: GuardedClock): string =>
  `the clock of this machine says ${timeText(clock.wall())}, and by the newest stored time and what has passed since it is ${timeText(clock.trusted())}. Payments go on by the latter; nothing is deleted, nothing expires and no mail is sent. It ends by itself when both agree, or when the acquirer or the database's machine says the same as this clock. If this clock is wrong, set it; if it is right: ${COMMAND_NAMES.program} clock confirm`

/** One look at the clock, as often as it is called. Never fails. */
export const createClockWatch = ({ clock, secondClocks, database, log, elapsed }: Watched): (() => Promise<void>) => {
  let alarmedAt: number | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  const isConfirmed = async (): Promise<boolean> => {
    if (clock.isConfirmed()) return true
    if (elapsed() - askedAt < ASK_INTERVAL_MS) return false
    askedAt = elapsed()
    return confirmClock({ clock, database, secondClocks })
  }
  return async () => {
    if (await isConfirmed()) {
      if (alarmedAt !== undefined) log.info('the clock is confirmed')
      alarmedAt = undefined
      // A clock that jumps again is asked about at once.
      askedAt = Number.NEGATIVE_INFINITY
      return
    }
    if (alarmedAt !== undefined && elapsed() - alarmedAt < ALARM_INTERVAL_MS) return
    alarmedAt = elapsed()
    log.alarm('the clock is not confirmed', { why: whyOf(clock) })
  }
}

/** Looks once before it answers, so that a server that was off for a month begins with the right time; then every second. */
export const startClockWatch = async (watched: Watched): Promise<{ stop(): void }> => {
  const look = createClockWatch(watched)
  await look()
  let underWay = false
  const timer = setInterval(() => {
    // An acquirer that hangs must not be asked by more and more checks.
    if (underWay) return
    underWay = true
    void look().finally(() => {
      underWay = false
    })
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
