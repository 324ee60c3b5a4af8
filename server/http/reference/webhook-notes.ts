/** Notes on the calls about webhooks and events. */
import type { Json } from './json.ts'
import type { CallNote } from './note.ts'

const ID = 'we_k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7'
const EVENT_ID = 'evt_n6p2r5t3w7y4z6a2c5e3g7k3v5q2m7x4'
const URL = 'https://shop.example.com/kaikei'
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD2EJK0ljzYjI='

const ABOUT = { path: { webhookId: '$WEBHOOK_ID' } } as const

const WEBHOOK = {
  id: ID,
  mode: 'test',
  url: URL,
  enabled: true,
  createdAt: '2026-11-23T03:04:05.000Z',
} as const satisfies Json

const EVENT = {
  id: EVENT_ID,
  type: 'checkout.cancelled',
  timestamp: '2026-11-23T03:06:07.000Z',
  mode: 'test',
  sequence: 1,
  data: {
    checkout: {
      id: 'k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7',
      url: 'https://tea.pay.example.com/k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7',
      mode: 'test',
      status: 'cancelled',
      amount: 1980,
      validUntil: '2026-11-30T14:59:59.999Z',
      acceptedCardBrands: ['visa', 'mastercard'],
      links: {},
      metadata: {},
      createdAt: '2026-11-23T03:04:05.000Z',
      paymentPending: false,
      refundedAmount: 0,
    },
  },
} as const satisfies Json

const DISPUTED =
  '`dispute.opened` tells that you must answer a dispute (chargeback) at your acquirer, once more when an inquiry becomes a chargeback or a dispute that was over is open again; `dispute.closed` that it was won or lost, and it can be lost after it was won; `dispute.updated` of every other change. The checkout stays paid.'

const SIGNED = [
  'Every try is a POST with the event as its body and the headers of Standard Webhooks: `webhook-id` (the id of the event), `webhook-timestamp` (seconds) and `webhook-signature`. Verify them with a library of Standard Webhooks and the secret, and answer 2xx within 15 seconds. Any other answer, a redirect too, is a failure.',
  'An event is tried ten times over about three days; `Retry-After` is honoured, 410 disables the webhook, and so do five days in which every try fails. An event may come twice and late: tell it by its `id`, and the order of the events of a checkout by `sequence`.',
]

export const webhookNotes = {
  createWebhook: {
    group: 'Webhooks',
    description: [
      'Registers an address of yours, which is told of every payment, refund, dispute and failure from then on. The secret is in this answer alone.',
      ...SIGNED,
      DISPUTED,
    ].join('\n'),
    answers: 'The webhook with its secret.',
    example: {
      body: { url: URL, types: ['checkout.paid', 'checkout.refunded'] },
      answer: { ...WEBHOOK, types: ['checkout.paid', 'checkout.refunded'], secret: SECRET },
    },
  },
  listWebhooks: {
    group: 'Webhooks',
    description: 'Lists the webhooks of your key’s mode.',
    answers: 'The webhooks.',
    example: { answer: { items: [WEBHOOK] } },
  },
  readWebhook: {
    group: 'Webhooks',
    description: 'Reads one webhook, for example whether it is failing.',
    answers: 'The webhook.',
    example: { ...ABOUT, answer: WEBHOOK },
  },
  changeWebhook: {
    group: 'Webhooks',
    description:
      'Changes what it names and keeps the rest. What waits for a webhook that is disabled is dropped; ask for it with a replay once it is enabled again.',
    answers: 'The webhook as it is now.',
    example: { ...ABOUT, body: { types: null, enabled: true }, answer: WEBHOOK },
  },
  removeWebhook: {
    group: 'Webhooks',
    description: 'Removes a webhook with its deliveries. Nothing is sent there any more.',
    answers: 'The webhook as it was last.',
    example: {
      ...ABOUT,
      answer: {
        ...WEBHOOK,
        enabled: false,
        disabledAt: '2026-11-24T00:00:00.000Z',
        disabledBecause: 'merchant',
      },
    },
  },
  pingWebhook: {
    group: 'Webhooks',
    description: 'Sends an event of type `webhook.ping`, whatever types the webhook takes. It has no checkout.',
    answers: 'The event; look for its delivery in the list of deliveries.',
    example: { ...ABOUT, answer: { eventId: EVENT_ID } },
  },
  rollWebhook: {
    group: 'Webhooks',
    description:
      'Makes a new secret. For 24 hours every try carries two signatures, one of each secret: put the new one into your server within that time.',
    answers: 'The webhook with its new secret.',
    example: {
      ...ABOUT,
      answer: { ...WEBHOOK, secret: SECRET, previousSecretUntil: '2026-11-24T03:04:05.000Z' },
    },
  },
  replayWebhook: {
    group: 'Webhooks',
    description:
      'Sends all events since a time to one webhook once more, for example after your server was away. Those that came already come again, under the same ids.',
    answers: 'How many are sent.',
    example: { ...ABOUT, body: { since: '2026-11-23' }, answer: { deliveries: 12 } },
  },
  listDeliveries: {
    group: 'Webhooks',
    description:
      'Lists what was sent to a webhook, with every try and what your server answered, for 30 days after it ended.',
    answers: 'A page of deliveries.',
    example: {
      ...ABOUT,
      answer: {
        items: [
          {
            eventId: EVENT_ID,
            type: 'checkout.paid',
            status: 'delivered',
            createdAt: '2026-11-23T03:06:07.000Z',
            tries: [{ at: '2026-11-23T03:06:08.000Z', tookMs: 84, status: 200, answer: 'ok' }],
          },
        ],
        after: null,
      },
    },
  },
  listEvents: {
    group: 'Webhooks',
    description:
      'Lists the events themselves, in the form in which they are sent: for a server that cannot be reached, and to make sure that none was missed. To pull, send the newest event that you have as `newerThan` and read page after page while there is an `after`. Where that event is so old that it is not kept any more, the list begins with the oldest that is kept, and `gap` says whether any may be missing.',
    answers: 'A page of events.',
    example: { query: { limit: '10' }, answer: { items: [EVENT], after: null } },
  },
  redeliverEvent: {
    group: 'Webhooks',
    description:
      'Sends one event once more to every webhook that takes its type, from the first try on. With `webhookId` it is sent to that webhook alone, where it takes the type.',
    answers: 'How many webhooks it is sent to.',
    example: { path: { eventId: '$EVENT_ID' }, answer: { deliveries: 1 } },
  },
} as const satisfies Readonly<Record<string, CallNote>>
