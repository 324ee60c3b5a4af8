/** Webhook commands over the merchant API: add, list, enable, ping, replay, roll, remove and deliveries. */
import { REPLAY_DAYS_MAX, type DeliveryAnswer, type WebhookAnswer } from '#contract/merchant/webhooks.ts'
import * as calls from '#contract/merchant/webhooks.ts'
import { answerOf, named, moreLine } from '../checkout/checkouts.ts'
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

/** Where an answer is lost: what it would do a second time. */
const LOST = 'It may be done: webhook list tells.'

export const webhookAdd: Command = {
  summary: 'registers an address that is told of events, and prints its secret this once',
  places: [],
  options: {
    url: { value: '<address>', help: 'https; http only on this machine', isRequired: true },
    types: { value: '<type,…>', help: 'such as checkout.paid,checkout.refunded; left out, all' },
  },
  example: 'webhook add --url https://shop.example.com/kaikei --types checkout.paid,refund.refused',
  run: async (given, env) => {
    const types = given.textOrNull('types')
    const body = { url: given.text('url'), ...(types === null ? {} : { types: types.split(',') }) }
    const made = await answerOf(env, calls.createWebhook, { body }, LOST)
    if (isProblem(made)) return made
    const { secret, ...webhook } = made.answer
    return { value: made.answer, lines: factLines({ ...factsOf(webhook), secret }) }
  },
}

export const webhookList: Command = {
  summary: 'lists the addresses that are told of events',
  places: [],
  options: {},
  example: 'webhook list',
  run: async (_given, env) => {
    const listed = await answerOf(env, calls.listWebhooks, {})
    if (isProblem(listed)) return listed
    const { items } = listed.answer
    const rows = items.map(factsOf).map(({ id, url, types, state }) => [id, url, types, state])
    return {
      value: listed.answer,
      lines:
        rows.length === 0
          ? [`No webhook: ${PROGRAM} webhook add registers one.`]
          : tableLines(['id', 'url', 'types', 'state'], rows, { shorten: ['types'] }),
    }
  },
}

export const webhookPing: Command = {
  summary: 'sends an event webhook.ping to one of them',
  places: ['webhook'],
  options: {},
  example: `webhook ping ${EXAMPLE_ID}`,
  run: async (given, env) => {
    const asked = await answerOf(env, calls.pingWebhook, pathOf(given), 'It may be sent: webhook deliveries tells.')
    if (isProblem(asked)) return asked
    const { eventId } = asked.answer
    const more = `${PROGRAM} webhook deliveries ${given.text('webhook')} tells more.`
    return { value: asked.answer, lines: [`${eventId} is being sent: ${more}`] }
  },
}

export const webhookRoll: Command = {
  summary: 'makes a new secret and prints it this once; the old one signs too for 24 hours',
  places: ['webhook'],
  options: {},
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
  options: {},
  example: `webhook remove ${EXAMPLE_ID}`,
  run: async (given, env) => {
    const removed = await answerOf(env, calls.removeWebhook, pathOf(given), LOST)
    return isProblem(removed) ? removed : { value: removed.answer, lines: [`${removed.answer.id} is removed.`] }
  },
}

export const webhookEnable: Command = {
  summary: 'sends events to a disabled one again, from now on',
  places: ['webhook'],
  options: {},
  example: `webhook enable ${EXAMPLE_ID}`,
  run: async (given, env) => {
    const sent = { ...pathOf(given), body: { enabled: true } }
    const changed = await answerOf(env, calls.changeWebhook, sent, LOST)
    if (isProblem(changed)) return changed
    const { id } = changed.answer
    const line = `${id} is enabled. What happened meanwhile: ${PROGRAM} webhook replay ${id} --since 2026-11-30`
    return { value: changed.answer, lines: [line] }
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
    const asked = await answerOf(env, calls.replayWebhook, sent, 'They may be on their way: webhook deliveries tells.')
    if (isProblem(asked)) return asked
    const { deliveries } = asked.answer
    const sentAgain = `${deliveries} ${deliveries === 1 ? 'event is' : 'events are'} sent once more: ${PROGRAM} webhook deliveries ${given.text('webhook')} tells more.`
    const line = deliveries === 0 ? 'No event was listed since then: nothing is sent.' : sentAgain
    return { value: asked.answer, lines: [line] }
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
    const query = named(given, { limit: 'limit', after: 'after' })
    const listed = await answerOf(env, calls.listDeliveries, { ...pathOf(given), query })
    if (isProblem(listed)) return listed
    const { items, after } = listed.answer
    const table = tableLines(DELIVERY_COLUMNS, items.map(deliveryRow), { wrap: DELIVERY_COLUMNS.slice(-1) })
    const none = ['Nothing was sent there yet.']
    return { value: listed.answer, lines: [...(items.length === 0 ? none : table), ...moreLine(after)] }
  },
}
