/** PNG: its chunks are checked and those that make the picture are put together anew. */
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import { plateFor } from '#contract/logo-shades.ts'
import { asksForTurning } from './exif.ts'
import { cleanProfile, PROFILE_BYTES_MAX } from './icc-profile.ts'
import { inflateAtMost, inflateExactly } from './inflate.ts'
import {
  damaged,
  isPictureRefusal,
  PARTS_MAX,
  sizeProblem,
  TOO_MANY_PARTS,
  type Picture,
  type PictureRefusal,
} from './picture.ts'
import { parsePngHeader, pixelBytes, type PngHeader } from './png-header.ts'
import { createShadeCount } from './png-shades.ts'

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** Length, type and checksum of a chunk without data. */
const CHUNK_FRAME = 12

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

export const pngChunk = ({ type, data }: Chunk): Buffer => {
  const chunk = Buffer.alloc(CHUNK_FRAME + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

const chunkAt = (file: Buffer, at: number): Chunk | PictureRefusal => {
  if (at + CHUNK_FRAME > file.length) return { why: 'cut_short' }
  const length = file.readUInt32BE(at)
  const end = at + 8 + length
  if (end + 4 > file.length) return { why: 'cut_short' }
  if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) return damaged('a checksum is wrong')
  const type = file.toString('latin1', at + 4, at + 8)
  return /^[A-Za-z]{4}$/.test(type) ? { type, data: file.subarray(at + 8, end) } : damaged('a chunk has no name')
}

/** Chunks that decide how the pixels look. Each may stand once, before the pixels. */
const KEPT = ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'PLTE', 'tRNS'] as const
type KeptType = (typeof KEPT)[number]
const isKept = (type: string): type is KeptType => KEPT.some((kept) => kept === type)

const ANIMATION = ['acTL', 'fcTL', 'fdAT']

interface PngParts {
  readonly header: PngHeader
  readonly kept: ReadonlyMap<KeptType, Buffer>
  readonly pixels: Buffer
}

/** Reads up to the end of the picture; what follows it is not part of it. */
const readParts = (file: Buffer): PngParts | PictureRefusal => {
  const first = chunkAt(file, PNG_SIGNATURE.length)
  if (isPictureRefusal(first)) return first
  const header = first.type === 'IHDR' ? parsePngHeader(first.data) : damaged('the header does not come first')
  if (isPictureRefusal(header)) return header
  const kept = new Map<KeptType, Buffer>()
  const pixels: Buffer[] = []
  let previous = ''
  let at = PNG_SIGNATURE.length + CHUNK_FRAME + first.data.length
  for (let count = 1; count < PARTS_MAX; count += 1) {
    const chunk = chunkAt(file, at)
    if (isPictureRefusal(chunk)) return chunk
    const { type, data } = chunk
    at += CHUNK_FRAME + data.length
    if (type === 'IEND') return { header, kept, pixels: Buffer.concat(pixels) }
    if (ANIMATION.includes(type)) return { why: 'animated' }
    if (type === 'eXIf' && asksForTurning(data)) return { why: 'rotated' }
    if (type === 'IDAT') {
      if (pixels.length > 0 && previous !== type) return damaged('its pixels are in pieces')
      pixels.push(data)
    } else if (isKept(type)) {
      if (kept.has(type)) return damaged(`${type} stands twice`)
      if (pixels.length > 0) return damaged(`${type} comes after the pixels`)
      kept.set(type, data)
    } else if (type === 'IHDR') return damaged('the header stands twice')
    // A capital letter first: a reader that does not know the chunk cannot show the picture.
    else if (/^[A-Z]/.test(type)) return { why: 'rare_coding', coding: 'a part that is not in the PNG standard' }
    previous = type
  }
  return TOO_MANY_PARTS
}

const PALETTE = 3
const hasAlpha = ({ colourType }: PngHeader): boolean => colourType >= 4

/** Far beyond any light; four letters or digits in the place of such a number are larger. */
const COORDINATE_MAX = 10_000_000

const areNumbers = (data: Buffer, length: number): boolean =>
  data.length === length &&
  Array.from({ length: length / 4 }, (_, place) => data.readUInt32BE(place * 4)).every(
    (value) => value <= COORDINATE_MAX,
  )

