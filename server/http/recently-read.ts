/** Recently read: a file that was read from the database is kept in memory for a minute, within a number of bytes. */
const KEPT_MS = 60_000

interface Recent<File> {
  readonly file: Promise<File | null>
  readonly until: number
  /** 0 until the file has been read. */
  length: number
}

interface RecentlyReadOptions<File, Name extends readonly string[]> {
  find(...name: Name): Promise<File | null>
  lengthOf(file: File): number
  readonly bytesMax: number
  readonly elapsed: () => number
}

/**
 * All readers of a file share one copy: with a copy each, a thousand slow readers of pictures would hold two gigabytes. The name
 * of a file contains its hash, so a kept one is never wrong; it may be served a minute too long.
 */
export const createRecentlyRead = <File, Name extends readonly string[]>({
  find,
  lengthOf,
  bytesMax,
  elapsed,
}: RecentlyReadOptions<File, Name>): ((...name: Name) => Promise<File | null>) => {
  const kept = new Map<string, Recent<File>>()
  let bytes = 0

  const forget = (key: string): void => {
    bytes -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }

  /** The first entry of the map is the oldest. */
  const makeRoom = (): void => {
    for (const key of kept.keys()) {
      if (bytes <= bytesMax) return
      forget(key)
    }
  }

  const weigh = async (key: string, recent: Recent<File>): Promise<void> => {
    const file = await recent.file.catch(() => null)
    if (kept.get(key) !== recent) return
    // A missing file is not kept: anybody can invent names, and a new file must be found at once.
    if (file === null) return forget(key)
    recent.length = lengthOf(file)
    bytes += recent.length
    makeRoom()
  }

  return (...name) => {
    const key = name.join(' ')
    const known = kept.get(key)
    if (known !== undefined && elapsed() < known.until) return known.file
    forget(key)
    const recent = { file: find(...name), until: elapsed() + KEPT_MS, length: 0 }
    kept.set(key, recent)
    void weigh(key, recent)
    return recent.file
  }
}
