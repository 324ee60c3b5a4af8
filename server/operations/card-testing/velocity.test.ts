import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { cardTestingShop } from '../../../proof/harness/card-testing-shop.ts'
import { cardWithNumber } from '../../../proof/harness/cards.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { decidedOutcome } from '../../../proof/harness/fake-three-ds-servers.ts'
import { freshCheckout } from '../../../proof/harness/fresh-records.ts'
import { insertCheckout, saveMerchant } from '../../../proof/harness/save-records.ts'
import { CARD } from '../../../proof/harness/test-server.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { workOnce } from '../../background/worker.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DECLINED = { outcome: 'declined', reason: 'insufficient funds' } as const

describe('card testing', () => {
  onBothDatabases(({ open, name }) => {
    const shop = cardTestingShop(open)
    const { gateway, threeDS, clock, newCard, newLink, authenticate } = shop
    beforeEach(() => {
      gateway.chargeOutcome = null
      threeDS.answers.start = { outcome: 'not_enrolled' }
      threeDS.answers.authenticate = decidedOutcome('Y')
      threeDS.answers.result = { outcome: 'pending' }
    })

    type Try = Partial<Parameters<typeof shop.start>[0]>
    const startFrom = (how: Try = {}) => shop.start({ from: '192.0.2.1', ...how })
    const payFrom = async (how: Try = {}): Promise<LightMyRequestResponse> => {
      const { answer, checkoutId, orderCode } = await startFrom(how)
      return answer.statusCode === 200 ? shop.server.pay(checkoutId, orderCode) : answer
    }
    const statusesOf = async (count: number, call: () => Promise<LightMyRequestResponse>): Promise<number[]> => {
      const statuses: number[] = []
      for (let tries = 0; tries < count; tries += 1) statuses.push((await call()).statusCode)
      return statuses
    }
    const codes = (count: number, status: number): number[] => Array.from({ length: count }, () => status)
    const countRows = async (table: string): Promise<number> =>
      (await shop.server.deps.database.rows(`SELECT * FROM ${table}`)).length

    /** Whether a start from here needs a challenge. The issuer authenticates the card holder without one, who pays. */
    const isChallenged = async (how: Try = {}): Promise<boolean> => {
      gateway.chargeOutcome = null
      threeDS.answers.start = 'started'
      threeDS.answers.authenticate = decidedOutcome('Y')
      const { answer, checkoutId, orderCode } = await startFrom(how)
      assert.equal(answer.statusCode, 200)
      await authenticate(orderCode)
      assert.equal((await shop.server.pay(checkoutId, orderCode)).statusCode, 200)
      return threeDS.received.authentications.at(-1)?.isChallengeMandatory ?? assert.fail()
    }

    test('after ten declined cards from one address, its starts need a challenge for an hour, and are not refused', async () => {
      gateway.chargeOutcome = DECLINED
      const asked = gateway.charges.length
      // These cards are outside 3-D Secure: nobody can challenge them, so the acquirer is not asked.
      assert.deepEqual(await statusesOf(12, payFrom), codes(12, 402))
      assert.equal(gateway.charges.length - asked, 10)
      assert.equal(await isChallenged({ from: '192.0.2.2' }), false, 'another address')
      assert.equal(await isChallenged(), true)
      clock.advance(HOUR)
      assert.equal(await isChallenged(), false)
    })

    test('a start that is left, refused by the issuer or given up in a challenge counts as a decline', async () => {
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
        return shop.server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/challenge-error` })
      }
      assert.deepEqual(await statusesOf(10, givenUp), codes(10, 200))
      assert.equal(await isChallenged({ from: '192.0.2.15' }), true)
    })

    test('of eighty starts from one address at the same moment, sixty go through, thirty of them without a challenge', async () => {
      const links = await Promise.all(Array.from({ length: 80 }, newLink))
      threeDS.answers.start = 'started'
      const answers = await Promise.all(links.map((link) => startFrom({ link })))
      const passed = answers.filter(({ answer }) => answer.statusCode === 200)
      const unchallenged = await countRows('attempts WHERE challenge_demanded = 0')
      assert.deepEqual([passed.length, unchallenged], [60, 30], name)
    })

    test('one card is sent out four times in an hour and eight times in a day, from any address; after that it is declined without asking anybody', async () => {
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

    test('a payment sets the count of its card back to zero', async () => {
      const number = newCard()
      gateway.chargeOutcome = DECLINED
      assert.deepEqual(await statusesOf(3, () => payFrom({ number })), codes(3, 402))
      gateway.chargeOutcome = null
      assert.equal((await payFrom({ number })).statusCode, 200)
      assert.equal(await countRows('card_questions'), 0)
    })

    test('a card is counted by a keyed hash that is stored with nothing else of its payment, and is deleted after a day, like the address', async () => {
      const number = newCard()
      const { orderCode, checkoutId } = await startFrom({ number })
      const [row = {}] = await shop.server.deps.database.rows('SELECT * FROM card_questions')
      assert.deepEqual(Object.keys(row).toSorted(), ['asked_at', 'fingerprint', 'id'])
      for (const told of [number, number.slice(-4), orderCode, checkoutId])
        assert.ok(!JSON.stringify(row).includes(told), told)
      assert.equal(Number(row['asked_at']) % (10 * MINUTE), 0)
      clock.advance(23 * HOUR)
      await workOnce(shop.server.deps)
      assert.deepEqual(
        [await countRows('card_questions'), await countRows('attempts WHERE client_network IS NOT NULL')],
        [1, 1],
      )
      clock.advance(HOUR + 10 * MINUTE)
      await workOnce(shop.server.deps)
      assert.deepEqual(
        [await countRows('card_questions'), await countRows('attempts WHERE client_network IS NOT NULL')],
        [0, 0],
      )
    })

    test('the mark of a card differs from shop to shop, and is deleted after a day', async () => {
      const markAt = (merchantId: string, mode: 'test' | 'live', number: string) =>
        shop.server.deps.cardMark(cardWithNumber(number).number, { merchantId, mode })
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
        const [row] = await shop.server.deps.database.rows('SELECT * FROM attempts WHERE order_code = $1', orderCode)
        return [row?.['card_mark'], row?.['client_network'], row?.['client_site']]
      }
      const mark = markAt(TEA_MERCHANT.id, 'live', one)
      assert.equal(mark.length, 11, '64 bits')
      assert.deepEqual(await read(), [mark, '2001:db8:1:2::/64', '2001:db8:1::/48'])
      clock.advance(24 * HOUR)
      await workOnce(shop.server.deps)
      assert.deepEqual(await read(), [null, null, null])
    })

    test('while the 3-D Secure server is unavailable, attempts count neither for an address nor for a card', async () => {
      threeDS.answers.start = { outcome: 'unavailable', why: 'no answer' }
      const number = newCard()
      assert.deepEqual(await statusesOf(40, async () => (await startFrom({ number })).answer), codes(40, 503))
      threeDS.answers.start = { outcome: 'not_enrolled' }
      assert.equal((await payFrom({ number })).statusCode, 200)
    })

    // One engine shows the rest: it asks the same statements again.
    if (name === 'PostgreSQL') return

    test('a shopper who shares an address with a bot pays after a challenge, at every shop, and waits at most two minutes', async () => {
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
      await saveMerchant(shop.server.deps.database, other, 0)
      const link = freshCheckout({ merchantId: other.id, mode: 'live', validUntil: clock.now() + HOUR })
      await insertCheckout(shop.server.deps.database, link)
      const elsewhere = await shop.server.sendRequest({
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

    test('one card that pays again and again raises the limit of its address by three, once', async () => {
      const own = newCard()
      for (let round = 0; round < 13; round += 1) {
        gateway.chargeOutcome = null
        assert.equal((await payFrom({ number: own })).statusCode, 200)
        gateway.chargeOutcome = DECLINED
        assert.equal((await payFrom()).statusCode, 402)
      }
      assert.equal(await isChallenged(), true)
    })

    test('the networks of one IPv6 /56 and of one /48 are counted together over all shops', async () => {
      gateway.chargeOutcome = DECLINED
      let network = 0
      const fromHousehold = () => payFrom({ from: `2001:db8:7:${(network += 1).toString(16)}::1` })
      await statusesOf(30, fromHousehold)
      assert.equal(await isChallenged({ from: '2001:db8:7:ff::1' }), true)
      assert.equal(await isChallenged({ from: '2001:db8:7:100::1' }), false, 'another /56')
      assert.equal(shop.server.logLines.filter((line) => line.includes('at all shops together')).length, 1)
    })

    test('sixty shoppers behind one address pay, some after declined cards, and none is refused', async () => {
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

    test('a card that is wiped while its charge begins keeps its count, and its payment is answered', async () => {
      const number = newCard()
      const { checkoutId, orderCode } = await startFrom({ number })
      const { find } = shop.server.deps.cardHold
      shop.server.deps.cardHold.find = async (binding) => {
        const held = await find(binding)
        if (held.outcome === 'held') queueMicrotask(() => held.card.number.wipe())
        return held
      }
      const answer = await shop.server.pay(checkoutId, orderCode)
      shop.server.deps.cardHold.find = find
      assert.equal(answer.statusCode, 200)
      assert.equal(await countRows('card_questions'), 1)
    })

    test('a test checkout counts no card', async () => {
      const link = freshCheckout({ merchantId: TEA_MERCHANT.id, mode: 'test', validUntil: clock.now() + HOUR })
      await insertCheckout(shop.server.deps.database, link)
      assert.equal((await startFrom({ link: link.id, number: CARD.number })).answer.statusCode, 200)
      assert.equal(await countRows('card_questions'), 0)
      assert.equal(await countRows('attempts WHERE card_mark IS NOT NULL'), 0)
    })
  })
})
