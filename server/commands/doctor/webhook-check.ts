/** Webhook check: whether shops are told, and which of their servers do not answer. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import type { DisabledWhy } from '#contract/merchant/webhooks.ts'
import type { Sql } from '../../store/engine/database.ts'
import { oldestUnlisted } from '../../store/outbox/fan-out.ts'
import {
  readTroubledEndpoints,
  type EndpointTotals,
  type TroubledEndpoint,
} from '../../store/merchant/webhook-endpoints.ts'
import { minuteText } from '../table.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

export interface WebhookFacts extends EndpointTotals {
  readonly now: Instant
  /** When the oldest event happened that no worker has looked at; null: there is none. */
  readonly oldestUnlisted: Instant | null
}

/** Workers look twice a second. */
export const UNLISTED_FAIL_MS = 60_000

/** Of a shop that gave its server up long ago nobody need be told for ever. */
export const DISABLED_TOLD_MS = 30 * DAY_MS

/** Every shop's server at once: one of them would be that shop's own trouble. */
export const ALL_FAIL_MIN = 2

const NAMED_MAX = 3

const DISABLED: Readonly<Record<Exclude<DisabledWhy, 'merchant'>, string>> = {
  gone: 'answered 410',
  failing: 'failed for five days',
}

const describe = ({ merchant, id, trouble }: TroubledEndpoint): string =>
  trouble.is === 'failing'
    ? `${id} of ${merchant} fails since ${minuteText(trouble.since)}`
    : `${id} of ${merchant} ${DISABLED[trouble.why]} and is disabled since ${minuteText(trouble.since)}`

const named = (troubled: readonly TroubledEndpoint[]): string => {
  const more = troubled.length - NAMED_MAX
  return [...troubled.slice(0, NAMED_MAX).map(describe), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

export const judgeWebhooks = ({ now, oldestUnlisted: oldest, enabled, troubled }: WebhookFacts): Finding => {
  if (oldest !== null && now - oldest > UNLISTED_FAIL_MS)
    return fail(
      `events wait since ${minuteText(oldest)}, and nobody is told of them`,
      'see that a server or a worker of this release runs on this database, and what its log says.',
    )
  const failing = troubled.filter(({ trouble }) => trouble.is === 'failing')
  const recent = troubled.filter(({ trouble }) => trouble.is === 'failing' || now - trouble.since <= DISABLED_TOLD_MS)
  if (failing.length >= ALL_FAIL_MIN && failing.length === enabled)
    return fail(
      `every one of ${enabled} fails: ${named(failing)}`,
      'see that this machine resolves names and reaches the internet by https.',
    )
  if (recent.length === 0) return ok(enabled === 0 ? 'no shop has one' : `${enabled}, and none fails`)
  return warn(
    named(recent),
    'tell the shop: its webhook deliveries show what its server answers. A disabled one is enabled by the shop, which then asks for a replay.',
  )
}

export const readWebhookFacts = async (sql: Sql, now: Instant): Promise<WebhookFacts> => ({
  now,
  oldestUnlisted: await oldestUnlisted(sql),
  ...(await readTroubledEndpoints(sql)),
})
