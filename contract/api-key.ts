/** API key: what it may do, and what a merchant reads of its own key. */
import { Type, type Static } from 'typebox'
import { InstantText } from './checkout.ts'
import { MERCHANT_MODES } from './merchant.ts'

/** How a key is written: its mode, and 16 to 64 letters and digits. */
export const API_KEY = /^sk_(?:test|live)_[A-Za-z0-9]{16,64}$/

const closed = { additionalProperties: false }

/**
 * Access of a key, from the least to the most; each may do what those before it may. `read`: read alone. `sales`: also
 * create and cancel checkouts. `full`: also refunds, settings and webhooks.
 */
export const KEY_ACCESSES = ['read', 'sales', 'full'] as const
export type KeyAccess = (typeof KEY_ACCESSES)[number]

export const isKeyAccess = (value: string): value is KeyAccess => KEY_ACCESSES.some((access) => access === value)

/** Whether a key with the access `held` may make a call that needs `needed`. */
export const mayCall = (held: KeyAccess, needed: KeyAccess): boolean =>
  KEY_ACCESSES.indexOf(held) >= KEY_ACCESSES.indexOf(needed)

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
