import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import {
  CARD_DIGITS,
  testCard,
  challengedSession,
  MERCHANT_ID,
  activeServerOptions,
  testOrder,
  testAuthenticationRequest,
  sameCredentials,
  SERVER_TRANS_ID,
  TEST_ACCOUNT,
  startFakeActiveServer,
  type FakeActiveServer,
  type FakeResponse,
} from '../../../proof/harness/fake-active-server.ts'
import { createActiveServer } from './three-ds-server.ts'
import { requestorTransId } from './translate.ts'

type Script = Readonly<Record<string, FakeResponse | readonly FakeResponse[]>>

const ENROL = '/api/v2/auth/enrol'
const INIT = '/api/v2/auth/brw/init'
const AUTH = '/api/v2/auth/brw?t=1'
const RESULT = `/api/v2/auth/brw/result?threeDSServerTransID=${SERVER_TRANS_ID}`
const STATUS = '/api/v2/auth/challenge/status'
const MONITOR = '/mon'

const ENROLLED = { json: { enrolmentStatus: '01' } }
const AUTHENTICATED = {
  transStatus: 'Y',
  threeDSServerTransID: SERVER_TRANS_ID,
  eci: '05',
  authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  dsTransID: 'b1c2d3e4-0000-4000-8000-000000000001',
  messageVersion: '2.2.0',
}
const FAULT = { status: 503, json: {} }
const TRANSIENT = { status: 503, json: { errorCode: '403' } }
const unavailable = (why: string) => ({ outcome: 'unavailable', why })

const isList = (reactions: FakeResponse | readonly FakeResponse[]): reactions is readonly FakeResponse[] =>
  Array.isArray(reactions)

/** A provider that answers by path; a list is answered one after the other, its last one for ever. */
const scripted = async (t: TestContext, scriptOf: (origin: string) => Script, timeoutMs?: number) => {
  const provider: FakeActiveServer = await startFakeActiveServer(({ path }, before) => {
    const reactions = scriptOf(provider.origin)[path]
    if (reactions === undefined) return { status: 404, json: {} }
    if (!isList(reactions)) return reactions
    return reactions[Math.min(before, reactions.length - 1)] ?? 'hang'
  })
  t.after(provider.stop)
  return {
    provider,
    server: createActiveServer(activeServerOptions(provider.origin, timeoutMs)),
    paths: () => provider.received.map(({ path }) => path),
  }
}

const initAnswer = (origin: string, change: object = {}): FakeResponse => ({
  json: {
    threeDSServerTransID: SERVER_TRANS_ID,
    authUrl: `${origin}${AUTH}`,
    threeDSServerCallbackUrl: `${origin}/collect`,
    monUrl: `${origin}/watch`,
    ...change,
  },
})

