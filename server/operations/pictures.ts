/** Pictures of a shop: one is checked, stored and named in the settings, or no longer named. */
import { createHash } from 'node:crypto'
import { refuse, type Refusal } from '#contract/errors.ts'
import type { PicturePlace } from '#contract/pictures.ts'
import type { Parts } from '../parts.ts'
import { checkPicture } from '../pictures/check-picture.ts'
import { isPictureRefusal, refusalMessage, type Picture, type PictureRefusal } from '../pictures/picture.ts'
import { hashInAddress, pictureAddress } from '../pictures/picture-address.ts'
import { changeSettings, type MerchantSettings } from '../store/merchants.ts'
import { releasePictures, savePicture } from '../store/pictures.ts'

const FIELDS = { logo: 'logoUrl', cover: 'coverImageUrl' } as const satisfies Record<PicturePlace, string>

/** The refusal on the wire. It names the reason and the mend, and quotes nothing of the file. */
export const refusePicture = (refusal: PictureRefusal): Refusal =>
  refuse('image_refused', { reason: refusal.why }, refusalMessage(refusal))

/** Empty where the settings name no uploaded picture. */
const hashOf = ({ setting }: MerchantSettings, place: PicturePlace): string =>
  hashInAddress(setting[FIELDS[place]] ?? '') ?? ''

interface NewPicture extends Picture {
  readonly hash: string
  /** Below the shop's own origin. */
  readonly address: string
}

/** Names this picture in the settings, or none, and releases whatever they name no longer. */
const changePicture = (
  { database, clock }: Pick<Parts, 'database' | 'clock'>,
  merchantId: string,
  place: PicturePlace,
  picture: NewPicture | null,
): Promise<void> =>
  database.transact(async (sql) => {
    const now = clock.now()
    // First: it takes the lock of the merchant, so that two uploads at once do not wait for each other's pictures.
    const settings = await changeSettings(sql, merchantId, ({ setting, ...rest }) => {
      const { [FIELDS[place]]: _before, ...others } = setting
      return { ...rest, setting: picture === null ? others : { ...others, [FIELDS[place]]: picture.address } }
    })
    if (picture !== null) await savePicture(sql, merchantId, picture, now)
    await releasePictures(sql, merchantId, [hashOf(settings, 'logo'), hashOf(settings, 'cover')], now)
  })

export const replacePicture = async (
  parts: Pick<Parts, 'database' | 'clock'>,
  merchantId: string,
  place: PicturePlace,
  file: Buffer,
): Promise<NewPicture | Refusal> => {
  const picture = await checkPicture(file)
  if (isPictureRefusal(picture)) return refusePicture(picture)
  const hash = createHash('sha256').update(picture.bytes).digest('hex')
  const replaced = { ...picture, hash, address: pictureAddress(hash, picture.type) }
  await changePicture(parts, merchantId, place, replaced)
  return replaced
}

/** Removing what is not there changes nothing. */
export const removePicture = (
  parts: Pick<Parts, 'database' | 'clock'>,
  merchantId: string,
  place: PicturePlace,
): Promise<void> => changePicture(parts, merchantId, place, null)
