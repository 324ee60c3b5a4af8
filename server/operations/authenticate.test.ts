import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { CONSENT_VERSION } from '#contract/consent.ts'
import { authenticate as callAuthenticate } from './authenticate.ts'
import { onBothDatabases } from '../../proof/harness/databases.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { MERCHANT_SETTINGS, TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import {
  decidedOutcome,
  scriptedThreeDSServer,
  type ScriptedThreeDSServer,
} from '../../proof/harness/fake-three-ds-servers.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { saveMerchant } from '../../proof/harness/save-records.ts'
import { heldCard } from '../../proof/harness/cards.ts'

const BRIDGE = 'http://3ds.localhost:3000'
const MINUTE_MS = 60_000

describe('a payment with 3-D Secure', () => {
  onBothDatabases(({ open }) => {
    const gateway = fakeGateway()
    let threeDS: ScriptedThreeDSServer
    let server: TestServer
    before(async () => {
      threeDS = scriptedThreeDSServer()
      server = await openTestServer({ database: await open(), gateway, threeDSServer: threeDS, clock: virtualClock() })
    })
    beforeEach(() => {
      Object.assign(threeDS.answers, {
        start: 'started',
        authenticate: decidedOutcome('Y'),
        result: { outcome: 'pending' },
      })
      gateway.chargeOutcome = null
    })

    const patch = (orderCode: string, call: string, merchant = 'tea'): Promise<LightMyRequestResponse> =>
      server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/${call}`, merchant })
    const authenticate = (orderCode: string): Promise<LightMyRequestResponse> => patch(orderCode, 'authenticate')
    const monitor = async (orderCode: string): Promise<string> => {
      const answer = await server.sendRequest({ method: 'GET', url: `/api/v1/3ds/${orderCode}/monitor` })
      return answer.json<{ event?: string; code?: string }>().event ?? answer.json<{ code: string }>().code
    }
    const answerOf = (answer: LightMyRequestResponse): string => {
      const { status, code } = answer.json<{ status?: string; code?: string }>()
      return `${answer.statusCode} ${status ?? code ?? ''}`
    }
    const statusOf = async (checkoutId: string): Promise<string> =>
      (await server.readCheckout(checkoutId)).json<{ status: string }>().status
    const stateOf = async (orderCode: string): Promise<string> => {
      const [row] = await server.deps.database.rows('SELECT state FROM attempts WHERE order_code = $1', orderCode)
      return String(row?.['state'])
    }
    const ticketOf = async (orderCode: string): Promise<string> => {
      const sql = 'SELECT ticket FROM authentications WHERE order_code = $1'
      const [row] = await server.deps.database.rows(sql, orderCode)
      return String(row?.['ticket'])
    }
    const chargesOf = (orderCode: string): number =>
      gateway.charges.filter((charge) => charge.orderCode === orderCode).length
    const challenged = async (): Promise<{ checkout: string; order: string }> => {
      threeDS.answers.authenticate = 'challenge'
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      assert.equal((await authenticate(order)).json<{ threeDSType: string }>().threeDSType, 'challenge')
      return { checkout, order }
    }

    test('start names the two pages of the bridge, and the checkout’s card is held for the authentication', async () => {
      const checkout = await server.createCheckout()
      const answer = await server.submitCard(checkout)
      const { orderCode, ...rest } = answer.json<{ orderCode: string }>()
      const ticket = await ticketOf(orderCode)
      assert.notEqual(ticket, orderCode)
      assert.deepEqual(rest, {
        threeDSRequired: true,
        collectUrl: `${BRIDGE}/collect/${ticket}`,
        monitoringUrl: `${BRIDGE}/watch/${ticket}`,
      })
      const order = threeDS.received.starts.at(-1)
      assert.deepEqual(
        [order?.orderCode, order?.mode, order?.eventUrl],
        [orderCode, 'test', `${BRIDGE}/events/${ticket}`],
      )
    })

    test('an authenticated card is charged once, with its proof, and the card is forgotten', async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      const answer = (await authenticate(order)).json<Record<string, string>>()
      assert.deepEqual(Object.keys(answer).toSorted(), ['checkCode', 'orderCode', 'threeDSType'])
      assert.equal(answer['threeDSType'], 'frictionless')
      assert.match(answer['checkCode'] ?? '', /^[a-z2-7]{26,}$/)
      assert.equal(answerOf(await server.pay(checkout, order)), '200 paid')
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
        await heldCard(server.deps.cardHold, {
          merchantId: 'tea-id',
          checkoutId: checkout,
          orderCode: order,
          amountYen: 1980,
        }),
        undefined,
      )
    })

    test('the issuer is sent the amount, the shop and the card of this attempt', async () => {
      const checkout = await server.createCheckout({ amount: 4321 })
      const order = await server.startAttempt(checkout, '5555555555554444')
      await authenticate(order)
      const request = threeDS.received.authentications.at(-1)
      assert.equal(request?.amountYen, 4321)
      assert.equal(request?.merchantName, MERCHANT_SETTINGS.receipt.shopName)
      assert.equal(request?.session.serverTransId, `s-${order}`)
      assert.deepEqual(request?.card.number.face, { brand: 'master', lastFour: '4444' })
      assert.deepEqual([request?.card.email, request?.card.holderName], ['taro@example.com', 'TARO YAMADA'])
    })

    test('the consent to which a shopper agreed is kept with its attempt', async () => {
      const order = await server.startAttempt(await server.createCheckout())
      const sql = 'SELECT consent_version, started_at FROM attempts WHERE order_code = $1'
      const [row] = await server.deps.database.rows(sql, order)
      assert.deepEqual({ ...row }, { consent_version: CONSENT_VERSION, started_at: server.clock.now() })
    })

    test('a second call gets the same answer, and the issuer is asked once', async () => {
      const order = await server.startAttempt(await server.createCheckout())
      const asked = threeDS.received.authentications.length
      const held = threeDS.holdAuthentications()
      const both = [authenticate(order), authenticate(order)].map((call) => call.then((answer) => answer.body))
      held.release()
      const [first, second] = await Promise.all(both)
      assert.equal(first, second)
      assert.equal((await authenticate(order)).body, first)
      assert.equal(threeDS.received.authentications.length - asked, 1)
    })

    for (const [transStatus, reason] of [
      ['N', 'counted'],
      ['U', 'not counted'],
      ['R', 'blocked'],
      ['I', 'no proof'],
      ['D', 'decoupled'],
    ] as const) {
      test(`a card with the transaction status ${transStatus} goes on to pay, which declines it without a charge (${reason})`, async () => {
        threeDS.answers.authenticate = decidedOutcome(transStatus)
        const checkout = await server.createCheckout()
        const order = await server.startAttempt(checkout)
        assert.equal((await authenticate(order)).json<{ threeDSType: string }>().threeDSType, 'frictionless')
        assert.equal(answerOf(await server.pay(checkout, order)), '402 card_declined')
        assert.equal(chargesOf(order), 0)
        assert.equal(await statusOf(checkout), 'open')
        assert.equal(await stateOf(order), 'refused')
      })
    }

    test('a verdict Y without its authentication value is declined without a charge', async () => {
      threeDS.answers.authenticate = decidedOutcome('Y', { authenticationValue: null })
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      await authenticate(order)
      assert.equal(answerOf(await server.pay(checkout, order)), '402 card_declined')
      assert.equal(chargesOf(order), 0)
    })

    test('an attempted authentication (A) is charged, unless the merchant demands a full authentication', async () => {
      threeDS.answers.authenticate = decidedOutcome('A', { eci: '06' })
      const [taken, refused] = [await server.createCheckout(), await server.createCheckout()]
      const first = await server.startAttempt(taken)
      await authenticate(first)
      assert.equal(answerOf(await server.pay(taken, first)), '200 paid')
      const strict = { ...MERCHANT_SETTINGS, requireFullAuthentication: true }
      await saveMerchant(server.deps.database, { ...TEA_MERCHANT, settings: strict }, 0)
      server.clock.advance(1000)
      const second = await server.startAttempt(refused)
      await authenticate(second)
      assert.equal(answerOf(await server.pay(refused, second)), '402 card_declined')
      await saveMerchant(server.deps.database, TEA_MERCHANT, 0)
      server.clock.advance(1000)
    })

    test('a call that finds the answer only once it has the lock is told the same, and the issuer is asked once', async () => {
      const order = await server.startAttempt(await server.createCheckout())
      const asked = threeDS.received.authentications.length
      const browser = { acceptHeader: '*/*', userAgent: 'x', ip: '127.0.0.1', language: 'ja', screen: null }
      const { database } = server.deps
      let first: Promise<unknown> | undefined
      const overtaken: typeof database = {
        ...database,
        transact: async (work) => {
          first ??= callAuthenticate(server.deps, TEA_MERCHANT, order, browser)
          await first
          return database.transact(work)
        },
      }
      const second = await callAuthenticate({ ...server.deps, database: overtaken }, TEA_MERCHANT, order, browser)
      assert.ok('threeDSType' in second)
      assert.deepEqual(second, await first)
      assert.equal(threeDS.received.authentications.length - asked, 1)
    })

    test('a card that its issuer rejected is not sent to 3-D Secure again on this link; another card is', async () => {
      threeDS.answers.authenticate = decidedOutcome('R')
      const checkout = await server.createCheckout()
      await authenticate(await server.startAttempt(checkout))
      const starts = threeDS.received.starts.length
      await assert.rejects(server.startAttempt(checkout), /card_declined/)
      assert.equal(threeDS.received.starts.length, starts)
      threeDS.answers.authenticate = decidedOutcome('Y')
      const other = await server.startAttempt(checkout, '5555555555554444')
      await authenticate(other)
      assert.equal(answerOf(await server.pay(checkout, other)), '200 paid')
    })

    test('five refusals that count close the link; those that do not never do', async () => {
      const [counted, uncounted] = [await server.createCheckout(), await server.createCheckout()]
      for (let round = 1; round <= 5; round += 1) {
        threeDS.answers.authenticate = decidedOutcome('U')
        await authenticate(await server.startAttempt(uncounted))
        threeDS.answers.authenticate = decidedOutcome('N')
        const order = await server.startAttempt(counted)
        await authenticate(order)
        assert.equal(await statusOf(counted), round < 5 ? 'open' : 'failed')
        if (round === 5) assert.equal(answerOf(await server.pay(counted, order)), '200 failed')
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

    test('the monitor answers not ready until the result is there, then ready, and pay charges once', async () => {
      const { checkout, order } = await challenged()
      assert.equal(await monitor(order), 'AuthResultNotReady')
      threeDS.answers.result = decidedOutcome('Y')
      assert.equal(await monitor(order), 'AuthResultReady')
      const asked = threeDS.received.results.length
      assert.equal(await monitor(order), 'AuthResultReady')
      assert.equal(answerOf(await server.pay(checkout, order)), '200 paid')
      assert.equal(threeDS.received.results.length, asked)
      assert.equal(chargesOf(order), 1)
    })

    test('pay reads the result itself, and without one refuses after five seconds', async () => {
      const { checkout, order } = await challenged()
      const begun = server.clock.now()
      assert.equal(answerOf(await server.pay(checkout, order)), '409 authentication_unfinished')
      assert.ok(server.clock.now() - begun >= 5000 && server.clock.now() - begun < 7000)
      assert.equal(chargesOf(order), 0)
      threeDS.answers.result = { outcome: 'unavailable', why: 'HTTP 503' }
      assert.equal(answerOf(await server.pay(checkout, order)), '409 authentication_unfinished')
      threeDS.answers.result = decidedOutcome('Y')
      assert.equal(answerOf(await server.pay(checkout, order)), '200 paid')
    })

    test('a challenge that the card holder fails is declined, and counts; one that they leave is unfinished, and does not', async () => {
      for (const [challengeCancel, counted, answer] of [
        [null, true, '402 card_declined'],
        ['01', false, '409 authentication_unfinished'],
        ['04', false, '409 authentication_unfinished'],
      ] as const) {
        const { checkout, order } = await challenged()
        threeDS.answers.result = decidedOutcome('N', { challengeCancel })
        for (let call = 0; call < 2; call += 1)
          assert.equal(answerOf(await server.pay(checkout, order)), answer, String(challengeCancel))
        assert.equal(chargesOf(order), 0)
        const [row] = await server.deps.database.rows('SELECT details FROM attempts WHERE order_code = $1', order)
        assert.equal(JSON.parse(String(row?.['details'])).counted, counted)
      }
    })

    test('no answer of the 3-D Secure server is a temporary fault: nothing is charged and the shopper can start again', async () => {
      const checkout = await server.createCheckout()
      threeDS.answers.start = { outcome: 'unavailable', why: 'HTTP 503' }
      await assert.rejects(server.startAttempt(checkout), /authentication_unavailable/)
      threeDS.answers.start = 'started'
      threeDS.answers.authenticate = { outcome: 'unavailable', why: 'no answer in time' }
      const order = await server.startAttempt(checkout)
      assert.equal(answerOf(await authenticate(order)), '503 authentication_unavailable')
      assert.equal(answerOf(await authenticate(order)), '409 order_over')
      assert.equal(answerOf(await server.pay(checkout, order)), '409 order_over')
      threeDS.answers.authenticate = decidedOutcome('Y')
      const next = await server.startAttempt(checkout)
      await authenticate(next)
      assert.equal(answerOf(await server.pay(checkout, next)), '200 paid')
    })

    test('a start while the issuer is asked supersedes that attempt, whose late answer changes nothing', async () => {
      const checkout = await server.createCheckout()
      const first = await server.startAttempt(checkout)
      const held = threeDS.holdAuthentications()
      const late = authenticate(first).then(answerOf)
      while ((await stateOf(first)) !== 'authenticating') await new Promise(setImmediate)
      const second = await server.startAttempt(checkout)
      held.release()
      assert.equal(await late, '409 order_over')
      assert.equal(answerOf(await server.pay(checkout, first)), '409 order_over')
      await authenticate(second)
      assert.equal(answerOf(await server.pay(checkout, second)), '200 paid')
      assert.equal(chargesOf(first), 0)
    })

    test('during a challenge a second attempt can be started, the first to pay is charged, and the other is answered paid', async () => {
      const { checkout, order } = await challenged()
      threeDS.answers.authenticate = decidedOutcome('Y')
      const second = await server.startAttempt(checkout, '5555555555554444')
      assert.equal(await stateOf(order), 'challenged')
      await authenticate(second)
      assert.equal(answerOf(await server.pay(checkout, second)), '200 paid')
      assert.equal(await monitor(order), 'AuthResultReady')
      threeDS.answers.result = decidedOutcome('Y')
      assert.equal(answerOf(await server.pay(checkout, order)), '200 paid')
      assert.deepEqual([chargesOf(order), chargesOf(second)], [0, 1])
      assert.equal(
        await heldCard(server.deps.cardHold, {
          merchantId: 'tea-id',
          checkoutId: checkout,
          orderCode: order,
          amountYen: 1980,
        }),
        undefined,
      )
    })

    test('an error report abandons the attempt and wipes its card; sent twice it gets the same answer', async () => {
      const collecting = await server.startAttempt(await server.createCheckout())
      for (let round = 0; round < 2; round += 1) assert.deepEqual((await patch(collecting, 'collect-error')).json(), {})
      assert.equal(answerOf(await authenticate(collecting)), '409 order_over')
      const { checkout, order } = await challenged()
      const abandonedBefore = threeDS.received.abandoned.length
      for (let round = 0; round < 2; round += 1) assert.deepEqual((await patch(order, 'challenge-error')).json(), {})
      assert.deepEqual(threeDS.received.abandoned.slice(abandonedBefore), ['not shown'])
      assert.equal(answerOf(await server.pay(checkout, order)), '409 order_over')
      assert.equal(await monitor(order), 'AuthResultReady')
    })

    test('a result that is there before the error report is kept', async () => {
      const { order } = await challenged()
      threeDS.answers.result = decidedOutcome('N')
      assert.deepEqual((await patch(order, 'challenge-error')).json(), {})
      assert.equal(await stateOf(order), 'refused')
    })

    test('a cancel abandons a challenge, after which there is nothing to wait for and nothing to charge', async () => {
      const { checkout, order } = await challenged()
      const cancelled = await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })
      assert.equal(answerOf(cancelled), '200 cancelled')
      assert.equal(await monitor(order), 'AuthResultReady')
      threeDS.answers.result = decidedOutcome('Y')
      assert.equal(answerOf(await server.pay(checkout, order)), '200 cancelled')
      assert.equal(chargesOf(order), 0)
    })

    test('a challenge that ends after the deadline is not charged', async () => {
      threeDS.answers.authenticate = 'challenge'
      const validUntil = new Date(server.clock.now() + 2 * MINUTE_MS).toISOString()
      const checkout = await server.createCheckout({ validUntil })
      const order = await server.startAttempt(checkout)
      await authenticate(order)
      server.clock.advance(3 * MINUTE_MS)
      threeDS.answers.result = decidedOutcome('Y')
      assert.equal(await monitor(order), 'AuthResultReady')
      assert.equal(answerOf(await server.pay(checkout, order)), '200 expired')
      assert.equal(chargesOf(order), 0)
    })

    test('a card is held for fifteen minutes of authentication and no longer', async () => {
      const order = await server.startAttempt(await server.createCheckout())
      server.clock.advance(15 * MINUTE_MS)
      assert.equal(answerOf(await authenticate(order)), '409 card_not_held')
    })

    test('an adapter that throws counts as a 3-D Secure server that is unavailable: nothing is charged and no card stays held', async () => {
      const checkout = await server.createCheckout()
      const broken = { ...threeDS, start: () => Promise.reject(new Error('a bug')) }
      const cards = server.deps.cardHold.size
      const other = await openTestServer({
        database: server.deps.database,
        gateway,
        threeDSServer: { ...broken, authenticate: broken.start, result: broken.start },
        clock: virtualClock(),
      })
      await assert.rejects(other.startAttempt(checkout), /authentication_unavailable/)
      assert.equal(other.deps.cardHold.size, 0)
      assert.equal(server.deps.cardHold.size, cards)
    })

    test('a challenge whose result cannot be read stays a challenge', async () => {
      const { checkout, order } = await challenged()
      const real = threeDS.result
      threeDS.result = () => Promise.reject(new Error('a bug'))
      assert.equal(await monitor(order), 'AuthResultNotReady')
      threeDS.result = real
      threeDS.answers.result = decidedOutcome('Y')
      assert.equal(answerOf(await server.pay(checkout, order)), '200 paid')
    })

    test('when a fifth refusal closes the link, the cards of its other attempts are forgotten too', async () => {
      const checkout = await server.createCheckout()
      threeDS.answers.authenticate = decidedOutcome('N')
      for (let round = 1; round <= 4; round += 1) await authenticate(await server.startAttempt(checkout))
      threeDS.answers.authenticate = 'challenge'
      const waiting = await server.startAttempt(checkout)
      await authenticate(waiting)
      threeDS.answers.authenticate = decidedOutcome('N')
      await authenticate(await server.startAttempt(checkout, '5555555555554444'))
      assert.equal(await statusOf(checkout), 'failed')
      const binding = { merchantId: 'tea-id', checkoutId: checkout, orderCode: waiting, amountYen: 1980 }
      assert.equal(await heldCard(server.deps.cardHold, binding), undefined)
    })

    test('many calls that wait for one answer read the checkout and write nothing', async () => {
      const checkout = await server.createCheckout()
      const order = await server.startAttempt(checkout)
      const held = threeDS.holdAuthentications()
      const first = authenticate(order).then(answerOf)
      while ((await stateOf(order)) !== 'authenticating') await new Promise(setImmediate)
      const version = async (): Promise<unknown> =>
        (await server.deps.database.rows('SELECT version FROM checkouts WHERE id = $1', checkout))[0]?.['version']
      const before = await version()
      const many = Array.from({ length: 10 }, () => authenticate(order).then(answerOf))
      for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
      assert.equal(await version(), before)
      held.release()
      await first
      await Promise.all(many)
    })

    test('an issuer that does not answer about an attempt that was superseded meanwhile leaves it superseded', async () => {
      threeDS.answers.authenticate = { outcome: 'unavailable', why: 'no answer in time' }
      const checkout = await server.createCheckout()
      const first = await server.startAttempt(checkout)
      const held = threeDS.holdAuthentications()
      const late = authenticate(first).then(answerOf)
      while ((await stateOf(first)) !== 'authenticating') await new Promise(setImmediate)
      await server.startAttempt(checkout)
      held.release()
      assert.equal(await late, '409 order_over')
    })

    test('a cancel reports the challenge as abandoned, so that the bank stops asking', async () => {
      const { checkout } = await challenged()
      const abandonedBefore = threeDS.received.abandoned.length
      await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` })
      assert.equal(threeDS.received.abandoned.length - abandonedBefore, 1)
    })

    test('a card that is not enrolled in 3-D Secure is not authenticated: that call is refused as the wrong step', async () => {
      threeDS.answers.start = { outcome: 'not_enrolled' }
      const order = await server.startAttempt(await server.createCheckout())
      assert.equal(answerOf(await authenticate(order)), '409 wrong_step')
    })

    test('nothing about a browser is kept once its attempt is over, however it ended', async () => {
      const facts = { language: 'ja', javaEnabled: false, colorDepth: 24, height: 1, width: 1, timeZoneOffset: 0 }
      const sendFacts = async (order: string): Promise<void> => {
        const url = `/collect/${await ticketOf(order)}/browser`
        await server.app.inject({ method: 'POST', url, headers: { host: '3ds.localhost:3000' }, payload: facts })
      }
      const keptOf = async (order: string): Promise<unknown> => {
        const sql = 'SELECT browser FROM authentications WHERE order_code = $1'
        return (await server.deps.database.rows(sql, order))[0]?.['browser']
      }
      const checkout = await server.createCheckout()
      const superseded = await server.startAttempt(checkout)
      await sendFacts(superseded)
      assert.notEqual(await keptOf(superseded), null)
      const reported = await server.startAttempt(checkout)
      await sendFacts(reported)
      await patch(reported, 'collect-error')
      threeDS.answers.authenticate = { outcome: 'unavailable', why: 'no answer in time' }
      const unanswered = await server.startAttempt(checkout)
      await sendFacts(unanswered)
      await authenticate(unanswered)
      for (const order of [superseded, reported, unanswered]) {
        assert.equal(await keptOf(order), null)
        await sendFacts(order)
        assert.equal(await keptOf(order), null)
      }
    })

    test('an order code belongs to its merchant, its checkout and nobody else', async () => {
      const [mine, other] = [await server.createCheckout(), await server.createCheckout()]
      const order = await server.startAttempt(mine)
      for (const call of ['authenticate', 'collect-error', 'challenge-error'])
        for (const wrong of ['x', '%00', 'a'.repeat(32)])
          assert.equal(answerOf(await patch(wrong, call)), '409 order_not_found', `${call} ${wrong}`)
      assert.equal(answerOf(await patch(order, 'authenticate', 'books')), '409 order_not_found')
      assert.equal(answerOf(await patch(order, 'collect-error', 'books')), '409 order_not_found')
      await authenticate(order)
      assert.equal(answerOf(await server.pay(other, order)), '409 order_not_found')
      assert.equal(await monitor('a'.repeat(32)), 'order_not_found')
      assert.equal(chargesOf(order), 0)
      assert.equal(answerOf(await server.pay(mine, order)), '200 paid')
    })
  })
})
