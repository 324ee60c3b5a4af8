import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sandboxCards } from '../cards/card-table.ts'
import { field } from '../testing/acquirer.ts'
import { EVENT_URL, formAt, openChallengePage, serveThreeDS } from '../testing/three-ds.ts'

const ENROL_FIELDS = { merchantId: 'merchant-1', acctNumber: '4242424242424242' }

test('every card is enrolled in 3-D Secure, except the two that are not', async (t) => {
  const { post } = await serveThreeDS(t)
  for (const { number } of sandboxCards) {
    const { status, body } = await post('/api/v2/auth/enrol', { ...ENROL_FIELDS, acctNumber: number })
    assert.equal(status, 200)
    const outside = ['5105105105105100', '4100000000740002'].includes(number)
    assert.equal(field(body, 'enrolmentStatus'), outside ? '00' : '01', number)
    assert.deepEqual(field(body, 'supportedMessageVersions'), outside ? [] : ['2.1.0', '2.2.0'])
  }
})

test('init answers with addresses on the origin it was called at and on the public host', async (t) => {
  const { post, port, origins } = await serveThreeDS(t)
  const fields = {
    ...ENROL_FIELDS,
    threeDSRequestorTransID: '7f9c3c6e-5a44-4b8b-9d0e-2f6c1f7a1b11',
    eventCallbackUrl: EVENT_URL,
  }
  for (const [origin, query] of [
    [`http://127.0.0.1:${port}`, ''],
    [`http://localhost:${port}`, '?trans-type=prod'],
  ] as const) {
    const { status, body } = await post(`${origin}/api/v2/auth/brw/init${query}`, fields)
    const id = String(field(body, 'threeDSServerTransID'))
    assert.match(id, /^[\da-f]{8}-/)
    assert.deepEqual(
      { status, body },
      {
        status: 200,
        body: {
          threeDSServerTransID: id,
          authUrl: `${origin}/api/v2/auth/brw?transId=${id}`,
          threeDSServerCallbackUrl: `${origins.threeDS}/collect?transId=${id}`,
          monUrl: `${origins.threeDS}/watch?transId=${id}`,
          threeDSMethodAvailable: true,
          resolvedCardScheme: 'visa',
        },
      },
    )
  }
})

test('without a 3DS method and browser collection there is no collect page', async (t) => {
  const { start } = await serveThreeDS(t)
  const skipped = { skipAutoBrowserInfoCollect: true }
  const withoutMethod = await start('4111111111111111', skipped)
  assert.equal(field(withoutMethod.initResponse, 'threeDSMethodAvailable'), false)
  assert.equal(field(withoutMethod.initResponse, 'threeDSServerCallbackUrl'), undefined)
  assert.match(String(field(withoutMethod.initResponse, 'monUrl')), /^http/)
  const withMethod = await start('4242424242424242', skipped)
  assert.match(String(field(withMethod.initResponse, 'threeDSServerCallbackUrl')), /^http/)
})

interface ExpectedVerdict {
  readonly transStatus: string
  readonly eci?: string
  readonly transStatusReason?: string
  readonly value: boolean
}

