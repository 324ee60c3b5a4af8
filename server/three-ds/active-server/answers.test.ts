import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  authAddress,
  mayRepeat,
  monitorAddress,
  readAuth,
  readEnrol,
  readEvent,
  readInit,
  readResult,
  saysNotReady,
} from './answers.ts'
import { challengedSession, SERVER_TRANS_ID, testSession } from '../../../proof/harness/fake-active-server.ts'
import { requestorTransId } from './translate.ts'
import type { Exchange, Failure } from './transport.ts'

const API = new URL('https://api.pay.test:7443')
const SANDBOX = new URL('http://127.0.0.1:3001')
const SESSION = testSession(API.origin)
const ORDER = 'k3v6wq2m'

const reply = (body: unknown, status = 200): Exchange => ({ ok: true, reply: { status, body } })
const failed = (failure: Failure): Exchange => ({ ok: false, failure })
const unavailable = (why: string) => ({ outcome: 'unavailable', why })
const UNREADABLE = unavailable('an answer that cannot be read')

const INIT = {
  threeDSServerTransID: SERVER_TRANS_ID,
  authUrl: `${API.origin}/api/v2/auth/brw?t=1`,
  threeDSServerCallbackUrl: 'https://pages.pay.test/collect',
  monUrl: 'https://pages.pay.test/mon',
  resolvedCardScheme: 'VISA',
}
const AUTHENTICATED = {
  transStatus: 'Y',
  threeDSServerTransID: SERVER_TRANS_ID,
  eci: '05',
  authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  dsTransID: 'b1c2d3e4-0000-4000-8000-000000000001',
  messageVersion: '2.2.0',
}
const CHALLENGED = {
  transStatus: 'C',
  threeDSServerTransID: SERVER_TRANS_ID,
  challengeUrl: 'https://pages.pay.test/challenge',
  resultMonUrl: 'https://pages.pay.test/result-mon',
  dsTransID: AUTHENTICATED.dsTransID,
  messageVersion: '2.2.0',
}
const VERDICT = {
  transStatus: 'Y',
  eci: '05',
  authenticationValue: AUTHENTICATED.authenticationValue,
  dsTransId: AUTHENTICATED.dsTransID,
  messageVersion: '2.2.0',
  reason: null,
  challengeCancel: null,
}
const GARBAGE: readonly unknown[] = [
  null,
  undefined,
  '',
  'Y',
  200,
  true,
  [],
  {},
  [AUTHENTICATED],
  { transStatus: null },
]

describe('whether a card is enrolled in 3-D Secure', () => {
  test('only the status 00 means not enrolled; any other goes on to the start', () => {
    assert.deepEqual(readEnrol(reply({ enrolmentStatus: '00' })), { outcome: 'not_enrolled' })
    for (const enrolmentStatus of ['01', '02', '']) assert.equal(readEnrol(reply({ enrolmentStatus })), undefined)
  })

  test('an answer that cannot be read is no permission to charge without authentication', () => {
    for (const body of [...GARBAGE, { enrolmentStatus: 0 }, { enrolmentStatus: null }])
      assert.deepEqual(readEnrol(reply(body)), UNREADABLE)
    assert.deepEqual(readEnrol(reply({ enrolmentStatus: '00' }, 404)), unavailable('HTTP 404'))
  })

  test('the error code 1005 means the same as 00, from either call, as text or number and under any status', () => {
    for (const errorCode of ['1005', 1005])
      for (const status of [200, 400, 404, 500]) {
        assert.deepEqual(readEnrol(reply({ errorCode }, status)), { outcome: 'not_enrolled' })
        assert.deepEqual(readInit(ORDER, API, reply({ errorCode }, status)), { outcome: 'not_enrolled' })
      }
  })

  test('no other error code means not enrolled', () => {
    for (const errorCode of ['101', '404', '1001', '1004', '1006', '1009', '1013'])
      assert.deepEqual(readInit(ORDER, API, reply({ errorCode }, 400)), unavailable(`error ${errorCode}`))
    for (const errorCode of ['10', '10055', '1005 ', 'x1005', 99, 10_000, null])
      assert.deepEqual(readInit(ORDER, API, reply({ errorCode }, 400)), unavailable('HTTP 400'))
  })
})