/** Whether a chunk holds what it must, and no more. */
const isRight: Record<KeptType, (data: Buffer, header: PngHeader, paletteLength: number) => boolean> = {
  cICP: (data) => data.length === 4,
  iCCP: (data) => data.length > 0,
  sRGB: (data) => data.length === 1,
  gAMA: (data) => areNumbers(data, 4),
  cHRM: (data) => areNumbers(data, 32),
  PLTE: ({ length }, { bitDepth }) => length > 0 && length % 3 === 0 && length <= 3 * 2 ** bitDepth,
  tRNS: ({ length }, { colourType }, paletteLength) =>
    colourType === PALETTE ? length > 0 && length * 3 <= paletteLength : length === (colourType === 0 ? 2 : 6),
}

/** In Node's thread pool: a profile of a megabyte takes 30 ms. */
const pack = promisify(deflate)

/** The profile under a name of ours: its own could be any text. */
const cleanProfileChunk = async (data: Buffer): Promise<Buffer | PictureRefusal> => {
  const nameEnd = data.indexOf(0)
  // Behind the name stands the only way of packing that there is.
  if (nameEnd < 1 || nameEnd > 79 || data[nameEnd + 1] !== 0) return { why: 'wrong_colour_profile' }
  const packed = inflateAtMost(data.subarray(nameEnd + 2), PROFILE_BYTES_MAX)
  const profile = packed === null ? null : cleanProfile(packed)
  return profile === null
    ? { why: 'wrong_colour_profile' }
    : Buffer.concat([Buffer.from('ICC profile\0\0', 'latin1'), await pack(profile)])
}

const cleanKept = async ({ header, kept }: PngParts): Promise<Chunk[] | PictureRefusal> => {
  const palette = kept.get('PLTE')?.length ?? 0
  if (header.colourType === PALETTE && palette === 0) return damaged('its palette is missing')
  const chunks: Chunk[] = []
  for (const type of KEPT) {
    const data = kept.get(type)
    // A palette beside full colours, and a transparent colour beside an alpha channel, change nothing.
    const isIdle = (type === 'PLTE' && header.colourType !== PALETTE) || (type === 'tRNS' && hasAlpha(header))
    if (data === undefined || isIdle) continue
    if (!isRight[type](data, header, palette)) return damaged(`${type} holds what it cannot`)
    const clean = type === 'iCCP' ? await cleanProfileChunk(data) : data
    if (isPictureRefusal(clean)) return clean
    chunks.push({ type, data: clean })
  }
  return chunks
}

const isTransparent = ({ header, kept }: PngParts): boolean => hasAlpha(header) || kept.has('tRNS')

/** A logo of 2048 × 2048 pixels has 16 MB; of a larger one nobody knows the shades, and it gets the neutral plate. */
const COUNTED_BYTES_MAX = 20_000_000
const isCounted = (parts: PngParts): boolean => isTransparent(parts) && pixelBytes(parts.header) <= COUNTED_BYTES_MAX

export const checkPng = async (file: Buffer): Promise<Picture | PictureRefusal> => {
  const parts = readParts(file)
  if (isPictureRefusal(parts)) return parts
  const { header, pixels } = parts
  const problem = sizeProblem(header)
  if (problem !== undefined) return problem
  const kept = await cleanKept(parts)
  if (isPictureRefusal(kept)) return kept
  const count = isCounted(parts) ? createShadeCount(header, parts.kept.get('PLTE'), parts.kept.get('tRNS')) : null
  const used = await inflateExactly(pixels, pixelBytes(header), count?.read)
  if (typeof used !== 'number') return used
  const chunks = [
    { type: 'IHDR', data: header.bytes },
    ...kept,
    { type: 'IDAT', data: pixels.subarray(0, used) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ]
  const { width, height } = header
  const plate = count === null ? (isTransparent(parts) ? 'neutral' : 'light') : plateFor(count.shades())
  const bytes = Buffer.concat([PNG_SIGNATURE, ...chunks.map(pngChunk)])
  return { type: 'image/png', width, height, bytes, plate }
}
