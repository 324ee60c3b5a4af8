/** Use note: stores when a key or a session was last used. */
import type { Instant } from '#contract/jst.ts'

const LAST_USE_STEP_MS = 60_000

/** Also true after the clock was set back: otherwise no use would be written until the old time comes again. */
export const isLastUseOld = (lastUsedAt: Instant | null, now: Instant): boolean =>
  lastUsedAt === null || Math.abs(now - lastUsedAt) >= LAST_USE_STEP_MS

type NoteUse = (used: { readonly hash: string; readonly lastUsedAt: Instant | null }, now: Instant) => void

/** The call does not wait for this write, which is made at most once a minute for each hash. After a failure the next call writes it. */
export const createUseNote = (save: (hash: string, now: Instant) => Promise<void>): NoteUse => {
  const beingWritten = new Set<string>()
  return ({ hash, lastUsedAt }, now) => {
    if (!isLastUseOld(lastUsedAt, now) || beingWritten.has(hash)) return
    beingWritten.add(hash)
    void save(hash, now)
      .catch(() => undefined)
      .finally(() => beingWritten.delete(hash))
  }
}
