/** The operator of the installation: shops, payments in doubt, what waits to be sent, and the checks of `doctor`. */
import { Type, type Static } from 'typebox'
import { NoPath } from '../calls.ts'
import { pageOf, PageQuery } from '../merchant/lists.ts'
import { SHOP_FACT_MAX } from '../merchant/settings.ts'
import { TEXT_RULES } from '../text-rules.ts'
import { bodilessConsoleCall, consoleCall } from './calls.ts'
import { closed, Email, Instant, LocaleField, PathText } from './fields.ts'
import { CONSOLE_ROUTES } from './paths.ts'

/** Something that the database is asked for. */
const IdText = Type.String({ maxLength: 200, pattern: TEXT_RULES.withoutNul.pattern })

export const ShopAnswer = Type.Object(
  {
    label: Type.String({ description: 'The first label of the host of its pages.' }),
    name: Type.String(),
    pages: Type.String({ description: 'The origin of its pages.' }),
    createdAt: Instant,
    closedAt: Type.Optional({ ...Instant, description: 'Since then its keys open nothing and nobody can pay.' }),
  },
  { ...closed, title: 'Shop' },
)
export type ShopAnswer = Static<typeof ShopAnswer>

export const listShops = {
  ...bodilessConsoleCall({
    ...CONSOLE_ROUTES.listShops,
    summary: 'List the shops of this installation, by label',
    params: NoPath,
    answer: pageOf('ShopList', ShopAnswer),
    errors: ['invalid_field'],
  }),
  query: PageQuery,
}

const fact = (name: keyof typeof SHOP_FACT_MAX) =>
  Type.String({ maxLength: SHOP_FACT_MAX[name], pattern: TEXT_RULES.someWithoutNul.pattern })

const OpenShopBody = Type.Object(
  {
    label: Type.String({ maxLength: 63, description: 'a to z, 0 to 9 and hyphens: its pages are at <label>.<base>.' }),
    shopName: fact('shopName'),
    shopAddress: Type.Optional(fact('shopAddress')),
    shopPhoneNumber: Type.Optional(fact('shopPhoneNumber')),
    shopEmail: Type.Optional({ ...fact('shopEmail'), description: 'It is registered for mails to the shop.' }),
    shopUrl: Type.Optional(fact('shopUrl')),
    owner: Type.Object(
      { email: Email, locale: LocaleField },
      { ...closed, description: 'Who is invited as its first owner.' },
    ),
  },
  closed,
)
export type OpenShopBody = Static<typeof OpenShopBody>

export const openShop = consoleCall({
  ...CONSOLE_ROUTES.openShop,
  summary: 'Open a shop and invite its first owner',
  params: NoPath,
  body: OpenShopBody,
  status: 201,
  answer: Type.Object(
    {
      ...ShopAnswer.properties,
      link: Type.Optional(
        Type.String({ description: 'Where no mail is sent: the invitation to pass on. It is shown this once.' }),
      ),
    },
    { ...closed, title: 'OpenedShop' },
  ),
  errors: ['label_taken'],
})

const ShopPath = Type.Object({ label: IdText })

export const closeShop = bodilessConsoleCall({
  ...CONSOLE_ROUTES.closeShop,
  summary: 'Close a shop: its keys open nothing and no payment is started; refunds and doubts are still resolved',
  params: ShopPath,
  answer: ShopAnswer,
  errors: ['shop_not_found'],
})

export const reopenShop = bodilessConsoleCall({
  ...CONSOLE_ROUTES.reopenShop,
  summary: 'Open a closed shop again: its keys and its links work as before',
  params: ShopPath,
  answer: ShopAnswer,
  errors: ['shop_not_found'],
})

/** At most so many are listed; `isMore` says whether there are more. */
export const DOUBTS_LISTED = 200

const DoubtAnswer = Type.Object(
  {
    kind: Type.Enum(['charge', 'refund']),
    shop: Type.String({ description: 'The label of the shop.' }),
    checkoutId: Type.String(),
    orderCode: Type.String(),
    refundId: Type.Optional(Type.String()),
    amount: Type.Integer({ description: 'In yen.' }),
    since: Instant,
    inquiries: Type.Integer({ description: 'How often the acquirer was asked.' }),
    nextInquiryAt: Instant,
    why: Type.String(),
  },
  { ...closed, title: 'Doubt' },
)
export type DoubtAnswer = Static<typeof DoubtAnswer>

export const listDoubts = bodilessConsoleCall({
  ...CONSOLE_ROUTES.listDoubts,
  summary: 'List charges and refunds of all shops whose outcome is unknown, the oldest first',
  params: NoPath,
  answer: Type.Object(
    {
      items: Type.Array(DoubtAnswer),
      isMore: Type.Boolean({ description: `Whether there are more than the ${DOUBTS_LISTED} that are listed.` }),
      held: Type.Integer({
        description: 'Checkouts that are closed to payment after a restore, because they may have been paid.',
      }),
    },
    { ...closed, title: 'DoubtList' },
  ),
  errors: [],
})

/** Of one page. */
export const OUTBOX_LISTED = 100

const OutboxQuery = Type.Object(
  {
    shop: Type.Optional({ ...IdText, description: 'The label of a shop.' }),
    state: Type.Optional(Type.Enum(['waiting', 'failed'], { description: 'failed: what is tried no more.' })),
    after: Type.Optional(Type.String({ maxLength: 600, description: 'The `after` of the page before.' })),
  },
  closed,
)

