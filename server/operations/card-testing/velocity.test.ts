import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { cardWithNumber, liveCardNumber } from '../../../proof/harness/cards.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { fakeGateway, type FakeGateway } from '../../../proof/harness/fake-gateway.ts'
import {
  decidedOutcome,
  scriptedThreeDSServer,
  type ScriptedThreeDSServer,
} from '../../../proof/harness/fake-three-ds-servers.ts'
import { freshCheckout } from '../../../proof/harness/fresh-records.ts'
import { deleteAllRows } from '../../../proof/harness/compare-databases.ts'
import { virtualClock, type TestClock } from '../../../proof/harness/test-clocks.ts'
import { CARD, openTestServer, TEA_MERCHANT, type TestServer } from '../../../proof/harness/test-server.ts'
import { workOnce } from '../../background/worker.ts'
import { insertCheckout, saveMerchant } from '../../../proof/harness/save-records.ts'

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
      await deleteAllRows(server.deps.database)
      // Merchant and cards of the test before are not remembered any more.
      clock.advance(MINUTE)
      await saveMerchant(server.deps.database, TEA_MERCHANT, 0)
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
      await insertCheckout(server.deps.database, checkout)
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
    const authenticate = (orderCode: string): Promise<LightMyRequestResponse> =>
      server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/authenticate` })
    const codes = (count: number, status: number): number[] => Array.from({ length: count }, () => status)
    const countRows = async (table: string): Promise<number> =>
      (await server.deps.database.rows(`SELECT * FROM ${table}`)).length

    /** Whether a start from here is asked for a challenge; the card holder is authenticated without one and pays. */
    const isChallenged = async (how: Try = {}): Promise<boolean> => {
      gateway.chargeOutcome = null
      threeDS.answers.start = 'started'
      threeDS.answers.authenticate = decidedOutcome('Y')
      const { answer, checkoutId, orderCode } = await startFrom(how)
      assert.equal(answer.statusCode, 200)
      await authenticate(orderCode)
      assert.equal((await server.pay(checkoutId, orderCode)).statusCode, 200)
      return threeDS.received.authentications.at(-1)?.isChallengeMandatory ?? assert.fail()
    }

    test('one address drives ten declined cards through as many links, and is then challenged, not refused, for an hour', async () => {
      gateway.chargeOutcome = DECLINED
      const asked = gateway.charges.length
      // These cards are outside 3-D Secure: nobody could challenge them, so the acquirer is not asked any more.
      assert.deepEqual(await statusesOf(12, payFrom), codes(12, 402))
      assert.equal(gateway.charges.length - asked, 10)
      assert.equal(await isChallenged({ from: '192.0.2.2' }), false, 'another address')
      assert.equal(await isChallenged(), true)
      clock.advance(HOUR)
      assert.equal(await isChallenged(), false)
    })

    test('whoever shares an address with a bot pays after a challenge, at its shop and at any other, and waits two minutes at the most', async () => {
      const waited: number[] = []
      const leftAlone = async (link?: string) => {
        const { answer } = await startFrom(link === undefined ? {} : { link })
        if (answer.statusCode === 429) waited.push(Number(answer.headers['retry-after']))
        return answer
      }
      threeDS.answers.start = 'started'
      const statuses = await statusesOf(80, leftAlone)
      assert.deepEqual(statuses, [...codes(60, 200), ...codes(20, 429)])
      assert.deepEqual(new Set(waited), new Set([120]))
      assert.equal((await leftAlone()).json<{ code: string }>().code, 'too_many_attempts')
      const other = { ...TEA_MERCHANT, id: 'coffee-id', label: 'coffee' }
      await saveMerchant(server.deps.database, other, 0)
      const link = freshCheckout({ merchantId: other.id, mode: 'live', validUntil: clock.now() + HOUR })
      await insertCheckout(server.deps.database, link)
      const elsewhere = await server.sendRequest({
        method: 'POST',
        url: `/api/v1/checkouts/${link.id}/3ds`,
        payload: { card: { ...CARD, number: newCard() } },
        remoteAddress: '192.0.2.1',
        merchant: 'coffee',
      })
      assert.equal(elsewhere.statusCode, 200, 'another shop')
      clock.advance(2 * MINUTE)
      assert.equal(await isChallenged(), true)
    })

    test('starts that are left alone, refused by the issuer, or given up in a challenge count as declines do', async () => {
      threeDS.answers.start = 'started'
      const leftAlone = async () => (await startFrom({ from: '192.0.2.10' })).answer
      assert.deepEqual(await statusesOf(10, leftAlone), codes(10, 200))
      clock.advance(10 * MINUTE)
      assert.equal(await isChallenged({ from: '192.0.2.10' }), true)

      for (const [transStatus, from] of [
        ['N', '192.0.2.11'],
        ['R', '192.0.2.12'],
        ['U', '192.0.2.13'],
        ['D', '192.0.2.14'],
      ] as const) {
        const refused = async () => {
          threeDS.answers.authenticate = decidedOutcome(transStatus)
          return authenticate((await startFrom({ from })).orderCode)
        }
        assert.deepEqual(await statusesOf(9, refused), codes(9, 200), transStatus)
        await refused()
        assert.equal(await isChallenged({ from }), true, transStatus)
      }

      const givenUp = async () => {
        threeDS.answers.authenticate = 'challenge'
        const { orderCode } = await startFrom({ from: '192.0.2.15' })
        await authenticate(orderCode)
        return server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/challenge-error` })
      }
      assert.deepEqual(await statusesOf(10, givenUp), codes(10, 200))
      assert.equal(await isChallenged({ from: '192.0.2.15' }), true)
    })

    test('a card of one’s own that is paid with again and again gives an address no more than three cards', async () => {
      const own = newCard()
      for (let round = 0; round < 13; round += 1) {
        gateway.chargeOutcome = null
        assert.equal((await payFrom({ number: own })).statusCode, 200)
        gateway.chargeOutcome = DECLINED
        assert.equal((await payFrom()).statusCode, 402)
      }
      assert.equal(await isChallenged(), true)
    })

    test('the networks of one IPv6 /56 and of one /48 are added up over all shops', async () => {
      server.logLines.length = 0
      gateway.chargeOutcome = DECLINED
      let network = 0
      const fromHousehold = () => payFrom({ from: `2001:db8:7:${(network += 1).toString(16)}::1` })
      await statusesOf(30, fromHousehold)
      assert.equal(await isChallenged({ from: '2001:db8:7:ff::1' }), true)
      assert.equal(await isChallenged({ from: '2001:db8:7:100::1' }), false, 'another /56')
      assert.equal(server.logLines.filter((line) => line.includes('at all shops together')).length, 1)
    })

    test('a 3-D Secure server that is out costs neither an address nor a card any of its questions', async () => {
      threeDS.answers.start = { outcome: 'unavailable', why: 'no answer' }
      const number = newCard()
      assert.deepEqual(await statusesOf(40, async () => (await startFrom({ number })).answer), codes(40, 503))
      threeDS.answers.start = { outcome: 'not_enrolled' }
      assert.equal((await payFrom({ number })).statusCode, 200)
    })

    test('of many starts of one address at the same moment, thirty are let through without a challenge, and sixty at all', async () => {
      const links = await Promise.all(Array.from({ length: 80 }, newLink))
      threeDS.answers.start = 'started'
      const answers = await Promise.all(links.map((link) => startFrom({ link })))
      const passed = answers.filter(({ answer }) => answer.statusCode === 200)
      const unchallenged = await countRows('attempts WHERE challenge_demanded = 0')
      assert.deepEqual([passed.length, unchallenged], [60, 30], name)
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
      const { find } = server.deps.cardHold
      server.deps.cardHold.find = (binding) => {
        const card = find(binding)
        queueMicrotask(() => card?.number.wipe())
        return card
      }
      const answer = await server.pay(checkoutId, orderCode)
      server.deps.cardHold.find = find
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
      const [row = {}] = await server.deps.database.rows('SELECT * FROM card_questions')
      assert.deepEqual(Object.keys(row).toSorted(), ['asked_at', 'fingerprint', 'id'])
      for (const told of [number, number.slice(-4), orderCode, checkoutId])
        assert.ok(!JSON.stringify(row).includes(told), told)
      assert.equal(Number(row['asked_at']) % (10 * MINUTE), 0)
      clock.advance(23 * HOUR)
      await workOnce(server.deps)
      assert.deepEqual(
        [await countRows('card_questions'), await countRows('attempts WHERE client_network IS NOT NULL')],
        [1, 1],
      )
      clock.advance(HOUR + 10 * MINUTE)
      await workOnce(server.deps)
      assert.deepEqual(
        [await countRows('card_questions'), await countRows('attempts WHERE client_network IS NOT NULL')],
        [0, 0],
      )
    })

    test('an attempt holds a mark of its card that is the same at its shop alone and is forgotten after a day', async () => {
      const markAt = (merchantId: string, mode: 'test' | 'live', number: string) =>
        server.deps.cardMark(cardWithNumber(number).number, { merchantId, mode })
      const [one, other] = [newCard(), newCard()]
      const marks = [
        markAt('a', 'live', one),
        markAt('a', 'live', other),
        markAt('b', 'live', one),
        markAt('a', 'test', one),
      ]
      assert.equal(new Set(marks).size, 4)
      const { orderCode } = await startFrom({ number: one, from: '2001:db8:1:2::3' })
      const read = async () => {
        const [row] = await server.deps.database.rows('SELECT * FROM attempts WHERE order_code = $1', orderCode)
        return [row?.['card_mark'], row?.['client_network'], row?.['client_site']]
      }
      const mark = markAt(TEA_MERCHANT.id, 'live', one)
      assert.equal(mark.length, 11, '64 bits')
      assert.deepEqual(await read(), [mark, '2001:db8:1:2::/64', '2001:db8:1::/48'])
      clock.advance(24 * HOUR)
      await workOnce(server.deps)
      assert.deepEqual(await read(), [null, null, null])
    })

    test('a test checkout counts no card', async () => {
      const link = freshCheckout({ merchantId: TEA_MERCHANT.id, mode: 'test', validUntil: clock.now() + HOUR })
      await insertCheckout(server.deps.database, link)
      assert.equal((await startFrom({ link: link.id, number: CARD.number })).answer.statusCode, 200)
      assert.equal(await countRows('card_questions'), 0)
      assert.equal(await countRows('attempts WHERE card_mark IS NOT NULL'), 0)
    })
  })
})
