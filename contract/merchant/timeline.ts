/** Timeline of a checkout: every change of state of the checkout, its attempts, refunds, disputes, mails and deliveries. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { queryCall } from '../calls.ts'
import { CheckoutPath, InstantText } from '../checkout.ts'
import { PageQuery, pageOf } from './lists.ts'

/** One change of state. */
export const TimelineItem = Type.Object(
  {
    at: { ...InstantText, description: 'When it changed.' },
    what: Type.Enum(['checkout', 'attempt', 'refund', 'dispute', 'mail', 'delivery'], {
      description:
        'What changed. An attempt is one try to pay with one card; a dispute is one at the acquirer; a mail is one to the shopper; a delivery is one event sent to one webhook, told when it has ended, for 30 days and while the webhook is there.',
    }),
    id: Type.Optional(
      Type.String({
        description:
          'Of the attempt, which is also its order at the acquirer, or of the refund or the dispute; of a mail its kind: receipt, reissue, refund or nothing_charged; of a delivery the id of the webhook.',
      }),
    ),
    from: Type.Optional(Type.String({ description: 'Left out where there was nothing before.' })),
    to: Type.String({ description: 'The state that it is in from then on.' }),
    by: Type.String({ description: 'shopper, merchant, settlement (an answer of the acquirer), worker or operator.' }),
    why: Type.String({ description: 'The reason, in a few words; of a delivery the type and the id of its event.' }),
  },
  { additionalProperties: false, title: 'TimelineItem' },
)
export type TimelineItem = Static<typeof TimelineItem>

export const TimelineAnswer = pageOf('Timeline', TimelineItem)

export const readTimeline = queryCall({
  ...MERCHANT_ROUTES.readTimeline,
  summary: 'List what happened to a checkout, the newest first',
  params: CheckoutPath,
  query: PageQuery,
  answer: TimelineAnswer,
  errors: ['checkout_not_found'],
})
