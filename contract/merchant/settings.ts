/** Settings of a shop: as its merchant reads them, what may be changed, and the calls that do both. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { bodilessCall, merchantCall, NoPath } from '../calls.ts'
import { EMAIL_MAX_LENGTH } from '../card.ts'
import { FontType, HexColour, Locale } from '../checkout.ts'
import { RegistrationNumber } from '../invoice.ts'
import { LOGO_PLATES } from '../logo-plate.ts'
import { ChangeNotifications, Notifications } from '../notification-settings.ts'
import {
  SHOP_ADDRESS_MAX_LENGTH,
  SHOP_NAME_MAX_LENGTH,
  SHOP_PHONE_NUMBER_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '../text-limits.ts'
import { AcceptedCardBrands } from './checkouts.ts'
import { PictureAnswer } from './pictures.ts'

const closed = { additionalProperties: false }

/** The most characters that each fact of a shop may have. */
export const SHOP_FACT_MAX = {
  shopName: SHOP_NAME_MAX_LENGTH,
  shopAddress: SHOP_ADDRESS_MAX_LENGTH,
  shopPhoneNumber: SHOP_PHONE_NUMBER_MAX_LENGTH,
  shopEmail: EMAIL_MAX_LENGTH,
  shopUrl: URL_MAX_LENGTH,
} as const

const LINK_HOSTS_MAX = 20
const HOST_MAX_LENGTH = 253

const FACT_WORDS = {
  shopName: 'The name of the shop, on the page, on receipts and on invoices.',
  shopAddress: 'One line. Null: none is shown.',
  shopPhoneNumber: 'As shoppers read it. Null: none is shown.',
  shopEmail: 'Where shoppers write to. Null: none is shown.',
  shopUrl: 'The shop’s own site, http or https. Null: none is shown.',
} as const satisfies Record<keyof typeof SHOP_FACT_MAX, string>

const shopFact = (fact: keyof typeof SHOP_FACT_MAX) => Type.String({ minLength: 1, maxLength: SHOP_FACT_MAX[fact] })
const optionalFact = (fact: keyof typeof SHOP_FACT_MAX) =>
  Type.Union([shopFact(fact), Type.Null()], { description: FACT_WORDS[fact] })

const settingsFields = {
  shopName: { ...shopFact('shopName'), description: FACT_WORDS.shopName },
  shopAddress: optionalFact('shopAddress'),
  shopPhoneNumber: optionalFact('shopPhoneNumber'),
  shopEmail: optionalFact('shopEmail'),
  shopUrl: optionalFact('shopUrl'),
  colorCode: { ...HexColour, description: 'Such as #29abe9. Texts on it are made readable by the page.' },
  fontType: FontType,
  locale: Type.Union([Locale, Type.Null()], {
    description: 'The locale of new checkouts that name none. Null: the language of the shopper’s browser.',
  }),
  acceptedCardBrands: Type.Union([AcceptedCardBrands, Type.Null()], {
    description: 'Of new checkouts that name none. Null: all brands.',
  }),
  allowExemption: Type.Boolean({
    description:
      'Whether a card that is not enrolled in 3-D Secure may be charged; it does not ask for an exemption of an enrolled card. The shop then bears the chargebacks.',
  }),
  requireFullAuthentication: Type.Boolean({
    description: 'Whether an authentication that was only attempted (A) is refused.',
  }),
  linkHosts: Type.Array(Type.String({ minLength: 1, maxLength: HOST_MAX_LENGTH }), {
    maxItems: LINK_HOSTS_MAX,
    description:
      'The hosts that the links of live checkouts may lead to, such as shop.example.com: each exactly, over https.',
  }),
  registrationNumber: Type.Union([RegistrationNumber, Type.Null()], {
    description: 'T and 13 digits, of an issuer of qualified invoices. Null: receipts are plain ones.',
  }),
  notifications: Notifications,
}

/** What a merchant may change. */
const SettingsFields = Type.Object(settingsFields, closed)
export type SettingsFields = Static<typeof SettingsFields>

/** A field that is left out keeps its value. */
export const ChangeSettingsBody = Type.Partial(Type.Object({ ...settingsFields, notifications: ChangeNotifications }), {
  ...closed,
  description: 'A field that is left out stays as it is; null removes one that may be missing.',
})
export type ChangeSettingsBody = Static<typeof ChangeSettingsBody>

/** Optional in the schema: a missing header is answered by an error code of its own. */
const ChangeSettingsHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The ETag of the settings that you have read: somebody may have changed them since. * changes them however they stand.',
    }),
  ),
})

/** A picture that was not uploaded, such as one of the demo, has an address and nothing else. */
const settingsPicture = (description: string) =>
  Type.Union(
    [
      PictureAnswer,
      Type.Object({ url: Type.String({ description: 'The address of a picture that was not uploaded.' }) }, closed),
      Type.Null(),
    ],
    { description },
  )

/** Answers have no limits: a value that an earlier release accepted must still be readable. */
const anyFact = (fact: keyof typeof SHOP_FACT_MAX) =>
  Type.Union([Type.String(), Type.Null()], { description: FACT_WORDS[fact] })
const anyFacts = {
  shopName: Type.String({ description: FACT_WORDS.shopName }),
  shopAddress: anyFact('shopAddress'),
  shopPhoneNumber: anyFact('shopPhoneNumber'),
  shopEmail: anyFact('shopEmail'),
  shopUrl: anyFact('shopUrl'),
}

/** The settings as read; the header ETag names this state of them. */
export const SettingsAnswer = Type.Object(
  {
    label: Type.String({ description: 'The first label of the host of its pages. It cannot be changed.' }),
    ...settingsFields,
    ...anyFacts,
    logo: settingsPicture('Beside the name of the shop. Null: there is none.'),
    logoPlate: Type.Union([Type.Enum([...LOGO_PLATES]), Type.Null()], {
      description: 'The ground that the logo is shown on, chosen by its own pixels. Null: there is no logo.',
    }),
    cover: settingsPicture('At the top of the card page. Null: there is none.'),
  },
  {
    ...closed,
    title: 'Settings',
    description: 'logo and cover are changed by calls of their own.',
  },
)
export type SettingsAnswer = Static<typeof SettingsAnswer>

export const readSettings = bodilessCall({
  ...MERCHANT_ROUTES.readSettings,
  summary: 'Read the settings of the shop; the header ETag names this state of them',
  params: NoPath,
  answer: SettingsAnswer,
  errors: [],
})

export const changeSettings = merchantCall({
  ...MERCHANT_ROUTES.changeSettings,
  headers: ChangeSettingsHeaders,
  summary: 'Change some of the settings of the shop, with the ETag that was read as If-Match',
  params: NoPath,
  body: ChangeSettingsBody,
  status: 200,
  answer: SettingsAnswer,
  errors: ['if_match_required', 'settings_changed'],
})
