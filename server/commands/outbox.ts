/** Outbox commands: what waits or has failed to be told to shops and shoppers, and to have it tried again. */
import { parseBeginning } from '#contract/jst.ts'
import {
  retryFailedMails,
  retryMerchantDeliveries,
  retryNamedMail,
  type RetriedDeliveries,
} from '../operations/retry-outbox.ts'
import { findEventOwner } from '../store/outbox/event-list.ts'
import { findMail, type NamedMail } from '../store/outbox/mails.ts'
import { listOutbox, OUTBOX_STATES, type OutboxItem, type OutboxState } from '../store/outbox/outbox-list.ts'
import { isProblem, PROGRAM, type Command, type CommandProblem, type Given } from './command.ts'
import { namedMerchant, withOperatorDependencies, type OperatorDependencies } from './operator-database.ts'
import { instantText, minuteText, tableLines } from './table.ts'

const COLUMNS = ['event and webhook, or mail', 'what, whose', 'state, since', 'tries, last answer']
const LIMIT_DEFAULT = 50
const LIMIT_MAX = 1000

const rowOf = (item: OutboxItem): (readonly string[])[] => [
  item.webhookId === null ? [item.id] : [item.id, item.webhookId],
  [item.type ?? 'deleted event', item.merchant],
  [item.state.replace('_', ' '), minuteText(item.since) ?? ''],
  [String(item.tries), item.lastAnswer ?? '-'],
]

const presentItem = (item: OutboxItem) => ({
  ...item,
  since: instantText(item.since),
  nextTryAt: instantText(item.nextTryAt),
  endedAt: instantText(item.endedAt),
})

const readState = (text: string | null): { readonly state: OutboxState | null } | CommandProblem => {
  const state = OUTBOX_STATES.find((each) => each === text)
  return text === null || state !== undefined
    ? { state: state ?? null }
    : { problem: `--state must be ${OUTBOX_STATES.join(' or ')}.` }
}

const readLimit = (text: string | null): { readonly limit: number } | CommandProblem => {
  if (text === null) return { limit: LIMIT_DEFAULT }
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= LIMIT_MAX ? { limit } : { problem: `--limit must be a number from 1 to ${LIMIT_MAX}.` }
}

const MERCHANT = { value: '<label>', help: 'of this merchant alone' } as const

export const outboxList: Command = {
  summary: 'lists deliveries and mails: failed ones, then those that wait, by merchant, webhook and time',
  options: {
    merchant: MERCHANT,
    state: { value: OUTBOX_STATES.join('|'), help: 'failed: what is tried no more; left out, both' },
    limit: { value: '<number>', help: `how many at most: 1 to ${LIMIT_MAX}, left out ${LIMIT_DEFAULT}` },
  },
  example: 'outbox list --merchant tea --state failed',
  run: async (given, env) => {
    const [wanted, most] = [readState(given.textOrNull('state')), readLimit(given.textOrNull('limit'))]
    if (isProblem(wanted)) return wanted
    if (isProblem(most)) return most
    return withOperatorDependencies(env, async ({ database }) => {
      const label = given.textOrNull('merchant')
      const merchant = label === null ? null : await namedMerchant(database, label)
      if (merchant !== null && isProblem(merchant)) return merchant
      const page = await listOutbox(database, { merchant: label, ...wanted }, { after: null, ...most })
      const { items } = page
      const isMore = page.after !== null
      const table = tableLines(COLUMNS, items.map(rowOf), { wrap: COLUMNS.slice(0, 1), shorten: COLUMNS.slice(-1) })
      const more = `There is more: the same with --limit, up to ${LIMIT_MAX}, or with --merchant.`
      const again = `What has failed is tried again by: ${PROGRAM} outbox retry --help`
      return {
        value: { items: items.map(presentItem), isMore },
        lines:
          items.length === 0
            ? ['Nothing waits, and nothing has failed.']
            : [...table, ...(isMore ? [more] : []), again],
      }
    })
  },
}

interface RetryResult extends RetriedDeliveries {
  readonly mails: number
}

const SEE = `${PROGRAM} outbox list shows the ids`
const EVENT_ID = /^evt_[a-z2-7]{32}$/
const WEBHOOK_ID = /^we_[a-z2-7]{32}$/
/** Of a mail about a checkout it begins with the id of that, of one about a webhook with the id of the webhook. */
const MAIL_ID = /^(?:we_)?[a-z2-7]{32}\.[\w.-]{1,100}$/

const isDisabledProblem = (ids: readonly string[]): CommandProblem => ({
  problem: `Nothing is sent to a webhook that is disabled (${ids.join(', ')}): its shop enables it first, by webhook enable or PATCH /webhooks/{webhookId}.`,
})

