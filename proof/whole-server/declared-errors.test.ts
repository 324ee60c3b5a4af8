import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { needsConfirmingPasskey } from '#contract/access.ts'
import { MINUTE_MS } from '#contract/jst.ts'
import { MERCHANT_API } from '#contract/merchant/api.ts'
import { MERCHANT_BASE, type CallPath } from '#contract/paths.ts'
import * as shopperCalls from '#contract/shopper-calls.ts'
import type { ErrorCode } from '#contract/error-table.ts'
import { WAITING_CALLS_MAX } from '../../server/http/limits/waiting-calls.ts'
import { DatabaseUnavailable, type Database } from '../../server/store/engine/database.ts'
import { insertKey } from '../../server/store/merchant/keys.ts'
import { fakeGateway, type FakeGateway } from '../harness/fake-gateway.ts'
import { openSqliteInMemory } from '../harness/databases.ts'
import { assertErrorIsDeclared, CALLS, undeclaredError, type CallName } from '../harness/declared-errors.ts'
import { CARD, openTestServer, type TestServer } from '../harness/test-server.ts'
import { API_KEYS, TEA_MERCHANT, testKey } from '../harness/test-merchants.ts'
import { decidedOutcome, scriptedThreeDSServer, type ScriptedThreeDSServer } from '../harness/fake-three-ds-servers.ts'
import { virtualClock } from '../harness/test-clocks.ts'
import { consoleHeaders, openSession, savePersonWithPasskey } from '../harness/test-people.ts'

type AnswerPromise = Promise<LightMyRequestResponse>
/** How to make a call answer with each error. */
type ErrorTriggers = Partial<Record<ErrorCode, () => AnswerPromise>>

const UNKNOWN_ID = 'a'.repeat(32)
const PAY_BODY = { cvc: CARD.cvc, locale: 'ja_JP', receiptEmail: CARD.email }

/** Keys that may not make every call, by their access. */
const LESSER_KEYS = { read: `sk_test_${'d'.repeat(32)}`, sales: `sk_test_${'e'.repeat(32)}` } as const

/** A valid body of each call. */
const BODIES: Partial<Record<CallName, object>> = {
  startPayment: { card: CARD },
  pay: PAY_BODY,
  createCheckout: { amount: 1980 },
  createReusableLink: { amount: 1980 },
  changeReusableLink: { enabled: false },
  refundCheckout: { refundId: 'r1' },
  changeSettings: { fontType: 'serif' },
}

