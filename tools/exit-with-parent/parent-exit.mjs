const pollMs = 500

/**
 * Ctrl-C, kill, and a terminal that closes.
 * @type {NodeJS.Signals[]}
 */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

// Read when the program begins: read later, it could already be the id of whoever adopted us.
const parentAtStart = process.ppid

/**
 * Calls `gone` once when the process that started this one has ended, however it ended.
 * @param {() => void} gone
 * @returns {() => void} stops watching
 */
export const onParentGone = (gone) => {
  const stop = () => {
    clearInterval(timer)
    process.off('disconnect', lost)
  }
  const lost = () => {
    stop()
    gone()
  }
  const timer = setInterval(() => {
    if (process.ppid !== parentAtStart) lost()
  }, pollMs)
  timer.unref()
  process.on('disconnect', lost)
  // A listener for 'disconnect' holds the channel open, and a finished command would never end.
  process.channel?.unref()
  return stop
}
