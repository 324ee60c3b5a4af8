/** Answer: the settings of a shop as its merchant reads them. */
import type { SettingsAnswer } from '#contract/merchant-settings.ts'
import type { PicturePlace } from '#contract/pictures.ts'
import type { ShopPicture } from '../operations/pictures.ts'
import { settingsFields } from '../operations/settings.ts'
import type { MerchantSettings } from '../store/merchant/merchants.ts'

/** Of a picture that nobody has uploaded, such as one of the demo, its address alone is known. */
const presentPicture = (picture: ShopPicture | null, origin: string): SettingsAnswer['logo'] => {
  if (picture === null) return null
  const { address, facts } = picture
  const url = new URL(address, origin).href
  return facts === null ? { url } : { url, contentType: facts.type, width: facts.width, height: facts.height }
}

export const presentSettings = (
  label: string,
  settings: MerchantSettings,
  pictures: Readonly<Record<PicturePlace, ShopPicture | null>>,
  origin: string,
): SettingsAnswer => ({
  label,
  ...settingsFields(settings),
  logo: presentPicture(pictures.logo, origin),
  cover: presentPicture(pictures.cover, origin),
})
