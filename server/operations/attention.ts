/** Attention: what needs a person at a shop now, the most urgent kind first, each kind left out when it is resolved. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { ATTENTION_COUNTED_MAX, ATTENTION_ITEMS_MAX, type AttentionItem } from '#contract/merchant/attention-items.ts'
import { NOTIFICATION_TOPICS } from '#contract/notification-settings.ts'
import { isLongDoubt, isShownRefundDoubt, longRefundDoubt } from '#payment/doubt.ts'
import { shownAddress } from '#payment/endpoint-mail.ts'
import { CAP_MARK, UNREGISTERED } from '#payment/mail-permission.ts'
import { iso, when } from '#contract/answer-fields.ts'
import { isForcedChallenge } from '#payment/shop-limits.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Sql } from '../store/engine/database.ts'
import { findAccount, type StoredAccount } from '../store/merchant/acquirer-accounts.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import type { Merchant } from '../store/merchant/merchants.ts'
import { endpointsOf, type WebhookEndpoint } from '../store/merchant/webhook-endpoints.ts'
import { isRegistered } from '../store/outbox/mail-addresses.ts'
import { recipientOf } from '../store/outbox/notifications.ts'
import {
  disputesToAnswer,
  givenUpDeliveries,
  heldCheckouts,
  paymentsInDoubt,
  refundsInDoubt,
  unsentMails,
  type GivenUpDelivery,
  type ShopDoubt,
  type UnsentMail,
} from '../store/reports/attention.ts'
import { listReconciliations } from '../store/reports/reconciliations.ts'

/** A person can still do something about it, or has not heard of it: what is older is in the lists. */
const LOOKED_BACK_MS = 7 * DAY_MS

/** An item with a list: how many were found and the first of them. No item where none was found. */
const listed = <T, Kind extends AttentionItem['kind'], Item>(
  kind: Kind,
  found: readonly T[],
  present: (each: T) => Item,
): { readonly kind: Kind; readonly count: number; readonly items: Item[] }[] =>
  found.length === 0
    ? []
    : [
        {
          kind,
          count: Math.min(found.length, ATTENTION_COUNTED_MAX),
          items: found.slice(0, ATTENTION_ITEMS_MAX).map(present),
        },
      ]

const doubtFacts = ({ amountYen, since, nextInquiryAt, inquiries }: ShopDoubt) => ({
  amount: amountYen,
  since: iso(since),
  nextInquiryAt: iso(nextInquiryAt),
  inquiries,
})

const doubts = async (
  sql: Sql,
  scope: KeyScope,
  account: StoredAccount | null,
  now: Instant,
): Promise<AttentionItem[]> => {
  const acquirer = account?.kind ?? null
  const refunds = (await refundsInDoubt(sql, scope, now)).filter(({ since }) =>
    isShownRefundDoubt(since, now, acquirer),
  )
  return [
    ...listed('payments_in_doubt', await paymentsInDoubt(sql, scope, now), (doubt) => ({
      checkoutId: doubt.checkoutId,
      ...doubtFacts(doubt),
      isLong: isLongDoubt(doubt.since, now),
    })),
    ...listed('refunds_in_doubt', refunds, (doubt) => ({
      checkoutId: doubt.checkoutId,
      refundId: doubt.refundId ?? '',
      ...doubtFacts(doubt),
      isLong: longRefundDoubt(doubt.since, now, acquirer) !== null,
    })),
  ]
}

const held = async (sql: Sql, scope: KeyScope): Promise<AttentionItem[]> => {
  const found = await heldCheckouts(sql, scope)
  return found === null ? [] : [{ kind: 'checkouts_held', count: found.count, since: iso(found.since) }]
}

const disputes = async (sql: Sql, scope: KeyScope, now: Instant): Promise<AttentionItem[]> =>
  listed('disputes_to_answer', await disputesToAnswer(sql, scope, now), (dispute) => ({
    checkoutId: dispute.checkoutId,
    disputeId: dispute.disputeId,
    status: dispute.status === 'inquiry' ? ('inquiry' as const) : ('open' as const),
    amount: dispute.amountYen,
    ...when(dispute.reason, (reason) => ({ reason })),
    respondBy: iso(dispute.respondBy),
  }))

const accountProblem = (account: StoredAccount | null, { mode }: KeyScope): AttentionItem[] => {
  if (account === null) return []
  const { kind, checkedAt, checkProblems } = account
  if (checkProblems === null && (checkedAt !== null || mode === 'test')) return []
  return [
    {
      kind: 'acquirer_account',
      acquirer: kind,
      problem: checkProblems === null ? 'not_checked' : 'check_failed',
      found: checkProblems?.split('\n') ?? [],
      ...when(checkedAt, (at) => ({ checkedAt: iso(at) })),
    },
  ]
}

const cardTesting = ({ forcedChallengeUntil }: Merchant, { mode }: KeyScope, now: Instant): AttentionItem[] => {
  const until = forcedChallengeUntil[mode]
  return isForcedChallenge(until, now) ? [{ kind: 'card_testing', until: iso(until) }] : []
}

