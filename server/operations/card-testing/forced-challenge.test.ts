import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { decidedOutcome } from '../../../proof/harness/fake-three-ds-servers.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { findMerchant } from '../../store/merchant/merchants.ts'
import { readBacklog } from '../../store/reports/metrics.ts'
import { forgetOldHours, sumShopHours } from '../../store/checkout/shop-velocity-rows.ts'
import { cardTestingShop, type StartedAttempt } from '../../../proof/harness/card-testing-shop.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DECLINED = { outcome: 'declined', reason: 'insufficient funds' } as const

describe('cards that are tried out at one shop from many networks', () => {
  onBothDatabases(({ open, name }) => {
    const shop = cardTestingShop(open)
    const { gateway, threeDS, clock, newCard, newLink } = shop
    let nextNetwork = 0
    beforeEach(() => honest())

    const honest = (): void => {
      gateway.chargeOutcome = null
      threeDS.answers.start = 'started'
      threeDS.answers.authenticate = decidedOutcome('Y')
      threeDS.answers.result = decidedOutcome('Y')
    }
    const newNetwork = (): string => `2001:db8:${(nextNetwork += 1).toString(16)}::1`
    const start = async (link?: string, number = newCard(), from = newNetwork()): Promise<StartedAttempt> => {
      const started = await shop.start({ from, number, ...(link === undefined ? {} : { link }) })
      assert.ok([200, 402].includes(started.answer.statusCode), started.answer.body)
      return started
    }
    const authenticate = ({ orderCode }: StartedAttempt): Promise<LightMyRequestResponse> =>
      shop.authenticate(orderCode)
    const pay = async ({ answer, checkoutId, orderCode }: StartedAttempt): Promise<LightMyRequestResponse> =>
      orderCode === '' ? answer : shop.server.pay(checkoutId, orderCode)
    const payOnce = async (): Promise<number> => {
      const started = await start()
      if (threeDS.answers.start === 'started') await authenticate(started)
      return (await pay(started)).statusCode
    }
    const times = async <T>(count: number, call: () => Promise<T>): Promise<T[]> => {
      const answers: T[] = []
      for (let done = 0; done < count; done += 1) answers.push(await call())
      return answers
    }
    const until = async (): Promise<number> =>
      (await findMerchant(shop.server.deps.database, 'tea'))?.forcedChallengeUntil.live ?? assert.fail()
    const alerts = () =>
      shop.server.deps.database.rows(`SELECT mode, data FROM events WHERE type = 'alert.card_testing'`)
    const alarms = (): number =>
      shop.server.logLines.filter((line) => line.includes('cards are being tried out')).length
    const wasMandatory = (): boolean =>
      threeDS.received.authentications.at(-1)?.isChallengeMandatory ?? assert.fail('nobody was asked')
    const askedWithout = (since: number): number =>
      threeDS.received.authentications.slice(since).filter(({ isChallengeMandatory }) => !isChallengeMandatory).length
    /** A merchant is kept in memory for a second. */
    const later = (): void => clock.advance(SECOND)
    const attack = async (): Promise<void> => {
      gateway.chargeOutcome = DECLINED
      assert.deepEqual(new Set(await times(12, payOnce)), new Set([402]))
      honest()
      later()
    }

    test('twelve declines force a challenge for ten minutes, and call a person and the merchant once', async () => {
      gateway.chargeOutcome = DECLINED
      await times(11, payOnce)
      assert.equal(await until(), 0)
      await payOnce()
      const end = clock.now() + 10 * MINUTE
      assert.equal(await until(), end)
      await times(5, payOnce)
      assert.equal(alarms(), 1)
      const [alert, ...more] = await alerts()
      assert.deepEqual(more, [])
      const { brakedUntil } = JSON.parse(String(alert?.['data'])) as Record<string, unknown>
      assert.deepEqual([alert?.['mode'], brakedUntil], ['live', new Date(end).toISOString()])
      assert.equal((await readBacklog(shop.server.deps.database, clock.now())).forcedChallenges, 1)
      assert.equal(await until(), end, 'declines do not prolong it')
      clock.advance(10 * MINUTE)
      honest()
      await payOnce()
      assert.equal(wasMandatory(), false)
      assert.equal((await readBacklog(shop.server.deps.database, clock.now())).forcedChallenges, 0)
    })

    test('of ninety cards that are authenticated at the same moment, sixty are without a challenge', async () => {
      const started = await times(90, () => start())
      clock.advance(11 * MINUTE)
      threeDS.answers.authenticate = decidedOutcome('N')
      const before = threeDS.received.authentications.length
      await Promise.all(started.map(authenticate))
      assert.deepEqual([threeDS.received.authentications.length - before, askedWithout(before)], [90, 60], name)
      later()
      assert.equal((await until()) > 0, true)
    })

    test('of eighty cards outside 3-D Secure that pay at the same moment, sixty reach the acquirer', async () => {
      threeDS.answers.start = { outcome: 'not_enrolled' }
      const started = await times(80, () => start())
      gateway.chargeOutcome = DECLINED
      const before = gateway.charges.length
      const answers = await Promise.all(started.map(pay))
      assert.equal(gateway.charges.length - before, 60, name)
      assert.equal(answers.filter(({ statusCode }) => statusCode === 409).length, 20)
      assert.equal(await payOnce(), 402, 'the next is refused when it starts')
      assert.equal(gateway.charges.length - before, 60)
    })

    test('an end that a wrong clock wrote far in the future counts as over', async () => {
      await shop.server.deps.database.rows('UPDATE merchants SET live_braked_until = $1', clock.now() + 10 * MINUTE + 1)
      later()
      clock.advance(-SECOND)
      await payOnce()
      assert.equal(wasMandatory(), false)
      assert.equal((await readBacklog(shop.server.deps.database, clock.now())).forcedChallenges, 0)
      await attack()
      await payOnce()
      assert.equal(wasMandatory(), true)
    })

    test('the cards of an hour are summed when the hour is over, each card once, and kept for seven days', async () => {
      const hourOf = (at: number): number => at - (at % HOUR)
      clock.advance(HOUR - (clock.now() % HOUR))
      const hour = hourOf(clock.now())
      const number = newCard()
      gateway.chargeOutcome = DECLINED
      for (const card of [number, newCard(), newCard()]) {
        const started = await start(undefined, card)
        await authenticate(started)
        await pay(started)
      }
      honest()
      const paying = await start(undefined, number)
      await authenticate(paying)
      assert.equal((await pay(paying)).statusCode, 200)
      await start()
      const rows = async () => {
        await sumShopHours(shop.server.deps.database, clock.now())
        await forgetOldHours(shop.server.deps.database, clock.now())
        return (await shop.server.deps.database.rows('SELECT * FROM shop_hours')).map((row) => ({ ...row }))
      }
      clock.advance(2 * HOUR - 1)
      assert.deepEqual(await rows(), [], 'not before all of it has ended')
      clock.advance(1)
      const summed = [{ merchant_id: TEA_MERCHANT.id, mode: 'live', hour, paid: 1, unpaid: 2 }]
      assert.deepEqual(await rows(), summed)
      assert.deepEqual(await rows(), summed, 'once')
      clock.advance(7 * 24 * HOUR - 2 * HOUR - 1)
      assert.deepEqual(await rows(), summed)
      clock.advance(1)
      assert.deepEqual(await rows(), [])
    })

    // From here on the same statements run again and again: the rule alone is shown, and one engine shows it.
    if (name === 'PostgreSQL') return

    test('during a forced challenge a card pays if its issuer authenticates it (Y), challenged or not; an A and a card outside 3-D Secure do not', async () => {
      await attack()
      assert.equal(await payOnce(), 200, 'an issuer that never challenges')
      assert.equal(wasMandatory(), true)
      threeDS.answers.authenticate = 'challenge'
      assert.equal(await payOnce(), 200, 'an issuer that challenges')
      const charges = gateway.charges.length
      threeDS.answers.authenticate = decidedOutcome('A')
      assert.equal(await payOnce(), 402, 'an issuer that asked nobody')
      threeDS.answers.start = { outcome: 'not_enrolled' }
      assert.equal(await payOnce(), 402, 'a card outside 3-D Secure')
      assert.equal(gateway.charges.length, charges)
    })

    test('refusals of issuers and failed challenges prolong it; our own refusals and declines do not; then it ends', async () => {
      await attack()
      const begun = await until()
      clock.advance(5 * MINUTE)
      threeDS.answers.authenticate = decidedOutcome('A')
      await times(20, payOnce)
      threeDS.answers.start = { outcome: 'not_enrolled' }
      await times(20, payOnce)
      honest()
      gateway.chargeOutcome = DECLINED
      await times(5, payOnce)
      assert.equal(await until(), begun)
      honest()
      for (const refused of ['N', 'R'] as const) {
        clock.advance(MINUTE)
        threeDS.answers.authenticate = decidedOutcome(refused)
        await payOnce()
        assert.equal(await until(), clock.now() + 10 * MINUTE, refused)
      }
      clock.advance(MINUTE)
      threeDS.answers.authenticate = 'challenge'
      threeDS.answers.result = decidedOutcome('N')
      await payOnce()
      const end = clock.now() + 10 * MINUTE
      assert.equal(await until(), end, 'a failed challenge')
      honest()
      clock.advance(9 * MINUTE)
      assert.deepEqual(await times(3, payOnce), [200, 200, 200])
      assert.equal(await until(), end)
      clock.advance(MINUTE)
      await payOnce()
      assert.equal(wasMandatory(), false)
      assert.equal(alarms(), 1)
    })

    test('a payment that was authenticated (Y) before it began is charged; an exempt one must start again', async () => {
      const authenticated = await start()
      await authenticate(authenticated)
      threeDS.answers.authenticate = decidedOutcome('A')
      const attempted = await start()
      await authenticate(attempted)
      threeDS.answers.start = { outcome: 'not_enrolled' }
      const exempt = await start()
      honest()
      await attack()
      for (const early of [attempted, exempt]) {
        const answer = await pay(early)
        assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [409, 'order_over'])
      }
      assert.equal((await pay(authenticated)).statusCode, 200)
    })

    for (const starts of [24, 240])
      test(`${starts} starts of strangers who never pay do not change honest payments, nor exempt ones`, async () => {
        await times(starts, () => start())
        for (const wait of [SECOND, 10 * MINUTE]) {
          clock.advance(wait)
          const before = threeDS.received.authentications.length
          honest()
          assert.deepEqual(new Set(await times(5, payOnce)), new Set([200]))
          threeDS.answers.authenticate = decidedOutcome('A')
          assert.deepEqual(new Set(await times(3, payOnce)), new Set([200]))
          assert.equal(askedWithout(before), 8)
          threeDS.answers.start = { outcome: 'not_enrolled' }
          assert.deepEqual(new Set(await times(2, payOnce)), new Set([200]))
        }
        assert.deepEqual([await until(), alarms()], [0, 0])
      })

    test('refusals on few links, of few cards or from few networks do not begin a forced challenge', async () => {
      threeDS.answers.authenticate = decidedOutcome('N')
      const number = newCard()
      await times(4, async () => authenticate(await start(undefined, number)))
      await times(9, async () => authenticate(await start(undefined, undefined, '192.0.2.7')))
      const link = await newLink()
      await times(4, async () => authenticate(await start(link)))
      assert.equal(await until(), 0)
      await times(12 - 3, async () => authenticate(await start()))
      assert.equal((await until()) > 0, true, 'one of each counts')
    })

    test('twice as many payments as declines begin no forced challenge, nor do our own refusals', async () => {
      for (let round = 0; round < 30; round += 1) {
        honest()
        await times(2, payOnce)
        gateway.chargeOutcome = DECLINED
        await payOnce()
      }
      await saveMerchant(shop.server.deps.database, TEA_MERCHANT, 0)
      honest()
      threeDS.answers.authenticate = decidedOutcome('U')
      await times(40, payOnce)
      assert.deepEqual([await until(), await alerts()], [0, []])
    })

    test('beside honest payments of a busy shop, sixty cards above the usual number are tried without a challenge, and no more', async () => {
      let bots = 0
      for (let round = 0; round < 100; round += 1) {
        honest()
        assert.deepEqual(await times(3, payOnce), [200, 200, 200])
        gateway.chargeOutcome = DECLINED
        const before = threeDS.received.authentications.length
        await payOnce()
        bots += askedWithout(before)
        clock.advance(2 * SECOND)
      }
      // A third of a card for each round is usual: one in ten of what is paid.
      assert.ok(bots >= 60 && bots <= 60 + Math.ceil((100 * 3) / 9), `${bots} on ${name}`)
      assert.deepEqual([await until(), alarms()], [0, 1])
    })

    test('a card that is authenticated and left counts as one that is refused', async () => {
      const before = threeDS.received.authentications.length
      for (let card = 0; card < 70; card += 1) {
        await authenticate(await start())
        clock.advance(10 * SECOND)
      }
      assert.equal(askedWithout(before), 60)
      assert.equal(await until(), 0, 'no issuer refused any')
    })
  })
})
