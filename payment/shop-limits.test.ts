import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CARD_TESTING_LIMITS } from './card-testing.ts'
import {
  cardsLeft,
  countUnpaidEnds,
  forcedChallengeEnd,
  isFarAboveUsual,
  isForcedChallenge,
  isMostlyUnpaid,
  isServerPastLimit,
  mayBeFarAboveUsual,
  prolongsForcedChallenge,
  usualShare,
  type UnpaidEnds,
} from './shop-limits.ts'
import { NOW } from './testing/records.ts'

const MINUTE = 60_000
const { live, test: inTest } = CARD_TESTING_LIMITS
const NOTHING = { paid: 0, unpaid: 0 }

const ends = (unpaid: number, paidLinks = 0, more: Partial<UnpaidEnds> = {}): UnpaidEnds => ({
  links: unpaid,
  cards: unpaid,
  networks: unpaid,
  refusedLinks: 0,
  paidLinks,
  ...more,
})

describe('what is usual at a shop', () => {
  test('is one unpaid card in ten where nothing is known, and its own share where much is', () => {
    assert.equal(usualShare(NOTHING), 0.1)
    const known = usualShare({ paid: 309_120, unpaid: 26_880 })
    assert.ok(Math.abs(known - 0.08) < 0.0001, String(known))
  })

  test('is never more than a quarter, however long somebody tries out cards there', () => {
    assert.equal(usualShare({ paid: 0, unpaid: 100_000 }), 0.25)
    assert.ok(usualShare({ paid: 3000, unpaid: 900 }) < 0.25)
  })
})

describe('cards that are asked about at a shop without a challenge', () => {
  const left = (paid: number, unpaid: number, share = 0.1) => cardsLeft({ paid, unpaid }, share, live.shop)

  test('are sixty an hour more than is usual beside its payments, and sixty where nothing is paid', () => {
    assert.equal(left(0, 0), 60)
    assert.equal(left(0, 59), 1)
    assert.equal(left(0, 60), 0)
    assert.equal(left(0, 61), 0)
    assert.equal(left(90, 69), 1)
    assert.equal(left(90, 70), 0)
  })

  test('are more than five standard deviations above the usual of a large shop, so that a sale never reaches it', () => {
    const deviations = 5 * Math.sqrt(480)
    assert.equal(left(5520, 480, 0.08), Math.floor(deviations))
    assert.ok(left(5520, 480 + 88, 0.08) > 0, 'four standard deviations more declines than usual')
    assert.equal(left(5520, 480 + Math.ceil(deviations), 0.08), 0)
  })

  test('have tenfold room for test checkouts', () => {
    assert.equal(cardsLeft(NOTHING, 0.1, inTest.shop), 600)
  })

  test('on the whole server are three hundred more than a third of what is paid', () => {
    assert.equal(isServerPastLimit({ paid: 0, unpaid: 299 }, live.serverCardsPerHour), false)
    assert.equal(isServerPastLimit({ paid: 0, unpaid: 300 }, live.serverCardsPerHour), true)
    assert.equal(isServerPastLimit({ paid: 300, unpaid: 399 }, live.serverCardsPerHour), false)
    assert.equal(isServerPastLimit({ paid: 300, unpaid: 400 }, live.serverCardsPerHour), true)
  })
})

describe('a forced challenge', () => {
  test('counts one link, one card and one network once: with few of any nobody puts a shop under it', () => {
    assert.equal(countUnpaidEnds(ends(12)), 12)
    for (const few of ['links', 'cards', 'networks']) assert.equal(countUnpaidEnds(ends(12, 0, { [few]: 2 })), 2, few)
    assert.equal(countUnpaidEnds(ends(12, 0, { cards: null })), 12, 'test cards are not told apart')
  })

  test('begins with twelve unpaid in ten minutes that are at least half of all', () => {
    assert.equal(isMostlyUnpaid(ends(11), live.shop), false)
    assert.equal(isMostlyUnpaid(ends(12), live.shop), true)
    assert.equal(isMostlyUnpaid(ends(12, 12), live.shop), true)
    assert.equal(isMostlyUnpaid(ends(12, 13), live.shop), false)
    assert.equal(isMostlyUnpaid(ends(119), inTest.shop), false)
    assert.equal(isMostlyUnpaid(ends(120), inTest.shop), true)
  })

  test('begins in a busy shop with sixty unpaid in an hour that are three times its usual share', () => {
    assert.equal(isFarAboveUsual(ends(59), 0.08, live.shop), false)
    assert.equal(isFarAboveUsual(ends(60), 0.08, live.shop), true)
    assert.equal(isFarAboveUsual(ends(60, 190), 0.08, live.shop), true)
    assert.equal(isFarAboveUsual(ends(60, 191), 0.08, live.shop), false)
    assert.equal(isFarAboveUsual(ends(480, 5520), 0.08, live.shop), false, 'the honest declines of a sale')
  })

  test('looks at the whole hour only where ten minutes have a sixth of what it needs', () => {
    assert.equal(mayBeFarAboveUsual(ends(9), 0.08, live.shop), false)
    assert.equal(mayBeFarAboveUsual(ends(10), 0.08, live.shop), true)
    assert.equal(mayBeFarAboveUsual(ends(27, 307), 0.08, live.shop), false, 'honest declines of a large shop')
  })

  test('is prolonged by issuers that refuse more than is usual, and not by those that refuse honest shoppers of a large shop', () => {
    assert.equal(prolongsForcedChallenge(ends(1, 8, { refusedLinks: 1 }), 0.1), true)
    assert.equal(prolongsForcedChallenge(ends(1, 9, { refusedLinks: 1 }), 0.1), false)
    assert.equal(prolongsForcedChallenge(ends(26, 307, { refusedLinks: 26 }), 0.08), false)
    assert.equal(prolongsForcedChallenge(ends(27, 307, { refusedLinks: 27 }), 0.08), true)
  })

  test('ends ten minutes after what prolonged it last, and is not written at every refusal', () => {
    const until = forcedChallengeEnd(0, NOW)
    assert.equal(until, NOW + 10 * MINUTE)
    assert.equal(isForcedChallenge(NOW + 10 * MINUTE, NOW + 10 * MINUTE - 1), true)
    assert.equal(isForcedChallenge(NOW + 10 * MINUTE, NOW + 10 * MINUTE), false)
    assert.equal(forcedChallengeEnd(NOW + 10 * MINUTE, NOW + 30_000), null)
    assert.equal(forcedChallengeEnd(NOW + 10 * MINUTE, NOW + 30_001), NOW + 10 * MINUTE + 30_001)
  })

  test('is over where its end is further ahead than it can be: the clock has been set back', () => {
    assert.equal(isForcedChallenge(NOW + 10 * MINUTE, NOW), true)
    assert.equal(isForcedChallenge(NOW + 10 * MINUTE + 1, NOW), false)
    assert.equal(forcedChallengeEnd(NOW + 24 * 60 * MINUTE, NOW), NOW + 10 * MINUTE)
  })
})