const reconciliation = async (sql: Sql, scope: KeyScope): Promise<AttentionItem[]> => {
  const [newest] = (await listReconciliations(sql, scope, { after: null, limit: 1 })).items
  if (newest === undefined || (newest.breaks === 0 && newest.isComplete)) return []
  const { id, madeAt, breaks, isComplete } = newest
  return [{ kind: 'reconciliation_breaks', reconciliationId: id, at: iso(madeAt), breaks, isComplete }]
}

const webhookFacts = ({ id, url }: WebhookEndpoint) => ({ webhookId: id, address: shownAddress(url) })

const webhooks = async (sql: Sql, scope: KeyScope, now: Instant): Promise<AttentionItem[]> => {
  const endpoints = await endpointsOf(sql, scope)
  const disabled = endpoints.flatMap((endpoint) =>
    endpoint.disabled === null || endpoint.disabled.why === 'merchant'
      ? []
      : [{ endpoint, at: endpoint.disabled.at, because: endpoint.disabled.why }],
  )
  const failing = endpoints.flatMap((endpoint) =>
    endpoint.disabled === null && endpoint.failingSince !== null ? [{ endpoint, since: endpoint.failingSince }] : [],
  )
  const givenUp: GivenUpDelivery[] = []
  for (const { id } of endpoints)
    givenUp.push(...(await givenUpDeliveries(sql, scope.merchantId, id, now - LOOKED_BACK_MS)))
  givenUp.sort((one, other) => other.endedAt - one.endedAt)
  return [
    ...listed('webhooks_disabled', disabled, ({ endpoint, at, because }) => ({
      ...webhookFacts(endpoint),
      at: iso(at),
      because,
    })),
    ...listed('webhooks_failing', failing, ({ endpoint, since }) => ({ ...webhookFacts(endpoint), since: iso(since) })),
    ...listed('deliveries_given_up', givenUp, ({ endpointId, eventId, type, checkoutId, endedAt }) => ({
      webhookId: endpointId,
      eventId,
      type,
      checkoutId,
      at: iso(endedAt),
    })),
  ]
}

const whyUnsent = ({ state, answer }: UnsentMail): 'refused' | 'given_up' | 'not_registered' | 'cap' => {
  if (state === 'given_up') return 'given_up'
  if (answer === UNREGISTERED) return 'not_registered'
  return answer?.startsWith(CAP_MARK) === true ? 'cap' : 'refused'
}

/** Why the shop does not get the mails about its payments that it wants; none: it gets them, or wants none. */
const notificationAddress = async (
  sql: Sql,
  { id: merchantId, settings }: Merchant,
  toShop: readonly UnsentMail[],
): Promise<AttentionItem[]> => {
  if (!NOTIFICATION_TOPICS.some((topic) => settings.notifications[topic] === true)) return []
  const address = recipientOf(settings)?.recipient
  if (address === undefined) return [{ kind: 'notification_address', problem: 'none' }]
  if (!(await isRegistered(sql, { merchantId, address })))
    return [{ kind: 'notification_address', problem: 'not_registered', address }]
  const isRefused = toShop.some((mail) => ['refused', 'given_up'].includes(whyUnsent(mail)))
  return isRefused ? [{ kind: 'notification_address', problem: 'refused', address }] : []
}

const mails = async (sql: Sql, merchant: Merchant, scope: KeyScope, now: Instant): Promise<AttentionItem[]> => {
  const unsent = await unsentMails(sql, scope, now - LOOKED_BACK_MS)
  const ofCheckouts = unsent.flatMap((mail) =>
    mail.checkoutId === null ? [] : [{ ...mail, checkoutId: mail.checkoutId }],
  )
  const toShop = unsent.filter(({ checkoutId }) => checkoutId === null)
  return [
    ...listed('mails_not_sent', ofCheckouts, (mail) => ({
      checkoutId: mail.checkoutId,
      mail: mail.kind,
      why: whyUnsent(mail),
      ...(mail.answer === null || whyUnsent(mail) === 'not_registered' ? {} : { answer: mail.answer }),
      at: iso(mail.endedAt),
    })),
    ...(await notificationAddress(sql, merchant, toShop)),
  ]
}

/** Reads by indexes alone: its cost does not grow with what the shop has sold. */
export const attentionOf = async (
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  merchant: Merchant,
  scope: KeyScope,
): Promise<AttentionItem[]> => {
  const now = clock.now()
  const account = await findAccount(database, scope)
  return [
    ...(await doubts(database, scope, account, now)),
    ...(await held(database, scope)),
    ...(await disputes(database, scope, now)),
    ...accountProblem(account, scope),
    ...cardTesting(merchant, scope, now),
    ...(await reconciliation(database, scope)),
    ...(await webhooks(database, scope, now)),
    ...(await mails(database, merchant, scope, now)),
  ]
}
