/** Load shedding: under overload pages are answered 503, so that payments under way still get the processor. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Drawing one page takes some five milliseconds: more of them than this wait for a fifth of a second. */
const PAGES_IN_FLIGHT_MAX = 40
/** A pay call takes some eight turns of the event loop: later than this it would take more than a second. */
const EVENT_LOOP_DELAY_MAX_MS = 150
const SAMPLE_INTERVAL_MS = 250

/** After how many seconds a shed caller may come back. */
export const RETRY_AFTER_SECONDS = 2

export interface LoadGauge {
  /** Mean delay of the event loop that lasted for two samples: one alone may be a collection of garbage. */
  delayMs(): number
  stop(): void
}

export const eventLoopGauge = (): LoadGauge => {
  const resolution = 10
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  let samples: readonly [number, number] = [0, 0]
  const timer = setInterval(() => {
    // The histogram counts the timer's own pace too.
    const mean = histogram.count === 0 ? 0 : Math.max(0, histogram.mean / 1e6 - resolution)
    samples = [samples[1], mean]
    histogram.reset()
  }, SAMPLE_INTERVAL_MS)
  timer.unref()
  return {
    delayMs: () => Math.min(...samples),
    stop: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** Lets pages in, one `enter` each, until there are too many of them or the event loop is late. */
export interface PageLane {
  /** True: draw it, and call `leave` at its end. False: answer 503. */
  enter(): boolean
  leave(): void
}

export const createPageLane = (gauge: Pick<LoadGauge, 'delayMs'>): PageLane => {
  let inFlight = 0
  return {
    enter: () => {
      if (inFlight >= PAGES_IN_FLIGHT_MAX || gauge.delayMs() > EVENT_LOOP_DELAY_MAX_MS) return false
      inFlight += 1
      return true
    },
    leave: () => {
      inFlight -= 1
    },
  }
}

/** Plain and small: drawing it costs nothing, and it says so in both languages of most shoppers. */
export const OVERLOADED_PAGE = `<!doctype html>
<html lang="ja"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>503</title>
<p lang="ja">ただいま混み合っています。数秒後にもう一度開いてください。</p>
<p lang="en">The page is busy. Please open it again in a few seconds.</p>
</html>
`
