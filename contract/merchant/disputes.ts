/** Dispute as its merchant reads it: in the answer of its checkout, and in its events. */
import { Type, type Static } from 'typebox'
import { InstantText } from '../checkout.ts'

const closed = { additionalProperties: false }

export const DisputeAnswer = Type.Object(
  {
    id: Type.String({ description: 'Its id at the acquirer, where you answer it.' }),
    status: Type.Enum(['inquiry', 'open', 'won', 'lost'], {
      description:
        'inquiry: the issuer asks about the payment; no money was taken. open: a chargeback that is not decided. won: decided for you. lost: decided for the card holder, or not answered in time.',
    }),
    amount: Type.Integer({ description: 'What is disputed, in yen.' }),
    withdrawnAmount: Type.Integer({
      description: 'What the acquirer has taken from you for it and not given back, in yen.',
    }),
    reason: Type.Optional(Type.String({ description: 'The acquirer’s code of the reason, where it names one.' })),
    respondBy: Type.Optional({
      ...InstantText,
      description:
        'Answer it at the acquirer before then. Left out: it cannot be answered any more, or the acquirer does not say.',
    }),
    openedAt: { ...InstantText, description: 'When the issuer opened it.' },
  },
  { ...closed, title: 'Dispute' },
)
export type DisputeAnswer = Static<typeof DisputeAnswer>
