import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToUnicode } from 'node:url'
import { isRefusal } from '#contract/errors.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/jst.ts'
import type { CreateReusableLinkBody } from '#contract/merchant/reusable-links.ts'
import type { AcquirerKind } from './acquirer-limits.ts'
import type { Checkout } from './checkout.ts'
import {
  canBeOpenedAt,
  changedLink,
  decidePlace,
  newReusableLink,
  openedCheckout,
  outsideBounds,
  statusOfLink,
  type ReusableLink,
} from './reusable-link.ts'
import { NOW } from './testing/records.ts'

const make = (body: CreateReusableLinkBody, acquirer: AcquirerKind | null = null) =>
  newReusableLink(body, {
    merchantId: 'tea',
    id: 'link',
    mode: 'test',
    now: NOW,
    settings: { locale: null, acceptedCardBrands: null, linkHosts: [] },
    acquirer,
    unicodeHost: domainToUnicode,
  })

/** Of the moment in which a checkout is read that was opened a minute before. */
const GIVEN = {
  id: 'opened',
  now: NOW,
  settings: { locale: null, acceptedCardBrands: null, linkHosts: [] },
  acquirer: null,
  unicodeHost: domainToUnicode,
} as const

const opened = (link: ReusableLink, yen: number): Checkout => {
  const checkout = openedCheckout(link, { yen, openedAt: NOW - MINUTE_MS }, GIVEN)
  return checkout === undefined || isRefusal(checkout) ? assert.fail('it was not opened') : checkout
}

const made = (body: CreateReusableLinkBody): ReusableLink => {
  const link = make(body)
  if (isRefusal(link)) assert.fail(link.message)
  return link
}

const refusedField = (body: CreateReusableLinkBody, acquirer: AcquirerKind | null = null): unknown => {
  const refusal = make(body, acquirer)
  if (!isRefusal(refusal)) assert.fail(JSON.stringify(body))
  const field = refusal.params?.['field']
  assert.ok(refusal.message?.startsWith(`${String(field)} `) === true, String(refusal.message))
  return field
}

test('a link has one amount, or bounds for the amount that the shopper enters, and not both', () => {
  assert.deepEqual(made({ amount: 1980 }).amount, { by: 'merchant', yen: 1980 })
  assert.deepEqual(made({ amountRange: { min: 100, max: 100 } }).amount, { by: 'shopper', min: 100, max: 100 })
  assert.equal(refusedField({}), 'amount')
  assert.equal(refusedField({ amount: 1, amountRange: { min: 1, max: 2 } }), 'amountRange')
  assert.equal(refusedField({ amountRange: { min: 2, max: 1 } }), 'amountRange.max')
})

test('a link is refused where none of its checkouts could be opened, by the rules of a checkout', () => {
  assert.equal(refusedField({ amount: 1980, subject: 'card 4242 4242 4242 4242' }), 'subject')
  assert.equal(refusedField({ amount: 1980, links: { redirectUrl: 'http://shop.example.com' } }), 'links.redirectUrl')
  assert.equal(refusedField({ amount: 1980, subject: 'Tea', taxes: [{ rate: 10, amount: 1 }] }), 'taxes')
  assert.equal(refusedField({ amount: 49 }, 'stripe'), 'amount')
  assert.equal(refusedField({ amountRange: { min: 49, max: 5000 } }, 'stripe'), 'amountRange.min')
  assert.ok(!isRefusal(make({ amountRange: { min: 50, max: 5000 } }, 'stripe')))
  assert.equal(
    refusedField({ amountRange: { min: 1, max: 2 }, subject: 'Tea', taxes: [{ rate: 10, amount: 1 }] }),
    'taxes',
  )
})

test('a link ends in the future, and at most three years ahead', () => {
  const at = (ms: number): string => new Date(NOW + ms).toISOString()
  assert.equal(made({ amount: 1, validUntil: at(1) }).validUntil, NOW + 1)
  assert.equal(made({ amount: 1, validUntil: at(3 * 365 * DAY_MS) }).validUntil, NOW + 3 * 365 * DAY_MS)
  assert.equal(refusedField({ amount: 1, validUntil: at(0) }), 'validUntil')
  assert.equal(refusedField({ amount: 1, validUntil: at(3 * 365 * DAY_MS + 1) }), 'validUntil')
  assert.equal(refusedField({ amount: 1, validUntil: 'tomorrow' }), 'validUntil')
})

test('an entered amount is taken at both bounds and refused one yen outside', () => {
  const bounds = { by: 'shopper', min: 100, max: 200 } as const
  assert.deepEqual(
    [99, 100, 200, 201].map((yen) => outsideBounds(bounds, yen)),
    ['too little', undefined, undefined, 'too much'],
  )
})