const OutboxItem = Type.Object(
  {
    kind: Type.Enum(['delivery', 'mail']),
    shop: Type.String({ description: 'The label of the shop.' }),
    id: Type.String({ description: 'Of the event or of the mail.' }),
    webhookId: Type.Optional(Type.String()),
    checkoutId: Type.Optional(Type.String()),
    type: Type.Optional(
      Type.String({
        description:
          'The type of the event, or the kind of the mail. Left out: the event was deleted, and cannot be sent again.',
      }),
    ),
    state: Type.String(),
    since: Instant,
    tries: Type.Integer(),
    lastAnswer: Type.Optional(Type.String()),
    nextTryAt: Type.Optional({ ...Instant, description: 'Left out: it is tried no more by itself.' }),
  },
  { ...closed, title: 'OutboxItem' },
)
export type OutboxItemAnswer = Static<typeof OutboxItem>

export const listOutbox = {
  ...bodilessConsoleCall({
    ...CONSOLE_ROUTES.listOutbox,
    summary:
      'List what has failed, then what waits; of each webhook deliveries before mails, together by shop and webhook, and there by when it failed or is tried next',
    params: NoPath,
    answer: Type.Object(
      {
        items: Type.Array(OutboxItem),
        after: Type.Union([Type.String(), Type.Null()], {
          description: `Send it as \`after\` for the next ${OUTBOX_LISTED}; null: that was the last page. What waits and is tried meanwhile moves: it may be on two pages, or on none.`,
        }),
      },
      { ...closed, title: 'OutboxList' },
    ),
    errors: ['invalid_field'],
  }),
  query: OutboxQuery,
}

const RetryBody = Type.Union([
  Type.Object({ eventId: IdText, webhookId: Type.Optional(IdText) }, closed),
  Type.Object({ mailId: IdText }, closed),
])
export type RetryBody = Static<typeof RetryBody>

export const retryOutbox = consoleCall({
  ...CONSOLE_ROUTES.retryOutbox,
  summary: 'Try a delivery or a mail again at once, from its first try on',
  params: NoPath,
  body: RetryBody,
  status: 200,
  answer: Type.Object({ deliveries: Type.Integer(), mails: Type.Integer() }, { ...closed, title: 'Retried' }),
  errors: ['nothing_to_retry', 'webhook_disabled'],
})

/** At most so many are listed; `isMore` says whether there are more. */
export const SET_ASIDE_LISTED = 100

const SetAsideItem = Type.Object(
  {
    shop: Type.Optional(Type.String({ description: 'The label of the shop. Left out: it is of no shop.' })),
    queue: Type.String({ description: 'Where it waited, such as notifications or mails.' }),
    id: Type.String({ description: 'The key of its row, or of what was sent.' }),
    why: Type.String(),
    at: Instant,
  },
  { ...closed, title: 'SetAside' },
)
export type SetAsideAnswer = Static<typeof SetAsideItem>

export const listSetAside = bodilessConsoleCall({
  ...CONSOLE_ROUTES.listSetAside,
  summary: 'List what cannot be read and was set aside, the oldest first',
  params: NoPath,
  answer: Type.Object(
    {
      items: Type.Array(SetAsideItem),
      isMore: Type.Boolean({ description: `Whether there are more than the ${SET_ASIDE_LISTED} that are listed.` }),
    },
    { ...closed, title: 'SetAsideList' },
  ),
  errors: [],
})

const DECISIONS = ['look', 'retry', 'drop'] as const
export type SetAsideDecision = (typeof DECISIONS)[number]

const SET_ASIDE_OUTCOMES = [
  'looked at',
  'put back',
  'left its queue',
  'dropped',
  'gone',
  'still unreadable',
  'not whole',
  'never dropped',
] as const
export type SetAsideOutcome = (typeof SET_ASIDE_OUTCOMES)[number]

export const decideSetAside = consoleCall({
  ...CONSOLE_ROUTES.decideSetAside,
  summary: 'Look at what was set aside, have it tried again, or drop it; each is written down',
  params: NoPath,
  body: Type.Object(
    { shop: Type.Optional(IdText), queue: IdText, id: PathText(1000), decision: Type.Enum([...DECISIONS]) },
    closed,
  ),
  status: 200,
  answer: Type.Object(
    {
      outcome: Type.Enum([...SET_ASIDE_OUTCOMES], {
        description:
          'left its queue: its row is gone, and it is forgotten here. gone: somebody else has decided. still unreadable: this release reads it no better. not whole: too long to be kept as it came, or sealed with a lost key, it can only be dropped. never dropped: it is a payment, its books or a setting.',
      }),
      said: Type.Optional(Type.String({ description: 'JSON: what the acquirer has said, where it stands in no row.' })),
    },
    { ...closed, title: 'DecidedSetAside' },
  ),
  errors: [],
})

export const FindingAnswer = Type.Object(
  {
    check: Type.String({ description: 'What was looked at.' }),
    state: Type.Enum(['ok', 'warn', 'fail']),
    says: Type.String(),
    mend: Type.Optional(Type.String({ description: 'What to do about it.' })),
  },
  { ...closed, title: 'Finding' },
)
export type FindingAnswer = Static<typeof FindingAnswer>

export const runDoctor = bodilessConsoleCall({
  ...CONSOLE_ROUTES.runDoctor,
  summary: 'Run the checks of `doctor` in this server: what it needs, and what to mend',
  params: NoPath,
  answer: Type.Object({ checks: Type.Array(FindingAnswer), at: Instant }, { ...closed, title: 'Doctor' }),
  errors: [],
})