describe('the contract with ActiveServer', () => {
  test('a start asks whether the card is enrolled and then begins, with exactly these bodies', async (t) => {
    const { provider, server } = await scripted(t, (origin) => ({ [ENROL]: ENROLLED, [INIT]: initAnswer(origin) }))
    const id = requestorTransId('k3v6wq2m')
    assert.deepEqual(await server.start(testOrder()), {
      outcome: 'started',
      session: {
        requestorTransId: id,
        serverTransId: SERVER_TRANS_ID,
        authUrl: `${provider.origin}${AUTH}`,
        challenge: null,
      },
      collectUrl: `${provider.origin}/collect`,
      watchUrl: `${provider.origin}/watch`,
    })
    assert.deepEqual(
      provider.received.map(({ method, path, body }) => ({ method, path, body })),
      [
        { method: 'POST', path: ENROL, body: { acctNumber: CARD_DIGITS, merchantId: MERCHANT_ID } },
        {
          method: 'POST',
          path: INIT,
          body: {
            acctNumber: CARD_DIGITS,
            merchantId: MERCHANT_ID,
            threeDSRequestorTransID: id,
            eventCallbackUrl: 'https://3ds.pay.test/events/opaque',
            challengeWindowSize: '05',
          },
        },
      ],
    )
  })

  test('a live order goes to the production directory, a test order never', async (t) => {
    const live = `${INIT}?trans-type=prod`
    const { server, paths } = await scripted(t, (origin) => ({
      [ENROL]: ENROLLED,
      [INIT]: initAnswer(origin),
      [live]: initAnswer(origin),
    }))
    await server.start({ ...testOrder(), mode: 'live' })
    await server.start({ ...testOrder(), mode: 'test' })
    assert.deepEqual(paths(), [ENROL, live, ENROL, INIT])
  })

  test('an authentication is asked for with exactly this body', async (t) => {
    const { provider, server } = await scripted(t, () => ({ [AUTH]: { json: AUTHENTICATED } }))
    const request = testAuthenticationRequest(provider.origin)
    assert.equal((await server.authenticate(request)).outcome, 'decided')
    const [call] = provider.received
    assert.equal(call?.method, 'POST')
    assert.deepEqual(call?.body, {
      acctNumber: CARD_DIGITS,
      merchantId: MERCHANT_ID,
      threeDSRequestorTransID: request.session.requestorTransId,
      threeDSServerTransID: SERVER_TRANS_ID,
      authenticationInd: '01',
      messageCategory: 'pa',
      purchaseAmount: '1980',
      purchaseCurrency: '392',
      purchaseDate: '20261231150405',
      cardExpiryDate: '3003',
      cardHolderInfo: { cardholderName: 'TARO YAMADA', email: 'taro@example.jp' },
      merchantName: 'Demo Shop',
      transType: '01',
      threeDSRequestorDecReqInd: 'N',
      browserInfoCollected: {
        browserAcceptHeader: 'text/html',
        browserUserAgent: 'Mozilla/5.0',
        browserLanguage: 'zh-Hant',
        browserIP: '203.0.113.7',
        browserJavascriptEnabled: true,
        browserJavaEnabled: false,
        browserColorDepth: '24',
        browserScreenHeight: '900',
        browserScreenWidth: '1440',
        browserTZ: '-540',
      },
    })
  })

  test('an abandoned challenge is reported, and a server that does not accept the report changes nothing', async (t) => {
    const { provider, server } = await scripted(t, () => ({ [STATUS]: [{ json: {} }, FAULT] }))
    const session = challengedSession(provider.origin, null)
    assert.equal(await server.abandon(session, 'not shown', TEST_ACCOUNT), undefined)
    assert.equal(await server.abandon(session, 'shown', TEST_ACCOUNT), undefined)
    const about = { threeDSServerTransID: SERVER_TRANS_ID }
    assert.deepEqual(provider.received[0]?.body, { ...about, status: 'CReqNotSent' })
    assert.deepEqual(provider.received[1]?.body, { ...about, status: 'AuthResultNotDelivered' })
    await provider.stop()
    assert.equal(await server.abandon(session, 'shown', TEST_ACCOUNT), undefined)
  })
})

