/** Webhook commands over the merchant API: add, list, enable, ping, replay, roll, remove and deliveries. */
import { REPLAY_DAYS_MAX, type DeliveryAnswer, type WebhookAnswer } from '#contract/merchant/webhooks.ts'
import * as calls from '#contract/merchant/webhooks.ts'
import { answerOf, named, moreLine, answered } from '../checkout/checkouts.ts'
import { isProblem, PROGRAM, type Command, type Given } from '../command.ts'
import { factLines, minuteText, tableLines, timeText } from '../table.ts'

const EXAMPLE_ID = 'we_lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb'

const stateOf = ({ enabled, disabledBecause, failingSince }: WebhookAnswer): string => {
  if (!enabled) return `disabled: ${disabledBecause}`
  return failingSince === undefined ? 'enabled' : `failing since ${minuteText(failingSince)}`
}

const factsOf = (webhook: WebhookAnswer) => ({
  id: webhook.id,
  url: webhook.url,
  mode: webhook.mode,
  types: webhook.types?.join(', ') ?? 'all',
  state: stateOf(webhook),
})

const pathOf = (given: Given) => ({ path: { webhookId: given.text('webhook') } })

const tellsMore = (given: Given): string => `${PROGRAM} webhook deliveries ${given.text('webhook')} tells more.`

/** Where an answer is lost: what it would do a second time. */
const LOST = 'It may be done: webhook list tells.'

export const webhookAdd: Command = {
  summary: 'registers an address that is told of events, and prints its secret this once',
  options: {
    url: { value: '<address>', help: 'https; http only on this machine', isRequired: true },
    types: { value: '<type,…>', help: 'such as checkout.paid,checkout.refunded; left out, all' },
  },
  example: 'webhook add --url https://shop.example.com/kaikei --types checkout.paid,refund.refused',
  run: async (given, env) => {
    const types = given.textOrNull('types')
    const body = { url: given.text('url'), ...(types === null ? {} : { types: types.split(',') }) }
    const linesOf = ({ secret, ...webhook }: WebhookAnswer & { secret: string }) =>
      factLines({ ...factsOf(webhook), secret })
    return answered(env, calls.createWebhook, { body }, linesOf, LOST)
  },
}

export const webhookList: Command = {
  summary: 'lists the addresses that are told of events',
  example: 'webhook list',
  run: (_given, env) =>
    answered(env, calls.listWebhooks, {}, ({ items }) => {
      const rows = items.map(factsOf).map(({ id, url, types, state }) => [id, url, types, state])
      return rows.length === 0
        ? [`No webhook: ${PROGRAM} webhook add registers one.`]
        : tableLines(['id', 'url', 'types', 'state'], rows, { shorten: ['types'] })
    }),
}

export const webhookPing: Command = {
  summary: 'sends an event webhook.ping to one of them',
  places: ['webhook'],
  example: `webhook ping ${EXAMPLE_ID}`,
  run: (given, env) => {
    const linesOf = ({ eventId }: { eventId: string }) => [`${eventId} is being sent: ${tellsMore(given)}`]
    return answered(env, calls.pingWebhook, pathOf(given), linesOf, 'It may be sent: webhook deliveries tells.')
  },
}

export const webhookRoll: Command = {
  summary: 'makes a new secret and prints it this once; the old one signs too for 24 hours',
  places: ['webhook'],
  example: `webhook roll ${EXAMPLE_ID}`,
  run: async (given, env) => {
    const lost = 'There may be a new secret that nobody has read: run it again.'
    const rolled = await answerOf(env, calls.rollWebhook, pathOf(given), lost)
    if (isProblem(rolled)) return rolled
    const { secret, previousSecretUntil, ...webhook } = rolled.answer
    const until = { 'old one signs until': timeText(previousSecretUntil) }
    return { value: rolled.answer, lines: factLines({ ...factsOf(webhook), secret, ...until }) }
  },
}

export const webhookRemove: Command = {
  summary: 'removes one of them with its deliveries; nothing is sent there any more',
  places: ['webhook'],
  example: `webhook remove ${EXAMPLE_ID}`,
  run: (given, env) => answered(env, calls.removeWebhook, pathOf(given), ({ id }) => [`${id} is removed.`], LOST),
}

export const webhookEnable: Command = {
  summary: 'sends events to a disabled one again, from now on',
  places: ['webhook'],
  example: `webhook enable ${EXAMPLE_ID}`,
  run: async (given, env) => {
    const sent = { ...pathOf(given), body: { enabled: true } }
    const linesOf = ({ id }: WebhookAnswer) => [
      `${id} is enabled. What happened meanwhile: ${PROGRAM} webhook replay ${id} --since 2026-11-30`,
    ]
    return answered(env, calls.changeWebhook, sent, linesOf, LOST)
  },
}

export const webhookReplay: Command = {
  summary: 'sends all events since a time to one of them once more',
  places: ['webhook'],
  options: {
    since: {
      value: '<time>',
      help: `2026-11-30 is the beginning of that day in Japan; at most ${REPLAY_DAYS_MAX} days ago`,
      isRequired: true,
    },
  },
  example: `webhook replay ${EXAMPLE_ID} --since 2026-11-30`,
  run: async (given, env) => {
    const sent = { ...pathOf(given), body: { since: given.text('since') } }
    const linesOf = ({ deliveries }: { deliveries: number }) => [
      deliveries === 0
        ? 'No event was listed since then: nothing is sent.'
        : `${deliveries} ${deliveries === 1 ? 'event is' : 'events are'} sent once more: ${tellsMore(given)}`,
    ]
    return answered(env, calls.replayWebhook, sent, linesOf, 'They may be on their way: webhook deliveries tells.')
  },
}

const tried = (times: number): string => (times === 1 ? '1 try' : `${times} tries`)

/** An id takes a third of a line, so most cells have two lines: no answer is cut, and the next try has its place. */
const DELIVERY_COLUMNS = ['event, type', 'state', 'since, next try', 'last answer']

const deliveryRow = ({ eventId, type, status, createdAt, nextTryAt, tries }: DeliveryAnswer): (string | string[])[] => {
  const [last] = tries
  const answer = last === undefined ? '-' : String(last.status ?? last.problem ?? '-')
  const next = nextTryAt === undefined ? [] : [`next ${minuteText(nextTryAt)}`]
  return [[eventId, type], [status, tried(tries.length)], [minuteText(createdAt) ?? '', ...next], answer]
}

export const webhookDeliveries: Command = {
  summary: 'lists what was sent to one of them, the newest first',
  places: ['webhook'],
  options: {
    limit: { value: '<number>', help: 'how many at most: 1 to 100, left out 20' },
    after: { value: '<cursor>', help: 'the next page: what the page before has printed' },
  },
  example: `webhook deliveries ${EXAMPLE_ID}`,
  run: async (given, env) => {
    const query = named(given, ['limit', 'after'])
    return answered(env, calls.listDeliveries, { ...pathOf(given), query }, ({ items, after }) => {
      const table = tableLines(DELIVERY_COLUMNS, items.map(deliveryRow), { wrap: DELIVERY_COLUMNS.slice(-1) })
      return [...(items.length === 0 ? ['Nothing was sent there yet.'] : table), ...moreLine(after)]
    })
  },
}
