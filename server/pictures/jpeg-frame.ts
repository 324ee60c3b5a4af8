/** Frame and scans of a JPEG: its size, its components, and which of them a scan holds. */
import { damaged, type PictureRefusal, type PictureSize } from './picture.ts'

interface Component {
  readonly id: number
  readonly quantization: number
  /** Blocks of this component in one unit of a scan. */
  readonly blocks: number
}

export interface Frame extends PictureSize {
  readonly components: readonly Component[]
}

const isSampling = (factor: number): boolean => factor >= 1 && factor <= 4

export const parseFrame = (data: Buffer): Frame | PictureRefusal => {
  const [precision = 0] = data
  const count = data[5] ?? 0
  if (data.length < 6 || data.length !== 6 + 3 * count) return damaged('its header has a wrong length')
  if (precision !== 8) return { why: 'rare_coding', coding: 'more than 8 bits a colour' }
  if (count !== 1 && count !== 3 && count !== 4) return { why: 'rare_coding', coding: 'an unusual number of colours' }
  const components = Array.from({ length: count }, (_, place) => {
    const [id = 0, sampling = 0, quantization = 0] = data.subarray(6 + 3 * place)
    const [across, down] = [sampling >> 4, sampling & 15]
    return { id, quantization, blocks: isSampling(across) && isSampling(down) ? across * down : 0 }
  })
  const areDifferent = new Set(components.map(({ id }) => id)).size === count
  if (!areDifferent || components.some(({ blocks, quantization }) => blocks === 0 || quantization > 3))
    return damaged('its header holds values that do not exist')
  return { width: data.readUInt16BE(3), height: data.readUInt16BE(1), components }
}

/** The tables that a scan is decoded by. */
export interface Scan {
  readonly quantization: readonly number[]
  /** Numbers of Huffman tables, as their own segments write them: the class (DC 0, AC 1) in the upper half. */
  readonly huffman: readonly number[]
}

/** More blocks in one unit no decoder takes. */
const BLOCKS_MAX = 10

export const parseScan = (data: Buffer, { components }: Frame): Scan | PictureRefusal => {
  const count = data[0] ?? 0
  if (count < 1 || count > 4 || data.length !== 4 + 2 * count) return damaged('a scan has a wrong length')
  const chosen = Array.from({ length: count }, (_, place) => {
    const [id, tables = 0] = data.subarray(1 + 2 * place)
    return { component: components.find((each) => each.id === id), dc: tables >> 4, ac: tables & 15 }
  })
  const known = chosen.flatMap(({ component }) => component ?? [])
  const blocks = known.reduce((sum, component) => sum + component.blocks, 0)
  const [from = 0, to = 0] = data.subarray(1 + 2 * count)
  const isRight =
    new Set(known).size === count &&
    (count === 1 || blocks <= BLOCKS_MAX) &&
    chosen.every(({ dc, ac }) => dc <= 3 && ac <= 3) &&
    from <= to &&
    to <= 63
  if (!isRight) return damaged('a scan holds values that do not exist')
  return {
    quantization: [...new Set(known.map(({ quantization }) => quantization))],
    huffman: [...new Set(chosen.flatMap(({ dc, ac }) => [dc, 16 + ac]))],
  }
}