describe('a start that begins no authentication', () => {
  test('a card that is not enrolled is answered so, and no authentication is begun', async (t) => {
    const { server, paths } = await scripted(t, () => ({ [ENROL]: { json: { enrolmentStatus: '00' } } }))
    assert.deepEqual(await server.start(testOrder()), { outcome: 'not_enrolled' })
    assert.deepEqual(paths(), [ENROL])
  })

  test('a card that only the init call finds not enrolled is answered the same', async (t) => {
    const { server, paths } = await scripted(t, () => ({
      [ENROL]: ENROLLED,
      [INIT]: { status: 400, json: { errorCode: '1005', errorDescription: 'PAN_NOT_PARTICIPATING' } },
    }))
    assert.deepEqual(await server.start(testOrder()), { outcome: 'not_enrolled' })
    assert.deepEqual(paths(), [ENROL, INIT])
  })

  test('an authUrl of another origin is refused, and the card number is not sent there', async (t) => {
    const otherServer = await startFakeActiveServer(() => ({ json: AUTHENTICATED }))
    t.after(otherServer.stop)
    const { provider, server } = await scripted(t, (origin) => ({
      [ENROL]: ENROLLED,
      [INIT]: initAnswer(origin, { authUrl: `${otherServer.origin}${AUTH}` }),
    }))
    const refused = unavailable('an authUrl that is not of the API')
    assert.deepEqual(await server.start(testOrder()), refused)
    const { session, ...rest } = testAuthenticationRequest(provider.origin)
    const stored = { ...session, authUrl: `${otherServer.origin}${AUTH}` }
    assert.deepEqual(await server.authenticate({ ...rest, session: stored }), refused)
    assert.deepEqual(otherServer.received, [])
  })

  test('a card that is wiped during the enrolment call does not stop the start halfway', async (t) => {
    const card = testCard()
    const { server } = await scripted(t, (origin) => {
      card.number.wipe()
      return { [ENROL]: ENROLLED, [INIT]: initAnswer(origin) }
    })
    assert.equal((await server.start({ ...testOrder(), card })).outcome, 'started')
  })

  test('every failure of a server is an unavailable outcome with its reason', async (t) => {
    const ways: readonly [FakeResponse, string][] = [
      [{ status: 404, json: {} }, 'HTTP 404'],
      [{ redirect: 'http://127.0.0.1:1/' }, 'HTTP 302'],
      [{ json: { enrolmentStatus: 1 } }, 'an answer that cannot be read'],
      [{ text: 'no json' }, 'an answer that cannot be read'],
      [{ text: `"${'x'.repeat(256 * 1024)}"` }, 'an answer too large to read'],
      [{ status: 400, json: { errorCode: '1009' } }, 'error 1009'],
      ['reset', 'the connection was lost'],
      ['reset halfway', 'the connection was lost'],
    ]
    for (const [reaction, why] of ways) {
      const { server, paths } = await scripted(t, () => ({ [ENROL]: reaction }))
      assert.deepEqual(await server.start(testOrder()), unavailable(why))
      assert.deepEqual(paths(), [ENROL])
    }
  })
})

describe('what is retried once', () => {
  test('an authentication is retried once after a transient fault of the server, and then no more', async (t) => {
    const once = await scripted(t, () => ({ [AUTH]: [TRANSIENT, { json: AUTHENTICATED }] }))
    assert.equal((await once.server.authenticate(testAuthenticationRequest(once.provider.origin))).outcome, 'decided')
    assert.equal(once.paths().length, 2)
    assert.deepEqual(once.provider.received[0]?.body, once.provider.received[1]?.body)
    const always = await scripted(t, () => ({ [AUTH]: TRANSIENT }))
    assert.deepEqual(
      await always.server.authenticate(testAuthenticationRequest(always.provider.origin)),
      unavailable('error 403'),
    )
    assert.equal(always.paths().length, 2)
  })

  test('an authentication is not sent again after a 500, 502, 503 or 504 of a proxy: the issuer may have been asked', async (t) => {
    for (const status of [500, 502, 503, 504]) {
      const { server, provider, paths } = await scripted(t, () => ({
        [AUTH]: [{ status, json: {} }, { json: AUTHENTICATED }],
      }))
      assert.deepEqual(
        await server.authenticate(testAuthenticationRequest(provider.origin)),
        unavailable(`HTTP ${status}`),
      )
      assert.equal(paths().length, 1, String(status))
    }
  })

  test('an authentication is retried after a transient error of the directory, not after a refusal', async (t) => {
    for (const [errorCode, calls] of [
      ['402', 1],
      ['403', 2],
      ['405', 2],
      ['404', 1],
      ['203', 1],
      ['1004', 1],
    ] as const) {
      const { server, provider, paths } = await scripted(t, () => ({ [AUTH]: { status: 500, json: { errorCode } } }))
      assert.deepEqual(
        await server.authenticate(testAuthenticationRequest(provider.origin)),
        unavailable(`error ${errorCode}`),
      )
      assert.equal(paths().length, calls, errorCode)
    }
  })

  test('facts that were collected and cannot be read are left out: a forged event is no outage', async (t) => {
    const refused = { status: 400, json: { errorCode: '203' } }
    const { server, provider } = await scripted(t, () => ({ [AUTH]: [refused, { json: AUTHENTICATED }] }))
    const request = { ...testAuthenticationRequest(provider.origin), collected: 'forged' }
    assert.equal((await server.authenticate(request)).outcome, 'decided')
    const [first, second, ...rest] = provider.received.map(({ body }) => new Map(Object.entries(body ?? {})))
    assert.equal(first?.get('browserInfo'), 'forged')
    assert.deepEqual([second?.has('browserInfo'), second?.has('browserInfoCollected'), rest.length], [false, true, 0])
  })

  test('facts that were collected are left out once, and not after any other refusal', async (t) => {
    for (const [errorCode, calls] of [
      ['201', 2],
      ['203', 2],
      ['204', 2],
      ['404', 1],
      ['1004', 1],
    ] as const) {
      const { server, provider, paths } = await scripted(t, () => ({ [AUTH]: { status: 400, json: { errorCode } } }))
      const request = { ...testAuthenticationRequest(provider.origin), collected: 'forged' }
      assert.deepEqual(await server.authenticate(request), unavailable(`error ${errorCode}`))
      assert.equal(paths().length, calls, errorCode)
    }
  })

  test('an authentication is not sent again over a lost connection: the issuer may have been asked', async (t) => {
    const { server, provider, paths } = await scripted(t, () => ({ [AUTH]: ['reset', { json: AUTHENTICATED }] }))
    const answer = await server.authenticate(testAuthenticationRequest(provider.origin))
    assert.deepEqual(answer, unavailable('the connection was lost'))
    assert.equal(paths().length, 1)
  })

  test('a result is read again over a lost connection', async (t) => {
    const { server, provider, paths } = await scripted(t, () => ({ [RESULT]: ['reset', { json: AUTHENTICATED }] }))
    assert.equal((await server.result(challengedSession(provider.origin, null), TEST_ACCOUNT)).outcome, 'decided')
    assert.deepEqual(paths(), [RESULT, RESULT])
  })

  test('nothing is retried once the time is up', async (t) => {
    const hanging = await scripted(t, () => ({ [AUTH]: 'hang', [RESULT]: 'hang' }), 300)
    const late = unavailable('no answer in time')
    assert.deepEqual(await hanging.server.authenticate(testAuthenticationRequest(hanging.provider.origin)), late)
    assert.deepEqual(await hanging.server.result(challengedSession(hanging.provider.origin, null), TEST_ACCOUNT), late)
    assert.deepEqual(hanging.paths(), [AUTH, RESULT])
  })

  test('both tries share one timeout', async (t) => {
    const slow = [
      { ...TRANSIENT, afterMs: 250 },
      { json: AUTHENTICATED, afterMs: 250 },
    ]
    const short = await scripted(t, () => ({ [AUTH]: slow }), 400)
    const late = unavailable('no answer in time')
    assert.deepEqual(await short.server.authenticate(testAuthenticationRequest(short.provider.origin)), late)
  })
})

