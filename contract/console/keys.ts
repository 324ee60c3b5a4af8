/** API keys of a shop, as its owner reads and changes them. The header Merchant names the shop; the mode of a key is its own. */
import { Type, type Static } from 'typebox'
import { KEY_ACCESSES, MERCHANT_MODES } from '../access.ts'
import { NoPath } from '../calls.ts'
import { TEXT_RULES } from '../text-rules.ts'
import { bodilessConsoleCall, consoleCall } from './calls.ts'
import { closed, Instant } from './fields.ts'
import { CONSOLE_ROUTES } from './paths.ts'

export const KEY_NAME_MAX_LENGTH = 100
/** Keys of a shop that work, and those that were made within a day. */
export const KEYS_MAX = 100
/** Of keys that have ended, the list shows no more. */
export const ENDED_KEYS_LISTED = 100

const KEY_STATES = ['active', 'expired', 'revoked', 'shop_closed'] as const
export type KeyStateWord = (typeof KEY_STATES)[number]

const Mode = Type.Enum([...MERCHANT_MODES], { description: 'The mode of its checkouts.' })
const Access = Type.Enum([...KEY_ACCESSES], {
  description:
    'What it may do. read: read alone. sales: also create and cancel checkouts and reusable links, and send receipts again. full: everything.',
})

export const KeyAnswer = Type.Object(
  {
    id: Type.String({ description: 'By which it is rolled and revoked. It gives no access.' }),
    mode: Mode,
    access: Access,
    name: Type.Optional(Type.String()),
    hint: Type.Optional(Type.String({ description: 'The last characters of the key; older keys have none.' })),
    state: Type.Enum([...KEY_STATES]),
    createdAt: Instant,
    lastUsedAt: Type.Optional({ ...Instant, description: 'Up to a minute old. Left out: never.' }),
    expiresAt: Type.Optional({ ...Instant, description: 'Left out: it does not end by itself.' }),
    revokedAt: Type.Optional(Instant),
  },
  { ...closed, title: 'Key' },
)
export type KeyAnswer = Static<typeof KeyAnswer>

const Shown = Type.String({ description: 'The key itself. It is shown this once and not stored.' })

const ExpiresAt = Type.Optional(
  Type.String({
    maxLength: 40,
    description: 'When it ends: a day in Japan such as 2027-03-31, or an instant. Left out: it does not end by itself.',
  }),
)

export const listKeys = bodilessConsoleCall({
  ...CONSOLE_ROUTES.listKeys,
  summary: 'List the API keys of a shop, the newest first: all that work, and the last hundred that have ended',
  params: NoPath,
  answer: Type.Object({ items: Type.Array(KeyAnswer) }, { ...closed, title: 'KeyList' }),
  errors: [],
})

export const createKey = consoleCall({
  ...CONSOLE_ROUTES.createKey,
  summary: 'Make an API key, which is shown once',
  params: NoPath,
  body: Type.Object(
    {
      mode: Mode,
      access: Access,
      name: Type.Optional(Type.String({ maxLength: KEY_NAME_MAX_LENGTH, pattern: TEXT_RULES.someWithoutNul.pattern })),
      expiresAt: ExpiresAt,
    },
    closed,
  ),
  status: 201,
  answer: Type.Object({ ...KeyAnswer.properties, key: Shown }, { ...closed, title: 'NewKey' }),
  errors: ['too_many_keys', 'unavailable'],
})

const KeyPath = Type.Object({ keyId: Type.String({ maxLength: 100 }) })

export const rollKey = consoleCall({
  ...CONSOLE_ROUTES.rollKey,
  summary: 'Make a key that may do the same, which is shown once; the old one works for another 24 hours',
  params: KeyPath,
  body: Type.Object({ expiresAt: ExpiresAt }, closed),
  status: 201,
  answer: Type.Object(
    {
      ...KeyAnswer.properties,
      key: Shown,
      oldExpiresAt: { ...Instant, description: 'Until then the old key works beside the new one.' },
    },
    { ...closed, title: 'RolledKey' },
  ),
  errors: ['key_not_found', 'too_many_keys', 'unavailable'],
})

export const revokeKey = bodilessConsoleCall({
  ...CONSOLE_ROUTES.revokeKey,
  summary: 'End a key at once',
  params: KeyPath,
  answer: KeyAnswer,
  errors: ['key_not_found'],
})
