/** Pictures of a shop on the wire: its logo and its cover, and the calls that upload and remove them. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { bodilessCall, merchantCall } from '../calls.ts'

const closed = { additionalProperties: false }

export const PICTURE_PLACES = ['logo', 'cover'] as const
export type PicturePlace = (typeof PICTURE_PLACES)[number]

/** Of the file as it is sent. */
export const PICTURE_BYTES_MAX = 2 * 1024 * 1024
/** In pixels. */
export const PICTURE_SIDE_MAX = 4096

export const isPicturePlace = (text: string): text is PicturePlace => PICTURE_PLACES.some((place) => place === text)

const PicturePath = Type.Object({
  picture: Type.Enum([...PICTURE_PLACES], { description: 'Which picture of the shop.' }),
})

/** Any bytes: the server reads the format from the bytes and ignores the header. */
const anyBytes = { schema: {} }
const PictureBody = Type.Unsafe<unknown>({
  content: { 'image/png': anyBytes, 'image/jpeg': anyBytes, 'image/webp': anyBytes },
})

export const PictureAnswer = Type.Object(
  {
    url: Type.String({ description: 'Where shoppers see it. It never changes: another picture has another address.' }),
    contentType: Type.String({ description: 'What it is by its content: image/png, image/jpeg or image/webp.' }),
    width: Type.Integer({ description: 'In pixels.' }),
    height: Type.Integer({ description: 'In pixels.' }),
  },
  { ...closed, title: 'Picture' },
)
export type PictureAnswer = Static<typeof PictureAnswer>

const PictureRemovedAnswer = Type.Object({}, { ...closed, title: 'PictureRemoved' })

export const replacePicture = merchantCall({
  ...MERCHANT_ROUTES.replacePicture,
  summary: 'Upload the logo or the cover of the shop: the bytes of a PNG, JPEG or WebP file as the body',
  params: PicturePath,
  body: PictureBody,
  status: 200,
  answer: PictureAnswer,
  errors: ['image_refused', 'invalid_field'],
  bodyErrors: [],
})

export const removePicture = bodilessCall({
  ...MERCHANT_ROUTES.removePicture,
  summary: 'Remove the logo or the cover of the shop',
  params: PicturePath,
  answer: PictureRemovedAnswer,
  errors: [],
})
