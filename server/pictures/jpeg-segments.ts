/** Segments of a JPEG: the parts between its markers, up to the end of the picture. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { asksForTurning } from './exif.ts'
import { damaged, isPictureRefusal, PARTS_MAX, TOO_MANY_PARTS, type PictureRefusal } from './picture.ts'

export const MARKERS = {
  huffman: 0xc4,
  start: 0xd8,
  end: 0xd9,
  scan: 0xda,
  quantization: 0xdb,
  restartInterval: 0xdd,
  jfif: 0xe0,
  exif: 0xe1,
  profile: 0xe2,
  adobe: 0xee,
} as const

export interface JpegSegment {
  readonly marker: number
  readonly data: Buffer
  /** The coded pixels behind a scan's head; empty behind every other segment. */
  readonly pixels: Buffer
}

const NO_PIXELS = Buffer.alloc(0)

export const jpegSegment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7
/** The three ways of coding that browsers show: baseline, extended, in passes. */
export const isFrame = ({ marker }: JpegSegment): boolean => marker >= 0xc0 && marker <= 0xc2

const RARE_CODINGS: ReadonlyMap<number, string> = new Map([
  ...[0xc3, 0xc5, 0xc6, 0xc7, 0xde, 0xdf].map((marker) => [marker, 'lossless or layered JPEG'] as const),
  ...[0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf].map((marker) => [marker, 'arithmetic coding'] as const),
  [0xdc, 'a height that stands behind the pixels'],
])

/** Bytes that are read before payments have a turn of the event loop: less than a millisecond. */
const PIECE_BYTES = 64 * 1024

/** Looks for a place from `from` up to `end`; -1 where it is not there. */
type FindPlace = (file: Buffer, from: number, end: number) => number

/** -1 where it is nowhere in the rest of the file. */
const findInPieces = async (file: Buffer, from: number, find: FindPlace): Promise<number> => {
  for (let piece = from; piece < file.length; piece += PIECE_BYTES) {
    if (piece > from) await nextTurn()
    const found = find(file, piece, Math.min(piece + PIECE_BYTES, file.length))
    if (found !== -1) return found
  }
  return -1
}

/** Where the pixels of a scan end: at the first marker that is not part of them. */
const scanEnd: FindPlace = (file, from, end) => {
  for (let at = from; at < end; at += 1) {
    if (file[at] !== 0xff) continue
    const next = file[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !isRestart(next)) return at
  }
  return -1
}

/** A marker may be preceded by any number of fill bytes. */
const fillEnd: FindPlace = (file, from, end) => {
  for (let at = from; at < end; at += 1) if (file[at] !== 0xff) return at
  return -1
}

interface PlacedSegment extends JpegSegment {
  readonly end: number
}

const segmentAt = async (file: Buffer, start: number): Promise<PlacedSegment | PictureRefusal> => {
  if (start < file.length && file[start] !== 0xff) return damaged('a part does not begin where the one before ends')
  const at = (await findInPieces(file, start + 1, fillEnd)) - 1
  const marker = file[at + 1]
  if (at < 0 || marker === undefined) return { why: 'cut_short' }
  if (marker === MARKERS.end) return { marker, data: NO_PIXELS, pixels: NO_PIXELS, end: at + 2 }
  if (marker === MARKERS.start) return damaged('a second picture begins inside it')
  if (marker < 0xc0 || isRestart(marker)) return damaged('it has a part that does not exist')
  const coding = RARE_CODINGS.get(marker)
  if (coding !== undefined) return { why: 'rare_coding', coding }
  if (at + 4 > file.length) return { why: 'cut_short' }
  const length = file.readUInt16BE(at + 2)
  if (length < 2) return damaged('a part has a wrong length')
  const dataEnd = at + 2 + length
  const end = marker === MARKERS.scan ? await findInPieces(file, dataEnd, scanEnd) : dataEnd
  if (end === -1 || end > file.length) return { why: 'cut_short' }
  return { marker, data: file.subarray(at + 4, dataEnd), pixels: file.subarray(dataEnd, end), end }
}

const KEPT: readonly number[] = Object.values(MARKERS)

/** All segments that can matter. What follows the end, often further pictures of a camera, is not part of the picture. */
export const readSegments = async (file: Buffer): Promise<JpegSegment[] | PictureRefusal> => {
  const segments: JpegSegment[] = []
  let [at, turnAt] = [2, PIECE_BYTES]
  for (let count = 0; count < PARTS_MAX; count += 1) {
    if (at >= turnAt) {
      await nextTurn()
      turnAt = at + PIECE_BYTES
    }
    const segment = await segmentAt(file, at)
    if (isPictureRefusal(segment)) return segment
    if (segment.marker === MARKERS.end) return segments
    if (segment.marker === MARKERS.exif && asksForTurning(segment.data)) return { why: 'rotated' }
    if (KEPT.includes(segment.marker) || isFrame(segment)) segments.push(segment)
    at = segment.end
  }
  return TOO_MANY_PARTS
}