const expectedVerdicts: Record<string, ExpectedVerdict> = {
  '4242424242424242': { transStatus: 'Y', eci: '05', value: true },
  '4111111111111111': { transStatus: 'Y', eci: '05', value: true },
  '5555555555554444': { transStatus: 'Y', eci: '02', value: true },
  '4000000000000002': { transStatus: 'Y', eci: '05', value: true },
  '4100000000000100': { transStatus: 'Y', eci: '05', value: true },
  '5100000000000107': { transStatus: 'Y', eci: '02', value: true },
  '3528000000000106': { transStatus: 'Y', eci: '05', value: true },
  '340000000000108': { transStatus: 'Y', eci: '05', value: true },
  '6440000000000104': { transStatus: 'Y', eci: '05', value: true },
  '36000000000008': { transStatus: 'Y', eci: '05', value: true },
  '4100000000600008': { transStatus: 'Y', eci: '05', value: true },
  '4100000000100009': { transStatus: 'A', eci: '06', value: true },
  '3528000000100005': { transStatus: 'A', eci: '06', value: true },
  '5100000000100006': { transStatus: 'A', eci: '01', value: true },
  '4100000000300005': { transStatus: 'N', eci: '07', transStatusReason: '01', value: false },
  '4100000000400003': { transStatus: 'U', eci: '07', transStatusReason: '22', value: false },
  '4100000000500000': { transStatus: 'R', eci: '07', transStatusReason: '11', value: false },
  '4100000000720004': { transStatus: 'Y', eci: '05', value: true },
  '4100000000722000': { transStatus: 'Y', eci: '05', value: true },
  '4100000000723008': { transStatus: 'Y', eci: '05', value: true },
  '4100000000724006': { transStatus: 'Y', eci: '05', value: true },
  '4100000000760000': { transStatus: 'D', eci: '07', value: false },
  '4100000000761008': { transStatus: 'I', eci: '07', value: false },
  '4100000000762006': { transStatus: 'Y', eci: '05', value: false },
  ...Object.fromEntries(
    [750001, 751009, 752007, 753005, 754003, 755000, 756008, 757006, 758004].map((last) => [
      `4100000000${last}`,
      { transStatus: 'Y', eci: '05', value: true },
    ]),
  ),
}
for (const [number, { value, ...expected }] of Object.entries(expectedVerdicts)) {
  test(`the card ${number} is decided without a challenge: ${expected.transStatus} ${expected.eci}`, async (t) => {
    const { start, authenticate, result, readMonitorEvent } = await serveThreeDS(t)
    const started = await start(number)
    assert.equal(await readMonitorEvent(started), 'AuthResultNotReady')
    const { status, body } = await authenticate(started)
    assert.equal(status, 200)
    for (const [name, text] of Object.entries(expected)) assert.equal(field(body, name), text, name)
    const proof = field(body, 'authenticationValue')
    assert.ok(value ? /^[A-Za-z0-9+/]{27}=$/.test(String(proof)) : proof === undefined, String(proof))
    assert.equal(field(body, 'challengeUrl'), undefined)
    assert.equal(field(body, 'messageVersion'), '2.2.0')
    const later = (await result(started)).body
    for (const name of [
      'threeDSServerTransID',
      'transStatus',
      'eci',
      'authenticationValue',
      'transStatusReason',
      'dsTransID',
    ]) {
      assert.equal(field(later, name), field(body, name), name)
    }
    assert.equal(await readMonitorEvent(started), 'AuthResultReady')
  })
}

test('a bank that is sure of the card holder asks nevertheless where a challenge is mandatory, and refuses as before', async (t) => {
  const { start, authenticate } = await serveThreeDS(t)
  for (const [number, mandatory, otherwise] of [
    ['4242424242424242', 'C', 'Y'],
    ['4100000000600008', 'C', 'Y'],
  ] as const) {
    const demanded = await authenticate(await start(number), { challengeInd: '04' })
    assert.equal(field(demanded.body, 'transStatus'), mandatory, number)
    const preferred = await authenticate(await start(number), { challengeInd: '03' })
    assert.equal(field(preferred.body, 'transStatus'), otherwise, number)
  }
  for (const [number, { transStatus }] of Object.entries(expectedVerdicts)) {
    const { body } = await authenticate(await start(number), { challengeInd: '04' })
    const isSure = transStatus === 'Y' || transStatus === 'A'
    const isProven = field(body, 'authenticationValue') !== undefined || field(body, 'transStatus') === 'C'
    assert.equal(field(body, 'transStatus'), isSure && isProven ? 'C' : transStatus, number)
  }
})

