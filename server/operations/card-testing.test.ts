import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { liveCardNumber } from '../../proof/harness/cards.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway, type FakeGateway } from '../../proof/harness/fake-gateway.ts'
import {
  decidedOutcome,
  scriptedThreeDSServer,
  type ScriptedThreeDSServer,
} from '../../proof/harness/fake-three-ds-servers.ts'
import { freshCheckout } from '../../proof/harness/fresh-records.ts'
import { deleteAllRows } from '../../proof/harness/compare-databases.ts'
import { virtualClock, type TestClock } from '../../proof/harness/test-clocks.ts'
import { CARD, openTestServer, TEA_MERCHANT, type TestServer } from '../../proof/harness/test-server.ts'
import { workOnce } from '../background/worker.ts'
import { findMerchant } from '../store/merchants.ts'
import { insertCheckout, saveMerchant } from '../../proof/harness/save-records.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DECLINED = { outcome: 'declined', reason: 'insufficient funds' } as const

describe('card testing', () => {
  onBothDatabases(({ open, name }) => {
    let gateway: FakeGateway
    let threeDS: ScriptedThreeDSServer
    let clock: TestClock
    let server: TestServer
    let nextCard = 0
    before(async () => {
      clock = virtualClock()
      gateway = fakeGateway()
      threeDS = scriptedThreeDSServer()
      server = await openTestServer({ database: await open(), gateway, threeDSServer: threeDS, clock })
    })
    beforeEach(async () => {
      await deleteAllRows(server.parts.database)
      // The merchant of the test before is not remembered any more.
      clock.advance(SECOND)
      await saveMerchant(server.parts.database, TEA_MERCHANT, 0)
      gateway.chargeOutcome = null
      threeDS.answers.start = { outcome: 'not_enrolled' }
      threeDS.answers.authenticate = decidedOutcome('Y')
      threeDS.answers.result = { outcome: 'pending' }
    })

    const newLink = async (): Promise<string> => {
      const checkout = freshCheckout({
        merchantId: TEA_MERCHANT.id,
        mode: 'live',
        createdAt: clock.now(),
        validUntil: clock.now() + 48 * HOUR,
      })
      await insertCheckout(server.parts.database, checkout)
      return checkout.id
    }
    const newCard = (): string => liveCardNumber((nextCard += 1))
    interface Try {
      readonly from?: string
      readonly link?: string
      readonly number?: string
    }
    const startFrom = async ({ from = '192.0.2.1', link, number = newCard() }: Try = {}) => {
      const checkoutId = link ?? (await newLink())
      const answer = await server.sendRequest({
        method: 'POST',
        url: `/api/v1/checkouts/${checkoutId}/3ds`,
        payload: { card: { ...CARD, number } },
        remoteAddress: from,
      })
      return { answer, checkoutId, orderCode: answer.json<{ orderCode: string }>().orderCode }
    }
    const payFrom = async (how: Try = {}): Promise<LightMyRequestResponse> => {
      const { answer, checkoutId, orderCode } = await startFrom(how)
      return answer.statusCode === 200 ? server.pay(checkoutId, orderCode) : answer
    }
    const statusesOf = async (count: number, call: () => Promise<LightMyRequestResponse>): Promise<number[]> => {
      const statuses: number[] = []
      for (let tries = 0; tries < count; tries += 1) statuses.push((await call()).statusCode)
      return statuses
    }
    const codes = (count: number, status: number): number[] => Array.from({ length: count }, () => status)
    const countRows = async (table: string): Promise<number> =>
      (await server.parts.database.rows(`SELECT * FROM ${table}`)).length

    test('one address drives ten declined cards through as many links, and is then refused until an hour has passed', async () => {
      gateway.chargeOutcome = DECLINED
      const asked = gateway.charges.length
      assert.deepEqual(await statusesOf(12, payFrom), [...codes(10, 402), 429, 429])
      assert.equal(gateway.charges.length - asked, 10)
      const { answer } = await startFrom()
      assert.equal(answer.json<{ code: string }>().code, 'too_many_attempts')
      assert.equal(answer.headers['retry-after'], '3600')
      assert.equal((await startFrom({ from: '192.0.2.2' })).answer.statusCode, 200)
      clock.advance(HOUR)
      assert.equal((await payFrom()).statusCode, 402)
    })

    test('starts that are left alone, refused by the issuer, or given up in a challenge count as declines do', async () => {
      const leftAlone = async () => (await startFrom({ from: '192.0.2.10' })).answer
      assert.deepEqual(await statusesOf(10, leftAlone), codes(10, 200))
      clock.advance(10 * MINUTE)
      assert.equal((await leftAlone()).statusCode, 429)

      threeDS.answers.start = 'started'
      for (const [transStatus, from] of [
        ['N', '192.0.2.11'],
        ['R', '192.0.2.12'],
        ['U', '192.0.2.13'],
        ['D', '192.0.2.14'],
      ] as const) {
        threeDS.answers.authenticate = decidedOutcome(transStatus)
        const refused = async () => {
          const { answer, orderCode } = await startFrom({ from })
          if (answer.statusCode !== 200) return answer
          return server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
        }
        assert.deepEqual(await statusesOf(11, refused), [...codes(10, 200), 429], transStatus)
      }

      threeDS.answers.authenticate = 'challenge'
      const givenUp = async () => {
        const { answer, orderCode } = await startFrom({ from: '192.0.2.15' })
        if (answer.statusCode !== 200) return answer
        await server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
        return server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/challenge-error` })
      }
      assert.deepEqual(await statusesOf(11, givenUp), [...codes(10, 200), 429])
    })

    test('a 3-D Secure server that is out costs neither an address nor a card any of its questions', async () => {
      threeDS.answers.start = { outcome: 'unavailable', why: 'no answer' }
      const number = newCard()
      assert.deepEqual(await statusesOf(40, async () => (await startFrom({ number })).answer), codes(40, 503))
      threeDS.answers.start = { outcome: 'not_enrolled' }
      assert.equal((await payFrom({ number })).statusCode, 200)
    })

    test('of many starts of one address at the same moment, thirty are let through', async () => {
      const links = await Promise.all(Array.from({ length: 60 }, newLink))
      const answers = await Promise.all(links.map((link) => startFrom({ link })))
      const passed = answers.filter(({ answer }) => answer.statusCode === 200)
      assert.equal(passed.length, 30, name)
    })

    test('many shoppers behind one address pay, with a mistake now and then, and none is refused', async () => {
      for (let shopper = 0; shopper < 60; shopper += 1) {
        const link = await newLink()
        const mistakes = shopper % 10 === 9 ? 3 : shopper % 3 === 2 ? 1 : 0
        const number = newCard()
        gateway.chargeOutcome = DECLINED
        assert.deepEqual(await statusesOf(mistakes, () => payFrom({ link, number })), codes(mistakes, 402))
        gateway.chargeOutcome = null
        assert.equal((await payFrom({ link, number })).statusCode, 200, `shopper ${shopper}`)
        clock.advance(20_000)
      }
    })

    test('one card is tried four times in an hour and eight times in a day, wherever it is tried, and then gets the answer of a decline without being asked about', async () => {
      gateway.chargeOutcome = DECLINED
      const number = newCard()
      let address = 0
      const tryIt = () => payFrom({ number, from: `198.51.100.${(address += 1)}` })
      const asked = () => gateway.charges.filter(({ card }) => card.number.face.lastFour === number.slice(-4)).length
      const before = asked()
      const answers = []
      for (let tries = 0; tries < 6; tries += 1) answers.push(await tryIt())
      assert.equal(asked() - before, 4)
      assert.equal(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size, 1)
      clock.advance(70 * MINUTE)
      await statusesOf(6, tryIt)
      assert.equal(asked() - before, 8)
      clock.advance(70 * MINUTE)
      await statusesOf(6, tryIt)
      assert.equal(asked() - before, 8)
      clock.advance(24 * HOUR)
      await statusesOf(6, tryIt)
      assert.equal(asked() - before, 12)
    })

    test('a card that is given up while its charge begins costs nothing but its count: the attempt is answered, not broken off', async () => {
      const number = newCard()
      const { checkoutId, orderCode } = await startFrom({ number })
      const { find } = server.parts.cardHold
      server.parts.cardHold.find = (binding) => {
        const card = find(binding)
        queueMicrotask(() => card?.number.wipe())
        return card
      }
      const answer = await server.pay(checkoutId, orderCode)
      server.parts.cardHold.find = find
      assert.equal(answer.statusCode, 200)
      assert.equal(await countRows('card_questions'), 1)
    })

    test('a payment gives its card all questions back', async () => {
      const number = newCard()
      gateway.chargeOutcome = DECLINED
      assert.deepEqual(await statusesOf(3, () => payFrom({ number })), codes(3, 402))
      gateway.chargeOutcome = null
      assert.equal((await payFrom({ number })).statusCode, 200)
      assert.equal(await countRows('card_questions'), 0)
    })

    test('a card is counted by a keyed hash that stands beside nothing else of its payment, and is deleted after a day with the address', async () => {
      const number = newCard()
      const { orderCode, checkoutId } = await startFrom({ number })
      const [row = {}] = await server.parts.database.rows('SELECT * FROM card_questions')
      assert.deepEqual(Object.keys(row).toSorted(), ['asked_at', 'fingerprint', 'id'])
      for (const told of [number, number.slice(-4), orderCode, checkoutId])
        assert.ok(!JSON.stringify(row).includes(told), told)
      assert.equal(Number(row['asked_at']) % (10 * MINUTE), 0)
      clock.advance(23 * HOUR)
      await workOnce(server.parts)
      assert.deepEqual(
        [await countRows('card_questions'), await countRows('attempts WHERE client_network IS NOT NULL')],
        [1, 1],
      )
      clock.advance(HOUR + 10 * MINUTE)
      await workOnce(server.parts)
      assert.deepEqual(
        [await countRows('card_questions'), await countRows('attempts WHERE client_network IS NOT NULL')],
        [0, 0],
      )
    })

    test('a test checkout counts no card', async () => {
      const link = freshCheckout({ merchantId: TEA_MERCHANT.id, mode: 'test', validUntil: clock.now() + HOUR })
      await insertCheckout(server.parts.database, link)
      assert.equal((await startFrom({ link: link.id, number: CARD.number })).answer.statusCode, 200)
      assert.equal(await countRows('card_questions'), 0)
    })

    describe('from many addresses at one merchant', () => {
      let address = 0
      const fromAnywhere = (how: Try = {}) => payFrom({ from: `2001:db8:${(address += 1).toString(16)}::1`, ...how })
      const attack = async () => {
        gateway.chargeOutcome = DECLINED
        assert.deepEqual(await statusesOf(20, fromAnywhere), codes(20, 402))
        gateway.chargeOutcome = null
        const brakedAt = clock.now()
        // A merchant is kept in memory for a second: the brake holds after it at the latest.
        clock.advance(SECOND)
        return brakedAt
      }
      const alerts = async () =>
        server.parts.database.rows(`SELECT mode, data FROM events WHERE type = 'alert.card_testing'`)

      test('twenty declines make the challenge mandatory for thirty minutes, and call a person and the merchant once', async () => {
        server.logLines.length = 0
        const until = (await attack()) + 30 * MINUTE
        assert.equal((await findMerchant(server.parts.database, 'tea'))?.brakedUntil.live, until)
        gateway.chargeOutcome = DECLINED
        await statusesOf(5, fromAnywhere)
        assert.equal(server.logLines.filter((line) => line.includes('cards are being tried out')).length, 1)
        const [alert, ...more] = await alerts()
        assert.deepEqual(more, [])
        const { brakedUntil } = JSON.parse(String(alert?.['data'])) as Record<string, unknown>
        assert.deepEqual([alert?.['mode'], brakedUntil], ['live', new Date(until).toISOString()])

        gateway.chargeOutcome = null
        const asked = gateway.charges.length
        assert.equal((await fromAnywhere()).statusCode, 402, 'a card outside 3-D Secure')
        threeDS.answers.start = 'started'
        const { orderCode, checkoutId } = await startFrom({ from: '2001:db8::1' })
        await server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
        assert.equal(threeDS.received.authentications.at(-1)?.isChallengeMandatory, true)
        assert.equal((await server.pay(checkoutId, orderCode)).statusCode, 402, 'an issuer that overlooks the mandate')
        assert.equal(gateway.charges.length, asked)

        threeDS.answers.authenticate = 'challenge'
        threeDS.answers.result = decidedOutcome('Y')
        const challenged = await startFrom({ from: '2001:db8::1' })
        await server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${challenged.orderCode}/authenticate` })
        assert.equal((await server.pay(challenged.checkoutId, challenged.orderCode)).statusCode, 200)

        threeDS.answers.start = { outcome: 'not_enrolled' }
        clock.advance(30 * MINUTE)
        assert.equal((await fromAnywhere()).statusCode, 200)
        assert.equal(threeDS.received.authentications.at(-1)?.isChallengeMandatory, true)
      })

      test('an attempt that was cleared without a challenge before the attack was noticed is not charged any more', async () => {
        const early = await startFrom({ from: '2001:db8::2' })
        await attack()
        const answer = await server.pay(early.checkoutId, early.orderCode)
        assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [409, 'order_over'])
      })

      test('as many payments as declines brake nobody, and a test checkout does not brake a live one', async () => {
        for (let round = 0; round < 30; round += 1) {
          gateway.chargeOutcome = null
          await statusesOf(2, fromAnywhere)
          gateway.chargeOutcome = DECLINED
          await fromAnywhere()
        }
        assert.deepEqual((await findMerchant(server.parts.database, 'tea'))?.brakedUntil, { test: 0, live: 0 })
        assert.deepEqual(await alerts(), [])
      })
    })
  })
})
