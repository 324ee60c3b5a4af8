/** Exit with parent: a child whose parent was killed must not keep port and lock from the next start. */

const POLL_INTERVAL_MS = 500

/** A child whose parent was killed must not live on with the port and the lock: the next start would find them taken. */
export const exitWithParent = (end: () => void): void => {
  if (process.send === undefined) return
  const parent = process.ppid
  process.once('disconnect', end)
  setInterval(() => {
    if (!process.connected || process.ppid !== parent) end()
  }, POLL_INTERVAL_MS).unref()
}
