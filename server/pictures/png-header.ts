/** Header of a PNG: size and kind of its pixels, and how many bytes they must be. */
import { damaged, type PictureRefusal, type PictureSize } from './picture.ts'

export interface PngHeader extends PictureSize {
  readonly bitDepth: number
  readonly colourType: number
  readonly isInterlaced: boolean
  readonly bytes: Buffer
}

const HEADER_LENGTH = 13

/** Samples of a pixel, and the bit depths that each colour type allows. */
const COLOUR_TYPES: ReadonlyMap<number, { readonly samples: number; readonly depths: readonly number[] }> = new Map([
  [0, { samples: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { samples: 3, depths: [8, 16] }],
  [3, { samples: 1, depths: [1, 2, 4, 8] }],
  [4, { samples: 2, depths: [8, 16] }],
  [6, { samples: 4, depths: [8, 16] }],
])

export const parsePngHeader = (bytes: Buffer): PngHeader | PictureRefusal => {
  if (bytes.length !== HEADER_LENGTH) return damaged('its header has a wrong length')
  const [bitDepth = 0, colourType = 0, compression, filter, interlace] = bytes.subarray(8)
  const isKnown = COLOUR_TYPES.get(colourType)?.depths.includes(bitDepth) === true
  if (!isKnown || compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1))
    return damaged('its header holds values that do not exist')
  const [width, height] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
  return { width, height, bitDepth, colourType, isInterlaced: interlace === 1, bytes }
}

/** First column and row, and the steps between columns and rows, of each pass over an interlaced picture (Adam7). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const ONE_PASS = [[0, 0, 1, 1]] as const

export const pixelBits = ({ bitDepth, colourType }: PngHeader): number =>
  bitDepth * (COLOUR_TYPES.get(colourType)?.samples ?? 0)

/** One pass over the picture. Before each row stands a byte that names its filter. */
interface PngPass {
  readonly columns: number
  readonly rows: number
  readonly rowBytes: number
}

/** The passes that have pixels, in their order. */
export const passesOf = (header: PngHeader): PngPass[] =>
  [...(header.isInterlaced ? PASSES : ONE_PASS)].flatMap(([left, top, across, down]) => {
    const columns = Math.max(0, Math.ceil((header.width - left) / across))
    const rows = Math.max(0, Math.ceil((header.height - top) / down))
    return columns > 0 && rows > 0 ? [{ columns, rows, rowBytes: Math.ceil((columns * pixelBits(header)) / 8) }] : []
  })

/** How many bytes the pixels have when they are unpacked: one for each row's filter, and the row itself. */
export const pixelBytes = (header: PngHeader): number =>
  passesOf(header).reduce((total, { rows, rowBytes }) => total + rows * (1 + rowBytes), 0)
