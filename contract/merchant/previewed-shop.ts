/** Shop of a preview: what a preview needs of the settings, as they are read or as they would be. */
import { CARD_BRANDS } from '../brands.ts'
import type { PreviewedShop } from '../preview-address.ts'
import type { SettingsAnswer } from './settings.ts'

export const previewedShop = (settings: SettingsAnswer): PreviewedShop => {
  const { shopName, shopAddress, shopPhoneNumber, shopEmail, shopUrl, logo, logoPlate, cover } = settings
  return {
    setting: {
      colorCode: settings.colorCode,
      fontType: settings.fontType,
      ...(logo === null ? {} : { logoUrl: logo.url }),
      ...(logoPlate === null ? {} : { logoPlate }),
      ...(cover === null ? {} : { coverImageUrl: cover.url }),
    },
    receipt: {
      shopName,
      shopAddress: shopAddress ?? '',
      shopPhoneNumber: shopPhoneNumber ?? '',
      shopEmail: shopEmail ?? '',
      shopUrl: shopUrl ?? '',
    },
    acceptedCardBrands: settings.acceptedCardBrands ?? CARD_BRANDS,
    registrationNumber: settings.registrationNumber,
  }
}