test('a link is open until its end, its limit, or until it is switched off', () => {
  const link = made({ amount: 1, maxPayments: 2, validUntil: new Date(NOW + 1000).toISOString() })
  assert.equal(statusOfLink(link, NOW + 999), 'open')
  assert.equal(statusOfLink(link, NOW + 1000), 'ended')
  assert.equal(statusOfLink({ ...link, payments: 1 }, NOW), 'open')
  assert.equal(statusOfLink({ ...link, payments: 2 }, NOW), 'full')
  assert.equal(statusOfLink({ ...link, payments: 2, disabledAt: NOW }, NOW), 'disabled')
})

test('a place is free, being paid by others, or none, and open checkouts take none', () => {
  const link = made({ amount: 1, maxPayments: 3 })
  assert.deepEqual(decidePlace({ ...link, payments: 1 }, 1, NOW), { place: 'free' })
  assert.deepEqual(decidePlace({ ...link, payments: 1 }, 2, NOW), { place: 'being paid' })
  assert.deepEqual(decidePlace({ ...link, payments: 3 }, 0, NOW), { place: 'none', status: 'full' })
  assert.deepEqual(decidePlace({ ...link, disabledAt: NOW }, 0, NOW), { place: 'none', status: 'disabled' })
  assert.deepEqual(decidePlace(made({ amount: 1 }), 1_000_000, NOW), { place: 'free' })
})

test('a checkout of a link can be paid for a day, and not after the end of the link', () => {
  const link = made({ amount: 1980, subject: 'Tea', metadata: { room: 'A' } })
  const checkout = opened(link, 1980)
  assert.deepEqual(
    [checkout.amountYen, checkout.subject, checkout.metadata, checkout.linkId, checkout.state.status],
    [1980, 'Tea', { room: 'A' }, link.id, 'open'],
  )
  assert.deepEqual([checkout.createdAt, checkout.validUntil], [NOW, NOW - MINUTE_MS + DAY_MS])
  assert.equal(opened({ ...link, validUntil: NOW + HOUR_MS }, 1980).validUntil, NOW + HOUR_MS)
  // A link that has ended meanwhile: its checkout reads as expired, not as one that never was.
  assert.equal(opened({ ...link, validUntil: NOW - HOUR_MS }, 1980).validUntil, NOW - HOUR_MS)
})

test('a checkout that was opened is cancelled while its link is full or disabled', () => {
  const link = made({ amount: 1980, maxPayments: 2 })
  assert.equal(opened({ ...link, payments: 1 }, 1980).state.status, 'open')
  assert.equal(opened({ ...link, payments: 2 }, 1980).state.status, 'cancelled')
  assert.equal(opened({ ...link, disabledAt: NOW }, 1980).state.status, 'cancelled')
})

test('a checkout of an amount that its link does not allow was opened by nobody', () => {
  const entered = made({ amountRange: { min: 100, max: 200 } })
  assert.deepEqual(
    [99, 100, 200, 201].map((yen) => openedCheckout(entered, { yen, openedAt: NOW }, GIVEN) !== undefined),
    [false, true, true, false],
  )
  const fixed = made({ amount: 1980 })
  for (const yen of [0, 1979, 1981]) assert.equal(openedCheckout(fixed, { yen, openedAt: NOW }, GIVEN), undefined)
})

test('what is opened more than ten minutes in the future, or was before a restore, is taken for unknown', () => {
  assert.ok(canBeOpenedAt(NOW + 10 * MINUTE_MS, null, NOW))
  assert.ok(!canBeOpenedAt(NOW + 10 * MINUTE_MS + 1, null, NOW))
  assert.ok(canBeOpenedAt(0, null, NOW))
  assert.ok(canBeOpenedAt(NOW + 1, NOW, NOW))
  assert.ok(!canBeOpenedAt(NOW, NOW, NOW))
})

test('limit, end and switch of a link are changed, each by itself', () => {
  const link = made({ amount: 1, maxPayments: 5, validUntil: '2026-12-01' })
  const change = (body: Parameters<typeof changedLink>[1], from = link): ReusableLink => {
    const changed = changedLink(from, body, NOW + 1)
    return isRefusal(changed) ? assert.fail(changed.message) : changed
  }
  assert.deepEqual(change({}), link)
  assert.deepEqual(change({ maxPayments: null }), { ...link, maxPayments: null })
  assert.deepEqual(change({ maxPayments: 1 }), { ...link, maxPayments: 1 })
  assert.deepEqual(change({ validUntil: null }), { ...link, validUntil: null })
  const off = change({ enabled: false })
  assert.deepEqual(off, { ...link, disabledAt: NOW + 1 })
  assert.deepEqual(changedLink(off, { enabled: false }, NOW + 2), off)
  assert.deepEqual(change({ enabled: true }, off), link)
  assert.ok(isRefusal(changedLink(link, { validUntil: '2020-01-01' }, NOW)))
})
