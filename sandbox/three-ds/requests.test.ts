import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTH_FIELDS, BROWSER_INFO, EVENT_URL } from '../testing/three-ds.ts'
import { encodeMessage } from './form-message.ts'
import { parseAuthRequest, parseChallengeStatusRequest, parseEnrolRequest, parseInitRequest } from './requests.ts'

const ID = '7f9c3c6e-5a44-4b8b-9d0e-2f6c1f7a1b11'
const ENROL_FIELDS = { acctNumber: '4242424242424242', merchantId: 'merchant-1' }
const INIT_FIELDS = { ...ENROL_FIELDS, threeDSRequestorTransID: ID, eventCallbackUrl: EVENT_URL }
const AUTH_REQUEST = {
  ...AUTH_FIELDS,
  ...ENROL_FIELDS,
  threeDSRequestorTransID: ID,
  threeDSServerTransID: ID,
  browserInfoCollected: BROWSER_INFO,
}

const resultOf = (read: object): string =>
  'code' in read && 'field' in read ? `${String(read.code)} ${String(read.field)}` : 'read'

const parsers = {
  enrol: (change: object) => resultOf(parseEnrolRequest(JSON.stringify({ ...ENROL_FIELDS, ...change }))),
  init: (change: object) =>
    resultOf(parseInitRequest(JSON.stringify({ ...INIT_FIELDS, ...change }), new URLSearchParams())),
  auth: (change: object) => resultOf(parseAuthRequest(JSON.stringify({ ...AUTH_REQUEST, ...change }))),
  browser: (change: object) =>
    resultOf(
      parseAuthRequest(JSON.stringify({ ...AUTH_REQUEST, browserInfoCollected: { ...BROWSER_INFO, ...change } })),
    ),
}

type Range = [keyof typeof parsers, string, accepted: readonly unknown[], refused: readonly unknown[]]

const fours = (count: number): string => '4'.repeat(count)
const url = (length: number): string => 'https://a.example/'.padEnd(length, 'x')

const ranges: readonly Range[] = [
  ['enrol', 'acctNumber', ['4222222222222', '6304000000000000000'], ['4242424242424241', '422222222222', 4242, '']],
  ['enrol', 'merchantId', ['m', 'm'.repeat(35)], ['', 'm'.repeat(36), 7]],
  ['init', 'acctNumber', ['4242424242424242'], [fours(12), fours(20), '4242 4242 4242 4242']],
  ['init', 'merchantId', ['m'.repeat(35)], ['m'.repeat(36)]],
  ['init', 'threeDSRequestorTransID', [ID, ID.toUpperCase()], ['order-1', `${ID}0`, ID.slice(1)]],
  ['init', 'eventCallbackUrl', [url(2000), 'http://a.example'], [url(2001), 'ftp://a.example', 'https://', '/events']],
  ['init', 'challengeWindowSize', ['01', '05', null], ['00', '06', '1', 5]],
  ['init', 'skipAutoBrowserInfoCollect', [true, false, null], ['true', 1]],
  ['auth', 'purchaseAmount', ['0', '1298000', fours(48)], ['', fours(49), '12.5', '-1', 1980]],
  ['auth', 'purchaseCurrency', ['392'], ['840', 'JPY', 392]],
  [
    'auth',
    'purchaseDate',
    ['20240229235959', '20261115000000'],
    ['20230229000000', '20261115240000', '202611150815', ''],
  ],
  ['auth', 'cardExpiryDate', ['3101', '3112'], ['3100', '3113', '1231', '203112']],
  ['auth', 'authenticationInd', ['01', '07'], ['00', '08', '1']],
  ['auth', 'messageCategory', ['pa', '01'], ['npa', '02']],
  ['auth', 'challengeInd', ['01', '09', null], ['00', '10']],
  ['auth', 'threeDSRequestorDecReqInd', ['N', 'Y', null], ['n', false]],
  ['auth', 'messageVersion', ['2.1.0', '2.2.0', null], ['2.3.1', '1.0.2']],
  ['auth', 'merchantName', ['m', 'm'.repeat(40), null], ['', 'm'.repeat(41)]],
  ['auth', 'cardHolderInfo', [{}, null], ['HANAKO', []]],
  ['browser', 'browserAcceptHeader', ['*', '*'.repeat(2048)], ['', '*'.repeat(2049)]],
  ['browser', 'browserUserAgent', ['x', 'x'.repeat(2048)], ['', 'x'.repeat(2049)]],
  ['browser', 'browserLanguage', ['j', 'zh-Hant', 'en-Latn1'], ['', 'zh-Hant-T']],
  ['browser', 'browserJavascriptEnabled', [true, false], ['true']],
  ['browser', 'browserJavaEnabled', [true, false], ['false']],
  ['browser', 'browserColorDepth', ['1', '4', '8', '15', '16', '24', '32', '48'], ['0', '2', '30', '64', 24]],
  ['browser', 'browserScreenHeight', ['0', '999999'], ['', '1000000', '-1', 844]],
  ['browser', 'browserScreenWidth', ['0', '999999'], ['', '1000000', '3.5']],
  ['browser', 'browserTZ', ['-540', '+0', '9999'], ['', '10000', 'JST', -540]],
  ['browser', 'browserIP', ['127.0.0.1', '::1', null], ['localhost', '256.0.0.1']],
]
for (const [request, name, accepted, refused] of ranges) {
  test(`${name} of ${request} is accepted within its range and refused by name outside it`, () => {
    const fieldName = request === 'browser' ? `browserInfoCollected.${name}` : name
    for (const value of accepted) assert.equal(parsers[request]({ [name]: value }), 'read', String(value))
    for (const value of refused) assert.equal(parsers[request]({ [name]: value }), `203 ${fieldName}`, String(value))
  })
}