test('every card with a challenge answers with a challenge and has no result before it', async (t) => {
  const { start, authenticate, result, readMonitorEvent, origins, port } = await serveThreeDS(t)
  const asking = sandboxCards.filter(({ threeDS }) => threeDS.enrolled && threeDS.issuer.flow === 'challenge')
  assert.equal(asking.length, 13)
  for (const { number } of asking) {
    const started = await start(number)
    const { status, body } = await authenticate(started)
    const { serverTransId } = started
    assert.equal(status, 200)
    assert.equal(field(body, 'transStatus'), 'C', number)
    assert.equal(field(body, 'challengeUrl'), `${origins.threeDS}/challenge?transId=${serverTransId}`)
    const monitor = `http://127.0.0.1:${port}/api/v2/auth/brw/result/monitor?threeDSServerTransID=${serverTransId}`
    assert.equal(field(body, 'resultMonUrl'), monitor)
    for (const name of ['acsTransID', 'dsTransID', 'threeDSServerTransID']) {
      assert.match(String(field(body, name)), /^[\da-f-]{36}$/, name)
    }
    assert.equal(field(body, 'eci'), undefined)
    assert.equal(field((await result(started)).body, 'transStatus'), 'C')
    assert.equal(await readMonitorEvent(started), 'AuthResultNotReady')
  }
})

