/** Shades of a PNG: its pixels, row by row as they are unpacked, counted by the ground on which they would be lost. */
import { isLostOnDark, isLostOnLight, luminanceOf, type Shades } from '#contract/logo-shades.ts'
import { passesOf, pixelBits, type PngHeader } from './png-header.ts'

/** The most pixels of a row, and the most rows of a pass, that are looked at. */
const SAMPLES_A_SIDE = 128

const [GREY, COLOUR, PALETTE, GREY_ALPHA] = [0, 2, 3, 4]
const OPAQUE = 255

/** The nearest of three to what they together suggest (Paeth). */
const nearestOf = (before: number, up: number, corner: number): number => {
  const toBefore = Math.abs(up - corner)
  const toUp = Math.abs(before - corner)
  const toCorner = Math.abs(before + up - 2 * corner)
  if (toBefore <= toUp && toBefore <= toCorner) return before
  return toUp <= toCorner ? up : corner
}

/** Undoes the filter of a row in its place. `line` and `above` begin with the filter's byte; `step` is a pixel in bytes. */
export const unfilterRow = (line: Uint8Array, above: Uint8Array, step: number): void => {
  const filter = line[0] ?? 0
  if (filter === 0) return
  for (let at = 1; at < line.length; at += 1) {
    const isFirst = at <= step
    const before = isFirst ? 0 : (line[at - step] ?? 0)
    const up = above[at] ?? 0
    let guess = 0
    if (filter === 1) guess = before
    else if (filter === 2) guess = up
    else if (filter === 3) guess = (before + up) >> 1
    else if (filter === 4) guess = nearestOf(before, up, isFirst ? 0 : (above[at - step] ?? 0))
    line[at] = (line[at] ?? 0) + guess
  }
}

type Pixel = readonly [red: number, green: number, blue: number, alpha: number]

/** How a pixel is read from a row without its filter. */
const pixelReader = (
  { bitDepth, colourType }: PngHeader,
  palette: Buffer,
  transparency: Buffer | undefined,
): ((line: Uint8Array, pixel: number) => Pixel) => {
  const sample = (line: Uint8Array, place: number): number => {
    if (bitDepth === 16) return ((line[1 + 2 * place] ?? 0) << 8) | (line[2 + 2 * place] ?? 0)
    if (bitDepth === 8) return line[1 + place] ?? 0
    const bit = place * bitDepth
    return ((line[1 + (bit >> 3)] ?? 0) >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1)
  }
  const toByte = (value: number): number => Math.round((value * 255) / (2 ** bitDepth - 1))
  const transparent = (place: number): number => transparency?.readUInt16BE(2 * place) ?? -1
  if (colourType === PALETTE)
    return (line, pixel) => {
      const entry = sample(line, pixel)
      const [red = 0, green = 0, blue = 0] = palette.subarray(3 * entry)
      return [red, green, blue, transparency?.[entry] ?? OPAQUE]
    }
  if (colourType === GREY || colourType === GREY_ALPHA)
    return (line, pixel) => {
      const hasAlpha = colourType === GREY_ALPHA
      const value = sample(line, hasAlpha ? 2 * pixel : pixel)
      const grey = toByte(value)
      const alpha = hasAlpha ? toByte(sample(line, 2 * pixel + 1)) : value === transparent(0) ? 0 : OPAQUE
      return [grey, grey, grey, alpha]
    }
  const samples = colourType === COLOUR ? 3 : 4
  return (line, pixel) => {
    const at = samples * pixel
    const [red, green, blue] = [sample(line, at), sample(line, at + 1), sample(line, at + 2)]
    const isTransparent = red === transparent(0) && green === transparent(1) && blue === transparent(2)
    const alpha = samples === 4 ? toByte(sample(line, at + 3)) : isTransparent ? 0 : OPAQUE
    return [toByte(red), toByte(green), toByte(blue), alpha]
  }
}

interface ShadeCount {
  /** The unpacked bytes, in their order. */
  readonly read: (piece: Buffer) => void
  readonly shades: () => Shades
}

export const createShadeCount = (
  header: PngHeader,
  palette: Buffer = Buffer.alloc(0),
  transparency?: Buffer,
): ShadeCount => {
  const pixelAt = pixelReader(header, palette, transparency)
  const step = Math.max(1, pixelBits(header) >> 3)
  const passes = passesOf(header).values()
  let pass = passes.next().value
  let [line, above] = [new Uint8Array(1 + (pass?.rowBytes ?? 0)), new Uint8Array(1 + (pass?.rowBytes ?? 0))]
  let [row, filled] = [0, 0]
  const counts = { all: 0, visible: 0, lostOnLight: 0, lostOnDark: 0 }

  const countRow = (columns: number, across: number, weight: number): void => {
    for (let pixel = 0; pixel < columns; pixel += across) {
      const [red, green, blue, alpha] = pixelAt(line, pixel)
      const visible = (weight * alpha) / OPAQUE
      const luminance = luminanceOf(red, green, blue)
      counts.all += weight
      counts.visible += visible
      if (isLostOnLight(luminance)) counts.lostOnLight += visible
      if (isLostOnDark(luminance)) counts.lostOnDark += visible
    }
  }

  const endRow = ({ columns, rows }: NonNullable<typeof pass>): void => {
    unfilterRow(line, above, step)
    const [across, down] = [Math.ceil(columns / SAMPLES_A_SIDE), Math.ceil(rows / SAMPLES_A_SIDE)]
    if (row % down === 0) countRow(columns, across, across * down)
    ;[line, above] = [above, line]
    ;[row, filled] = [row + 1, 0]
    if (row < rows) return
    pass = passes.next().value
    ;[line, above] = [new Uint8Array(1 + (pass?.rowBytes ?? 0)), new Uint8Array(1 + (pass?.rowBytes ?? 0))]
    row = 0
  }

  const read = (piece: Buffer): void => {
    for (let at = 0; at < piece.length;) {
      // Behind the last row.
      if (pass === undefined) return
      const taken = piece.subarray(at, at + line.length - filled)
      line.set(taken, filled)
      at += taken.length
      filled += taken.length
      if (filled === line.length) endRow(pass)
    }
  }
  return { read, shades: () => counts }
}