test('a required field that is missing is named with code 201', () => {
  const required: [keyof typeof parsers, object][] = [
    ['enrol', ENROL_FIELDS],
    ['init', INIT_FIELDS],
    ['auth', AUTH_REQUEST],
    ['browser', BROWSER_INFO],
  ]
  const optional = ['merchantName', 'cardHolderInfo', 'browserIP', 'browserInfoCollected']
  for (const [request, fields] of required) {
    for (const name of Object.keys(fields).filter((key) => !optional.includes(key))) {
      const fieldName = request === 'browser' ? `browserInfoCollected.${name}` : name
      assert.equal(parsers[request]({ [name]: undefined }), `201 ${fieldName}`)
    }
  }
})

test('the card holder’s name, e-mail and telephone are accepted up to the lengths of the protocol', () => {
  const holder = (cardHolderInfo: object): string => parsers.auth({ cardHolderInfo })
  const email = (length: number): string => '@example.com'.padStart(length, 'h')
  assert.equal(holder({ cardholderName: 'AB', email: email(254) }), 'read')
  assert.equal(holder({ cardholderName: 'A'.repeat(45), mobilePhone: { cc: '81', subscriber: '9012345678' } }), 'read')
  for (const cardholderName of ['A', 'A'.repeat(46)]) {
    assert.equal(holder({ cardholderName }), '203 cardHolderInfo.cardholderName')
  }
  for (const wrong of [email(255), 'hanako', 'a @b']) {
    assert.equal(holder({ email: wrong }), '203 cardHolderInfo.email')
  }
  assert.equal(holder({ mobilePhone: { cc: '8181', subscriber: '9' } }), '203 cardHolderInfo.mobilePhone.cc')
  assert.equal(
    holder({ mobilePhone: { cc: '81', subscriber: '9'.repeat(16) } }),
    '203 cardHolderInfo.mobilePhone.subscriber',
  )
})

test('the browser information is given once: by the event’s param or by fields of the requestor', () => {
  const browserInfo = encodeMessage(BROWSER_INFO)
  assert.equal(parsers.auth({ browserInfo, browserInfoCollected: undefined }), 'read')
  assert.equal(parsers.auth({ browserInfo }), '203 browserInfo')
  assert.equal(parsers.auth({ browserInfoCollected: undefined }), '201 browserInfo')
  for (const unreadable of ['', '%', 'bm8', 7]) {
    assert.equal(parsers.auth({ browserInfo: unreadable, browserInfoCollected: undefined }), '203 browserInfo')
  }
  const deep = encodeMessage({ ...BROWSER_INFO, browserColorDepth: '30' })
  assert.equal(
    parsers.auth({ browserInfo: deep, browserInfoCollected: undefined }),
    '203 browserInfo.browserColorDepth',
  )
})

test('a browser without scripts need not send what only scripts can read', () => {
  const still = {
    browserAcceptHeader: '*/*',
    browserUserAgent: 'x',
    browserLanguage: 'ja',
    browserJavascriptEnabled: false,
  }
  assert.equal(parsers.auth({ browserInfoCollected: still }), 'read')
})

test('a body that is no JSON object and an unknown query of init are refused', () => {
  for (const body of ['', '[]', 'null', '"4242424242424242"', '{']) {
    for (const read of [parseEnrolRequest, parseAuthRequest, parseChallengeStatusRequest])
      assert.equal(resultOf(read(body)), '203 body', body)
  }
  const withQuery = (query: string): string =>
    resultOf(parseInitRequest(JSON.stringify(INIT_FIELDS), new URLSearchParams(query)))
  assert.equal(withQuery('trans-type=prod'), 'read')
  assert.equal(withQuery('trans-type=test'), '203 trans-type')
  assert.equal(withQuery('mode=custom'), '203 mode')
})