describe('the result of a challenge', () => {
  const NOT_READY = { json: { event: 'AuthResultNotReady' } }
  const READY = { json: { event: 'AuthResultReady' } }
  const asked = async (t: TestContext, script: Script, timeoutMs?: number) => {
    const { server, provider, paths } = await scripted(t, () => script, timeoutMs)
    const result = await server.result(challengedSession(provider.origin, `${provider.origin}${MONITOR}`), TEST_ACCOUNT)
    return { result, paths: paths() }
  }

  test('the result is not read while the monitor answers not ready', async (t) => {
    const { result, paths } = await asked(t, { [MONITOR]: NOT_READY, [RESULT]: { json: AUTHENTICATED } })
    assert.deepEqual(result, { outcome: 'pending' })
    assert.deepEqual(paths, [MONITOR])
  })

  test('the result is read when the monitor answers ready or cannot be used', async (t) => {
    const monitors: readonly FakeResponse[] = [READY, FAULT, 'reset', { text: 'x' }, { json: { event: 'Other' } }]
    for (const monitor of monitors) {
      const { result, paths } = await asked(t, { [MONITOR]: monitor, [RESULT]: { json: AUTHENTICATED } })
      assert.equal(result.outcome, 'decided')
      assert.deepEqual(paths, [MONITOR, RESULT])
    }
  })

  test('a monitor that hangs does not use up the time of the result', async (t) => {
    const { result } = await asked(t, { [MONITOR]: 'hang', [RESULT]: { json: AUTHENTICATED } }, 1000)
    assert.equal(result.outcome, 'decided')
  })

  test('a result that is still a challenge is pending; one that fails is unavailable', async (t) => {
    assert.deepEqual((await asked(t, { [MONITOR]: READY, [RESULT]: { json: { transStatus: 'C' } } })).result, {
      outcome: 'pending',
    })
    const missing = { status: 404, json: { errorCode: '1013' } }
    assert.deepEqual((await asked(t, { [MONITOR]: READY, [RESULT]: missing })).result, unavailable('error 1013'))
  })

  test('a monitor on another host is asked without our token', async (t) => {
    const pages = await startFakeActiveServer(() => NOT_READY)
    t.after(pages.stop)
    const api = await startFakeActiveServer(() => ({ json: AUTHENTICATED }))
    t.after(api.stop)
    const server = createActiveServer({
      ...activeServerOptions(api.origin),
      credentialsOf: sameCredentials('m', 'tok_1'),
    })
    const session = challengedSession(api.origin, `${pages.origin}${MONITOR}`)
    assert.deepEqual(await server.result(session, TEST_ACCOUNT), { outcome: 'pending' })
    assert.equal(pages.received[0]?.headers['as-merchant-token'], undefined)
    assert.equal(api.received.length, 0)
    assert.equal((await server.result(challengedSession(api.origin, null), TEST_ACCOUNT)).outcome, 'decided')
    assert.equal(api.received[0]?.headers['as-merchant-token'], 'tok_1')
  })
})

