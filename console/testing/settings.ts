/** Settings of a shop, for tests. */
import type { SettingsAnswer } from '#contract/merchant/settings.ts'
import { DEFAULT_NOTIFICATIONS } from '#contract/notification-settings.ts'

export const SETTINGS: SettingsAnswer = {
  label: 'tea',
  shopName: 'Tea',
  shopAddress: null,
  shopPhoneNumber: '03-0000-0000',
  shopEmail: null,
  shopUrl: null,
  colorCode: '#2f6b4f',
  fontType: 'sans-serif',
  locale: null,
  acceptedCardBrands: null,
  allowExemption: false,
  requireFullAuthentication: false,
  linkHosts: [],
  registrationNumber: null,
  notifications: DEFAULT_NOTIFICATIONS,
  logo: null,
  logoPlate: null,
  cover: { url: 'http://tea.localhost:3000/pictures/a.jpg' },
}
