/** Tells what needs a person: its words, and where a person goes for it. */
import type { AttentionItem } from '#contract/merchant/attention-items.ts'
import type { InstallationWarning } from '#contract/merchant/attention.ts'
import type { AttentionWords } from './attention-words.ts'

/** A checkout, a webhook or a delivery that it is about. */
export interface NamedThing {
  readonly id: string
  readonly name: string
  readonly amount: number | null
  /** Below the address of the shop; null: the person may not see it. */
  readonly href: string | null
}

interface Places {
  /** Below the address of the shop; null: there is no screen for all of it. */
  readonly href: string | null
  /** The most urgent first. */
  readonly things: readonly NamedThing[]
  /** How many there are, the named ones among them. */
  readonly count: number
  /** What a check has found, in the English of the server. */
  readonly found: readonly string[]
}

export interface ToldAttention extends Places {
  readonly kind: string
  readonly title: string
  readonly text: string
}

type Time = (at: string) => string

const NONE: Places = { href: null, things: [], count: 0, found: [] }

interface OfCheckout {
  readonly checkoutId: string
  readonly amount?: number
}

const ofCheckouts = ({ count, items }: { readonly count: number; readonly items: readonly OfCheckout[] }): Places => ({
  ...NONE,
  count,
  things: items.map(({ checkoutId, amount = null }, at) => ({
    id: `${at} ${checkoutId}`,
    name: `${checkoutId.slice(0, 8)}…`,
    amount,
    href: `/checkouts/${checkoutId}`,
  })),
})

interface OfWebhook {
  readonly webhookId: string
  readonly address?: string
  readonly type?: string
}

/** Webhooks have a screen for owners alone. */
const ofWebhooks = (
  { count, items }: { readonly count: number; readonly items: readonly OfWebhook[] },
  isOwner: boolean,
): Places => ({
  ...NONE,
  href: isOwner ? '/developers/webhooks' : null,
  count,
  things: items.map(({ webhookId, address, type }, at) => ({
    id: `${at} ${webhookId}`,
    name: address ?? type ?? webhookId,
    amount: null,
    href: isOwner ? `/developers/webhooks/${webhookId}` : null,
  })),
})

export const tellItem = (item: AttentionItem, words: AttentionWords, time: Time, isOwner: boolean): ToldAttention => {
  const { kind } = item
  switch (item.kind) {
    case 'payments_in_doubt':
      return { kind, ...words[item.kind](item, time), ...ofCheckouts(item), href: '/checkouts?status=pending' }
    case 'refunds_in_doubt':
      return { kind, ...words[item.kind](item, time), ...ofCheckouts(item) }
    case 'disputes_to_answer':
      return { kind, ...words[item.kind](item, time), ...ofCheckouts(item) }
    case 'mails_not_sent':
      return { kind, ...words[item.kind](item, time), ...ofCheckouts(item) }
    case 'checkouts_held':
      return { kind, ...words[item.kind](item, time), ...NONE }
    case 'acquirer_account':
      return { kind, ...words[item.kind](item, time), ...NONE, found: item.found }
    case 'card_testing':
      return { kind, ...words[item.kind](item, time), ...NONE }
    case 'reconciliation_breaks':
      return {
        kind,
        ...words[item.kind](item, time),
        ...NONE,
        href: `/money/reconciliations/${item.reconciliationId}`,
      }
    case 'webhooks_disabled':
      return { kind, ...words[item.kind](item, time), ...ofWebhooks(item, isOwner) }
    case 'webhooks_failing':
      return { kind, ...words[item.kind](item, time), ...ofWebhooks(item, isOwner) }
    case 'deliveries_given_up':
      return { kind, ...words[item.kind](item, time), ...ofWebhooks(item, isOwner) }
    case 'notification_address':
      return { kind, ...words[item.kind](item, time), ...NONE, href: '/look' }
  }
}

/** For an operator of the installation. */
export const tellWarning = (warning: InstallationWarning, words: AttentionWords, time: Time): ToldAttention => {
  const { kind } = warning
  switch (warning.kind) {
    case 'clock_not_confirmed':
      return { kind, ...words[warning.kind](warning, time), ...NONE }
    case 'clock_skew':
      return { kind, ...words[warning.kind](warning, time), ...NONE }
    case 'database_not_writable':
      return { kind, ...words[warning.kind](warning, time), ...NONE }
    case 'certificate_expires':
      return { kind, ...words[warning.kind](warning, time), ...NONE }
    case 'certificate_refused':
      return { kind, ...words[warning.kind](warning, time), ...NONE }
  }
}
