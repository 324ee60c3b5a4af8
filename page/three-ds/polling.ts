/** Specification, section 9; `timeScale` does not shorten it. */
export const POLL_INTERVAL_MS = 1000

export interface Polling {
  /** Polls at once. A poll in flight is aborted: after a tab was suspended, its connection may be dead. */
  pollNow(): void
  stop(): void
}

/**
 * Polling: once a second, one poll at a time, until an answer `isDone` or it is stopped. A failed or slow poll does not end
 * it: the shopper may be in the bank's app with this tab suspended, or have no network for a while.
 */
export const startPolling = <T>(
  sendPoll: (signal: AbortSignal) => Promise<T>,
  isDone: (answer: T) => boolean,
  onDone: () => void,
): Polling => {
  let inFlight: AbortController | null = null
  let isStopped = false

  const poll = (): void => {
    const mine = new AbortController()
    inFlight?.abort()
    inFlight = mine
    sendPoll(mine.signal).then(
      (answer) => {
        if (inFlight !== mine) return
        inFlight = null
        if (!isDone(answer)) return
        stop()
        onDone()
      },
      () => {
        if (inFlight === mine) inFlight = null
      },
    )
  }
  const timer = setInterval(() => {
    if (inFlight === null) poll()
  }, POLL_INTERVAL_MS)
  const stop = (): void => {
    isStopped = true
    clearInterval(timer)
    inFlight?.abort()
    inFlight = null
  }
  return {
    pollNow: () => {
      if (!isStopped) poll()
    },
    stop,
  }
}
