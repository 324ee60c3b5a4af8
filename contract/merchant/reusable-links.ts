/** Reusable links of the merchant API: one address that opens a fresh checkout for each visitor, and the calls that create, read, list and change them. */
import { Type, type Static } from 'typebox'
import { MERCHANT_MODES, MERCHANT_ROUTES } from '../access.ts'
import { bodilessCall, merchantCall, NoPath, NoQuery, queryCall } from '../calls.ts'
import { InstantText, Yen } from '../checkout.ts'
import { CreateCheckoutBody, CreationHeaders } from './checkouts.ts'
import { PageQuery, pageOf } from './lists.ts'

const closed = { additionalProperties: false }

const MAX_PAYMENTS_MAX = 1_000_000
export const LINK_VALIDITY_YEARS_MAX = 3

const { amount: _amount, validUntil: _validUntil, ...carried } = CreateCheckoutBody.properties

/** What every checkout of a link carries beside its amount and its deadline. */
export const CheckoutOfLink = Type.Object(carried, closed)
export type CheckoutOfLink = Static<typeof CheckoutOfLink>

const AmountRange = Type.Object(
  {
    min: { ...Yen, description: 'The smallest amount that the shopper may enter, in yen.' },
    max: { ...Yen, description: 'The largest amount that the shopper may enter, in yen.' },
  },
  { ...closed, description: 'The shopper enters the amount, between these two, both included.' },
)

const LIMIT =
  'How many payments it takes at most. Payments that succeeded count, also when they are refunded later; opening the link counts for nothing.'
const MaxPayments = Type.Integer({ minimum: 1, maximum: MAX_PAYMENTS_MAX, description: LIMIT })

const END = `A date (the end of that day in Japan) or an instant, at most ${LINK_VALIDITY_YEARS_MAX} years ahead. Nobody pays by the link after it.`
const End = Type.String({ maxLength: 40, description: END })

export const CreateReusableLinkBody = Type.Object(
  {
    amount: Type.Optional({ ...Yen, description: 'What each visitor pays, in yen. Send it, or `amountRange`.' }),
    amountRange: Type.Optional(AmountRange),
    ...carried,
    maxPayments: Type.Optional({ ...MaxPayments, description: `${LIMIT} Left out: no limit.` }),
    validUntil: Type.Optional({ ...End, description: `${END} Left out: it has no end.` }),
  },
  closed,
)
export type CreateReusableLinkBody = Static<typeof CreateReusableLinkBody>

export const ChangeReusableLinkBody = Type.Object(
  {
    maxPayments: Type.Optional(Type.Union([MaxPayments, Type.Null()], { description: 'The new limit; null: none.' })),
    validUntil: Type.Optional(Type.Union([End, Type.Null()], { description: 'The new end; null: none.' })),
    enabled: Type.Optional(
      Type.Boolean({ description: 'false: nobody pays by it any more, not even who has opened it. true: again.' }),
    ),
  },
  closed,
)
export type ChangeReusableLinkBody = Static<typeof ChangeReusableLinkBody>

const LINK_STATUSES = ['open', 'full', 'ended', 'disabled'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

export const ReusableLinkAnswer = Type.Object(
  {
    id: Type.String({ description: 'The id of the link, part of its address.' }),
    url: Type.String({ description: 'The address to publish. Whoever has it can open a checkout.' }),
    mode: Type.Enum([...MERCHANT_MODES], { description: 'The mode of the key that made it.' }),
    status: Type.Enum([...LINK_STATUSES], {
      description:
        'open: opens checkouts. full: as many payments as maxPayments. ended: validUntil has passed. disabled: you have switched it off.',
    }),
    amount: Type.Optional({ ...Yen, description: 'What each visitor pays, in yen.' }),
    amountRange: Type.Optional(AmountRange),
    ...carried,
    maxPayments: Type.Optional(MaxPayments),
    payments: Type.Integer({
      minimum: 0,
      description: 'How many of its checkouts were paid, also those that were refunded later.',
    }),
    validUntil: Type.Optional({ ...InstantText, description: 'When it ends.' }),
    disabledAt: Type.Optional({ ...InstantText, description: 'Since when it is switched off.' }),
    createdAt: { ...InstantText, description: 'When it was created.' },
  },
  { ...closed, title: 'ReusableLink' },
)
export type ReusableLinkAnswer = Static<typeof ReusableLinkAnswer>

const ReusableLinkListAnswer = pageOf('ReusableLinkList', ReusableLinkAnswer)
export type ReusableLinkListAnswer = Static<typeof ReusableLinkListAnswer>

const LinkPath = Type.Object({ linkId: Type.String({ description: 'The id of the link.' }) })

export const createReusableLink = merchantCall({
  ...MERCHANT_ROUTES.createReusableLink,
  headers: CreationHeaders,
  summary: 'Create a reusable link',
  params: NoPath,
  body: CreateReusableLinkBody,
  status: 201,
  answer: ReusableLinkAnswer,
  errors: ['idempotency_key_reused'],
})

export const listReusableLinks = queryCall({
  ...MERCHANT_ROUTES.listReusableLinks,
  summary: 'List reusable links, the newest first',
  params: NoPath,
  query: PageQuery,
  answer: ReusableLinkListAnswer,
  errors: [],
})

export const readReusableLink = bodilessCall({
  ...MERCHANT_ROUTES.readReusableLink,
  summary: 'Read a reusable link',
  params: LinkPath,
  answer: ReusableLinkAnswer,
  errors: ['link_not_found'],
})

export const changeReusableLink = merchantCall({
  ...MERCHANT_ROUTES.changeReusableLink,
  summary: 'Change the limit or the end of a reusable link, or switch it off and on',
  params: LinkPath,
  body: ChangeReusableLinkBody,
  status: 200,
  answer: ReusableLinkAnswer,
  errors: ['link_not_found'],
})

export const drawLinkQrCode = queryCall({
  ...MERCHANT_ROUTES.drawLinkQrCode,
  summary: 'Draw the address of a reusable link as a QR code',
  params: LinkPath,
  query: NoQuery,
  answer: Type.String({ description: 'An SVG picture.' }),
  contentType: 'image/svg+xml',
  errors: ['link_not_found'],
})