describe('the errors that the contract declares for a call', () => {
  let gateway: FakeGateway
  let threeDS: ScriptedThreeDSServer
  let server: TestServer
  /** One on which every key has made too many calls. */
  let busyServer: TestServer
  /** The error of every database query; null: it works. */
  let databaseFault: Error | null

  const withDatabaseFault = (database: Database): Database => ({
    ...database,
    rows: async (...query) => {
      if (databaseFault !== null) throw databaseFault
      return database.rows(...query)
    },
    transact: async (work) => {
      if (databaseFault !== null) throw databaseFault
      return database.transact(work)
    },
    writeAll: async (writes) => {
      if (databaseFault !== null) throw databaseFault
      return database.writeAll(writes)
    },
  })

  before(async () => {
    databaseFault = null
    gateway = fakeGateway()
    threeDS = scriptedThreeDSServer()
    const database = withDatabaseFault(await openSqliteInMemory())
    server = await openTestServer({ database, gateway, threeDSServer: threeDS, clock: virtualClock() })
    for (const access of ['read', 'sales'] as const)
      await insertKey(database, testKey(LESSER_KEYS[access], TEA_MERCHANT.id, { access }), 0)
    const none = { calls: { burst: 0, perSecond: 1 }, refunds: { burst: 0, perSecond: 1 } }
    busyServer = await openTestServer({ gateway, keyLimits: { test: none, live: none } })
  })
  const reset = (): void => {
    databaseFault = null
    gateway.chargeOutcome = null
    gateway.ready = async () => 'ready'
    gateway.inquire = async () => ({ outcome: 'pending' })
    threeDS.answers.start = 'started'
    threeDS.answers.authenticate = decidedOutcome('Y')
    threeDS.answers.result = { outcome: 'pending' }
  }
  beforeEach(reset)

  interface Target {
    readonly id?: string
    readonly order?: string
    readonly picture?: string
  }
  type OrderTarget = Required<Pick<Target, 'id' | 'order'>>
  const sendCall = (
    name: CallName,
    { id = UNKNOWN_ID, order = UNKNOWN_ID, picture = 'logo' }: Target = {},
    more: InjectOptions = {},
    { app } = server,
  ): AnswerPromise => {
    const { method, route } = CALLS[name]
    const payload = BODIES[name]
    return app.inject({
      method,
      url: route
        .replace(':checkoutId', id)
        .replace(':orderCode', order)
        .replace(':refundId', 'r1')
        .replace(':reconciliationId', `rc_${UNKNOWN_ID}`)
        .replace(':linkId', id)
        .replace(':picture', picture),
      ...(payload === undefined ? {} : { payload }),
      ...more,
      headers: { host: 'localhost:3000', merchant: 'tea', authorization: `Bearer ${API_KEYS.tea}`, ...more.headers },
    })
  }

  const startedOrder = async (): Promise<OrderTarget> => {
    const id = await server.createCheckout()
    return { id, order: await server.startAttempt(id) }
  }
  /** Outside 3-D Secure, at the merchant's risk: can be charged at once. */
  const exemptOrder = async (): Promise<OrderTarget> => {
    threeDS.answers.start = { outcome: 'not_enrolled' }
    return startedOrder()
  }
  const supersededOrder = async (): Promise<OrderTarget> => {
    const first = await startedOrder()
    await server.startAttempt(first.id)
    return first
  }
  const challengedOrder = async (): Promise<OrderTarget> => {
    const target = await startedOrder()
    threeDS.answers.authenticate = 'challenge'
    assert.equal((await sendCall('authenticate', target)).statusCode, 200)
    return target
  }
  const orderInDoubt = async (): Promise<OrderTarget> => {
    const target = await exemptOrder()
    gateway.chargeOutcome = { outcome: 'unknown', why: 'no answer' }
    assert.equal((await sendCall('pay', target)).statusCode, 409)
    return target
  }
  const withoutHeldCard = async (card: Promise<OrderTarget>): Promise<OrderTarget> => {
    const target = await card
    await server.deps.cardHold.wipe([target.order])
    return target
  }
  const paidOrder = async (): Promise<OrderTarget> => {
    const target = await exemptOrder()
    assert.equal((await sendCall('pay', target)).statusCode, 200)
    return target
  }

  const databaseFaults = (name: CallName): ErrorTriggers => {
    const failing = (error: Error) => (): AnswerPromise => {
      databaseFault = error
      // The merchant is not remembered any more.
      server.clock.advance(1000)
      return sendCall(name)
    }
    return {
      unavailable: failing(new DatabaseUnavailable('gone')),
      system_error: failing(new Error('a bug')),
    }
  }
  const unknownMerchant = (name: CallName): ErrorTriggers => ({
    checkout_not_found: () => sendCall(name, {}, { headers: { merchant: 'nobody' } }),
  })
  const keyErrors = (name: CallName, lesser?: keyof typeof LESSER_KEYS): ErrorTriggers => ({
    invalid_api_key: () => sendCall(name, {}, { headers: { authorization: 'Bearer sk_test_x' } }),
    too_many_requests: () => sendCall(name, {}, {}, busyServer),
    ...(lesser === undefined
      ? {}
      : {
          key_not_allowed: () => sendCall(name, {}, { headers: { authorization: `Bearer ${LESSER_KEYS[lesser]}` } }),
        }),
  })
  const unknownCheckout = (name: CallName): ErrorTriggers => ({ checkout_not_found: () => sendCall(name) })
  const queryErrors = (name: CallName): ErrorTriggers => ({
    ...keyErrors(name),
    ...databaseFaults(name),
    invalid_field: () => sendCall(name, {}, { query: { surprise: '1' } }),
  })
  const json = { 'content-type': 'application/json' }
  const badBodies = (name: CallName): ErrorTriggers => ({
    invalid_json: () => sendCall(name, {}, { payload: '{', headers: json }),
    invalid_field: () => sendCall(name, {}, { payload: { surprise: 1 } }),
    body_too_large: () => sendCall(name, {}, { payload: JSON.stringify('x'.repeat(64 * 1024)), headers: json }),
    unsupported_media_type: () => sendCall(name, {}, { payload: 'x', headers: { 'content-type': 'text/plain' } }),
  })
  const badOrders = (name: CallName): ErrorTriggers => ({
    order_not_found: async () => sendCall(name, { id: await server.createCheckout() }),
    order_over: async () => sendCall(name, await supersededOrder()),
  })

  /** As many calls about one challenge as may wait for its result, and one more. */
  const oneCallTooMany = async (name: 'monitorChallenge' | 'pay'): AnswerPromise => {
    const target = await challengedOrder()
    const { result } = threeDS
    const released = Promise.withResolvers<void>()
    threeDS.result = async (...call) => {
      await released.promise
      return result(...call)
    }
    const calls = Array.from({ length: WAITING_CALLS_MAX + 1 }, () => sendCall(name, target))
    const answer = await Promise.race(calls)
    threeDS.result = result
    released.resolve()
    await Promise.all(calls)
    return answer
  }

  const errorTriggers: Record<CallName, () => ErrorTriggers> = {
    readCheckout: () => ({ ...unknownMerchant('readCheckout'), ...databaseFaults('readCheckout') }),
    cancelCheckout: () => ({
      ...unknownMerchant('cancelCheckout'),
      ...badBodies('cancelCheckout'),
      ...databaseFaults('cancelCheckout'),
      payment_in_progress: async () => sendCall('cancelCheckout', await orderInDoubt()),
    }),
    listBinCodes: () => ({ ...unknownMerchant('listBinCodes'), ...databaseFaults('listBinCodes') }),
    startPayment: () => ({
      ...unknownMerchant('startPayment'),
      ...badBodies('startPayment'),
      ...databaseFaults('startPayment'),
      checkout_closed: async () => {
        const id = await server.createCheckout()
        await sendCall('cancelCheckout', { id })
        return sendCall('startPayment', { id })
      },
      card_declined: async () =>
        sendCall('startPayment', { id: await server.createCheckout({ acceptedCardBrands: ['jcb'] }) }),
      not_a_test_card: async () => server.submitCard(await server.createCheckout(), { number: '4539578763621486' }),
      payment_in_progress: async () => sendCall('startPayment', await orderInDoubt()),
      too_many_starts: async () => {
        const id = await server.createCheckout()
        for (let starts = 0; starts < 20; starts += 1) await server.startAttempt(id)
        return sendCall('startPayment', { id })
      },
      too_many_attempts: async () => {
        const from = { remoteAddress: '192.0.2.9' }
        for (let link = 0; link < 20; link += 1) {
          const id = await server.createCheckout()
          for (let starts = 0; starts < 20; starts += 1) await sendCall('startPayment', { id }, from)
        }
        return sendCall('startPayment', { id: await server.createCheckout() }, from)
      },
      order_over: async () => {
        const id = await server.createCheckout()
        const { start } = threeDS
        threeDS.start = async () => {
          threeDS.start = start
          await server.startAttempt(id)
          return { outcome: 'not_enrolled' }
        }
        return sendCall('startPayment', { id })
      },
      gateway_unavailable: async () => {
        gateway.ready = async () => 'refused'
        return sendCall('startPayment', { id: await server.createCheckout() })
      },
      authentication_unavailable: async () => {
        threeDS.answers.start = { outcome: 'unavailable', why: 'no answer' }
        return sendCall('startPayment', { id: await server.createCheckout() })
      },
    }),
    authenticate: () => ({
      ...unknownMerchant('authenticate'),
      ...badBodies('authenticate'),
      ...badOrders('authenticate'),
      ...databaseFaults('authenticate'),
      wrong_step: async () => sendCall('authenticate', await exemptOrder()),
      payment_in_progress: async () => sendCall('authenticate', await orderInDoubt()),
      card_not_held: async () => sendCall('authenticate', await withoutHeldCard(startedOrder())),
      authentication_unfinished: async () => {
        const target = await startedOrder()
        const asked = Promise.withResolvers<void>()
        const answered = Promise.withResolvers<void>()
        const { authenticate } = threeDS
        threeDS.authenticate = async () => {
          threeDS.authenticate = authenticate
          asked.resolve()
          await answered.promise
          return decidedOutcome('Y')
        }
        const first = sendCall('authenticate', target)
        await asked.promise
        const second = await sendCall('authenticate', target)
        answered.resolve()
        assert.equal((await first).statusCode, 200)
        return second
      },
      authentication_unavailable: async () => {
        threeDS.answers.authenticate = { outcome: 'unavailable', why: 'no answer' }
        return sendCall('authenticate', await startedOrder())
      },
      too_many_calls: async () => {
        const target = await startedOrder()
        const { release } = threeDS.holdAuthentications()
        const { sleep } = server.clock
        const released = Promise.withResolvers<void>()
        server.clock.sleep = () => released.promise
        const calls = Array.from({ length: WAITING_CALLS_MAX + 1 }, () => sendCall('authenticate', target))
        const answer = await Promise.race(calls)
        server.clock.sleep = sleep
        release()
        released.resolve()
        await Promise.all(calls)
        return answer
      },
    }),
    reportCollectError: () => ({
      ...unknownMerchant('reportCollectError'),
      ...badBodies('reportCollectError'),
      ...badOrders('reportCollectError'),
      ...databaseFaults('reportCollectError'),
      wrong_step: async () => sendCall('reportCollectError', await challengedOrder()),
      payment_in_progress: async () => sendCall('reportCollectError', await orderInDoubt()),
    }),
    reportChallengeError: () => ({
      ...unknownMerchant('reportChallengeError'),
      ...badBodies('reportChallengeError'),
      ...badOrders('reportChallengeError'),
      ...databaseFaults('reportChallengeError'),
      wrong_step: async () => sendCall('reportChallengeError', await startedOrder()),
      payment_in_progress: async () => sendCall('reportChallengeError', await orderInDoubt()),
    }),
    monitorChallenge: () => ({
      ...unknownMerchant('monitorChallenge'),
      ...databaseFaults('monitorChallenge'),
      invalid_field: () => sendCall('monitorChallenge', { order: 'a'.repeat(201) }),
      order_not_found: () => sendCall('monitorChallenge'),
      wrong_step: async () => sendCall('monitorChallenge', await startedOrder()),
      too_many_calls: () => oneCallTooMany('monitorChallenge'),
    }),
    pay: () => ({
      ...unknownMerchant('pay'),
      ...badBodies('pay'),
      ...badOrders('pay'),
      ...databaseFaults('pay'),
      card_not_held: async () => sendCall('pay', await withoutHeldCard(exemptOrder())),
      authentication_unfinished: async () => sendCall('pay', await startedOrder()),
      payment_in_progress: async () => sendCall('pay', await orderInDoubt()),
      nothing_charged: async () => {
        gateway.chargeOutcome = { outcome: 'not_charged' }
        return sendCall('pay', await exemptOrder())
      },
      card_declined: async () => {
        gateway.chargeOutcome = { outcome: 'declined', reason: 'x' }
        return sendCall('pay', await exemptOrder())
      },
      too_many_calls: () => oneCallTooMany('pay'),
    }),
    readMe: () => ({ ...keyErrors('readMe'), ...databaseFaults('readMe') }),
    createCheckout: () => ({
      ...keyErrors('createCheckout', 'read'),
      ...badBodies('createCheckout'),
      ...databaseFaults('createCheckout'),
      idempotency_key_reused: async () => {
        const headers = { 'idempotency-key': 'k' }
        await sendCall('createCheckout', {}, { payload: { amount: 1 }, headers })
        return sendCall('createCheckout', {}, { payload: { amount: 2 }, headers })
      },
    }),
    readMerchantCheckout: () => ({
      ...keyErrors('readMerchantCheckout'),
      ...databaseFaults('readMerchantCheckout'),
      checkout_not_found: () => sendCall('readMerchantCheckout'),
    }),
    refundCheckout: () => ({
      ...keyErrors('refundCheckout', 'sales'),
      ...badBodies('refundCheckout'),
      ...databaseFaults('refundCheckout'),
      checkout_not_found: () => sendCall('refundCheckout'),
      not_refundable: async () => sendCall('refundCheckout', { id: await server.createCheckout() }),
      refund_mismatch: async () => {
        const target = await paidOrder()
        await sendCall('refundCheckout', target, { payload: { refundId: 'r1', amount: 1 } })
        return sendCall('refundCheckout', target, { payload: { refundId: 'r1', amount: 2 } })
      },
      refund_exceeds_payment: async () =>
        sendCall('refundCheckout', await paidOrder(), { payload: { refundId: 'r1', amount: 1981 } }),
    }),
    listCheckouts: () => queryErrors('listCheckouts'),
    readTimeline: () => ({ ...queryErrors('readTimeline'), ...unknownCheckout('readTimeline') }),
    cancelMerchantCheckout: () => ({
      ...keyErrors('cancelMerchantCheckout', 'read'),
      ...badBodies('cancelMerchantCheckout'),
      ...databaseFaults('cancelMerchantCheckout'),
      ...unknownCheckout('cancelMerchantCheckout'),
      payment_in_progress: async () => sendCall('cancelMerchantCheckout', await orderInDoubt()),
    }),
    sendReceipt: () => ({
      ...keyErrors('sendReceipt', 'read'),
      ...badBodies('sendReceipt'),
      ...databaseFaults('sendReceipt'),
      ...unknownCheckout('sendReceipt'),
      no_receipt: async () => sendCall('sendReceipt', { id: await server.createCheckout() }),
    }),
    listCheckoutRefunds: () => ({ ...queryErrors('listCheckoutRefunds'), ...unknownCheckout('listCheckoutRefunds') }),
    readRefund: () => ({
      ...queryErrors('readRefund'),
      ...unknownCheckout('readRefund'),
      refund_not_found: async () => sendCall('readRefund', { id: await server.createCheckout() }),
    }),
    listRefunds: () => queryErrors('listRefunds'),
    drawQrCode: () => ({ ...queryErrors('drawQrCode'), ...unknownCheckout('drawQrCode') }),
    createReusableLink: () => ({
      ...keyErrors('createReusableLink', 'read'),
      ...badBodies('createReusableLink'),
      ...databaseFaults('createReusableLink'),
      idempotency_key_reused: async () => {
        const headers = { 'idempotency-key': 'link' }
        await sendCall('createReusableLink', {}, { payload: { amount: 1 }, headers })
        return sendCall('createReusableLink', {}, { payload: { amount: 2 }, headers })
      },
    }),
    readReusableLink: () => ({
      ...keyErrors('readReusableLink'),
      ...databaseFaults('readReusableLink'),
      link_not_found: () => sendCall('readReusableLink'),
    }),
    listReusableLinks: () => queryErrors('listReusableLinks'),
    changeReusableLink: () => ({
      ...keyErrors('changeReusableLink', 'read'),
      ...badBodies('changeReusableLink'),
      ...databaseFaults('changeReusableLink'),
      link_not_found: () => sendCall('changeReusableLink'),
    }),
    drawLinkQrCode: () => ({
      ...queryErrors('drawLinkQrCode'),
      link_not_found: () => sendCall('drawLinkQrCode'),
    }),
    readSummary: () => queryErrors('readSummary'),
    exportMovements: () => queryErrors('exportMovements'),
    exportCheckouts: () => queryErrors('exportCheckouts'),
    listReconciliations: () => queryErrors('listReconciliations'),
    readReconciliation: () => ({
      ...keyErrors('readReconciliation'),
      ...databaseFaults('readReconciliation'),
      reconciliation_not_found: () => sendCall('readReconciliation'),
    }),
    readAttention: () => ({ ...keyErrors('readAttention'), ...databaseFaults('readAttention') }),
    readFigures: () => queryErrors('readFigures'),
    exportFigures: () => queryErrors('exportFigures'),
    readSettings: () => ({ ...keyErrors('readSettings'), ...databaseFaults('readSettings') }),
    changeSettings: () => ({
      ...keyErrors('changeSettings', 'sales'),
      ...badBodies('changeSettings'),
      ...databaseFaults('changeSettings'),
      if_match_required: () => sendCall('changeSettings'),
      settings_changed: () => sendCall('changeSettings', {}, { headers: { 'if-match': '"other"' } }),
    }),
    replacePicture: () => ({
      ...keyErrors('replacePicture', 'sales'),
      ...databaseFaults('replacePicture'),
      image_refused: () => sendCall('replacePicture', {}, { payload: '<svg/>' }),
      invalid_field: () => sendCall('replacePicture', { picture: 'banner' }),
    }),
    removePicture: () => ({
      ...keyErrors('removePicture', 'sales'),
      ...badBodies('removePicture'),
      ...databaseFaults('removePicture'),
    }),
  }

  const isCall = (name: string): name is CallName => Object.hasOwn(CALLS, name)

  for (const name of Object.keys(CALLS).filter(isCall)) {
    const { errors } = CALLS[name]
    test(`${name} can answer with each of its ${errors.length} errors, and none is missing here`, async () => {
      const known = errorTriggers[name]()
      assert.deepEqual(Object.keys(known).toSorted(), [...errors].toSorted())
      for (const [code, trigger] of Object.entries(known)) {
        reset()
        const answer = await trigger()
        assert.equal(answer.json<{ code: string }>().code, code)
      }
    })
  }

  test('a person who calls the merchant API gets the errors of a session from every call, and none that is not declared', async () => {
    const { database } = server.deps
    const now = server.clock.now()
    const member = { merchantId: TEA_MERCHANT.id, role: 'owner' } as const
    const owner = await savePersonWithPasskey(database, { name: 'hanako', member }, now)
    const nobody = await savePersonWithPasskey(database, { name: 'jiro' }, now)
    const [byPasskey, byLink, ofNobody] = [
      await openSession(database, owner, now),
      await openSession(database, owner, now, 'link'),
      await openSession(database, nobody, now),
    ]
    const tea = { merchant: 'tea' } as const
    const headersOf: Partial<Record<ErrorCode, Record<string, string>>> = {
      not_from_the_console: { ...consoleHeaders(byPasskey, tea), 'sec-fetch-site': 'same-site' },
      signed_out: consoleHeaders('x'.repeat(32), tea),
      passkey_needed: consoleHeaders(byLink, tea),
      role_not_allowed: consoleHeaders(ofNobody, tea),
      shop_not_live: consoleHeaders(byPasskey, { ...tea, mode: 'live' }),
      invalid_field: { ...consoleHeaders(byPasskey, tea), mode: 'real' },
    }
    const send = async (call: CallPath, headers: Record<string, string>) => {
      const url = MERCHANT_BASE + call.path.replaceAll(/:[A-Za-z]+/g, UNKNOWN_ID)
      const answer = await server.app.inject({ method: call.method, url, headers })
      const { code } = answer.json<{ code: string }>()
      assert.equal(undeclaredError(call.method, url, { status: answer.statusCode, code, isByPerson: true }), undefined)
      return code
    }
    for (const call of Object.values(MERCHANT_API))
      for (const [code, headers] of Object.entries(headersOf)) assert.equal(await send(call, headers), code, call.path)
    const { readMe } = MERCHANT_API
    await database.rows('UPDATE passkeys SET confirms_from = $1', now + MINUTE_MS)
    for (const call of Object.values(MERCHANT_API).filter(needsConfirmingPasskey))
      assert.equal(await send(call, consoleHeaders(byPasskey, tea)), 'passkey_too_new', call.path)
    await database.rows('UPDATE merchants SET closed_at = 1 WHERE id = $1', TEA_MERCHANT.id)
    assert.equal(await send(readMe, consoleHeaders(byPasskey, tea)), 'shop_closed')
    await database.rows('UPDATE merchants SET closed_at = NULL WHERE id = $1', TEA_MERCHANT.id)
    const asKey = { status: 403, code: 'role_not_allowed' }
    assert.match(undeclaredError('GET', `${MERCHANT_BASE}/me`, asKey) ?? '', /does not name for it$/)
  })

  test('an id of thousands of characters is answered by every call that reads as any unknown one', async () => {
    const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
    const isReadById = (call: CallPath): boolean => call.method === 'GET' && call.path.includes('/:')
    for (const { method, path } of Object.values(MERCHANT_API).filter(isReadById)) {
      const [unknown, long] = await Promise.all(
        [UNKNOWN_ID, UNKNOWN_ID.repeat(200)].map((id) =>
          server.app.inject({ method, url: MERCHANT_BASE + path.replaceAll(/:[A-Za-z]+/g, id), headers }),
        ),
      )
      assert.deepEqual([long?.statusCode, long?.body], [unknown?.statusCode, unknown?.body], path)
    }
  })

  test('a compressed body is called so, at every API', async () => {
    const payload = gzipSync(JSON.stringify({ amount: 1980 }))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const person = await savePersonWithPasskey(server.deps.database, { name: 'saburo' }, server.clock.now())
    const session = await openSession(server.deps.database, person, server.clock.now())
    const ofConsole = { ...consoleHeaders(session, { merchant: 'tea' }), ...headers }
    for (const answer of [
      await sendCall('createCheckout', {}, { payload, headers }),
      await server.app.inject({ method: 'PATCH', url: '/console/v1/person', payload, headers: ofConsole }),
    ]) {
      const { code, message } = answer.json<{ code: string; message: string }>()
      assert.deepEqual([answer.statusCode, code], [415, 'unsupported_media_type'])
      assert.match(message, /compressed.*without Content-Encoding/)
    }
  })

  test('every call of the contract is among these', () => {
    const declared = Object.entries({ ...shopperCalls, ...MERCHANT_API }).filter(
      // Those of webhooks and events are tested beside their routes.
      ([, value]) => 'errors' in value && !/^.(webhooks|events)/.test(value.path),
    )
    assert.deepEqual(declared.map(([name]) => name).toSorted(), Object.keys(CALLS).toSorted())
  })

  test('an answer with an error that its call does not declare fails the check', async () => {
    const id = await server.createCheckout()
    await sendCall('cancelCheckout', { id })
    const closed = await sendCall('startPayment', { id })
    assert.equal(closed.json<{ code: string }>().code, 'checkout_closed')
    assertErrorIsDeclared('POST', `/api/v1/checkouts/${id}/3ds`, closed)
    const elsewhere = `/api/v1/checkouts/${id}/3ds/${UNKNOWN_ID}/pay?x=1`
    assert.throws(() => assertErrorIsDeclared('PATCH', elsewhere, closed), /pay answers with checkout_closed/)
    assert.throws(() => assertErrorIsDeclared('DELETE', `/api/v1/checkouts/${id}`, closed), /checkout_closed/)
    assertErrorIsDeclared('PUT', elsewhere, closed)
  })
})
