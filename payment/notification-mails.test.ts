import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EVENT_TYPES, type EventData } from '#contract/merchant/events.ts'
import { NOTIFICATION_TOPICS } from '#contract/notification-settings.ts'
import { LONG_DOUBT_MS } from './doubt.ts'
import { MAIL_CAPS, mailRuleOf } from './mail-permission.ts'
import {
  amountOf,
  isNotificationKind,
  isTold,
  lastHourOver,
  mailsLeft,
  NOTIFICATION_CAPS,
  notificationDueAt,
  notificationFacts,
  notificationHour,
  topicOf,
  type NotifiedEvent,
} from './notification-mails.ts'

const NOW = Date.parse('2026-11-22T12:34:56+09:00')
const HOUR_MS = 3_600_000

const CHECKOUT: NonNullable<EventData['checkout']> = {
  id: 'c1',
  url: 'https://tea.example.com/c1',
  mode: 'live',
  status: 'paid',
  amount: 1980,
  validUntil: '2026-11-30T00:00:00.000Z',
  acceptedCardBrands: ['visa'],
  links: {},
  metadata: {},
  createdAt: '2026-11-22T00:00:00.000Z',
  transactionId: 'txn_1',
  paidAt: '2026-11-22T03:00:00.000Z',
  card: { brand: 'visa', number: '•••• 4242' },
  paymentPending: false,
  refundedAmount: 480,
  reference: 'A-1',
  shopper: { email: 'taro@example.com', locale: 'ja_JP' },
}
const REFUND: NonNullable<EventData['refund']> = {
  refundId: 'r1',
  checkoutId: 'c1',
  amount: 480,
  status: 'refunded',
  requestedAt: '2026-11-22T03:01:00.000Z',
  refundedAt: '2026-11-22T03:02:00.000Z',
}

const event = (
  type: NotifiedEvent['type'],
  data: EventData = { checkout: CHECKOUT, refund: REFUND },
): NotifiedEvent => ({
  type,
  mode: 'live',
  data,
  createdAt: NOW,
})

describe('a shop', () => {
  test('is told of payments, of refunds and of what needs a person, and of nothing else', () => {
    const told = EVENT_TYPES.filter((type) => topicOf(type) !== null).map((type) => [type, topicOf(type)])
    assert.deepEqual(told, [
      ['checkout.paid', 'paid'],
      ['refund.succeeded', 'refunded'],
      ['refund.refused', 'needsAttention'],
      ['dispute.opened', 'needsAttention'],
      ['dispute.closed', 'needsAttention'],
      ['alert.payment_in_doubt', 'needsAttention'],
      ['alert.card_testing', 'needsAttention'],
    ])
  })

  test('that has chosen is told so; one that has not, at a registered address and without a webhook', () => {
    for (const hasWebhook of [true, false]) {
      assert.equal(isTold(true, { hasWebhook }), 'yes')
      assert.equal(isTold(false, { hasWebhook }), 'no')
    }
    assert.equal(isTold(null, { hasWebhook: true }), 'no')
    assert.equal(isTold(null, { hasWebhook: false }), 'if registered')
  })

  test('gets so many mails in an hour and a day one by one: the last, and none behind it', () => {
    for (const mode of ['live', 'test'] as const) {
      const { hour, day } = NOTIFICATION_CAPS[mode]
      const left = (ofHour: number, ofDay: number): number => mailsLeft(mode, { ofHour, ofDay })
      assert.deepEqual([left(0, 0), left(hour - 1, hour - 1), left(hour, hour)], [hour, 1, 0])
      assert.deepEqual([left(0, day - 1), left(0, day), left(hour + 1, day + 1)], [1, 0, 0])
    }
  })

  test('never reaches the cap of a day at which mails would be refused: each topic, with a sum each hour', () => {
    for (const mode of ['live', 'test'] as const) {
      const most = NOTIFICATION_TOPICS.length * (NOTIFICATION_CAPS[mode].day + 24)
      const { class: mailClass } = mailRuleOf('shop_paid', mode)
      const { toOneFromMerchant, fromMerchant } = MAIL_CAPS[mailClass]
      assert.ok(most <= toOneFromMerchant && fromMerchant !== null && most <= fromMerchant, `${mode} ${most}`)
    }
  })

  test('is counted apart from its shoppers, and told at a registered address alone', () => {
    const classes = (mode: 'live' | 'test') => [mailRuleOf('shop_paid', mode), mailRuleOf('receipt', mode)]
    assert.deepEqual(classes('live'), [
      { class: 'notification', needsRegistration: true },
      { class: 'receipt', needsRegistration: false },
    ])
    assert.deepEqual(classes('test'), [
      { class: 'test_notification', needsRegistration: true },
      { class: 'test', needsRegistration: true },
    ])
  })
})

