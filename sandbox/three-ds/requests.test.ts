import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeMessage } from './field-reader.ts'
import { readAuth, readEnrol, readInit, readStatus } from './requests.ts'
import { authFields, browserInfoCollected, eventUrl } from '../testing/three-ds.ts'

const id = '7f9c3c6e-5a44-4b8b-9d0e-2f6c1f7a1b11'
const enrol = { acctNumber: '4242424242424242', merchantId: 'merchant-1' }
const init = { ...enrol, threeDSRequestorTransID: id, eventCallbackUrl: eventUrl }
const auth = { ...authFields, ...enrol, threeDSRequestorTransID: id, threeDSServerTransID: id, browserInfoCollected }

const told = (read: object): string =>
  'code' in read && 'field' in read ? `${String(read.code)} ${String(read.field)}` : 'read'

const readers = {
  enrol: (change: object) => told(readEnrol(JSON.stringify({ ...enrol, ...change }))),
  init: (change: object) => told(readInit(JSON.stringify({ ...init, ...change }), new URLSearchParams())),
  auth: (change: object) => told(readAuth(JSON.stringify({ ...auth, ...change }))),
  browser: (change: object) =>
    told(readAuth(JSON.stringify({ ...auth, browserInfoCollected: { ...browserInfoCollected, ...change } }))),
}

type Range = [keyof typeof readers, string, accepted: readonly unknown[], refused: readonly unknown[]]

const digits = (count: number): string => '4'.repeat(count)
const url = (length: number): string => 'https://a.example/'.padEnd(length, 'x')

const ranges: readonly Range[] = [
  ['enrol', 'acctNumber', ['4222222222222', '6304000000000000000'], ['4242424242424241', '422222222222', 4242, '']],
  ['enrol', 'merchantId', ['m', 'm'.repeat(35)], ['', 'm'.repeat(36), 7]],
  ['init', 'acctNumber', ['4242424242424242'], [digits(12), digits(20), '4242 4242 4242 4242']],
  ['init', 'merchantId', ['m'.repeat(35)], ['m'.repeat(36)]],
  ['init', 'threeDSRequestorTransID', [id, id.toUpperCase()], ['order-1', `${id}0`, id.slice(1)]],
  ['init', 'eventCallbackUrl', [url(2000), 'http://a.example'], [url(2001), 'ftp://a.example', 'https://', '/events']],
  ['init', 'challengeWindowSize', ['01', '05', null], ['00', '06', '1', 5]],
  ['init', 'skipAutoBrowserInfoCollect', [true, false, null], ['true', 1]],
  ['auth', 'purchaseAmount', ['0', '1298000', digits(48)], ['', digits(49), '12.5', '-1', 1980]],
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
  test(`${name} of ${request} is taken within its range and refused by name outside`, () => {
    const fieldName = request === 'browser' ? `browserInfoCollected.${name}` : name
    for (const value of accepted) assert.equal(readers[request]({ [name]: value }), 'read', String(value))
    for (const value of refused) assert.equal(readers[request]({ [name]: value }), `203 ${fieldName}`, String(value))
  })
}

test('a required field that is missing is named with code 201', () => {
  const required: [keyof typeof readers, object][] = [
    ['enrol', enrol],
    ['init', init],
    ['auth', auth],
    ['browser', browserInfoCollected],
  ]
  const optional = ['merchantName', 'cardHolderInfo', 'browserIP', 'browserInfoCollected']
  for (const [request, fields] of required) {
    for (const name of Object.keys(fields).filter((key) => !optional.includes(key))) {
      const fieldName = request === 'browser' ? `browserInfoCollected.${name}` : name
      assert.equal(readers[request]({ [name]: undefined }), `201 ${fieldName}`)
    }
  }
})

test('the card holder’s name, e-mail and telephone are read to the lengths of the protocol', () => {
  const holder = (cardHolderInfo: object): string => readers.auth({ cardHolderInfo })
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

test('the browser is told once: by the event’s param or by fields of the requestor', () => {
  const browserInfo = encodeMessage(browserInfoCollected)
  assert.equal(readers.auth({ browserInfo, browserInfoCollected: undefined }), 'read')
  assert.equal(readers.auth({ browserInfo }), '203 browserInfo')
  assert.equal(readers.auth({ browserInfoCollected: undefined }), '201 browserInfo')
  for (const unreadable of ['', '%', 'bm8', 7]) {
    assert.equal(readers.auth({ browserInfo: unreadable, browserInfoCollected: undefined }), '203 browserInfo')
  }
  const deep = encodeMessage({ ...browserInfoCollected, browserColorDepth: '30' })
  assert.equal(
    readers.auth({ browserInfo: deep, browserInfoCollected: undefined }),
    '203 browserInfo.browserColorDepth',
  )
})

test('a browser without scripts need not tell what only scripts know', () => {
  const still = {
    browserAcceptHeader: '*/*',
    browserUserAgent: 'x',
    browserLanguage: 'ja',
    browserJavascriptEnabled: false,
  }
  assert.equal(readers.auth({ browserInfoCollected: still }), 'read')
})

test('a body that is no object, and a query init does not know, are refused', () => {
  for (const body of ['', '[]', 'null', '"4242424242424242"', '{']) {
    for (const read of [readEnrol, readAuth, readStatus]) assert.equal(told(read(body)), '203 body', body)
  }
  const withQuery = (query: string): string => told(readInit(JSON.stringify(init), new URLSearchParams(query)))
  assert.equal(withQuery('trans-type=prod'), 'read')
  assert.equal(withQuery('trans-type=test'), '203 trans-type')
  assert.equal(withQuery('mode=custom'), '203 mode')
})
