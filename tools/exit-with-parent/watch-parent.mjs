// Exit with parent: notices that the process that started this one has ended, however it ended.

const POLL_INTERVAL_MS = 500

/**
 * Ctrl-C, kill, and a terminal that closes.
 * @type {NodeJS.Signals[]}
 */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

// Read at the start: later it could already be the id of the process that adopted us.
const PARENT_AT_START = process.ppid

/**
 * Calls `onExit` once when the parent process has ended.
 * @param {() => void} onExit
 * @returns {() => void} stops watching
 */
export const onParentExit = (onExit) => {
  const stop = () => {
    clearInterval(timer)
    process.off('disconnect', exited)
  }
  const exited = () => {
    stop()
    onExit()
  }
  const timer = setInterval(() => {
    if (process.ppid !== PARENT_AT_START) exited()
  }, POLL_INTERVAL_MS)
  timer.unref()
  process.on('disconnect', exited)
  // A listener for 'disconnect' holds the channel open, and a finished command would never end.
  process.channel?.unref()
  return stop
}
