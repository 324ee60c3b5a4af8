/** Attention items: each kind of thing that needs a person at a shop, with its own facts. */
import { Type, type Static, type TProperties } from 'typebox'
import { InstantText } from '../checkout.ts'
import { DISABLED_WHY } from './webhooks.ts'

const closed = { additionalProperties: false }

/** The most items of each kind that are named. */
export const ATTENTION_ITEMS_MAX = 20
/** Counting stops here: a flood must not make the call slow that tells of it. */
export const ATTENTION_COUNTED_MAX = 100

const Count = Type.Integer({
  minimum: 1,
  description: `How many there are; ${ATTENTION_COUNTED_MAX} means that many or more.`,
})

const CheckoutId = Type.String({ description: 'The id of the checkout.' })

/** `payments_in_doubt` → `PaymentsInDoubt`: the name of the object in the reference. */
const titleOf = (kind: string): string =>
  kind
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

export const attentionKind = <Kind extends string, Fields extends TProperties>(
  kind: Kind,
  description: string,
  fields: Fields,
) =>
  Type.Object(
    { kind: Type.Enum([kind], { description: 'Which kind it is.' }), ...fields },
    { ...closed, title: titleOf(kind), description },
  )

/** A kind of which there may be many: how many there are, and the first of them. */
const listed = <Kind extends string, Fields extends TProperties>(
  kind: Kind,
  description: string,
  order: string,
  fields: Fields,
) =>
  attentionKind(kind, description, {
    count: Count,
    items: Type.Array(Type.Object(fields, closed), {
      description: `${order}, at most ${ATTENTION_ITEMS_MAX}.`,
    }),
  })

const doubt = {
  amount: Type.Integer({ description: 'In yen.' }),
  since: { ...InstantText, description: 'Since when it is unknown.' },
  nextInquiryAt: { ...InstantText, description: 'When the acquirer is asked next, by itself.' },
  inquiries: Type.Integer({ minimum: 0, description: 'How often it was asked so far.' }),
  isLong: Type.Boolean({
    description: 'It lasts longer than usual, and the operator has been called.',
  }),
}

const PaymentsInDoubt = listed(
  'payments_in_doubt',
  'The acquirer has not said what became of a charge. It is asked again until it answers: do not deliver, and do not ask for the money a second time.',
  'The oldest first',
  { checkoutId: CheckoutId, ...doubt },
)

const RefundsInDoubt = listed(
  'refunds_in_doubt',
  'The acquirer has not said what became of a refund. It is asked again until it answers: do not give the money back another way.',
  'The oldest first',
  { checkoutId: CheckoutId, refundId: Type.String({ description: 'Your own name for the refund.' }), ...doubt },
)

const CheckoutsHeld = attentionKind(
  'checkouts_held',
  'Closed to payment since the database was restored from a backup, because they may have been paid since. They open by themselves when the acquirer’s list covers that time, or the operator opens them.',
  { count: Count, since: { ...InstantText, description: 'When the backup was restored.' } },
)

const DisputesToAnswer = listed(
  'disputes_to_answer',
  'Disputes (chargebacks) that you can still answer at the acquirer. Without an answer the money is lost. One for which the acquirer names no deadline is not listed.',
  'The nearest deadline first',
  {
    checkoutId: CheckoutId,
    disputeId: Type.String({ description: 'Its id at the acquirer, where you answer it.' }),
    status: Type.Enum(['inquiry', 'open'], {
      description: 'inquiry: no money was taken yet. open: a chargeback that is not decided.',
    }),
    amount: Type.Integer({ description: 'What is disputed, in yen.' }),
    reason: Type.Optional(Type.String({ description: 'The acquirer’s code of the reason, where it names one.' })),
    respondBy: { ...InstantText, description: 'Answer it before then.' },
  },
)

const AcquirerAccount = attentionKind('acquirer_account', 'The account at the acquirer may not be able to charge.', {
  acquirer: Type.String({ description: 'Such as stripe.' }),
  problem: Type.Enum(['check_failed', 'not_checked'], {
    description:
      'check_failed: the last check found something. not_checked: it never passed one, and live payments are refused until it does.',
  }),
  found: Type.Array(Type.String(), { description: 'What the last check found, in words, one line each.' }),
  checkedAt: Type.Optional({ ...InstantText, description: 'When it last passed. Left out: never.' }),
})

