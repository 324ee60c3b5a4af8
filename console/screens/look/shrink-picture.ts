/** Shrinking of a picture in the browser: turned upright, smaller, without what a camera writes beside the pixels. */
import { PICTURE_BYTES_MAX, type PicturePlace } from '#contract/merchant/pictures.ts'
import type { NewPicture } from './draft.ts'
import { FILE_BYTES_MAX, fitWithin, plateOfPixels, SENT, THUMBNAIL, THUMBNAIL_MAX } from './picture-rules.ts'

/**
 * `too large`: the file is not even opened. `unreadable`: no picture, or of a kind that this browser cannot show, such as HEIC.
 * `not shown`: it was made smaller and can be saved, but this browser did not draw it.
 */
export type PictureProblem = 'too large' | 'unreadable' | 'not shown'

const drawn = (bitmap: ImageBitmap, side: number, isOpaque: boolean): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  const { width, height } = fitWithin(bitmap, side)
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (pen === null) return canvas
  if (isOpaque) {
    // JPEG would make black of what is transparent.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, width, height)
  }
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(bitmap, 0, 0, width, height)
  return canvas
}

const encoded = (canvas: HTMLCanvasElement, type: string, quality: number | undefined): Promise<Blob | null> =>
  new Promise((resolve) => {
    canvas.toBlob(resolve, type, quality)
  })

/** The largest of its sizes that the server takes. */
const toSend = async (
  bitmap: ImageBitmap,
  place: PicturePlace,
): Promise<Pick<NewPicture, 'file' | 'width' | 'height'> | null> => {
  const { sides, type, quality } = SENT[place]
  for (const side of sides) {
    const canvas = drawn(bitmap, side, type === 'image/jpeg')
    const file = await encoded(canvas, type, quality)
    if (file !== null && file.size <= PICTURE_BYTES_MAX) return { file, width: canvas.width, height: canvas.height }
  }
  return null
}

/** The largest of its small sizes that fits into the address of a preview. */
const thumbnailOf = (bitmap: ImageBitmap, place: PicturePlace): string => {
  const { sides, type, quality } = THUMBNAIL[place]
  for (const side of sides) {
    const address = drawn(bitmap, side, type === 'image/jpeg').toDataURL(type, quality)
    if (encodeURIComponent(address).length <= THUMBNAIL_MAX[place]) return address
  }
  return ''
}

const PLATE_SIDE = 128

const plateOf = (bitmap: ImageBitmap): NewPicture['plate'] => {
  const canvas = drawn(bitmap, PLATE_SIDE, false)
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
  return pixels === undefined ? 'light' : plateOfPixels(pixels)
}

const opened = async (file: Blob): Promise<ImageBitmap | null> => {
  try {
    // Upright by the note that a camera writes (EXIF orientation): the server takes no picture that lies.
    return await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    return null
  }
}

export const shrinkPicture = async (file: Blob, place: PicturePlace): Promise<NewPicture | PictureProblem> => {
  if (file.size > FILE_BYTES_MAX) return 'too large'
  const bitmap = await opened(file)
  if (bitmap === null) return 'unreadable'
  const sent = await toSend(bitmap, place)
  const thumbnail = thumbnailOf(bitmap, place)
  const plate = plateOf(bitmap)
  bitmap.close()
  return sent === null ? 'unreadable' : { ...sent, thumbnail, plate }
}
