/** Repeated pages: of SQLite's files, which are read several times in a run, each page is scanned where it was first seen. */
import type { ServerOutput } from './scanner.ts'

/** https://www.sqlite.org/fileformat2.html: the header of a log, and of each page in it. */
const WAL_HEADER_BYTES = 32
const WAL_FRAME_BYTES = 24

const pagesIn = ({ place, bytes }: ServerOutput): Buffer[] | null => {
  const isLog = place.endsWith('.sqlite-wal')
  if ((!isLog && !place.endsWith('.sqlite')) || bytes.length <= WAL_HEADER_BYTES) return null
  const pageBytes = isLog ? bytes.readUInt32BE(8) : bytes.readUInt16BE(16)
  const [begin, skipped] = isLog ? [WAL_HEADER_BYTES, WAL_FRAME_BYTES] : [0, 0]
  return Array.from({ length: Math.ceil((bytes.length - begin) / (skipped + pageBytes)) }, (_, nth) => {
    const from = begin + nth * (skipped + pageBytes) + skipped
    return bytes.subarray(from, from + pageBytes)
  })
}

/** The same outputs. A page that an earlier one has, byte for byte, is left out: most pages are the same in all of them. */
export const withoutRepeatedPages = (outputs: readonly ServerOutput[]): ServerOutput[] => {
  const seen = new Set<string>()
  const isNew = (page: Buffer): boolean => {
    const before = seen.size
    return seen.add(page.toString('latin1')).size > before
  }
  return outputs.map((output) => {
    const pages = pagesIn(output)
    return pages === null ? output : { ...output, bytes: Buffer.concat(pages.filter(isNew)) }
  })
}