test('any page may poll for a result, without credentials', async (t) => {
  const { start, visit, port } = await serveThreeDS(t)
  const { serverTransId } = await start('4242424242424242')
  for (const id of [serverTransId, 'unknown']) {
    const answer = await visit(`http://127.0.0.1:${port}/api/v2/auth/brw/result/monitor?threeDSServerTransID=${id}`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    assert.deepEqual(JSON.parse(answer.text), { event: 'AuthResultNotReady' })
  }
})

const errorOf = ({ status, body }: { status: number; body: unknown }): string =>
  `${status} ${String(field(body, 'errorCode'))} ${String(field(body, 'errorDetail')).split(' ')[0]}`

test('auth must name the same card, merchant and transaction as init, and is accepted once', async (t) => {
  const { start, authenticate, post } = await serveThreeDS(t)
  const started = await start('4242424242424242')
  const other = await start('4242424242424242')
  assert.equal(errorOf(await authenticate(started, { acctNumber: '4111111111111111' })), '400 305 acctNumber')
  assert.equal(errorOf(await authenticate(started, { merchantId: 'merchant-2' })), '400 305 merchantId')
  assert.equal(
    errorOf(await authenticate(started, { threeDSServerTransID: other.serverTransId })),
    '400 1013 threeDSServerTransID',
  )
  assert.equal(
    errorOf(await authenticate(started, { threeDSRequestorTransID: other.requestorTransId })),
    '400 1014 threeDSRequestorTransID',
  )
  assert.equal(errorOf(await post('/api/v2/auth/brw?transId=none', {})), '400 1013 threeDSServerTransID')
  assert.equal((await authenticate(started)).status, 200)
  assert.equal(errorOf(await authenticate(started)), '400 305 threeDSServerTransID')
})

test('a result is refused for a transaction that is unknown or not yet authenticated', async (t) => {
  const { start, result, get, advanceClock } = await serveThreeDS(t)
  const started = await start('4242424242424242')
  assert.equal(errorOf(await result(started)), '400 305 threeDSServerTransID')
  assert.equal(errorOf(await get('/api/v2/auth/brw/result')), '400 1013 threeDSServerTransID')
  advanceClock(15 * 60_000 - 1)
  assert.equal(errorOf(await result(started)), '400 305 threeDSServerTransID')
  advanceClock(15 * 60_000)
  assert.equal(errorOf(await result(started)), '400 1013 threeDSServerTransID')
})

test('an error has the fields of an EMV error message and quotes no card number', async (t) => {
  const { start, authenticate } = await serveThreeDS(t)
  const started = await start('4242424242424242')
  const { status, body } = await authenticate(started, { acctNumber: '4242424242424241' })
  assert.equal(status, 400)
  assert.deepEqual(body, {
    errorCode: '203',
    errorComponent: 'S',
    errorDescription: 'A data element is not in the required format or the value is invalid.',
    errorDetail: 'acctNumber must be a text of 13 to 19 digits with a right check digit',
    errorMessageType: 'AReq',
    messageType: 'Erro',
    messageVersion: '2.2.0',
    threeDSServerTransID: started.serverTransId,
  })
})

test('the cards with a fault of the 3-D Secure server fail at the call that they describe', async (t) => {
  const client = await serveThreeDS(t, 0.1)
  const { start, authenticate, result, post, submit } = client
  const init = {
    ...ENROL_FIELDS,
    threeDSRequestorTransID: '7f9c3c6e-5a44-4b8b-9d0e-2f6c1f7a1b11',
    eventCallbackUrl: EVENT_URL,
  }
  const unavailable = await post('/api/v2/auth/brw/init', { ...init, acctNumber: '4100000000730003' })
  assert.equal(unavailable.status, 503)
  assert.equal(
    errorOf(await post('/api/v2/auth/brw/init', { ...init, acctNumber: '4100000000740002' })),
    '400 1005 acctNumber',
  )

  const failing = await start('4100000000731001')
  assert.equal((await authenticate(failing)).status, 500)
  assert.equal(field((await authenticate(failing)).body, 'transStatus'), 'Y')

  const hanging = await start('4100000000732009')
  await assert.rejects(authenticate(hanging, {}, { signal: AbortSignal.timeout(1_200) }), { name: 'AbortError' })

  const late = await start('4100000000733007')
  const page = await openChallengePage(client, await authenticate(late))
  assert.equal((await result(late)).status, 200)
  await submit(formAt(page), { code: '123456', action: 'confirm' })
  assert.equal((await result(late)).status, 503)
  assert.equal(field((await result(late)).body, 'transStatus'), 'Y')
})

test('one card’s result leaves out ids that its auth answer had, all others repeat them', async (t) => {
  const client = await serveThreeDS(t)
  for (const [number, repeated] of [
    ['3528000000005006', false],
    ['4100000000005000', true],
  ] as const) {
    const started = await client.start(number)
    const authenticated = await client.authenticate(started)
    const page = await openChallengePage(client, authenticated)
    await client.submit(formAt(page), { code: '123456', action: 'confirm' })
    const { body } = await client.result(started)
    assert.equal(field(body, 'transStatus'), 'Y', number)
    assert.equal(field(body, 'dsTransID'), repeated ? field(authenticated.body, 'dsTransID') : undefined)
    assert.equal(field(body, 'messageVersion'), repeated ? '2.2.0' : undefined)
  }
})

test('a challenge that is abandoned ends, one that is decided stays as it is', async (t) => {
  const client = await serveThreeDS(t)
  const { start, authenticate, post, result, submit } = client
  const abandon = (threeDSServerTransID: string, status: string) =>
    post('/api/v2/auth/challenge/status', { threeDSServerTransID, status })
  for (const [status, challengeCancel] of [
    ['CReqNotSent', '05'],
    ['AuthResultNotDelivered', '07'],
  ] as const) {
    const started = await start('4100000000005000')
    assert.equal(errorOf(await abandon(started.serverTransId, status)), '400 305 threeDSServerTransID')
    await authenticate(started)
    assert.equal((await abandon(started.serverTransId, status)).status, 200)
    const { body } = await result(started)
    assert.equal(field(body, 'transStatus'), 'N')
    assert.equal(field(body, 'challengeCancel'), challengeCancel)
  }
  const passed = await start('4100000000005000')
  const page = await openChallengePage(client, await authenticate(passed))
  await submit(formAt(page), { code: '123456', action: 'confirm' })
  assert.equal((await abandon(passed.serverTransId, 'AuthResultNotDelivered')).status, 200)
  assert.equal(field((await result(passed)).body, 'transStatus'), 'Y')
  assert.equal(errorOf(await abandon(passed.serverTransId, '01')), '400 203 status')
  assert.equal(errorOf(await abandon(passed.requestorTransId, 'CReqNotSent')), '400 1013 threeDSServerTransID')
})
