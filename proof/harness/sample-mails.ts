/** Sample mails: one of each kind, as a worker has claimed it, for tests of the wire and for pictures. */
import type { InvoiceFacts, ReturnInvoiceFacts } from '#contract/invoice.ts'
import { toWireLocale, type PageLocale } from '#contract/locale.ts'
import type { MailFacts, NotificationFacts } from '#contract/mail-facts.ts'
import type { EndpointMailKind } from '#payment/endpoint-mail.ts'
import type { MailKind } from '#payment/mail.ts'
import type { NotificationKind } from '#payment/notification-mails.ts'
import type { ClaimedMail } from '../../server/store/outbox/mail-claims.ts'

export const SAMPLE_NOW = Date.parse('2026-11-22T12:34:00+09:00')
const REFUNDED_AT = Date.parse('2026-11-24T09:01:00+09:00')
const DAY_MS = 86_400_000

const SUBJECTS: Readonly<Record<PageLocale, string>> = {
  ja: '煎茶 100g ほか3点',
  'en-US': 'Sencha 100g and three more',
  ko: '센차 100g 외 3개',
  'zh-Hans': '煎茶 100g 等四件',
  'zh-Hant': '煎茶 100g 等四件',
  th: 'ชาเซนฉะ 100 กรัม และอีก 3 รายการ',
}

const paymentOf = (locale: PageLocale) =>
  ({
    mode: 'live',
    amountYen: 13_240,
    subject: SUBJECTS[locale],
    card: { brand: 'visa', lastFour: '4242' },
    transactionId: 'txn_5mq3hvlgkz3x7tjx2jn3mcw4ap6tdoeb',
    paidAt: SAMPLE_NOW,
  }) as const

const issuer = { registrationNumber: 'T1234567890123', issuer: '青山茶舗株式会社', isSample: false }

const invoice: InvoiceFacts = {
  ...issuer,
  date: '2026-11-22',
  content: '煎茶 100g ほか3点（一部※）',
  totals: [
    { rate: 10, amount: 2200, tax: 200 },
    { rate: 8, amount: 11_040, tax: 817 },
  ],
}
const returnInvoice: ReturnInvoiceFacts = {
  ...issuer,
  soldOn: '2026-11-22',
  returnedOn: '2026-11-24',
  content: '煎茶 100g ほか3点（一部※）',
  totals: [{ rate: 8, amount: 11_040, tax: 817 }],
}

interface ShopperSample {
  readonly kind: MailKind
  facts(locale: PageLocale): MailFacts
}

const receipt = (more: Partial<Extract<MailFacts, { kind: 'receipt' }>> = {}): ShopperSample['facts'] => {
  return (locale) => ({ kind: 'receipt', ...paymentOf(locale), invoice: null, ...more })
}
const refund = (more: Partial<Extract<MailFacts, { kind: 'refund' }>>): ShopperSample['facts'] => {
  return (locale) => ({
    kind: 'refund',
    ...paymentOf(locale),
    refundedYen: 11_040,
    refundedAt: REFUNDED_AT,
    invoice: null,
    ...more,
  })
}

/** As long as each may be: nothing is cut off, and no line is wider than the mail. */
const LONG = '深蒸し煎茶・玉露・ほうじ茶詰め合わせ／'.repeat(5).slice(0, 90)
const LONG_FACTS = {
  subject: `${LONG} ${'SENCHA'.repeat(20)}`,
  amountYen: 9_999_999,
  transactionId: 'x'.repeat(64),
}

const SHOPPER_SAMPLES: Readonly<Record<string, ShopperSample>> = {
  receipt: { kind: 'receipt', facts: receipt() },
  'receipt-of-a-test': { kind: 'receipt', facts: receipt({ mode: 'test' }) },
  'receipt-with-long-names': { kind: 'receipt', facts: receipt(LONG_FACTS) },
  reissue: { kind: 'reissue', facts: receipt({ invoice }) },
  invoice: { kind: 'receipt', facts: receipt({ invoice }) },
  'refund-of-all': { kind: 'refund', facts: refund({ refundedYen: 13_240 }) },
  'refund-of-a-part': { kind: 'refund', facts: refund({}) },
  'return-invoice': { kind: 'refund', facts: refund({ invoice: returnInvoice }) },
  'nothing-charged': {
    kind: 'nothing_charged',
    facts: (locale) => {
      const { mode, amountYen, subject, card } = paymentOf(locale)
      return { kind: 'nothing_charged', mode, amountYen, subject, card }
    },
  },
}

const ENDPOINT_KINDS: readonly EndpointMailKind[] = ['endpoint_failing', 'endpoint_disabled', 'endpoint_gone']
const nameOf = (kind: string): string => kind.replaceAll('_', '-')

const claim = { merchantId: 'm1', tries: 1, createdAt: SAMPLE_NOW }

const shopMail = (name: string, kind: EndpointMailKind, locale: string | null): ClaimedMail => ({
  ...claim,
  to: 'shop',
  about: 'endpoint',
  mailId: `we_1.${name}.${locale}`,
  kind,
  locale,
  recipient: 'shop@example.com',
  facts: {
    mode: 'live',
    endpointId: 'we_lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb',
    address: 'shop.example.com/hooks/kaikei',
    failingSince: SAMPLE_NOW - DAY_MS,
    lastAnswer: kind === 'endpoint_gone' ? { status: 410 } : { problem: 'no connection: ECONNREFUSED' },
  },
})

