/** EXIF: the note of a camera how a picture is to be turned. Everything else in it is removed unread. */

const UPRIGHT = 1
const ORIENTATION_MAX = 8
const ORIENTATION_TAG = 0x0112
const SHORT = 3
const ENTRY_LENGTH = 12

const PREFIX = 'Exif\0\0'

/** 1 where there is none, or where what is there cannot be read: a browser then turns nothing. */
const orientationIn = (tiff: Buffer): number => {
  const order = tiff.toString('latin1', 0, 4)
  const isLittle = order === 'II*\0'
  if (!isLittle && order !== 'MM\0*') return UPRIGHT
  const short = (at: number): number =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  if (tiff.length < 8) return UPRIGHT
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const count = short(directory)
  for (let entry = 0; entry < count; entry += 1) {
    const at = directory + 2 + entry * ENTRY_LENGTH
    if (at + ENTRY_LENGTH > tiff.length) return UPRIGHT
    if (short(at) !== ORIENTATION_TAG || short(at + 2) !== SHORT) continue
    const orientation = short(at + 8)
    if (orientation !== UPRIGHT) return orientation
  }
  return UPRIGHT
}

/**
 * Whether EXIF data, with or without the prefix that JPEG puts before them, ask for the picture to be turned or mirrored.
 * They are removed, so that the picture would lie on its side in every browser that obeyed them.
 */
export const asksForTurning = (exif: Buffer): boolean => {
  const hasPrefix = exif.toString('latin1', 0, PREFIX.length) === PREFIX
  const orientation = orientationIn(hasPrefix ? exif.subarray(PREFIX.length) : exif)
  return orientation > UPRIGHT && orientation <= ORIENTATION_MAX
}