const retryEvent = async (
  deps: OperatorDependencies,
  eventId: string,
  webhookId: string | null,
): Promise<RetryResult | CommandProblem> => {
  if (!EVENT_ID.test(eventId)) return { problem: `This is no id of an event, which begins with evt_: ${SEE}.` }
  if (webhookId !== null && !WEBHOOK_ID.test(webhookId))
    return { problem: `This is no id of a webhook, which begins with we_: ${SEE}.` }
  const merchantId = await findEventOwner(deps.database, eventId)
  if (merchantId === null) return { problem: `There is no such event in this database: ${SEE}.` }
  const retried = await retryMerchantDeliveries(deps, merchantId, { eventId }, webhookId)
  if (retried.deliveries > 0) return { ...retried, mails: 0 }
  if (webhookId !== null && retried.disabled.length > 0) return isDisabledProblem(retried.disabled)
  return {
    problem: `No delivery of this event waits or has failed there: ${SEE}. The shop itself may ask for any event, by POST /events/{eventId}/redeliver.`,
  }
}

const mailProblem = ({ state, isEmptied }: NamedMail): string | null => {
  if (state === 'sent')
    return 'This mail was sent. The shop sends a receipt again by POST /checkouts/{checkoutId}/receipt.'
  if (state === 'sending') return 'This mail is being sent at this moment: look again in a few minutes.'
  return isEmptied ? 'This mail is more than 30 days old: its recipient and its content were deleted.' : null
}

const retryOneMail = async (deps: OperatorDependencies, mailId: string): Promise<RetryResult | CommandProblem> => {
  if (!MAIL_ID.test(mailId)) return { problem: `This is no id of a mail: ${SEE}.` }
  const mail = await findMail(deps.database, mailId)
  if (mail === null) return { problem: `There is no such mail in this database: ${SEE}.` }
  const problem = mailProblem(mail)
  if (problem !== null) return { problem }
  if (!(await retryNamedMail(deps, mail))) return { problem: 'This mail has just been taken up: look again.' }
  return { deliveries: 0, disabled: [], mails: 1 }
}

const retryMerchant = async (
  deps: OperatorDependencies,
  label: string,
  sinceText: string | null,
): Promise<RetryResult | CommandProblem> => {
  const since = sinceText === null ? undefined : parseBeginning(sinceText)
  if (since === undefined)
    return { problem: '--since must be a date such as 2026-11-30 or a time such as 2026-11-30T18:00:00+09:00.' }
  const merchant = await namedMerchant(deps.database, label)
  if (isProblem(merchant)) return merchant
  const retried = await retryMerchantDeliveries(deps, merchant.id, { failedSince: since }, null)
  return { ...retried, mails: await retryFailedMails(deps, merchant.id, since) }
}

const ONE_OF = ['event', 'mail', 'merchant'] as const

const retry = (deps: OperatorDependencies, given: Given): Promise<RetryResult | CommandProblem> => {
  const [event, mail] = [given.textOrNull('event'), given.textOrNull('mail')]
  if (event !== null) return retryEvent(deps, event, given.textOrNull('webhook'))
  return mail === null
    ? retryMerchant(deps, given.text('merchant'), given.textOrNull('since'))
    : retryOneMail(deps, mail)
}

/** What belongs together is given together, and nothing else. */
const choiceProblem = (given: Given): CommandProblem | null => {
  const has = (name: string): boolean => given.textOrNull(name) !== null
  if (ONE_OF.filter(has).length !== 1)
    return { problem: `outbox retry needs one of --event, --mail and --merchant: see ${PROGRAM} outbox retry --help.` }
  if (has('merchant') !== has('since')) return { problem: '--merchant and --since belong together: give both.' }
  return has('webhook') && !has('event') ? { problem: '--webhook belongs to --event: give both.' } : null
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export const outboxRetry: Command = {
  summary: 'has one delivery, one mail, or all of a merchant that failed since a time, tried again at once',
  options: {
    event: { value: '<event>', help: 'its deliveries that wait or have failed, from the first try on' },
    webhook: { value: '<webhook>', help: 'with --event: to this webhook alone' },
    mail: { value: '<mail>', help: 'one that waits, was refused or was given up, for another 72 hours' },
    merchant: { value: '<label>', help: 'with --since: all deliveries and mails of it that failed' },
    since: { value: '<time>', help: 'failed at this time or later: 2026-11-30 is a day in Japan' },
  },
  example: 'outbox retry --merchant tea --since 2026-11-15',
  run: async (given, env) => {
    const problem = choiceProblem(given)
    if (problem !== null) return problem
    return withOperatorDependencies(env, async (deps) => {
      const result = await retry(deps, given)
      if (isProblem(result)) return result
      const { deliveries, mails, disabled } = result
      const told = `${counted(deliveries, 'delivery', 'deliveries')} and ${counted(mails, 'mail', 'mails')}`
      return {
        value: { deliveries, mails, disabledWebhooks: disabled },
        lines: [
          `${told} will be tried now.`,
          ...disabled.map((id) => `${id} is disabled: nothing is sent there until its shop enables it.`),
        ],
      }
    })
  },
}