const CardTesting = attentionKind(
  'card_testing',
  'Somebody tries out stolen cards at this shop. Every payer is asked for a challenge of the issuer meanwhile; it ends by itself.',
  { until: { ...InstantText, description: 'Until then at least.' } },
)

const ReconciliationBreaks = attentionKind(
  'reconciliation_breaks',
  'The last comparison of the ledger with the acquirer’s statement found breaks, or could not be finished.',
  {
    reconciliationId: Type.String({ description: 'The id of the reconciliation, to read its breaks by.' }),
    at: { ...InstantText, description: 'When it was made.' },
    breaks: Type.Integer({ minimum: 0, description: 'How many breaks it found.' }),
    isComplete: Type.Boolean({ description: 'false: the acquirer did not answer about everything.' }),
  },
)

const webhook = {
  webhookId: Type.String({ description: 'The id of the webhook.' }),
  address: Type.String({ description: 'Host and path of its address.' }),
}

const WebhooksDisabled = listed(
  'webhooks_disabled',
  'Nothing is sent to these webhooks any more, because they answered 410 or failed for five days. Mend them, then switch them on again.',
  'The newest first',
  {
    ...webhook,
    at: { ...InstantText, description: 'Since when.' },
    because: Type.Enum(
      DISABLED_WHY.filter((why) => why !== 'merchant'),
      {
        description: 'gone: it answered 410. failing: every try of five days failed.',
      },
    ),
  },
)

const WebhooksFailing = listed(
  'webhooks_failing',
  'Every try to these webhooks fails. They are tried again by themselves, and disabled after five days.',
  'The newest first',
  { ...webhook, since: { ...InstantText, description: 'Since when every try has failed.' } },
)

const DeliveriesGivenUp = listed(
  'deliveries_given_up',
  'Events of the last 7 days that a webhook did not take and that are not tried again. Send them again, or pull them by List events.',
  'The newest first',
  {
    webhookId: Type.String({ description: 'The id of the webhook.' }),
    eventId: Type.String({ description: 'The id of the event.' }),
    type: Type.String({ description: 'The type of the event.' }),
    checkoutId: CheckoutId,
    at: { ...InstantText, description: 'When it was given up.' },
  },
)

const MAIL_NOT_SENT_WHY = ['refused', 'given_up', 'not_registered', 'cap'] as const

const MailsNotSent = listed(
  'mails_not_sent',
  'Mails of the last 7 days about checkouts that were not sent and are not tried again. One leaves the list when a later mail about its checkout was sent.',
  'The newest first',
  {
    checkoutId: CheckoutId,
    mail: Type.String({ description: 'Its kind: receipt, reissue, refund or nothing_charged.' }),
    why: Type.Enum([...MAIL_NOT_SENT_WHY], {
      description:
        'refused: the mail server takes no mail for this address. given_up: it could not be reached for 72 hours. not_registered: a mail of a test goes only to registered addresses. cap: too many mails on that day.',
    }),
    answer: Type.Optional(Type.String({ description: 'What the mail server said last.' })),
    at: { ...InstantText, description: 'When it was given up.' },
  },
)

const NotificationAddress = attentionKind(
  'notification_address',
  'The shop wants mails about its payments and does not get them.',
  {
    problem: Type.Enum(['none', 'not_registered', 'refused'], {
      description:
        'none: the settings have no address. not_registered: its owner has not confirmed it yet. refused: mails to it of the last 7 days were refused or given up.',
    }),
    address: Type.Optional(Type.String({ description: 'The address of the settings. Left out: there is none.' })),
  },
)

export const AttentionItem = Type.Union(
  [
    PaymentsInDoubt,
    RefundsInDoubt,
    CheckoutsHeld,
    DisputesToAnswer,
    AcquirerAccount,
    CardTesting,
    ReconciliationBreaks,
    WebhooksDisabled,
    WebhooksFailing,
    DeliveriesGivenUp,
    MailsNotSent,
    NotificationAddress,
  ],
  { description: 'One kind of thing that needs a person; `kind` says which fields it has.' },
)
export type AttentionItem = Static<typeof AttentionItem>
export type AttentionKind = AttentionItem['kind']
