import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { CONSENT_VERSION } from '#contract/consent.ts'
import { saveMerchant } from '../store/merchants.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { countingGateway } from '../../proof/harness/counting-gateway.ts'
import { openShop, SETTINGS, TEA, type Shop } from '../../proof/harness/shop.ts'
import { decided, scriptedThreeDS, type ScriptedThreeDS } from '../../proof/harness/three-ds-stand-ins.ts'
import { virtualClock } from '../../proof/harness/virtual-clock.ts'

const BRIDGE = 'http://3ds.localhost:3000'
const MINUTE_MS = 60_000

describe('a payment with 3-D Secure', () => {
  onBothDatabases(({ open }) => {
    const gateway = countingGateway()
    let threeDS: ScriptedThreeDS
    let shop: Shop
    before(async () => {
      threeDS = scriptedThreeDS()
      shop = await openShop({ database: await open(), gateway, threeDSServer: threeDS, clock: virtualClock() })
    })
    beforeEach(() => {
      Object.assign(threeDS.says, { start: 'started', authenticate: decided('Y'), result: { outcome: 'pending' } })
      gateway.next = null
    })

    const patch = (orderCode: string, call: string, merchant = 'tea'): Promise<LightMyRequestResponse> =>
      shop.call({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/${call}`, merchant })
    const authenticate = (orderCode: string): Promise<LightMyRequestResponse> => patch(orderCode, 'authenticate')
    const monitor = async (orderCode: string): Promise<string> => {
      const answer = await shop.call({ method: 'GET', url: `/api/v1/3ds/${orderCode}/monitor` })
      return answer.json<{ event?: string; code?: string }>().event ?? answer.json<{ code: string }>().code
    }
    const said = (answer: LightMyRequestResponse): string => {
      const { status, code } = answer.json<{ status?: string; code?: string }>()
      return `${answer.statusCode} ${status ?? code ?? ''}`
    }
    const statusOf = async (checkoutId: string): Promise<string> =>
      (await shop.read(checkoutId)).json<{ status: string }>().status
    const stateOf = async (orderCode: string): Promise<string> => {
      const [row] = await shop.parts.database.rows('SELECT state FROM attempts WHERE order_code = $1', orderCode)
      return String(row?.['state'])
    }
    const ticketOf = async (orderCode: string): Promise<string> => {
      const sql = 'SELECT ticket FROM authentications WHERE order_code = $1'
      const [row] = await shop.parts.database.rows(sql, orderCode)
      return String(row?.['ticket'])
    }
    const chargesOf = (orderCode: string): number =>
      gateway.charges.filter((charge) => charge.orderCode === orderCode).length
    const challenged = async (): Promise<{ checkout: string; order: string }> => {
      threeDS.says.authenticate = 'challenge'
      const checkout = await shop.create()
      const order = await shop.start(checkout)
      assert.equal((await authenticate(order)).json<{ threeDSType: string }>().threeDSType, 'challenge')
      return { checkout, order }
    }

    test('start names the two pages of the bridge, and the checkout’s card is held for the authentication', async () => {
      const checkout = await shop.create()
      const answer = await shop.submit(checkout)
      const { orderCode, ...rest } = answer.json<{ orderCode: string }>()
      const ticket = await ticketOf(orderCode)
      assert.notEqual(ticket, orderCode)
      assert.deepEqual(rest, {
        threeDSRequired: true,
        collectUrl: `${BRIDGE}/collect/${ticket}`,
        monitoringUrl: `${BRIDGE}/watch/${ticket}`,
      })
      const order = threeDS.asked.starts.at(-1)
      assert.deepEqual(
        [order?.orderCode, order?.mode, order?.eventUrl],
        [orderCode, 'test', `${BRIDGE}/events/${ticket}`],
      )
    })

    test('an authenticated card is charged once, with its proof, and the card is forgotten', async () => {
      const checkout = await shop.create()
      const order = await shop.start(checkout)
      const answer = (await authenticate(order)).json<Record<string, string>>()
      assert.deepEqual(Object.keys(answer).toSorted(), ['checkCode', 'orderCode', 'threeDSType'])
      assert.equal(answer['threeDSType'], 'frictionless')
      assert.match(answer['checkCode'] ?? '', /^[a-z2-7]{26,}$/)
      assert.equal(said(await shop.pay(checkout, order)), '200 paid')
      assert.equal(chargesOf(order), 1)
      const proof = gateway.charges.at(-1)?.clearance
      assert.deepEqual(proof, {
        by: 'authentication',
        authentication: {
          transStatus: 'Y',
          eci: '05',
          authenticationValue: 'AAABBZEEBgAAAAAAAAAAAAAAAAA=',
          dsTransId: 'ds-1',
          messageVersion: '2.2.0',
        },
      })
      assert.equal(
        shop.parts.cardHold.find({ merchantId: 'tea-id', checkoutId: checkout, orderCode: order, amountYen: 1980 }),
        undefined,
      )
    })

    test('the issuer is told the amount, the shop and the card of this attempt', async () => {
      const checkout = await shop.create({ amount: 4321 })
      const order = await shop.start(checkout, '5555555555554444')
      await authenticate(order)
      const request = threeDS.asked.authentications.at(-1)
      assert.equal(request?.amountYen, 4321)
      assert.equal(request?.merchantName, SETTINGS.receipt.shopName)
      assert.equal(request?.session.serverTransId, `s-${order}`)
      assert.deepEqual(request?.card.number.face, { brand: 'master', lastFour: '4444' })
      assert.deepEqual([request?.card.email, request?.card.holderName], ['taro@example.com', 'TARO YAMADA'])
    })

    test('the consent to which a shopper agreed is kept with its attempt', async () => {
      const order = await shop.start(await shop.create())
      const sql = 'SELECT consent_version, started_at FROM attempts WHERE order_code = $1'
      const [row] = await shop.parts.database.rows(sql, order)
      assert.deepEqual({ ...row }, { consent_version: CONSENT_VERSION, started_at: shop.clock.now() })
    })

    test('a second caller is told the same answer, and the issuer is asked once', async () => {
      const order = await shop.start(await shop.create())
      const asked = threeDS.asked.authentications.length
      const held = threeDS.hold()
      const both = [authenticate(order), authenticate(order)].map((call) => call.then((answer) => answer.body))
      held.release()
      const [first, second] = await Promise.all(both)
      assert.equal(first, second)
      assert.equal((await authenticate(order)).body, first)
      assert.equal(threeDS.asked.authentications.length - asked, 1)
    })

    for (const [transStatus, reason] of [
      ['N', 'counted'],
      ['U', 'not counted'],
      ['R', 'blocked'],
      ['I', 'no proof'],
      ['D', 'decoupled'],
    ] as const) {
      test(`${transStatus} goes on to pay, which declines it without a charge (${reason})`, async () => {
        threeDS.says.authenticate = decided(transStatus)
        const checkout = await shop.create()
        const order = await shop.start(checkout)
        assert.equal((await authenticate(order)).json<{ threeDSType: string }>().threeDSType, 'frictionless')
        assert.equal(said(await shop.pay(checkout, order)), '402 card_declined')
        assert.equal(chargesOf(order), 0)
        assert.equal(await statusOf(checkout), 'open')
        assert.equal(await stateOf(order), 'refused')
      })
    }

    test('Y without its value is refused', async () => {
      threeDS.says.authenticate = decided('Y', { authenticationValue: null })
      const checkout = await shop.create()
      const order = await shop.start(checkout)
      await authenticate(order)
      assert.equal(said(await shop.pay(checkout, order)), '402 card_declined')
      assert.equal(chargesOf(order), 0)
    })

    test('an attempt is charged, unless the merchant demands a full authentication', async () => {
      threeDS.says.authenticate = decided('A', { eci: '06' })
      const [taken, refused] = [await shop.create(), await shop.create()]
      const first = await shop.start(taken)
      await authenticate(first)
      assert.equal(said(await shop.pay(taken, first)), '200 paid')
      const strict = { ...SETTINGS, requireFullAuthentication: true }
      await saveMerchant(shop.parts.database, { ...TEA, settings: strict }, 0)
      const second = await shop.start(refused)
      await authenticate(second)
      assert.equal(said(await shop.pay(refused, second)), '402 card_declined')
      await saveMerchant(shop.parts.database, TEA, 0)
    })

    test('a card that its issuer rejected is not sent out again on this link; another card is', async () => {
      threeDS.says.authenticate = decided('R')
      const checkout = await shop.create()
      await authenticate(await shop.start(checkout))
      const starts = threeDS.asked.starts.length
      await assert.rejects(shop.start(checkout), /card_declined/)
      assert.equal(threeDS.asked.starts.length, starts)
      threeDS.says.authenticate = decided('Y')
      const other = await shop.start(checkout, '5555555555554444')
      await authenticate(other)
      assert.equal(said(await shop.pay(checkout, other)), '200 paid')
    })

    test('five refusals that count close the link; those that do not never do', async () => {
      const [counted, uncounted] = [await shop.create(), await shop.create()]
      for (let round = 1; round <= 5; round += 1) {
        threeDS.says.authenticate = decided('U')
        await authenticate(await shop.start(uncounted))
        threeDS.says.authenticate = decided('N')
        const order = await shop.start(counted)
        await authenticate(order)
        assert.equal(await statusOf(counted), round < 5 ? 'open' : 'failed')
        if (round === 5) assert.equal(said(await shop.pay(counted, order)), '200 failed')
      }
      assert.equal(await statusOf(uncounted), 'open')
    })

    test('a challenge names its page and the address to poll, on the origins of bridge and merchant', async () => {
      const { order } = await challenged()
      const { checkCode: _code, ...answer } = (await authenticate(order)).json<Record<string, string>>()
      assert.deepEqual(answer, {
        threeDSType: 'challenge',
        orderCode: order,
        challengeUrl: `${BRIDGE}/challenge/${await ticketOf(order)}`,
        monitoringUrl: `http://tea.localhost:3000/api/v1/3ds/${order}/monitor`,
      })
    })

    test('the monitor waits for the result, then says that it is there, and pay charges once', async () => {
      const { checkout, order } = await challenged()
      assert.equal(await monitor(order), 'AuthResultNotReady')
      threeDS.says.result = decided('Y')
      assert.equal(await monitor(order), 'AuthResultReady')
      const asked = threeDS.asked.results.length
      assert.equal(await monitor(order), 'AuthResultReady')
      assert.equal(said(await shop.pay(checkout, order)), '200 paid')
      assert.equal(threeDS.asked.results.length, asked)
      assert.equal(chargesOf(order), 1)
    })

    test('pay reads the result itself, and without one refuses after five seconds', async () => {
      const { checkout, order } = await challenged()
      const begun = shop.clock.now()
      assert.equal(said(await shop.pay(checkout, order)), '409 authentication_unfinished')
      assert.ok(shop.clock.now() - begun >= 5000 && shop.clock.now() - begun < 7000)
      assert.equal(chargesOf(order), 0)
      threeDS.says.result = { outcome: 'unavailable', why: 'HTTP 503' }
      assert.equal(said(await shop.pay(checkout, order)), '409 authentication_unfinished')
      threeDS.says.result = decided('Y')
      assert.equal(said(await shop.pay(checkout, order)), '200 paid')
    })

    test('a challenge that the card holder fails is declined, and counts; one that they cancel does not', async () => {
      for (const [challengeCancel, counted] of [
        [null, true],
        ['01', false],
        ['04', false],
      ] as const) {
        const { checkout, order } = await challenged()
        threeDS.says.result = decided('N', { challengeCancel })
        assert.equal(said(await shop.pay(checkout, order)), '402 card_declined')
        const [row] = await shop.parts.database.rows('SELECT details FROM attempts WHERE order_code = $1', order)
        assert.equal(JSON.parse(String(row?.['details'])).counted, counted)
      }
    })

    test('no answer of the 3-D Secure server is a passing fault: nothing is charged and the shopper can start again', async () => {
      const checkout = await shop.create()
      threeDS.says.start = { outcome: 'unavailable', why: 'HTTP 503' }
      await assert.rejects(shop.start(checkout), /authentication_unavailable/)
      threeDS.says.start = 'started'
      threeDS.says.authenticate = { outcome: 'unavailable', why: 'no answer in time' }
      const order = await shop.start(checkout)
      assert.equal(said(await authenticate(order)), '503 authentication_unavailable')
      assert.equal(said(await authenticate(order)), '409 order_over')
      assert.equal(said(await shop.pay(checkout, order)), '409 order_over')
      threeDS.says.authenticate = decided('Y')
      const next = await shop.start(checkout)
      await authenticate(next)
      assert.equal(said(await shop.pay(checkout, next)), '200 paid')
    })

    test('a start while the issuer is asked supersedes that attempt, whose late answer changes nothing', async () => {
      const checkout = await shop.create()
      const first = await shop.start(checkout)
      const held = threeDS.hold()
      const late = authenticate(first).then(said)
      while ((await stateOf(first)) !== 'authenticating') await new Promise(setImmediate)
      const second = await shop.start(checkout)
      held.release()
      assert.equal(await late, '409 order_over')
      assert.equal(said(await shop.pay(checkout, first)), '409 order_over')
      await authenticate(second)
      assert.equal(said(await shop.pay(checkout, second)), '200 paid')
      assert.equal(chargesOf(first), 0)
    })

    test('beside a challenge a second attempt lives, the first to pay wins, and the other is told paid', async () => {
      const { checkout, order } = await challenged()
      threeDS.says.authenticate = decided('Y')
      const second = await shop.start(checkout, '5555555555554444')
      assert.equal(await stateOf(order), 'challenged')
      await authenticate(second)
      assert.equal(said(await shop.pay(checkout, second)), '200 paid')
      assert.equal(await monitor(order), 'AuthResultReady')
      threeDS.says.result = decided('Y')
      assert.equal(said(await shop.pay(checkout, order)), '200 paid')
      assert.deepEqual([chargesOf(order), chargesOf(second)], [0, 1])
      assert.equal(
        shop.parts.cardHold.find({ merchantId: 'tea-id', checkoutId: checkout, orderCode: order, amountYen: 1980 }),
        undefined,
      )
    })

    test('an error report gives the attempt up and forgets its card; told twice it is the same', async () => {
      const collecting = await shop.start(await shop.create())
      for (let round = 0; round < 2; round += 1) assert.deepEqual((await patch(collecting, 'collect-error')).json(), {})
      assert.equal(said(await authenticate(collecting)), '409 order_over')
      const { checkout, order } = await challenged()
      const told = threeDS.asked.abandoned.length
      for (let round = 0; round < 2; round += 1) assert.deepEqual((await patch(order, 'challenge-error')).json(), {})
      assert.deepEqual(threeDS.asked.abandoned.slice(told), ['not shown'])
      assert.equal(said(await shop.pay(checkout, order)), '409 order_over')
      assert.equal(await monitor(order), 'AuthResultReady')
    })

    test('a result that is there before the error report stands', async () => {
      const { order } = await challenged()
      threeDS.says.result = decided('N')
      assert.deepEqual((await patch(order, 'challenge-error')).json(), {})
      assert.equal(await stateOf(order), 'refused')
    })

    test('a cancel gives up a challenge, after which there is nothing to wait for and nothing to charge', async () => {
      const { checkout, order } = await challenged()
      const cancelled = await shop.call({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })
      assert.equal(said(cancelled), '200 cancelled')
      assert.equal(await monitor(order), 'AuthResultReady')
      threeDS.says.result = decided('Y')
      assert.equal(said(await shop.pay(checkout, order)), '200 cancelled')
      assert.equal(chargesOf(order), 0)
    })

    test('a challenge that ends after the deadline is not charged', async () => {
      threeDS.says.authenticate = 'challenge'
      const validUntil = new Date(shop.clock.now() + 2 * MINUTE_MS).toISOString()
      const checkout = await shop.create({ validUntil })
      const order = await shop.start(checkout)
      await authenticate(order)
      shop.clock.advance(3 * MINUTE_MS)
      threeDS.says.result = decided('Y')
      assert.equal(await monitor(order), 'AuthResultReady')
      assert.equal(said(await shop.pay(checkout, order)), '200 expired')
      assert.equal(chargesOf(order), 0)
    })

    test('a card is held for fifteen minutes of authentication and no longer', async () => {
      const order = await shop.start(await shop.create())
      shop.clock.advance(15 * MINUTE_MS)
      assert.equal(said(await authenticate(order)), '409 card_not_held')
    })

    test('an adapter that fails is a server that does not answer: nothing is charged and no card is left behind', async () => {
      const checkout = await shop.create()
      const broken = { ...threeDS, start: () => Promise.reject(new Error('a bug')) }
      const cards = shop.parts.cardHold.size
      const other = await openShop({
        database: shop.parts.database,
        gateway,
        threeDSServer: { ...broken, authenticate: broken.start, result: broken.start },
        clock: virtualClock(),
      })
      await assert.rejects(other.start(checkout), /authentication_unavailable/)
      assert.equal(other.parts.cardHold.size, 0)
      assert.equal(shop.parts.cardHold.size, cards)
    })

    test('a challenge whose result cannot be asked for stays a challenge', async () => {
      const { checkout, order } = await challenged()
      const real = threeDS.result
      threeDS.result = () => Promise.reject(new Error('a bug'))
      assert.equal(await monitor(order), 'AuthResultNotReady')
      threeDS.result = real
      threeDS.says.result = decided('Y')
      assert.equal(said(await shop.pay(checkout, order)), '200 paid')
    })

    test('when a fifth refusal closes the link, the cards of its other attempts are forgotten too', async () => {
      const checkout = await shop.create()
      threeDS.says.authenticate = decided('N')
      for (let round = 1; round <= 4; round += 1) await authenticate(await shop.start(checkout))
      threeDS.says.authenticate = 'challenge'
      const waiting = await shop.start(checkout)
      await authenticate(waiting)
      threeDS.says.authenticate = decided('N')
      await authenticate(await shop.start(checkout, '5555555555554444'))
      assert.equal(await statusOf(checkout), 'failed')
      const binding = { merchantId: 'tea-id', checkoutId: checkout, orderCode: waiting, amountYen: 1980 }
      assert.equal(shop.parts.cardHold.find(binding), undefined)
    })

    test('many who wait for one answer read, and write nothing', async () => {
      const checkout = await shop.create()
      const order = await shop.start(checkout)
      const held = threeDS.hold()
      const first = authenticate(order).then(said)
      while ((await stateOf(order)) !== 'authenticating') await new Promise(setImmediate)
      const version = async (): Promise<unknown> =>
        (await shop.parts.database.rows('SELECT version FROM checkouts WHERE id = $1', checkout))[0]?.['version']
      const before = await version()
      const many = Array.from({ length: 10 }, () => authenticate(order).then(said))
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
      assert.equal(await version(), before)
      held.release()
      await first
      await Promise.all(many)
    })

    test('an issuer that does not answer about an attempt that was superseded meanwhile leaves it superseded', async () => {
      threeDS.says.authenticate = { outcome: 'unavailable', why: 'no answer in time' }
      const checkout = await shop.create()
      const first = await shop.start(checkout)
      const held = threeDS.hold()
      const late = authenticate(first).then(said)
      while ((await stateOf(first)) !== 'authenticating') await new Promise(setImmediate)
      await shop.start(checkout)
      held.release()
      assert.equal(await late, '409 order_over')
    })

    test('a cancel calls the challenge off, so that the bank stops asking', async () => {
      const { checkout } = await challenged()
      const told = threeDS.asked.abandoned.length
      await shop.call({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })
      assert.equal(threeDS.asked.abandoned.length - told, 1)
    })

    test('a card outside 3-D Secure is not authenticated: that call is at another step', async () => {
      threeDS.says.start = { outcome: 'not_enrolled' }
      const order = await shop.start(await shop.create())
      assert.equal(said(await authenticate(order)), '409 wrong_step')
    })

    test('nothing about a browser is kept once its attempt is over, however it ended', async () => {
      const facts = { language: 'ja', javaEnabled: false, colorDepth: 24, height: 1, width: 1, timeZoneOffset: 0 }
      const tellFacts = async (order: string): Promise<void> => {
        const url = `/collect/${await ticketOf(order)}/browser`
        await shop.app.inject({ method: 'POST', url, headers: { host: '3ds.localhost:3000' }, payload: facts })
      }
      const keptOf = async (order: string): Promise<unknown> => {
        const sql = 'SELECT browser FROM authentications WHERE order_code = $1'
        return (await shop.parts.database.rows(sql, order))[0]?.['browser']
      }
      const checkout = await shop.create()
      const superseded = await shop.start(checkout)
      await tellFacts(superseded)
      assert.notEqual(await keptOf(superseded), null)
      const reported = await shop.start(checkout)
      await tellFacts(reported)
      await patch(reported, 'collect-error')
      threeDS.says.authenticate = { outcome: 'unavailable', why: 'no answer in time' }
      const unanswered = await shop.start(checkout)
      await tellFacts(unanswered)
      await authenticate(unanswered)
      for (const order of [superseded, reported, unanswered]) {
        assert.equal(await keptOf(order), null)
        await tellFacts(order)
        assert.equal(await keptOf(order), null)
      }
    })

    test('an order code belongs to its merchant, its checkout and nobody else', async () => {
      const [mine, other] = [await shop.create(), await shop.create()]
      const order = await shop.start(mine)
      for (const call of ['authenticate', 'collect-error', 'challenge-error'])
        for (const wrong of ['x', '%00', 'a'.repeat(32)])
          assert.equal(said(await patch(wrong, call)), '409 order_not_found', `${call} ${wrong}`)
      assert.equal(said(await patch(order, 'authenticate', 'books')), '409 order_not_found')
      assert.equal(said(await patch(order, 'collect-error', 'books')), '409 order_not_found')
      await authenticate(order)
      assert.equal(said(await shop.pay(other, order)), '409 order_not_found')
      assert.equal(await monitor('a'.repeat(32)), 'order_not_found')
      assert.equal(chargesOf(order), 0)
      assert.equal(said(await shop.pay(mine, order)), '200 paid')
    })
  })
})