describe('the start of an authentication', () => {
  const session = {
    requestorTransId: requestorTransId(ORDER),
    serverTransId: SERVER_TRANS_ID,
    authUrl: INIT.authUrl,
    challenge: null,
  }
  const { threeDSServerCallbackUrl: collectUrl, monUrl: watchUrl } = INIT

  test('a started authentication has its session and the two pages to frame', () => {
    assert.deepEqual(readInit(ORDER, API, reply(INIT)), { outcome: 'started', session, collectUrl, watchUrl })
  })

  test('a page that is missing, null or empty is not framed', () => {
    for (const absent of [undefined, null, '']) {
      const answer = { ...INIT, threeDSServerCallbackUrl: absent, monUrl: absent }
      assert.deepEqual(readInit(ORDER, API, reply(answer)), {
        outcome: 'started',
        session,
        collectUrl: null,
        watchUrl: null,
      })
    }
  })

  test('an authUrl of another origin is refused, so that no card number is sent to it', () => {
    const elsewhere = [
      'https://api.pay.test/api/v2/auth/brw',
      'https://evil.test:7443/api/v2/auth/brw',
      'https://api.pay.test:7443@evil.test/',
      'https://api.pay.test.evil.test:7443/',
      'http://api.pay.test:7443/',
      '/api/v2/auth/brw',
      'javascript:alert(1)',
      '',
    ]
    for (const authUrl of elsewhere) {
      assert.deepEqual(
        readInit(ORDER, API, reply({ ...INIT, authUrl })),
        unavailable('an authUrl that is not of the API'),
      )
      assert.equal(authAddress(authUrl, API), undefined)
    }
    assert.equal(authAddress(INIT.authUrl, API)?.href, INIT.authUrl)
  })

  test('a page that is no web page, or less safe than the API, is never framed', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'http://pages.pay.test/', '//pages.pay.test/', 'x'])
      for (const name of ['threeDSServerCallbackUrl', 'monUrl'])
        assert.deepEqual(
          readInit(ORDER, API, reply({ ...INIT, [name]: url })),
          unavailable('a page that may not be framed'),
        )
  })

  test('a sandbox on plain loopback may have plain pages', () => {
    const authUrl = `${SANDBOX.origin}/api/v2/auth/brw`
    const answer = { ...INIT, authUrl, threeDSServerCallbackUrl: 'http://3ds-server.localhost:3001/c' }
    assert.equal(readInit(ORDER, SANDBOX, reply(answer)).outcome, 'started')
  })

  test('an answer of another shape starts nothing', () => {
    const misshapen = [
      ...GARBAGE,
      { ...INIT, threeDSServerTransID: undefined },
      { ...INIT, threeDSServerTransID: '' },
      { ...INIT, threeDSServerTransID: 'a&b=c' },
      { ...INIT, threeDSServerTransID: 'a'.repeat(65) },
      { ...INIT, authUrl: undefined },
      { ...INIT, monUrl: 1 },
    ]
    for (const body of misshapen) assert.deepEqual(readInit(ORDER, API, reply(body)), UNREADABLE)
  })
})

