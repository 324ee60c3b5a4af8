/** Recent pictures: a picture that was read is kept in memory for a minute. */
import type { StoredPicture } from './pictures.ts'

const KEPT_MS = 60_000
/** More than thirty of the largest ones. */
export const KEPT_BYTES_MAX = 64 * 1024 * 1024

export type FindPicture = (merchantId: string, hash: string) => Promise<StoredPicture | null>

interface RecentPicture {
  readonly picture: Promise<StoredPicture | null>
  readonly until: number
  /** 0 until the picture has been read. */
  length: number
}

/**
 * All readers of a picture share one copy: with a copy each, a thousand slow readers would hold two gigabytes. The URL of a
 * picture contains its hash, so a kept picture is never wrong; it may be served a minute too long.
 */
export const createRecentPictures = (find: FindPicture, elapsed: () => number): FindPicture => {
  const kept = new Map<string, RecentPicture>()
  let bytes = 0

  const forget = (key: string): void => {
    bytes -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }

  /** The first entry of the map is the oldest. */
  const makeRoom = (): void => {
    for (const key of kept.keys()) {
      if (bytes <= KEPT_BYTES_MAX) return
      forget(key)
    }
  }

  const weigh = async (key: string, recent: RecentPicture): Promise<void> => {
    const picture = await recent.picture.catch(() => null)
    if (kept.get(key) !== recent) return
    // A missing picture is not kept: anybody can invent hashes, and a new picture must be found at once.
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
