/** Attention: what needs a person at a shop now and, for an operator, at the installation, and the call that reads it. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { bodilessCall, NoPath } from '../calls.ts'
import { InstantText } from '../checkout.ts'
import { AttentionItem, attentionKind } from './attention-items.ts'

const closed = { additionalProperties: false }

export const InstallationWarning = Type.Union(
  [
    attentionKind(
      'clock_not_confirmed',
      'The clock of the server has jumped: nothing expires and no mail is sent.',
      {},
    ),
    attentionKind('clock_skew', 'The clock of the server and the database’s are too far apart.', {
      aheadMs: Type.Integer({ description: 'How far the server is ahead, in milliseconds.' }),
    }),
    attentionKind('database_not_writable', 'Nothing can be written: payments are refused.', {}),
    attentionKind('certificate_expires', 'The TLS certificate ends soon.', {
      host: Type.String({ description: 'The name that it is for.' }),
      validTo: { ...InstantText, description: 'Until when browsers take it.' },
    }),
    attentionKind('certificate_refused', 'A browser refuses the TLS certificate, or nobody answers by TLS.', {
      host: Type.String({ description: 'The name that it is for.' }),
      why: Type.String({ description: 'A short code of the reason.' }),
    }),
  ],
  { description: 'One warning about the installation; `kind` says which fields it has.' },
)
export type InstallationWarning = Static<typeof InstallationWarning>

export const AttentionAnswer = Type.Object(
  {
    items: Type.Array(AttentionItem, {
      description: 'The most urgent kind first; each kind at most once. Empty: nothing needs a person.',
    }),
    installation: Type.Optional(
      Type.Array(InstallationWarning, {
        description:
          'For an operator of the installation alone: what the server that answered watches. Of several servers each knows its own.',
      }),
    ),
  },
  { ...closed, title: 'Attention' },
)
export type AttentionAnswer = Static<typeof AttentionAnswer>

export const readAttention = bodilessCall({
  ...MERCHANT_ROUTES.readAttention,
  summary: 'Read what needs a person',
  params: NoPath,
  answer: AttentionAnswer,
  errors: [],
})