describe('the answer to an authentication', () => {
  test('an authenticated card holder comes with the whole proof', () => {
    assert.deepEqual(readAuth(SESSION, API, reply(AUTHENTICATED)), { outcome: 'decided', verdict: VERDICT })
  })

  test('every other decision is passed on as it came, with the issuer’s reason for the log', () => {
    for (const transStatus of ['A', 'N', 'R', 'U', 'I', 'D']) {
      const answer = readAuth(SESSION, API, reply({ transStatus, transStatusReason: '11', challengeCancel: '01' }))
      assert.deepEqual(answer, {
        outcome: 'decided',
        verdict: {
          transStatus,
          eci: null,
          authenticationValue: null,
          dsTransId: null,
          messageVersion: null,
          reason: '11',
          challengeCancel: '01',
        },
      })
    }
  })

  test('a part of the proof in another shape counts as missing', () => {
    const wrong = {
      eci: ['5', '055', 5, null],
      authenticationValue: ['', 'a'.repeat(65), 'a\nb', 1],
      dsTransID: ['', 'a'.repeat(65), '<b>', {}],
      messageVersion: ['', '2', 'two', 2.2],
      transStatusReason: ['1', '<script>', 1],
      challengeCancel: ['1', '001', true],
    }
    const names = {
      eci: 'eci',
      authenticationValue: 'authenticationValue',
      dsTransID: 'dsTransId',
      messageVersion: 'messageVersion',
      transStatusReason: 'reason',
      challengeCancel: 'challengeCancel',
    }
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        assert.deepEqual(readAuth(SESSION, API, reply({ ...AUTHENTICATED, [name]: value })), {
          outcome: 'decided',
          verdict: { ...VERDICT, [names[name as keyof typeof names]]: null },
        })
  })

  test('a challenge keeps what its result may leave out', () => {
    const monitorUrl = CHALLENGED.resultMonUrl
    const challenge = { monitorUrl, dsTransId: CHALLENGED.dsTransID, messageVersion: '2.2.0' }
    assert.deepEqual(readAuth(SESSION, API, reply(CHALLENGED)), {
      outcome: 'challenge',
      session: { ...SESSION, challenge },
      challengeUrl: CHALLENGED.challengeUrl,
    })
    assert.deepEqual(readAuth(SESSION, API, reply({ transStatus: 'C', challengeUrl: CHALLENGED.challengeUrl })), {
      outcome: 'challenge',
      session: { ...SESSION, challenge: { monitorUrl: null, dsTransId: null, messageVersion: null } },
      challengeUrl: CHALLENGED.challengeUrl,
    })
  })

  test('a challenge without a page to show is unavailable', () => {
    for (const challengeUrl of [undefined, null, '', 'javascript:alert(1)', 'http://pages.pay.test/'])
      assert.deepEqual(
        readAuth(SESSION, API, reply({ ...CHALLENGED, challengeUrl })),
        unavailable('a challenge without a page that may be framed'),
      )
  })

  test('an answer about another transaction decides nothing; one that names none is ours', () => {
    const other = { threeDSServerTransID: '7c1f6f3e-5d0a-4d9b-8a1c-2f0e6b7d9a12' }
    const refused = unavailable('an answer about another transaction')
    assert.deepEqual(readAuth(SESSION, API, reply({ ...AUTHENTICATED, ...other })), refused)
    assert.deepEqual(readResult(SESSION, reply({ ...AUTHENTICATED, ...other })), refused)
    for (const threeDSServerTransID of [undefined, null])
      assert.equal(readAuth(SESSION, API, reply({ ...AUTHENTICATED, threeDSServerTransID })).outcome, 'decided')
  })

  test('an answer that is no decision decides nothing, whatever its status', () => {
    for (const body of [
      ...GARBAGE,
      { transStatus: 'y' },
      { transStatus: 'X' },
      { transStatus: '' },
      { transStatus: 'YY' },
    ]) {
      assert.deepEqual(readAuth(SESSION, API, reply(body)), UNREADABLE)
      assert.deepEqual(readResult(SESSION, reply(body)), UNREADABLE)
    }
    for (const status of [199, 300, 302, 400, 500])
      assert.deepEqual(readAuth(SESSION, API, reply(AUTHENTICATED, status)), unavailable(`HTTP ${status}`))
    for (const status of [200, 299])
      assert.equal(readAuth(SESSION, API, reply(AUTHENTICATED, status)).outcome, 'decided')
  })

  test('an answer that carries an error code next to its decision decides nothing', () => {
    assert.deepEqual(readAuth(SESSION, API, reply({ ...AUTHENTICATED, errorCode: '203' })), unavailable('error 203'))
    assert.equal(readAuth(SESSION, API, reply({ ...AUTHENTICATED, errorCode: null })).outcome, 'decided')
  })

  test('no failure repeats what the server wrote', () => {
    const body = {
      errorCode: '203',
      errorDescription: 'bad acctNumber 4100000000005000',
      errorDetail: '4100000000005000',
    }
    assert.doesNotMatch(JSON.stringify(readAuth(SESSION, API, reply(body, 400))), /4100/)
  })
})

describe('the result of a challenge', () => {
  const challenged = challengedSession(API.origin, CHALLENGED.resultMonUrl)

  test('a result without its dsTransID and message version takes those of the challenge; its own come first', () => {
    const { dsTransID: _ds, messageVersion: _version, ...bare } = AUTHENTICATED
    assert.deepEqual(readResult(challenged, reply(bare)), { outcome: 'decided', verdict: VERDICT })
    const own = { dsTransID: 'b1c2d3e4-0000-4000-8000-000000000002', messageVersion: '2.3.1' }
    assert.deepEqual(readResult(challenged, reply({ ...AUTHENTICATED, ...own })), {
      outcome: 'decided',
      verdict: { ...VERDICT, dsTransId: own.dsTransID, messageVersion: own.messageVersion },
    })
  })

  test('a result that is still a challenge is pending', () => {
    assert.deepEqual(readResult(challenged, reply({ transStatus: 'C' })), { outcome: 'pending' })
  })

  test('a challenge that was cancelled keeps its cancel code', () => {
    const result = readResult(challenged, reply({ transStatus: 'N', transStatusReason: '01', challengeCancel: '01' }))
    assert.equal(result.outcome === 'decided' && result.verdict.challengeCancel, '01')
  })

  test('only the answer AuthResultNotReady of a monitor means not ready', () => {
    assert.equal(saysNotReady(reply({ event: 'AuthResultNotReady' })), true)
    for (const body of [...GARBAGE, { event: 'AuthResultReady' }, { event: 'authresultnotready' }, { event: 1 }])
      assert.equal(saysNotReady(reply(body)), false)
    assert.equal(saysNotReady(reply({ event: 'AuthResultNotReady' }, 503)), false)
    assert.equal(saysNotReady(failed({ kind: 'timeout' })), false)
  })

  test('a monitor address that is missing or less safe than the API is not asked', () => {
    assert.equal(monitorAddress(challenged, API)?.href, CHALLENGED.resultMonUrl)
    for (const session of [SESSION, challengedSession(API.origin, null), challengedSession(API.origin, 'file:///etc')])
      assert.equal(monitorAddress(session, API), undefined)
    assert.equal(monitorAddress(challengedSession(API.origin, 'http://pages.pay.test/'), API), undefined)
  })
})

