/** API key of the caller on the wire: whose it is and what it may do, and the call that reads it. */
import { Type, type Static } from 'typebox'
import { KEY_ACCESSES, MERCHANT_MODES, MERCHANT_ROUTES } from '../access.ts'
import { bodilessCall, NoPath } from '../calls.ts'
import { InstantText } from '../checkout.ts'

const closed = { additionalProperties: false }

/** Whose key it is that calls, and what it may do. */
export const MeAnswer = Type.Object(
  {
    merchant: Type.Object(
      {
        label: Type.String({ description: 'The first label of the host of its pages.' }),
        name: Type.String({ description: 'The name of the shop, as its page shows it.' }),
      },
      { ...closed, description: 'Whose key it is.' },
    ),
    mode: Type.Enum([...MERCHANT_MODES], { description: 'The mode of the key is the mode of its checkouts.' }),
    key: Type.Object(
      {
        access: Type.Enum([...KEY_ACCESSES], {
          description: 'What it may do. read: read alone. sales: also create and cancel checkouts. full: everything.',
        }),
        hint: Type.Optional(Type.String({ description: 'The last characters of the key; older keys have none.' })),
        name: Type.Optional(Type.String({ description: 'What the operator calls it.' })),
        createdAt: { ...InstantText, description: 'When it was made.' },
        expiresAt: Type.Optional({ ...InstantText, description: 'When it ends. Left out: it does not end by itself.' }),
      },
      { ...closed, description: 'The key that made this call.' },
    ),
  },
  { ...closed, title: 'Me' },
)
export type MeAnswer = Static<typeof MeAnswer>

export const readMe = bodilessCall({
  ...MERCHANT_ROUTES.readMe,
  summary: 'Read whose key this is, and what it may do',
  params: NoPath,
  answer: MeAnswer,
  errors: [],
})
