/** Facts of a checkout that its merchant alone reads or writes: reference, shopper, authentication, consent, doubt. */
import { Type, type Static } from 'typebox'
import { InstantText } from './checkout.ts'
import { TEXT_RULES } from './text-rules.ts'

const closed = { additionalProperties: false }

/** Your own order number. */
export const Reference = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: TEXT_RULES.withoutNul.pattern,
  description: 'Your own number for it, such as that of an order. Two checkouts may have the same.',
})

export const Shopper = Type.Object(
  {
    email: Type.Optional(Type.String({ description: 'Where the receipt goes. Left out once it has been erased.' })),
    locale: Type.String({ description: 'The language of the page when it was paid, such as ja_JP.' }),
  },
  { ...closed, description: 'Who has paid.' },
)
export type Shopper = Static<typeof Shopper>

export const AuthenticationFacts = Type.Object(
  {
    transStatus: Type.Optional(Type.Enum(['Y', 'A'], { description: 'Y: authenticated. A: attempted.' })),
    eci: Type.Optional(Type.String({ description: 'Electronic Commerce Indicator, as the card network gives it.' })),
    dsTransId: Type.Optional(Type.String({ description: 'The id of the authentication at the directory server.' })),
    messageVersion: Type.Optional(Type.String({ description: 'The version of 3-D Secure, such as 2.2.0.' })),
    challenged: Type.Boolean({ description: 'The card holder has passed a challenge of the issuer.' }),
    exemption: Type.Optional(
      Type.Enum(['not_enrolled'], { description: 'Why it was charged without authentication.' }),
    ),
  },
  { ...closed, description: 'How the card holder was authenticated, where a charge has begun.' },
)
export type AuthenticationFacts = Static<typeof AuthenticationFacts>

export const Consent = Type.Object(
  {
    version: Type.String({ description: 'Of the notice that the shopper agreed to by paying.' }),
    at: { ...InstantText, description: 'When the shopper agreed.' },
  },
  { ...closed, description: 'What the shopper agreed to.' },
)

export const DoubtFacts = Type.Object(
  {
    since: { ...InstantText, description: 'Since when it is unknown.' },
    nextInquiryAt: { ...InstantText, description: 'When the acquirer is asked next.' },
  },
  { ...closed, description: 'The acquirer has not said yet what became of the charge; when it is asked next.' },
)