const notified = (locale: PageLocale) =>
  ({
    mode: 'live',
    checkoutId: 'f3k5hvlgkz3x7tjx2jn3mcw4ap6tdoeb',
    amountYen: 13_240,
    reference: 'A-2026-11-0042',
    subject: SUBJECTS[locale],
    isLastOfHour: false,
  }) as const

const charged = (locale: PageLocale) => {
  const { transactionId, paidAt } = paymentOf(locale)
  return { ...notified(locale), card: { brand: 'visa', number: '•••• 4242' }, transactionId, paidAt }
}

type NotificationSamples = {
  readonly [Kind in NotificationKind]: (locale: PageLocale) => Extract<NotificationFacts, { kind: Kind }>
}

/** One of every kind at least: a new one does not compile without a sample. */
const NOTIFICATION_SAMPLES: NotificationSamples = {
  shop_paid: (locale) => ({ kind: 'shop_paid', ...charged(locale) }),
  shop_refunded: (locale) => ({
    kind: 'shop_refunded',
    ...charged(locale),
    refundYen: 11_040,
    refundedAt: REFUNDED_AT,
    refundedSoFarYen: 11_040,
  }),
  shop_refund_refused: (locale) => ({
    kind: 'shop_refund_refused',
    ...charged(locale),
    refundYen: 11_040,
    refundId: 'return-0042',
  }),
  shop_dispute: (locale) => ({
    kind: 'shop_dispute',
    ...notified(locale),
    disputeId: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
    status: 'open',
    disputeYen: 13_240,
    withdrawnYen: 13_240,
    reason: 'fraudulent',
    respondBy: Date.parse('2026-12-06T08:59:59+09:00'),
  }),
  shop_payment_in_doubt: (locale) => ({ kind: 'shop_payment_in_doubt', ...notified(locale), since: SAMPLE_NOW }),
  shop_card_testing: (locale) => ({ kind: 'shop_card_testing', ...notified(locale), until: SAMPLE_NOW + 600_000 }),
  shop_summary: () => ({
    kind: 'shop_summary',
    mode: 'live',
    topic: 'paid',
    hour: Date.parse('2026-11-22T12:00:00+09:00'),
    count: 9980,
    totalYen: 123_456_789,
  }),
}

const moreNotifications = (locale: PageLocale): Readonly<Record<string, NotificationFacts>> => {
  const paid = NOTIFICATION_SAMPLES.shop_paid(locale)
  const dispute = NOTIFICATION_SAMPLES.shop_dispute(locale)
  const summary = NOTIFICATION_SAMPLES.shop_summary(locale)
  return {
    'shop-paid-in-a-test': { ...paid, mode: 'test' },
    'shop-paid-last-of-hour': { ...paid, isLastOfHour: true },
    'shop-paid-with-long-names': { ...paid, reference: 'R'.repeat(100), ...LONG_FACTS },
    'shop-dispute-inquiry': { ...dispute, status: 'inquiry', withdrawnYen: 0, reason: null },
    'shop-dispute-won': { ...dispute, status: 'won', withdrawnYen: 0, respondBy: null },
    'shop-dispute-lost': { ...dispute, status: 'lost', respondBy: null },
    'shop-summary-of-refunds': { ...summary, topic: 'refunded' },
    'shop-summary-of-alerts': { ...summary, topic: 'needsAttention' },
  }
}

const notification = (name: string, facts: NotificationFacts, locale: string | null): ClaimedMail => ({
  ...claim,
  to: 'shop',
  about: 'payments',
  mailId: `evt_1.${name}.${locale}`,
  kind: facts.kind,
  locale,
  recipient: 'orders@example.com',
  facts,
})

const confirmation = (name: string, locale: string | null): ClaimedMail => ({
  ...claim,
  to: 'address',
  mailId: `a1.${name}.${locale}`,
  kind: 'confirmation',
  locale,
  recipient: 'hanako@example.com',
})

/** By name, all of one language; those to a reader that has chosen none come with Japanese. */
export const sampleMails = (locale: PageLocale): ReadonlyMap<string, ClaimedMail> => {
  const wire = toWireLocale(locale)
  const mails = new Map<string, ClaimedMail>()
  for (const [name, { kind, facts }] of Object.entries(SHOPPER_SAMPLES))
    mails.set(name, {
      ...claim,
      to: 'shopper',
      mailId: `c1.${name}.${locale}`,
      checkoutId: 'f3k5hvlgkz3x7tjx2jn3mcw4ap6tdoeb',
      kind,
      locale: wire,
      recipient: 'taro@example.com',
      facts: facts(locale),
    })
  for (const kind of ENDPOINT_KINDS) mails.set(nameOf(kind), shopMail(nameOf(kind), kind, wire))
  for (const [kind, facts] of Object.entries(NOTIFICATION_SAMPLES))
    mails.set(nameOf(kind), notification(nameOf(kind), facts(locale), wire))
  for (const [name, facts] of Object.entries(moreNotifications(locale)))
    mails.set(name, notification(name, facts, wire))
  mails.set('confirmation', confirmation('confirmation', wire))
  if (locale !== 'ja') return mails
  const inTwo = 'in-two-languages'
  const paid = NOTIFICATION_SAMPLES.shop_paid(locale)
  return mails
    .set(`endpoint-${inTwo}`, shopMail(`endpoint-${inTwo}`, 'endpoint_failing', null))
    .set(`notification-${inTwo}`, notification(`notification-${inTwo}`, paid, null))
    .set(`confirmation-${inTwo}`, confirmation(`confirmation-${inTwo}`, null))
}
