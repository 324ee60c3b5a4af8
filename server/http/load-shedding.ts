/** Load shedding: under overload pages are answered 503, so that payments under way still get the processor. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Pages that are being read, wait to be drawn, or are drawn: the last of them waits for about a second. */
const PAGES_IN_FLIGHT_MAX = 150
/**
 * Reading and drawing a page takes some five milliseconds in which nothing else runs. Without a limit a thousand connections
 * that are ready at the same time would all be served before the event loop looks at a payment again.
 */
const PAGES_PER_TURN = 2
/** A pay call takes some eight turns of the event loop: later than this it would take more than a second. */
const EVENT_LOOP_DELAY_MAX_MS = 150
const SAMPLE_INTERVAL_MS = 250

/** After how many seconds a shed caller may come back. */
export const RETRY_AFTER_SECONDS = 2
/** A shed caller is answered so late: one that comes back at once would keep the server busy with refusals alone. */
export const SHED_DELAY_MS = 2000

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

/** Lane of pages: how many are in flight, and how many of them each turn of the event loop works on. */
export interface PageLane {
  /** True: the page may be read and drawn, and `leave` is called at its end. False: it is shed. */
  enter(): boolean
  leave(): void
  /** Resolves in the turn of the event loop in which it is this page's time to be worked on. */
  turn(): Promise<void>
}

export const createPageLane = (gauge: Pick<LoadGauge, 'delayMs'>): PageLane => {
  let inFlight = 0
  const waiting: (() => void)[] = []
  const workOn = (): void => {
    for (const begin of waiting.splice(0, PAGES_PER_TURN)) begin()
    if (waiting.length > 0) setImmediate(workOn)
  }
  return {
    enter: () => {
      if (inFlight >= PAGES_IN_FLIGHT_MAX || gauge.delayMs() > EVENT_LOOP_DELAY_MAX_MS) return false
      inFlight += 1
      return true
    },
    leave: () => {
      inFlight -= 1
    },
    turn: () =>
      new Promise((begin) => {
        waiting.push(begin)
        if (waiting.length === 1) setImmediate(workOn)
      }),
  }
}

/** Plain and small: drawing it costs nothing, and it says so in both languages of most shoppers. */
export const OVERLOADED_PAGE = `<!doctype html>
<html lang="ja"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>503</title>
<p lang="ja">ただいま混み合っています。数秒後にもう一度開いてください。</p>
<p lang="en">The page is busy. Please open it again in a few seconds.</p>
</html>
`
