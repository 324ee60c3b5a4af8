/** Recent pictures: what was just read from the database, kept in memory for a minute. */
import type { StoredPicture } from './pictures.ts'

const KEPT_MS = 60_000
/** More than thirty of the largest ones. */
export const KEPT_BYTES_MAX = 64 * 1024 * 1024

export type FindPicture = (merchantId: string, hash: string) => Promise<StoredPicture | null>

interface RecentPicture {
  readonly picture: Promise<StoredPicture | null>
  readonly until: number
  /** 0 until it has been read. */
  length: number
}

/**
 * All readers of a picture share one copy: with a copy each, a thousand that read slowly would hold two gigabytes. Its
 * address names its content, so that a kept one can be out of date in one way alone: it may be served a minute too long.
 */
export const createRecentPictures = (find: FindPicture, elapsed: () => number): FindPicture => {
  const kept = new Map<string, RecentPicture>()
  let bytes = 0

  const forget = (key: string): void => {
    bytes -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }

  /** The first in the order of the map is the one that was read first. */
  const makeRoom = (): void => {
    for (const key of kept.keys()) {
      if (bytes <= KEPT_BYTES_MAX) return
      forget(key)
    }
  }

  const weigh = async (key: string, recent: RecentPicture): Promise<void> => {
    const picture = await recent.picture.catch(() => null)
    if (kept.get(key) !== recent) return
    // One that does not exist is not kept: anybody can think of names, and a new picture is there at once.
    if (picture === null) return forget(key)
    recent.length = picture.bytes.length
    bytes += recent.length
    makeRoom()
  }

  return (merchantId, hash) => {
    const key = `${merchantId} ${hash}`
    const known = kept.get(key)
    if (known !== undefined && elapsed() < known.until) return known.picture
    forget(key)
    const recent = { picture: find(merchantId, hash), until: elapsed() + KEPT_MS, length: 0 }
    kept.set(key, recent)
    void weigh(key, recent)
    return recent.picture
  }
}
