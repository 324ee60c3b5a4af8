/** Notification settings on the wire: of what a shop is told by mail, where, and in which language. */
import { Type, type Static } from 'typebox'
import { EMAIL_MAX_LENGTH } from './card.ts'
import { Locale } from './checkout.ts'

const closed = { additionalProperties: false }

/** What a shop may be told of; each is a field of the settings. */
export const NOTIFICATION_TOPICS = ['paid', 'refunded', 'needsAttention'] as const
export type NotificationTopic = (typeof NOTIFICATION_TOPICS)[number]

export const isNotificationTopic = (word: string): word is NotificationTopic =>
  NOTIFICATION_TOPICS.some((topic) => topic === word)

const BY_DEFAULT = 'Null: if the address is registered and no webhook of the same mode is enabled.'

const topic = (description: string) =>
  Type.Union([Type.Boolean(), Type.Null()], { description: `${description} ${BY_DEFAULT}` })

const fields = {
  address: Type.Union([Type.String({ minLength: 1, maxLength: EMAIL_MAX_LENGTH }), Type.Null()], {
    description:
      'Where the mails go, once the address is registered: its owner confirms by a link that is mailed to it, or the operator registers it. Null: shopEmail.',
  }),
  locale: Type.Union([Locale, Type.Null()], {
    description: 'Their language. Null: the locale of the settings; without one, Japanese and English.',
  }),
  paid: topic('A mail for each checkout that is paid.'),
  refunded: topic('A mail for each refund, also of a part.'),
  needsAttention: topic(
    'A mail where a person is needed: a payment in doubt for ten minutes, a refund that was refused, a payment that is disputed (chargeback), cards that are tried out.',
  ),
}

/** The settings of notifications as the merchant reads them. */
export const Notifications = Type.Object(fields, {
  ...closed,
  description:
    'Mails to the shop itself. Those of tests are marked as such. Beyond 20 in an hour or 100 in a day of a kind (of tests 5 and 20), those of an hour are summed up in one mail.',
})
export type Notifications = Readonly<Static<typeof Notifications>>

/** A field that is left out keeps its value. */
export const ChangeNotifications = Type.Partial(Type.Object(fields), {
  ...closed,
  description: 'A field that is left out stays as it is.',
})

/** The settings of a shop that has chosen nothing. */
export const DEFAULT_NOTIFICATIONS: Notifications = {
  address: null,
  locale: null,
  paid: null,
  refunded: null,
  needsAttention: null,
}
