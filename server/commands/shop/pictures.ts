/** Picture commands over the merchant API: upload and remove the logo and the cover of the shop. */
import { readFile, stat } from 'node:fs/promises'
import {
  removePicture,
  replacePicture,
  isPicturePlace,
  PICTURE_BYTES_MAX,
  PICTURE_PLACES,
  type PictureAnswer,
  type PicturePlace,
} from '#contract/merchant/pictures.ts'
import type { Environment } from '../../config/readers.ts'
import { messageOf } from '../../log.ts'
import { refusalMessage } from '../../pictures/picture.ts'
import { answered } from '../checkout/checkouts.ts'
import { fileNamed, isProblem, type Command, type CommandProblem, type Given } from '../command.ts'

const readPlace = (given: Given): { readonly picture: PicturePlace } | CommandProblem => {
  const picture = given.text('picture')
  return isPicturePlace(picture)
    ? { picture }
    : { problem: `A shop has two pictures: say ${PICTURE_PLACES.join(' or ')}.` }
}

/** Not read at all where it is larger than the server takes. */
const readPicture = async (
  env: Environment,
  name: string,
): Promise<{ readonly bytes: Buffer<ArrayBuffer> } | CommandProblem> => {
  const file = fileNamed(env, name)
  try {
    const { size } = await stat(file)
    return size > PICTURE_BYTES_MAX
      ? { problem: `${file}: ${refusalMessage({ why: 'too_large' })}` }
      : { bytes: await readFile(file) }
  } catch (error) {
    return { problem: `${file} cannot be read (${messageOf(error)}): give a file with a PNG, JPEG or WebP picture.` }
  }
}

export const pictureSet: Command = {
  summary: 'uploads the logo or the cover of the shop, a PNG, JPEG or WebP file of at most 2 MiB',
  places: ['picture', 'file'],
  example: 'picture set logo logo.png',
  run: async (given, env) => {
    const path = readPlace(given)
    if (isProblem(path)) return path
    const read = await readPicture(env, given.text('file'))
    if (isProblem(read)) return read
    const sent = { path, picture: read.bytes }
    const linesOf = ({ url, width, height }: PictureAnswer) => [
      `The ${path.picture} has ${width} × ${height} pixels: ${url}`,
    ]
    return answered(env, replacePicture, sent, linesOf, 'It may be uploaded: run it again.')
  },
}

export const pictureRemove: Command = {
  summary: 'removes the logo or the cover of the shop',
  places: ['picture'],
  example: 'picture remove cover',
  run: async (given, env) => {
    const path = readPlace(given)
    if (isProblem(path)) return path
    const lines = [`The shop has no ${path.picture} any more.`]
    return answered(env, removePicture, { path }, () => lines, 'It may be removed: run it again.')
  },
}