describe('in whose name a card is authenticated', () => {
  test('each account has its own merchant id and token, in every call', async (t) => {
    const api = await startFakeActiveServer(() => ({ json: AUTHENTICATED }))
    t.after(api.stop)
    const asked: string[] = []
    const server = createActiveServer({
      ...activeServerOptions(api.origin),
      credentialsOf: async ({ merchantId, mode }) => {
        asked.push(`${merchantId} ${mode}`)
        return { merchantId: `3ds-${merchantId}`, merchantToken: `token-${merchantId}` }
      },
    })
    for (const merchantId of ['tea-id', 'books-id']) {
      const account = { merchantId, mode: 'live' } as const
      await server.authenticate({ ...testAuthenticationRequest(api.origin), ...account })
      await server.result(challengedSession(api.origin, null), account)
      await server.abandon(challengedSession(api.origin, null), 'shown', account)
    }
    assert.deepEqual(asked, [...Array(3).fill('tea-id live'), ...Array(3).fill('books-id live')])
    const tokens = api.received.map(({ headers }) => headers['as-merchant-token'])
    assert.deepEqual(tokens, [...Array(3).fill('token-tea-id'), ...Array(3).fill('token-books-id')])
    const ids = api.received.flatMap(({ body }) => (/"merchantId":"([^"]*)"/.exec(JSON.stringify(body)) ?? []).slice(1))
    assert.deepEqual(ids, ['3ds-tea-id', '3ds-books-id'])
  })

  test('without credentials nothing is sent, and the card holder counts as not authenticated', async (t) => {
    const api = await startFakeActiveServer(() => ({ json: AUTHENTICATED }))
    t.after(api.stop)
    const problem = 'there is no live account'
    const server = createActiveServer({
      ...activeServerOptions(api.origin),
      credentialsOf: async () => ({ problem }),
    })
    assert.deepEqual(await server.start(testOrder()), unavailable(problem))
    assert.deepEqual(await server.authenticate(testAuthenticationRequest(api.origin)), unavailable(problem))
    assert.deepEqual(await server.result(challengedSession(api.origin, null), TEST_ACCOUNT), unavailable(problem))
    await server.abandon(challengedSession(api.origin, null), 'shown', TEST_ACCOUNT)
    assert.deepEqual(api.received, [])
  })

  test('a card that was given up while the credentials were read is sent nowhere', async (t) => {
    const api = await startFakeActiveServer(() => ({ json: AUTHENTICATED }))
    t.after(api.stop)
    const server = createActiveServer(activeServerOptions(api.origin))
    const [order, request] = [testOrder(), testAuthenticationRequest(api.origin)]
    const answers = Promise.all([server.start(order), server.authenticate(request)])
    order.card.number.wipe()
    request.card.number.wipe()
    assert.deepEqual(await answers, [unavailable('given up meanwhile'), unavailable('given up meanwhile')])
    assert.deepEqual(api.received, [])
  })
})
