import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CARD_TESTING_LIMITS, type VelocityOutcome } from './card-testing.ts'
import { decideNetwork, NETWORK_WINDOW_MS, siteOf, type NetworkAttempt } from './client-network-limits.ts'
import { NOW } from './testing/records.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NETWORK = '2001:db8:1:200::/64'
const { live, test: inTest } = CARD_TESTING_LIMITS

let cards = 0
const times = (
  count: number,
  outcome: VelocityOutcome,
  { startedAt = NOW - MINUTE, merchantId = 'm1', network = NETWORK, card = '' }: Partial<NetworkAttempt> = {},
): NetworkAttempt[] =>
  Array.from({ length: count }, () => ({
    startedAt,
    outcome,
    merchantId,
    network,
    card: card === '' ? `card ${(cards += 1)}` : card,
  }))

interface Read {
  readonly limits?: typeof live.network
  readonly now?: number
  readonly isServerPastLimit?: boolean
  readonly ofSite?: readonly NetworkAttempt[]
}
const decide = (
  ofNetwork: readonly NetworkAttempt[],
  { limits = live.network, now = NOW, isServerPastLimit = false, ofSite = [] }: Read = {},
) => decideNetwork({ ofNetwork, ofSite }, { network: NETWORK, merchantId: 'm1', isServerPastLimit }, limits, now)
/** Whether it starts, is challenged, or waits. */
const told = (ofNetwork: readonly NetworkAttempt[], read: Read = {}): string => {
  const decided = decide(ofNetwork, read)
  if (decided.decision === 'wait') return 'wait'
  return decided.challengeDemanded ? 'challenge' : 'start'
}

describe('a network', () => {
  test('asks about ten cards in an hour that end without a payment, at all shops together, and is then challenged, not refused', () => {
    assert.equal(told(times(9, 'unpaid')), 'start')
    assert.equal(told(times(10, 'unpaid')), 'challenge')
    const elsewhere = [...times(5, 'unpaid'), ...times(5, 'unpaid', { merchantId: 'm2' })]
    assert.equal(told(elsewhere), 'challenge')
    assert.equal(told(elsewhere.slice(1)), 'start')
    assert.equal(told(times(10, 'unpaid', { startedAt: NOW - HOUR + 1 })), 'challenge')
    assert.equal(told(times(10, 'unpaid', { startedAt: NOW - HOUR })), 'start')
  })

  test('has three more for each card that was paid with in the hour, so that many shoppers behind one address are not challenged', () => {
    assert.equal(told([...times(1, 'paid'), ...times(12, 'unpaid')]), 'start')
    assert.equal(told([...times(1, 'paid'), ...times(13, 'unpaid')]), 'challenge')
    assert.equal(told([...times(1, 'paid', { startedAt: NOW - HOUR }), ...times(10, 'unpaid')]), 'challenge')
  })

  test('has no more for one card that is paid with again and again, and no more than two hundred for any number of cards', () => {
    const own = times(100, 'paid', { card: 'own' })
    assert.equal(told([...own, ...times(12, 'unpaid')]), 'start')
    assert.equal(told([...own, ...times(13, 'unpaid')]), 'challenge')
    assert.equal(told([...times(300, 'paid'), ...times(209, 'unpaid')]), 'start')
    assert.equal(told([...times(300, 'paid'), ...times(210, 'unpaid')]), 'challenge')
  })

  test('may have thirty payments under way at once without a challenge, and thirty unpaid in any three hours', () => {
    assert.equal(told(times(29, 'open')), 'start')
    assert.equal(told(times(30, 'open')), 'challenge')
    assert.equal(told([...times(32, 'open'), ...times(1, 'paid')]), 'start')
    const slowly = Array.from({ length: 30 }, (_, place) =>
      times(1, 'unpaid', { startedAt: NOW - 1 - place * 6 * MINUTE }),
    ).flat()
    assert.equal(told(slowly.slice(1)), 'start')
    assert.equal(told(slowly), 'challenge')
    assert.equal(told(slowly, { now: NOW + NETWORK_WINDOW_MS }), 'start')
  })

  test('is charged for a start that was left alone for ten minutes, as for a decline', () => {
    assert.equal(told(times(10, 'open', { startedAt: NOW - 10 * MINUTE + 1 })), 'start')
    assert.equal(told(times(10, 'open', { startedAt: NOW - 10 * MINUTE })), 'challenge')
  })

  test('from sixty at one shop on waits there two minutes between two starts, and never at another shop', () => {
    const many = times(60, 'unpaid', { startedAt: NOW - 30_000 })
    assert.equal(told(many.slice(1)), 'challenge')
    assert.deepEqual(decide(many), { decision: 'wait', retryAfterMs: 90_000 })
    assert.equal(told(many, { now: NOW + 90_000 - 1 }), 'wait')
    assert.equal(told(many, { now: NOW + 90_000 }), 'challenge')
    assert.equal(told(times(500, 'unpaid', { merchantId: 'm2' })), 'challenge')
    assert.deepEqual(decide(times(60, 'open', { startedAt: NOW + 9 * MINUTE })), {
      decision: 'wait',
      retryAfterMs: 120_000,
    })
  })

  test('is not charged for what nobody answered, nor for questions of the future after a clock was set back', () => {
    assert.equal(told(times(100, 'unanswered')), 'start')
    assert.equal(told(times(100, 'unpaid', { startedAt: NOW + 24 * HOUR })), 'start')
    assert.equal(told(times(10, 'unpaid', { startedAt: NOW + 10 * MINUTE })), 'challenge')
  })

  test('has tenfold room for test checkouts', () => {
    const limits = inTest.network
    assert.equal(told(times(99, 'unpaid'), { limits }), 'start')
    assert.equal(told(times(100, 'unpaid'), { limits }), 'challenge')
    assert.equal(told(times(399, 'open'), { limits }), 'challenge')
    assert.equal(told(times(400, 'open'), { limits }), 'wait')
  })

  test('that tries out cards at more shops than one calls a person', () => {
    const alarmOf = (attempts: readonly NetworkAttempt[]) => {
      const decided = decide(attempts)
      return decided.decision === 'start' && decided.alarm !== null
    }
    assert.equal(alarmOf([...times(29, 'unpaid'), ...times(1, 'unpaid', { merchantId: 'm2' })]), true)
    assert.equal(alarmOf([...times(28, 'unpaid'), ...times(1, 'unpaid', { merchantId: 'm2' })]), false)
    assert.equal(alarmOf(times(30, 'unpaid')), false)
  })

  test('with two unpaid is challenged while cards are tried out all over the server; one without is not', () => {
    assert.equal(told(times(1, 'unpaid'), { isServerPastLimit: true }), 'start')
    assert.equal(told(times(2, 'unpaid'), { isServerPastLimit: true }), 'challenge')
    assert.equal(told(times(20, 'paid'), { isServerPastLimit: true }), 'start')
  })
})

