/** Watch: looks at something again and again until it is stopped, and alarms about a state for as long as it lasts. */
import type { Dependencies } from '../dependencies.ts'

/** While a state lasts, its alarm is repeated: one line in a long log is overlooked. */
const ALARM_INTERVAL_MS = 300_000

export interface Watch {
  stop(): void
}

/** Looks in this interval, one look at a time: a database or an acquirer that hangs must not be asked by more and more looks. */
export const startWatch = (intervalMs: number, look: () => Promise<void>): Watch => {
  let underWay = false
  const timer = setInterval(() => {
    if (underWay) return
    underWay = true
    void look().finally(() => {
      underWay = false
    })
  }, intervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

interface StateAlarm {
  /** The state lasts: alarms at once, and then every five minutes. */
  raise(why: string): void
  /** It has ended, or was not there. */
  end(): void
}

export const createStateAlarm = (
  { log, elapsed }: Pick<Dependencies, 'log' | 'elapsed'>,
  texts: { readonly begun: string; readonly ended: string },
): StateAlarm => {
  let alarmedAt: number | undefined
  return {
    raise: (why) => {
      if (alarmedAt !== undefined && elapsed() - alarmedAt < ALARM_INTERVAL_MS) return
      alarmedAt = elapsed()
      log.alarm(texts.begun, { why })
    },
    end: () => {
      if (alarmedAt !== undefined) log.info(texts.ended)
      alarmedAt = undefined
    },
  }
}
