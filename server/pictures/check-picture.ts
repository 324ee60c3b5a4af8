/** Check of a picture: what it is by its content alone, and the picture made anew from its checked parts. */
import { PICTURE_BYTES_MAX } from '#contract/merchant/pictures.ts'
import { checkJpeg, JPEG_SIGNATURE } from './jpeg.ts'
import type { Picture, PictureRefusal } from './picture.ts'
import { checkPng, PNG_SIGNATURE } from './png.ts'
import { checkWebp, isWebp } from './webp.ts'

const beginsWith = (file: Buffer, signature: Buffer): boolean => file.subarray(0, signature.length).equals(signature)

/** What people send by mistake, by how it begins. Only for the words of the refusal: nothing is accepted by it. */
const OTHERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^GIF8/, 'a GIF'],
  [/^(\u00ef\u00bb\u00bf)?\s*<(\?xml|!--|!DOCTYPE svg|svg)/i, 'an SVG drawing'],
  [/^....ftyp(avif|avis)/s, 'an AVIF picture'],
  [/^....ftyp(heic|heix|mif1|msf1)/s, 'an HEIC picture of a phone'],
  [/^BM/, 'a BMP'],
  [/^(II\*\0|MM\0\*)/, 'a TIFF or a raw file of a camera'],
  [/^%PDF/, 'a PDF document'],
  [/^PK/, 'a ZIP archive'],
  [/^\s*(<!DOCTYPE html|<html|<script)/i, 'an HTML page'],
  [/^--[^]*content-disposition/i, 'a form (multipart/form-data)'],
  [/^data:/, 'an address of a picture'],
]
const SEEN = 500

const looksLike = (file: Buffer): string | null => {
  const beginning = file.toString('latin1', 0, SEEN)
  return OTHERS.find(([pattern]) => pattern.test(beginning))?.[1] ?? null
}

/** The only way that bytes of others become a picture of ours. What it answers is shown as its type and as nothing else. */
export const checkPicture = async (file: Buffer): Promise<Picture | PictureRefusal> => {
  if (file.length === 0) return { why: 'empty' }
  if (file.length > PICTURE_BYTES_MAX) return { why: 'too_large' }
  if (beginsWith(file, PNG_SIGNATURE)) return checkPng(file)
  if (beginsWith(file, JPEG_SIGNATURE)) return checkJpeg(file)
  if (isWebp(file)) return checkWebp(file)
  return { why: 'wrong_format', looksLike: looksLike(file) }
}
