/** Picture: a shop's logo or cover after its check, the limits of one, and every reason to refuse one. */
import type { LogoPlate } from '#contract/logo-plate.ts'
import { PICTURE_SIDE_MAX } from '#contract/merchant/pictures.ts'

/** A program that writes pixels in pieces of half a kilobyte stays below. Half a million parts take 0.2 s to walk through. */
export const PARTS_MAX = 4096
export const TOO_MANY_PARTS: PictureRefusal = { why: 'rare_coding', coding: `more than ${PARTS_MAX} parts` }

const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

export const isPictureType = (text: string): text is PictureType => PICTURE_TYPES.some((type) => type === text)

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Its bytes are put together anew from checked parts: pixels and colour profile, nothing else. */
export interface Picture extends PictureSize {
  readonly type: PictureType
  readonly bytes: Buffer
  /** The ground that it is seen on as a logo. */
  readonly plate: LogoPlate
}

export type PictureRefusal =
  | { readonly why: 'empty' }
  | { readonly why: 'too_large' }
  /** `looksLike` is a word of ours for what was sent instead; null where nobody can tell. */
  | { readonly why: 'wrong_format'; readonly looksLike: string | null }
  | { readonly why: 'too_many_pixels'; readonly width: number; readonly height: number }
  | { readonly why: 'no_pixels' }
  | { readonly why: 'animated' }
  | { readonly why: 'rotated' }
  | { readonly why: 'cut_short' }
  /** `part` is a word of ours, never one of the file: that could be anything. */
  | { readonly why: 'damaged'; readonly part: string }
  | { readonly why: 'rare_coding'; readonly coding: string }
  | { readonly why: 'wrong_colour_profile' }

export const isPictureRefusal = (value: object): value is PictureRefusal => 'why' in value

export const damaged = (part: string): PictureRefusal => ({ why: 'damaged', part })

const FORMATS = 'a PNG, JPEG or WebP file'

/** What is wrong with the picture, and how its owner mends it. */
export const refusalMessage = (refusal: PictureRefusal): string => {
  switch (refusal.why) {
    case 'empty':
      return `There is no picture in the body. Send the bytes of ${FORMATS} as the body.`
    case 'too_large':
      return 'The picture is larger than 2 MiB. Save it with fewer pixels or a lower quality.'
    case 'wrong_format':
      return refusal.looksLike === null
        ? `This is not a picture that can be shown. Send the bytes of ${FORMATS} as the body.`
        : `This looks like ${refusal.looksLike}. Save the picture as PNG, JPEG or WebP, and send the bytes of that file as the body.`
    case 'too_many_pixels':
      return `The picture has ${refusal.width} × ${refusal.height} pixels. Each side may have ${PICTURE_SIDE_MAX}: make it smaller.`
    case 'no_pixels':
      return 'The picture has a side of 0 pixels. Save it again from a program that shows it.'
    case 'animated':
      return 'The picture is animated. Save one frame of it as a still picture.'
    case 'rotated':
      return 'The picture is stored lying or mirrored, with a note (EXIF orientation) to turn it. Save it upright.'
    case 'cut_short':
      return 'The picture ends too early. Send the whole file.'
    case 'damaged':
      return `The picture is damaged: ${refusal.part}. Save it again from a program that shows it.`
    case 'rare_coding':
      return `The picture uses ${refusal.coding}, which not every browser shows. Save it again with ordinary settings.`
    case 'wrong_colour_profile':
      return 'The colour profile of the picture cannot be read, or is larger than 1 MiB. Convert the picture to sRGB and save it again.'
  }
}

/** Why a picture of this size is refused; undefined: it fits. */
export const sizeProblem = ({ width, height }: PictureSize): PictureRefusal | undefined => {
  if (width < 1 || height < 1) return { why: 'no_pixels' }
  return width > PICTURE_SIDE_MAX || height > PICTURE_SIDE_MAX ? { why: 'too_many_pixels', width, height } : undefined
}
