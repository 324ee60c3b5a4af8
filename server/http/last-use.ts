/** Last use: stores when something was last used, such as a key or a session, beside the call that uses it. */
import type { Instant } from '#contract/jst.ts'

const LAST_USE_STEP_MS = 60_000

/** Also true after the clock was set back: otherwise no use would be written until the old time comes again. */
export const isLastUseOld = (lastUsedAt: Instant | null, now: Instant): boolean =>
  lastUsedAt === null || Math.abs(now - lastUsedAt) >= LAST_USE_STEP_MS

type NoteUse = (used: { readonly hash: string; readonly lastUsedAt: Instant | null }, now: Instant) => void

/** The call does not wait for this write, nor fail with it. One at a time for each name; after a failure the next call writes it. */
const createWriteBeside = (): ((name: string, write: () => Promise<void>) => void) => {
  const beingWritten = new Set<string>()
  return (name, write) => {
    if (beingWritten.has(name)) return
    beingWritten.add(name)
    void write()
      .catch(() => undefined)
      .finally(() => beingWritten.delete(name))
  }
}

/** At most once a minute for each hash. */
export const createUseNote = (save: (hash: string, now: Instant) => Promise<void>): NoteUse => {
  const writeBeside = createWriteBeside()
  return ({ hash, lastUsedAt }, now) => {
    if (isLastUseOld(lastUsedAt, now)) writeBeside(hash, () => save(hash, now))
  }
}
