/** Fixtures: small pictures of 16 × 12 pixels that real programs have written, and parts to build others from. */
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { PNG_SIGNATURE, pngChunk } from '../png.ts'
import { webpFile } from '../webp.ts'

export const fixture = (name: string): Buffer => readFileSync(new URL(`./fixtures/${name}`, import.meta.url))

/** canvas: Chromium's toBlob; metadata: with exiftool's texts of every kind; the others: ImageMagick, cjpeg and cwebp. */
export const GOOD_PICTURES = [
  'adobe-rgb.jpg',
  'canvas.jpg',
  'canvas.png',
  'canvas-lossless.webp',
  'canvas-lossy.webp',
  'canvas-lossy-alpha.webp',
  'canvas-p3.jpg',
  'canvas-p3.png',
  'canvas-p3.webp',
  'cmyk.jpg',
  'gray.jpg',
  'gray-16.png',
  'lossless-tool.webp',
  'lossy-tool.webp',
  'metadata.png',
  'metadata.webp',
  'palette-interlaced.png',
  'progressive.jpg',
  'restart.jpg',
  'rgb.jpg',
  'rgba-16-interlaced.png',
] as const

/** What exiftool has written into the files that carry metadata. */
export const CARD_IN_METADATA = '4242424242424242'

export interface PngChunk {
  readonly type: string
  readonly data: Buffer
}

export const png = (...chunks: readonly PngChunk[]): Buffer => Buffer.concat([PNG_SIGNATURE, ...chunks.map(pngChunk)])

export const END: PngChunk = { type: 'IEND', data: Buffer.alloc(0) }

export const pngHeader = (width: number, height: number, depth = 8, colourType = 2, interlace = 0): PngChunk => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth, colourType, 0, 0, interlace], 8)
  return { type: 'IHDR', data }
}

export const pngPixels = (unpackedLength: number): PngChunk => ({
  type: 'IDAT',
  data: deflateSync(Buffer.alloc(unpackedLength)),
})

/** One row of pixels, each a grey and how opaque it is. */
export const greyAlphaPng = (...pixels: readonly (readonly [grey: number, alpha: number])[]): Buffer =>
  png(pngHeader(pixels.length, 1, 8, 4), { type: 'IDAT', data: deflateSync(Buffer.from([0, ...pixels.flat()])) }, END)

/** 2 × 1 black pixels: the smallest PNG of three bytes a pixel. */
export const tinyPng = (...between: readonly PngChunk[]): Buffer => png(pngHeader(2, 1), ...between, pngPixels(7), END)

/** Chunks of a PNG that is known to be well formed. */
export const pngChunks = (file: Buffer): PngChunk[] => {
  const chunks: PngChunk[] = []
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at)
    chunks.push({ type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) })
    at += 12 + length
  }
  return chunks
}

/** The chunks of a WebP that is known to be well formed. */
export const webpChunks = (file: Buffer): PngChunk[] => {
  const chunks: PngChunk[] = []
  for (let at = 12; at < file.length;) {
    const length = file.readUInt32LE(at + 4)
    chunks.push({ type: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, at + 8 + length) })
    at += 8 + length + (length % 2)
  }
  return chunks
}

/** One lossless pixel of which every byte is below 128, so that it can also be written as a text. */
export const PICTURE_IN_ASCII = webpFile([{ type: 'VP8L', data: Buffer.from('2f00000000071011110000', 'hex') }])

/** EXIF data with an orientation and nothing else. */
export const exifWith = (orientation: number, order: 'II' | 'MM' = 'MM'): Buffer => {
  const [long, short] =
    order === 'II'
      ? ([
          (b: Buffer, v: number, at: number) => b.writeUInt32LE(v, at),
          (b: Buffer, v: number, at: number) => b.writeUInt16LE(v, at),
        ] as const)
      : ([
          (b: Buffer, v: number, at: number) => b.writeUInt32BE(v, at),
          (b: Buffer, v: number, at: number) => b.writeUInt16BE(v, at),
        ] as const)
  const exif = Buffer.alloc(26)
  exif.write(order, 'latin1')
  short(exif, 42, 2)
  long(exif, 8, 4)
  short(exif, 1, 8)
  short(exif, 0x0112, 10)
  short(exif, 3, 12)
  long(exif, 1, 14)
  short(exif, orientation, 18)
  return exif
}
