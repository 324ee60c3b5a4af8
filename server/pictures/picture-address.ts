/** Address of a picture: the hash of its bytes and its type, so that it can be kept for ever. */
import type { PictureType } from './picture.ts'

const EXTENSIONS: Record<PictureType, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

export const PICTURE_FOLDER = '/pictures/'

const NAME = /^([0-9a-f]{64})\.(png|jpg|webp)$/

export const pictureName = (hash: string, type: PictureType): string => `${hash}.${EXTENSIONS[type]}`

export const pictureAddress = (hash: string, type: PictureType): string => PICTURE_FOLDER + pictureName(hash, type)

/** The hash in a picture's name; null: no picture of ours is called so. */
export const hashInName = (name: string): string | null => NAME.exec(name)?.[1] ?? null

/** The same in an address below a shop's origin; an address that is not of an uploaded picture holds none. */
export const hashInAddress = (address: string): string | null =>
  address.startsWith(PICTURE_FOLDER) ? hashInName(address.slice(PICTURE_FOLDER.length)) : null