describe('events that came through the shopper’s browser', () => {
  const event = (fields: Record<string, string>) =>
    readEvent(SESSION, new Map(Object.entries({ requestorTransId: SESSION.requestorTransId, ...fields })))

  for (const name of ['3DSMethodFinished', '3DSMethodSkipped', 'InitAuthTimedOut'])
    test(`${name} ends the collecting, with or without something collected`, () => {
      assert.deepEqual(event({ event: name, param: 'b3BhcXVl' }), { hint: 'collected', collected: 'b3BhcXVl' })
      assert.deepEqual(event({ event: name }), { hint: 'collected', collected: null })
      assert.deepEqual(event({ event: name, param: '' }), { hint: 'collected', collected: null })
    })

  test('a finished challenge announces its result, and whatever else the event holds is not read', () => {
    assert.deepEqual(event({ event: 'AuthResultReady', param: 'Y', threeDSSessionData: 'x' }), { hint: 'result ready' })
  })

  test('an error of the 3DS method ends nothing', () => {
    assert.deepEqual(event({ event: '3DSMethodHasError', param: 'x' }), { hint: 'nothing' })
  })

  test('an unknown event is passed on by a name that can be printed', () => {
    for (const name of ['Other', 'a', 'a-b_c', 'x'.repeat(64)])
      assert.deepEqual(event({ event: name }), { hint: 'unknown', name })
    for (const name of ['', 'x'.repeat(65), 'a b', '<b>', 'a\n', 'é'])
      assert.deepEqual(event({ event: name }), { hint: 'unknown', name: 'unreadable' })
    assert.deepEqual(event({}), { hint: 'unknown', name: 'unreadable' })
  })

  test('an event of another session, or of none, is ignored', () => {
    assert.deepEqual(event({ event: 'AuthResultReady', requestorTransId: requestorTransId('other') }), {
      hint: 'nothing',
    })
    assert.deepEqual(readEvent(SESSION, new Map([['event', 'AuthResultReady']])), { hint: 'nothing' })
    assert.deepEqual(readEvent(SESSION, new Map()), { hint: 'nothing' })
  })
})

describe('which calls are retried once', () => {
  test('any call is retried after a transient fault or a lost connection behind the server, by its code', () => {
    for (const method of ['GET', 'POST'] as const)
      for (const errorCode of ['403', '405', 403])
        for (const status of [200, 400, 500]) assert.equal(mayRepeat(method, reply({ errorCode }, status)), true)
  })

  test('an authentication is not retried after a timeout of the issuer, a 502, a 504 or any 5xx without a code', () => {
    for (const status of [500, 502, 503, 504, 599]) {
      assert.equal(mayRepeat('POST', reply(null, status)), false, String(status))
      assert.equal(mayRepeat('POST', reply({ errorCode: '402' }, status)), false, String(status))
      assert.equal(mayRepeat('GET', reply(null, status)), true, String(status))
      assert.equal(mayRepeat('GET', reply({ errorCode: '402' }, status)), true, String(status))
    }
  })

  test('a refusal is not retried, even under the status of a fault', () => {
    for (const status of [200, 302, 400, 404, 429, 499]) assert.equal(mayRepeat('GET', reply(null, status)), false)
    for (const errorCode of ['101', '203', '305', '401', '404', '406', '1001', '1004', '1005', '1026'])
      for (const status of [200, 400, 500]) assert.equal(mayRepeat('GET', reply({ errorCode }, status)), false)
  })

  test('after a lost connection only a GET is retried; after our own timeout nothing is', () => {
    for (const kind of ['refused', 'broken', 'hung up'] as const) {
      assert.equal(mayRepeat('GET', failed({ kind })), true)
      assert.equal(mayRepeat('POST', failed({ kind })), false)
    }
    for (const kind of ['timeout', 'too large'] as const) assert.equal(mayRepeat('GET', failed({ kind })), false)
    for (const kind of ['untrusted', 'unwelcome', 'tls'] as const)
      assert.equal(mayRepeat('GET', failed({ kind, code: 'ERR_X' })), false)
  })
})
