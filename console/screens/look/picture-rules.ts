/** Rules of a new picture: how large it is sent, how its small copy fits into a preview's address, and the plate of a logo. */
import { isLostOnDark, isLostOnLight, luminanceOf, plateFor } from '#contract/logo-shades.ts'
import type { LogoPlate } from '#contract/logo-plate.ts'
import type { PicturePlace } from '#contract/merchant/pictures.ts'

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** As large as it is, or smaller, so that no side is longer than `most`; at least one pixel. */
export const fitWithin = ({ width, height }: PictureSize, most: number): PictureSize => {
  const scale = Math.min(1, most / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

interface Encoding {
  /** Longest sides to try, the largest first, until the file is small enough. */
  readonly sides: readonly number[]
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly quality?: number
}

/** A logo may be transparent, which JPEG cannot be; a cover is a photograph. Twice what the page shows, for sharp screens. */
export const SENT: Readonly<Record<PicturePlace, Encoding>> = {
  logo: { sides: [512, 256], type: 'image/png' },
  cover: { sides: [1600, 1200, 800], type: 'image/jpeg', quality: 0.85 },
}

/** Browsers that write no WebP write PNG instead, which is longer, and smaller sizes are tried. */
export const THUMBNAIL: Readonly<Record<PicturePlace, Encoding>> = {
  logo: { sides: [144, 96, 72, 48, 32], type: 'image/webp', quality: 0.8 },
  cover: { sides: [480, 360, 240, 160, 80, 40], type: 'image/jpeg', quality: 0.6 },
}

/** Both together leave room for the texts of a preview (16 KB in all). */
export const THUMBNAIL_MAX: Readonly<Record<PicturePlace, number>> = { logo: 4000, cover: 6000 }

/** A photograph of a phone has up to 20 MB; decoding more could end the tab. */
export const FILE_BYTES_MAX = 40 * 1024 * 1024

/** The plate that the server will choose, by pixels as a canvas gives them: red, green, blue, alpha. */
export const plateOfPixels = (pixels: Uint8ClampedArray): LogoPlate => {
  const counts = { all: pixels.length / 4, visible: 0, lostOnLight: 0, lostOnDark: 0 }
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4)
    const luminance = luminanceOf(red, green, blue)
    counts.visible += alpha / 255
    if (isLostOnLight(luminance)) counts.lostOnLight += alpha / 255
    if (isLostOnDark(luminance)) counts.lostOnDark += alpha / 255
  }
  return plateFor(counts)
}
