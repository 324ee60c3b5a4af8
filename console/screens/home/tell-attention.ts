/** Tells what needs a person: its words, and where a person goes for it. */
import type { AttentionItem } from '#contract/merchant/attention-items.ts'
import type { InstallationWarning } from '#contract/merchant/attention.ts'
import type { AttentionWords } from './attention-words.ts'

export interface ToldAttention {
  readonly kind: string
  readonly title: string
  readonly text: string
  /** Below the address of the shop; null: there is no screen for it. */
  readonly href: string | null
  /** Checkouts that it is about, the most urgent first. */
  readonly checkouts: readonly { readonly checkoutId: string; readonly amount: number | null }[]
}

type Time = (at: string) => string

/** Below the address of the shop. */
export const checkoutAddress = (checkoutId: string): string => `/checkouts/${checkoutId}`

const NONE = { href: null, checkouts: [] } as const
const DEVELOPERS = { href: '/developers', checkouts: [] } as const

const ofCheckouts = (
  items: readonly { readonly checkoutId: string; readonly amount?: number }[],
): Pick<ToldAttention, 'href' | 'checkouts'> => ({
  href: null,
  checkouts: items.map(({ checkoutId, amount = null }) => ({ checkoutId, amount })),
})

export const tellItem = (item: AttentionItem, words: AttentionWords, time: Time): ToldAttention => {
  const { kind } = item
  switch (item.kind) {
    case 'payments_in_doubt':
      return { kind, ...words[item.kind](item, time), ...ofCheckouts(item.items) }
    case 'refunds_in_doubt':
      return { kind, ...words[item.kind](item, time), ...ofCheckouts(item.items) }
    case 'disputes_to_answer':
      return { kind, ...words[item.kind](item, time), ...ofCheckouts(item.items) }
    case 'mails_not_sent':
      return { kind, ...words[item.kind](item, time), ...ofCheckouts(item.items) }
    case 'checkouts_held':
      return { kind, ...words[item.kind](item, time), ...NONE }
    case 'acquirer_account':
      return { kind, ...words[item.kind](item, time), ...NONE }
    case 'card_testing':
      return { kind, ...words[item.kind](item, time), ...NONE }
    case 'reconciliation_breaks':
      return {
        kind,
        ...words[item.kind](item, time),
        href: `/money/reconciliations/${item.reconciliationId}`,
        checkouts: [],
      }
    case 'webhooks_disabled':
      return { kind, ...words[item.kind](item, time), ...DEVELOPERS }
    case 'webhooks_failing':
      return { kind, ...words[item.kind](item, time), ...DEVELOPERS }
    case 'deliveries_given_up':
      return { kind, ...words[item.kind](item, time), ...DEVELOPERS }
    case 'notification_address':
      return { kind, ...words[item.kind](item, time), href: '/look', checkouts: [] }
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
