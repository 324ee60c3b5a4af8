/** Outbox metrics: what waits to be told to shops and shoppers, what could not be, and the answers of shops' servers. */
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import { COUNTED_MAX, FAILED_READ, type OutboxCounts } from '../store/outbox/outbox-counts.ts'
import type { SendWebhook } from '../webhooks/send-webhook.ts'
import { counter, gauge, secondsSince, type Metric } from './metric.ts'

const UP_TO = `counted up to ${COUNTED_MAX}`
const OF_NEWEST = `counted among the newest ${FAILED_READ} that were not sent`

export const outboxGauges = (counts: OutboxCounts, now: number): Metric[] => [
  gauge(
    'kaikei_events_oldest_waiting_seconds',
    'Age of the oldest event that no worker has looked at yet, 0 without one: workers look twice a second.',
    secondsSince(counts.oldestEvent, now),
  ),
  gauge('kaikei_deliveries_waiting', `Deliveries of events that wait for a try, ${UP_TO}.`, counts.deliveriesWaiting),
  gauge(
    'kaikei_deliveries_oldest_due_seconds',
    'How long the delivery that is due longest has waited for its try, 0 without one; of a replay since its event.',
    secondsSince(counts.deliveryDueAt, now),
  ),
  gauge(
    'kaikei_deliveries_failed',
    `Deliveries given up after ten tries in the last 24 hours, ${UP_TO}.`,
    counts.deliveriesFailed,
  ),
  gauge('kaikei_webhooks_failing', 'Webhooks of shops of which the last try failed.', counts.endpointsFailing),
  gauge(
    'kaikei_webhooks_disabled',
    'Webhooks disabled because they answered 410 or failed for five days, and not enabled since.',
    counts.endpointsDisabled,
  ),
  gauge('kaikei_mails_waiting', `Mails to shoppers that wait for a try, ${UP_TO}.`, counts.mailsWaiting),
  gauge(
    'kaikei_mails_oldest_due_seconds',
    'How long the mail that is due longest has waited for its try, 0 without one.',
    secondsSince(counts.mailDueAt, now),
  ),
  gauge(
    'kaikei_mails_refused',
    `Mails refused by the mail server in the last 24 hours, ${OF_NEWEST}.`,
    counts.mailsRefused,
  ),
  gauge(
    'kaikei_mails_kept_back',
    `Mails not sent in the last 24 hours because their address is not registered, or a cap was reached, ${OF_NEWEST}.`,
    counts.mailsKeptBack,
  ),
  gauge('kaikei_mails_given_up', `Mails given up unsent in the last 24 hours, ${OF_NEWEST}.`, counts.mailsGivenUp),
]

const ANSWERS = ['2xx', '3xx', '4xx', '5xx', 'none'] as const

const answerClass = (answer: WebhookAnswer): (typeof ANSWERS)[number] => {
  if (answer.outcome === 'unreachable') return 'none'
  return ANSWERS.find((each) => each.startsWith(String(answer.status).charAt(0))) ?? '5xx'
}

/** The same sender, whose answers are counted. */
export const countingTries = (send: SendWebhook): { readonly send: SendWebhook; metrics(): Metric[] } => {
  const counts = new Map<string, number>(ANSWERS.map((each) => [each, 0]))
  return {
    send: async (request) => {
      const answer = await send(request)
      const answered = answerClass(answer)
      counts.set(answered, (counts.get(answered) ?? 0) + 1)
      return answer
    },
    metrics: () => [
      counter(
        'kaikei_webhook_tries_total',
        'Tries of this process to deliver an event, by the answer of the shop’s server.',
        [...counts].map(([answer, value]) => ({ labels: { answer }, value })),
      ),
    ],
  }
}
