/** Specification, section 9; no scale shortens it. */
export const POLL_INTERVAL_MS = 1000

export interface Polling {
  /** Asks at once. A poll that is still out is given up: a tab that slept does not know whether it is still alive. */
  wake(): void
  stop(): void
}

/**
 * Asks once a second, one poll at a time, until `isOver` holds of an answer or it is stopped. A poll that fails or is
 * slow ends nothing: the shopper may be in the bank's app with this tab frozen, or in a lift.
 */
export const startPolling = <T>(
  ask: (signal: AbortSignal) => Promise<T>,
  isOver: (answer: T) => boolean,
  over: () => void,
): Polling => {
  let out: AbortController | null = null
  let isStopped = false

  const poll = (): void => {
    const mine = new AbortController()
    out?.abort()
    out = mine
    ask(mine.signal).then(
      (answer) => {
        if (out !== mine) return
        out = null
        if (!isOver(answer)) return
        stop()
        over()
      },
      () => {
        if (out === mine) out = null
      },
    )
  }
  const timer = setInterval(() => {
    if (out === null) poll()
  }, POLL_INTERVAL_MS)
  const stop = (): void => {
    isStopped = true
    clearInterval(timer)
    out?.abort()
    out = null
  }
  return {
    wake: () => {
      if (!isStopped) poll()
    },
    stop,
  }
}
