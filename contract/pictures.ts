/** Pictures of a shop on the wire: its logo and its cover, uploaded by the merchant. */
import { Type, type Static } from 'typebox'

const closed = { additionalProperties: false }

export const PICTURE_PLACES = ['logo', 'cover'] as const
export type PicturePlace = (typeof PICTURE_PLACES)[number]

export const isPicturePlace = (text: string): text is PicturePlace => PICTURE_PLACES.some((place) => place === text)

export const PicturePath = Type.Object({
  picture: Type.Enum([...PICTURE_PLACES], { description: 'Which picture of the shop.' }),
})

/** Any bytes: what they are is read from themselves, whatever the header says. */
const anyBytes = { schema: {} }
export const PictureBody = Type.Unsafe<unknown>({
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

export const PictureRemovedAnswer = Type.Object({}, { ...closed, title: 'PictureRemoved' })
