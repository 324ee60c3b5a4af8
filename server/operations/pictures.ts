/** Pictures of a shop: upload, check, store and remove its logo and cover. */
import { createHash } from 'node:crypto'
import { refuse, type Refusal } from '#contract/errors.ts'
import type { PicturePlace } from '#contract/merchant/pictures.ts'
import type { Dependencies } from '../dependencies.ts'
import { checkPicture } from '../pictures/check-picture.ts'
import { isPictureRefusal, refusalMessage, type Picture, type PictureRefusal } from '../pictures/picture.ts'
import { hashInAddress, pictureAddress } from '../pictures/picture-address.ts'
import { changeSettings, type MerchantSettings } from '../store/merchant/merchants.ts'
import { findPictureFacts, releasePictures, savePicture, type PictureFacts } from '../store/merchant/pictures.ts'

const FIELDS = { logo: 'logoUrl', cover: 'coverImageUrl' } as const satisfies Record<PicturePlace, string>

/** The refusal on the wire. It names the reason and what to do, and quotes nothing of the file. */
export const refusePicture = (refusal: PictureRefusal): Refusal =>
  refuse('image_refused', { reason: refusal.why }, refusalMessage(refusal))

/** Empty where the settings name no uploaded picture. */
const hashOf = ({ setting }: MerchantSettings, place: PicturePlace): string =>
  hashInAddress(setting[FIELDS[place]] ?? '') ?? ''

/** A picture that the settings name. */
export interface ShopPicture {
  /** Below the shop's own origin. A picture of the demo is no upload, and has no facts. */
  readonly address: string
  readonly facts: PictureFacts | null
}

/** The pictures that these settings name, with what is known of them. */
export const shopPictures = async (
  { database }: Pick<Dependencies, 'database'>,
  merchantId: string,
  settings: MerchantSettings,
): Promise<Record<PicturePlace, ShopPicture | null>> => {
  const hashes = [hashOf(settings, 'logo'), hashOf(settings, 'cover')] as const
  const stored = hashes.every((hash) => hash === '') ? [] : await findPictureFacts(database, merchantId, hashes)
  const pictureAt = (place: PicturePlace): ShopPicture | null => {
    const address = settings.setting[FIELDS[place]]
    if (address === undefined) return null
    return { address, facts: stored.find(({ hash }) => hash === hashOf(settings, place)) ?? null }
  }
  return { logo: pictureAt('logo'), cover: pictureAt('cover') }
}

interface NewPicture extends Picture {
  readonly hash: string
  /** Below the shop's own origin. */
  readonly address: string
}

type PageSetting = MerchantSettings['setting']

/** The settings hold what the page needs to know of a picture: every page reads them anyway. */
const settingWith = (setting: PageSetting, place: PicturePlace, picture: NewPicture | null): PageSetting => {
  if (place === 'logo') {
    const { logoUrl: _address, logoPlate: _plate, ...others } = setting
    return picture === null ? others : { ...others, logoUrl: picture.address, logoPlate: picture.plate }
  }
  const { coverImageUrl: _address, ...others } = setting
  return picture === null ? others : { ...others, coverImageUrl: picture.address }
}

/** Sets or removes a picture in the settings, and releases those that are not used any more. False: nothing changed. */
const changePicture = (
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  merchantId: string,
  place: PicturePlace,
  picture: NewPicture | null,
): Promise<boolean> =>
  database.transact(async (sql) => {
    const now = clock.now()
    let isChanged = false
    // First, because it locks the merchant: otherwise two uploads at once could wait for each other's pictures.
    const settings = await changeSettings(sql, merchantId, ({ setting, ...rest }) => {
      isChanged = setting[FIELDS[place]] !== picture?.address
      return { ...rest, setting: settingWith(setting, place, picture) }
    })
    if (picture !== null) await savePicture(sql, merchantId, picture, now)
    await releasePictures(sql, merchantId, [hashOf(settings, 'logo'), hashOf(settings, 'cover')], now)
    return isChanged
  })

export const replacePicture = async (
  deps: Pick<Dependencies, 'database' | 'clock'>,
  merchantId: string,
  place: PicturePlace,
  file: Buffer,
): Promise<(NewPicture & { readonly isChanged: boolean }) | Refusal> => {
  const picture = await checkPicture(file)
  if (isPictureRefusal(picture)) return refusePicture(picture)
  const hash = createHash('sha256').update(picture.bytes).digest('hex')
  const replaced = { ...picture, hash, address: pictureAddress(hash, picture.type) }
  return { ...replaced, isChanged: await changePicture(deps, merchantId, place, replaced) }
}

/** False: there was no picture. */
export const removePicture = (
  deps: Pick<Dependencies, 'database' | 'clock'>,
  merchantId: string,
  place: PicturePlace,
): Promise<boolean> => changePicture(deps, merchantId, place, null)
