/** WebP: its chunks are checked, and picture, alpha channel and colour profile are put together anew. */
import { asksForTurning } from './exif.ts'
import { cleanProfile } from './icc-profile.ts'
import {
  damaged,
  isPictureRefusal,
  PARTS_MAX,
  sizeProblem,
  TOO_MANY_PARTS,
  type Picture,
  type PictureRefusal,
  type PictureSize,
} from './picture.ts'

/** RIFF, the length of the rest, WEBP. */
const FILE_HEAD = 12
const CHUNK_HEAD = 8

export const isWebp = (file: Buffer): boolean =>
  file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, FILE_HEAD) === 'WEBP'

const HAS_PROFILE = 0x20
const HAS_ALPHA = 0x10
const IS_ANIMATED = 0x02
const EXTENDED_LENGTH = 10

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

const webpChunk = ({ type, data }: Chunk): Buffer => {
  const head = Buffer.alloc(CHUNK_HEAD)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

export const webpFile = (chunks: readonly Chunk[]): Buffer => {
  const body = Buffer.concat(chunks.map(webpChunk))
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

/** All chunks within the length that the file says it has; what follows is not part of the picture. */
const readChunks = (file: Buffer): Chunk[] | PictureRefusal => {
  const end = CHUNK_HEAD + file.readUInt32LE(4)
  if (end > file.length) return { why: 'cut_short' }
  const chunks: Chunk[] = []
  for (let at = FILE_HEAD; at < end;) {
    if (chunks.length === PARTS_MAX) return TOO_MANY_PARTS
    if (at + CHUNK_HEAD > end) return { why: 'cut_short' }
    const length = file.readUInt32LE(at + 4)
    const dataEnd = at + CHUNK_HEAD + length
    if (dataEnd > end) return { why: 'cut_short' }
    chunks.push({ type: file.toString('latin1', at, at + 4), data: file.subarray(at + CHUNK_HEAD, dataEnd) })
    at = dataEnd + (length % 2)
  }
  return chunks
}

/** The head of a lossy picture: one whole frame that is shown. */
const lossySize = (data: Buffer): PictureSize | PictureRefusal => {
  if (data.length < 10) return { why: 'cut_short' }
  const tag = data.readUIntLE(0, 3)
  const [isWhole, version, isShown, firstPart] = [(tag & 1) === 0, (tag >> 1) & 7, (tag & 16) > 0, tag >> 5]
  if (!isWhole || version > 3 || !isShown || data.toString('hex', 3, 6) !== '9d012a')
    return damaged('its header holds values that do not exist')
  if (10 + firstPart > data.length) return { why: 'cut_short' }
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

const losslessSize = (data: Buffer): PictureSize | PictureRefusal => {
  if (data.length < 6) return { why: 'cut_short' }
  const bits = data.readUInt32LE(1)
  if (data[0] !== 0x2f || bits >>> 29 !== 0) return damaged('its header holds values that do not exist')
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const sizeOf = ({ type, data }: Chunk): PictureSize | PictureRefusal =>
  type === 'VP8L' ? losslessSize(data) : lossySize(data)

const isImage = ({ type }: Chunk): boolean => type === 'VP8 ' || type === 'VP8L'

/** The chunks beside the picture of an extended file, in the order that the format demands. */
const extendedChunks = (chunks: readonly Chunk[], image: Chunk, size: PictureSize): Chunk[] | PictureRefusal => {
  const before = chunks.slice(0, chunks.indexOf(image))
  const all = (type: string): Chunk[] => before.filter((chunk) => chunk.type === type)
  const [[extended, ...others], profiles, alphas] = [all('VP8X'), all('ICCP'), all('ALPH')]
  if (extended === undefined) return []
  if (others.length > 0 || profiles.length > 1 || alphas.length > 1) return damaged('a chunk stands twice')
  if (extended.data.length !== EXTENDED_LENGTH) return damaged('its header has a wrong length')
  if (extended.data.readUIntLE(4, 3) + 1 !== size.width || extended.data.readUIntLE(7, 3) + 1 !== size.height)
    return damaged('its header names another size than its pixels have')
  const [flags = 0] = extended.data
  // Without its flag no browser reads the profile.
  const profile = (flags & HAS_PROFILE) === 0 ? undefined : profiles[0]
  const clean = profile === undefined ? undefined : cleanProfile(profile.data)
  if (clean === null) return { why: 'wrong_colour_profile' }
  const head = Buffer.from(extended.data)
  head.fill(0, 0, 4)
  head[0] = (flags & HAS_ALPHA) | (clean === undefined ? 0 : HAS_PROFILE)
  return [
    { type: 'VP8X', data: head },
    ...(clean === undefined ? [] : [{ type: 'ICCP', data: clean }]),
    // A lossless picture holds its own alpha channel.
    ...(image.type === 'VP8 ' ? alphas : []),
  ]
}

/** By the note of a lossless picture that its alpha channel is in use, or by the alpha channel beside a lossy one. */
const isTransparent = ({ type, data }: Chunk, beside: readonly Chunk[]): boolean =>
  type === 'VP8L' ? (data.readUInt32LE(1) & (1 << 28)) !== 0 : beside.some((chunk) => chunk.type === 'ALPH')

export const checkWebp = (file: Buffer): Picture | PictureRefusal => {
  const chunks = readChunks(file)
  if (isPictureRefusal(chunks)) return chunks
  const [first] = chunks
  if (first === undefined) return { why: 'cut_short' }
  if (first.type !== 'VP8X' && !isImage(first)) return damaged('its header does not come first')
  const isAnimated = first.type === 'VP8X' && ((first.data[0] ?? 0) & IS_ANIMATED) > 0
  if (isAnimated || chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) return { why: 'animated' }
  if (chunks.some(({ type, data }) => type === 'EXIF' && asksForTurning(data))) return { why: 'rotated' }
  const [image, ...others] = chunks.filter(isImage)
  if (image === undefined) return damaged('it has no pixels')
  if (others.length > 0) return damaged('its pixels stand twice')
  const size = sizeOf(image)
  if (isPictureRefusal(size)) return size
  const problem = sizeProblem(size)
  if (problem !== undefined) return problem
  const beside = extendedChunks(chunks, image, size)
  if (isPictureRefusal(beside)) return beside
  const { width, height } = size
  // Its pixels are not unpacked here: white and black are both seen on the neutral plate.
  const plate = isTransparent(image, beside) ? 'neutral' : 'light'
  return { type: 'image/webp', width, height, bytes: webpFile([...beside, image]), plate }
}
