/** Tables of a JPEG: those that a scan is decoded by are written before it; what no scan uses is left out. */
import type { Scan } from './jpeg-frame.ts'
import { jpegSegment, MARKERS, type JpegSegment } from './jpeg-segments.ts'
import { damaged, PARTS_MAX, TOO_MANY_PARTS, type PictureRefusal } from './picture.ts'

const CODE_LENGTHS = 16

/** How long the quantization table is that begins here; NaN where it is none. */
const quantizationLength = (data: Buffer): number => {
  const [number = 0xff] = data
  const isWide = number >> 4 === 1
  return (number & 15) > 3 || number > 0x1f ? Number.NaN : 1 + (isWide ? 128 : 64)
}

const huffmanLength = (data: Buffer): number => {
  const [number = 0xff] = data
  if ((number & 15) > 3 || number > 0x1f || data.length < 1 + CODE_LENGTHS) return Number.NaN
  let [symbols, free] = [0, 1]
  for (const count of data.subarray(1, 1 + CODE_LENGTHS)) {
    symbols += count
    free = free * 2 - count
    // More codes of this length than there can be.
    if (free < 0) return Number.NaN
  }
  return symbols > 256 ? Number.NaN : 1 + CODE_LENGTHS + symbols
}

/** How many tables there were, by their number; a later one replaces an earlier one. NaN where they are not whole tables. */
const readTables = (
  data: Buffer,
  lengthOf: (rest: Buffer) => number,
  into: Map<number, Buffer>,
  numberOf = (first: number): number => first,
): number => {
  let count = 0
  for (let at = 0; at < data.length; count += 1) {
    const end = at + lengthOf(data.subarray(at))
    if (!(end <= data.length)) return Number.NaN
    into.set(numberOf(data[at] ?? 0), data.subarray(at, end))
    at = end
  }
  return count
}

interface JpegTables {
  /** Takes note of a table segment; what is wrong with it, or undefined. */
  read(segment: JpegSegment): PictureRefusal | undefined
  /** The tables that a scan needs and that are not written yet. */
  quantizationFor(scan: Scan): Buffer[]
  huffmanFor(scan: Scan): Buffer[]
}

export const createJpegTables = (): JpegTables => {
  const quantization = new Map<number, Buffer>()
  const huffman = new Map<number, Buffer>()
  const written = new Map<string, Buffer>()
  let interval: Buffer = Buffer.alloc(2)
  let count = 0

  const unwritten = (marker: number, key: number, data: Buffer | undefined): Buffer[] => {
    const name = `${marker} ${key}`
    if (data === undefined || written.get(name)?.equals(data) === true) return []
    written.set(name, data)
    return [jpegSegment(marker, data)]
  }

  return {
    read: ({ marker, data }) => {
      if (marker === MARKERS.quantization)
        count += readTables(data, quantizationLength, quantization, (first) => first & 15)
      if (Number.isNaN(count)) return damaged('a quantization table is wrong')
      if (marker === MARKERS.huffman) count += readTables(data, huffmanLength, huffman)
      if (Number.isNaN(count)) return damaged('a Huffman table is wrong')
      // A hundred thousand empty ones fit into a picture.
      if (count > PARTS_MAX) return TOO_MANY_PARTS
      if (marker !== MARKERS.restartInterval) return undefined
      if (data.length !== 2) return damaged('a restart interval is wrong')
      interval = data
      return undefined
    },
    quantizationFor: (scan) =>
      scan.quantization.flatMap((number) => unwritten(MARKERS.quantization, number, quantization.get(number))),
    huffmanFor: (scan) => [
      ...scan.huffman.flatMap((number) => unwritten(MARKERS.huffman, number, huffman.get(number))),
      ...(written.has(`${MARKERS.restartInterval} 0`) || interval.readUInt16BE() > 0
        ? unwritten(MARKERS.restartInterval, 0, interval)
        : []),
    ],
  }
}