describe('a mail to a shop', () => {
  const NOTIFIED = {
    mode: 'live',
    checkoutId: 'c1',
    amountYen: 1980,
    reference: 'A-1',
    subject: null,
    isLastOfHour: false,
  }
  const CHARGED = {
    ...NOTIFIED,
    card: { brand: 'visa', number: '•••• 4242' },
    transactionId: 'txn_1',
    paidAt: Date.parse('2026-11-22T12:00:00+09:00'),
  }

  test('says what was paid, and nothing of the shopper', () => {
    const facts = notificationFacts(event('checkout.paid'), false)
    assert.deepEqual(facts, { kind: 'shop_paid', ...CHARGED })
    assert.doesNotMatch(JSON.stringify(facts), /taro@/)
  })

  test('says what was given back, now and so far', () => {
    assert.deepEqual(notificationFacts(event('refund.succeeded'), true), {
      kind: 'shop_refunded',
      ...CHARGED,
      isLastOfHour: true,
      refundYen: 480,
      refundedAt: Date.parse('2026-11-22T12:02:00+09:00'),
      refundedSoFarYen: 480,
    })
    assert.deepEqual(notificationFacts(event('refund.refused'), false), {
      kind: 'shop_refund_refused',
      ...CHARGED,
      refundYen: 480,
      refundId: 'r1',
    })
  })

  test('says since when a payment is in doubt, and until when a challenge is forced', () => {
    const since = '2026-11-22T03:33:00.000Z'
    const { card: _card, transactionId: _transaction, paidAt: _paidAt, ...open } = CHECKOUT
    const doubt = { ...open, status: 'open' as const, doubt: { since, nextInquiryAt: since } }
    assert.deepEqual(notificationFacts(event('alert.payment_in_doubt', { checkout: doubt }), false), {
      kind: 'shop_payment_in_doubt',
      ...NOTIFIED,
      since: Date.parse(since),
    })
    const alert = { checkout: { ...open, status: 'open' as const }, brakedUntil: since }
    assert.deepEqual(notificationFacts(event('alert.card_testing', alert), false), {
      kind: 'shop_card_testing',
      ...NOTIFIED,
      until: Date.parse(since),
    })
  })

  test('is not written of an event that does not hold what it would say', () => {
    assert.equal(notificationFacts(event('checkout.paid', {}), false), null)
    assert.equal(notificationFacts(event('refund.succeeded', { checkout: CHECKOUT }), false), null)
    assert.equal(notificationFacts(event('checkout.expired'), false), null)
  })

  test('about a doubt is due when that has lasted ten minutes, and every other at once', () => {
    assert.equal(notificationDueAt({ kind: 'shop_payment_in_doubt' }, NOW - 5, NOW), NOW - 5 + LONG_DOUBT_MS)
    // A clock that was set back must not keep it waiting.
    assert.equal(notificationDueAt({ kind: 'shop_payment_in_doubt' }, NOW + HOUR_MS, NOW), NOW + LONG_DOUBT_MS)
    assert.equal(notificationDueAt({ kind: 'shop_paid' }, NOW - 5, NOW), NOW)
  })

  test('sums up payments, refunds and doubts by their amounts, and cards that are tried out by none', () => {
    const amounts = (['checkout.paid', 'alert.payment_in_doubt', 'alert.card_testing'] as const).map((type) =>
      amountOf(event(type, { checkout: CHECKOUT })),
    )
    assert.deepEqual([...amounts, amountOf(event('refund.succeeded'))], [1980, 1980, 0, 480])
  })
})

test('an hour is told once it is over, and a minute more', () => {
  const hour = notificationHour(NOW)
  assert.equal(new Date(hour).toISOString(), '2026-11-22T03:00:00.000Z')
  assert.ok(hour > lastHourOver(hour + HOUR_MS + 59_999))
  assert.ok(hour <= lastHourOver(hour + HOUR_MS + 60_000))
})

test('kinds of mails to a shop are told from others', () => {
  assert.ok(isNotificationKind('shop_paid'))
  for (const other of ['receipt', 'endpoint_failing', 'confirmation', 'toString']) assert.ok(!isNotificationKind(other))
})

test('a shop is mailed when a dispute is opened and when it is over, with all that it needs to answer it in time', () => {
  const dispute: NonNullable<EventData['dispute']> = {
    id: 'dp_1',
    status: 'open',
    amount: 1980,
    withdrawnAmount: 1980,
    reason: 'fraudulent',
    respondBy: '2026-12-01T00:00:00.000Z',
    openedAt: '2026-11-22T00:00:00.000Z',
  }
  const { transactionId: _paid, paidAt: _at, card: _card, ...unpaid } = CHECKOUT
  const facts = (type: NotifiedEvent['type'], more: Partial<typeof dispute> = {}) =>
    notificationFacts(event(type, { checkout: unpaid, dispute: { ...dispute, ...more } }), false)
  assert.deepEqual(facts('dispute.opened'), {
    kind: 'shop_dispute',
    mode: 'live',
    checkoutId: 'c1',
    amountYen: 1980,
    reference: 'A-1',
    subject: null,
    isLastOfHour: false,
    disputeId: 'dp_1',
    status: 'open',
    disputeYen: 1980,
    withdrawnYen: 1980,
    reason: 'fraudulent',
    respondBy: Date.parse('2026-12-01T00:00:00.000Z'),
  })
  assert.equal(facts('dispute.opened', { status: 'inquiry' })?.kind, 'shop_dispute')
  assert.equal(facts('dispute.closed', { status: 'won' })?.kind, 'shop_dispute')
  assert.equal(facts('dispute.opened', { status: 'lost' }), null, 'it is told once, as over')
  assert.equal(amountOf(event('dispute.opened', { checkout: unpaid, dispute: { ...dispute, amount: 5 } })), 5)
})
