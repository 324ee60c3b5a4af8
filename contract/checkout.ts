/** Checkout on the wire: as the shopper's page reads it. */
import { Type, type Static } from 'typebox'
import { InvoiceFacts } from './invoice.ts'
import { WIRE_LOCALES } from './locale.ts'
import { LOGO_PLATES } from './logo-plate.ts'
import { TEXT_RULES } from './text-rules.ts'
import { YEN_MAX, YEN_MIN } from './yen.ts'

export const CHECKOUT_STATUSES = ['open', 'paid', 'refunded', 'failed', 'cancelled', 'expired'] as const
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number]

export const FONT_TYPES = ['serif', 'sans-serif'] as const

const closed = { additionalProperties: false }

export const Yen = Type.Integer({ minimum: YEN_MIN, maximum: YEN_MAX, description: 'Whole yen.' })
export const Locale = Type.Enum([...WIRE_LOCALES])
export const FontType = Type.Enum([...FONT_TYPES], { description: 'The typeface of the pages.' })
export const HexColour = Type.String({ pattern: TEXT_RULES.hexColour.pattern })
export const InstantText = Type.String({ description: 'An instant, ISO 8601 in UTC.' })

export const Links = Type.Object(
  {
    cancelUrl: Type.Optional(Type.String({ description: 'Where Cancel leads.' })),
    redirectUrl: Type.Optional(Type.String({ description: 'Where the shopper goes after paying.' })),
  },
  { ...closed, description: 'Where the shopper goes from our page.' },
)

export const MerchantSetting = Type.Object(
  {
    logoUrl: Type.Optional(Type.String()),
    coverImageUrl: Type.Optional(Type.String()),
    logoPlate: Type.Optional(
      Type.Enum([...LOGO_PLATES], {
        description: 'The ground on which the logo is seen, by its own pixels. Without it: light.',
      }),
    ),
    colorCode: HexColour,
    fontType: FontType,
  },
  closed,
)
export type MerchantSetting = Static<typeof MerchantSetting>

export const ReceiptFacts = Type.Object(
  {
    shopName: Type.String(),
    shopAddress: Type.String(),
    shopPhoneNumber: Type.String(),
    shopEmail: Type.String(),
    shopUrl: Type.String(),
  },
  closed,
)
export type ReceiptFacts = Static<typeof ReceiptFacts>

/** How many part refunds an answer holds, the newest ones. The shopper had a mail for each. */
export const PART_REFUNDS_MAX = 20

const PartRefund = Type.Object({ amount: Yen, refundedAt: InstantText }, closed)
export type PartRefund = Static<typeof PartRefund>

export const CheckoutAnswer = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum([...CHECKOUT_STATUSES]),
    amount: Yen,
    subject: Type.Optional(Type.String()),
    validUntil: InstantText,
    remarks: Type.Optional(Type.String()),
    acceptedCardBrands: Type.Array(Type.String()),
    links: Links,
    locale: Type.Optional(Locale),
    transactionId: Type.Optional(Type.String()),
    paidAt: Type.Optional(InstantText),
    card: Type.Optional(Type.Object({ brand: Type.String(), number: Type.String({ description: 'Masked.' }) }, closed)),
    merchant: Type.Object({ setting: MerchantSetting }, closed),
    receipt: ReceiptFacts,
    invoice: Type.Optional(InvoiceFacts),
    refunds: Type.Optional(
      Type.Array(PartRefund, {
        maxItems: PART_REFUNDS_MAX,
        description: 'Parts of the payment that were given back, the oldest first. Left out where there are none.',
      }),
    ),
    testCardsOnly: Type.Optional(
      Type.Literal(true, {
        description:
          'A live checkout of a shop whose acquirer is a double on this machine: published test cards alone are taken, and no money moves.',
      }),
    ),
    paymentPending: Type.Boolean({
      description: 'A charge is under way or in doubt: do not pay again, read again in a little while.',
    }),
  },
  closed,
)
export type CheckoutAnswer = Static<typeof CheckoutAnswer>

export const CheckoutId = Type.String({ maxLength: 200, description: 'The id of the checkout.' })
export const CheckoutPath = Type.Object({ checkoutId: CheckoutId })