describe('an IPv6 network', () => {
  test('is of a /48, and an IPv4 address of none', () => {
    assert.equal(siteOf('2001:db8:1:2::/64'), '2001:db8:1::/48')
    assert.equal(siteOf('2001:db8:0:0::/64'), '2001:db8:0::/48')
    for (const network of ['203.0.113.7', 'unknown', '']) assert.equal(siteOf(network), null)
  })

  test('is challenged where its /56 has asked about thirty cards at all shops together, and a person is called', () => {
    const of56 = (count: number) =>
      Array.from({ length: count }, (_, place) =>
        times(1, 'unpaid', {
          network: `2001:db8:1:2${(place % 256).toString(16).padStart(2, '0')}::/64`,
          merchantId: 'm2',
        }),
      ).flat()
    assert.equal(told([], { ofSite: of56(29) }), 'start')
    assert.deepEqual(decide([], { ofSite: of56(30) }), {
      decision: 'start',
      challengeDemanded: true,
      alarm: 'one network asks about many cards at all shops together',
    })
    const of48 = of56(30).map((attempt) => ({ ...attempt, network: '2001:db8:1:300::/64' }))
    assert.equal(told([], { ofSite: of48 }), 'start', 'another /56')
  })

  test('is challenged where its /48 has asked about a hundred', () => {
    const of48 = (count: number) => times(count, 'unpaid', { network: '2001:db8:1:300::/64' })
    assert.equal(told([], { ofSite: of48(99) }), 'start')
    assert.equal(told([], { ofSite: of48(100) }), 'challenge')
    assert.equal(told([], { ofSite: [...of48(100), ...times(1, 'paid')] }), 'start')
  })
})
