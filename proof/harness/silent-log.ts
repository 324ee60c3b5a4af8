/** Silent log: writes nothing, for tests that check rows and not log lines. */
import type { Log } from '../../server/log.ts'

export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  alarm: () => undefined,
  limited: () => undefined,
  answered: () => undefined,
}
