/** Request log: what it lists, that it is off unless asked for, and that no whole card number comes into it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field, itemsOf } from '../testing/acquirer.ts'
import { serveThreeDS, type ThreeDSClient } from '../testing/three-ds.ts'

const NUMBER = '4242424242424242'
const MASKED = '424242******4242'
const ENROL_FIELDS = { merchantId: 'merchant-1', acctNumber: NUMBER }
const LOG = '/three-ds/v1/requests'
const API = '/api/v2/auth'

const logOf = async ({ get }: ThreeDSClient, query = ''): Promise<unknown[]> => itemsOf(await get(`${LOG}${query}`))

test('the request log lists the requests in order, of one transaction or all', async (t) => {
  const client = await serveThreeDS(t, 1, true)
  const { start, authenticate, result, post } = client
  await post(`${API}/enrol`, ENROL_FIELDS, { headers: { 'AS-Merchant-Token': 'token-1' } })
  const started = await start(NUMBER)
  await start('4111111111111111')
  await authenticate(started)
  await result(started)
  const all = await logOf(client)
  assert.deepEqual(
    all.map((entry) => field(entry, 'path')),
    [`${API}/enrol`, `${API}/brw/init`, `${API}/brw/init`, `${API}/brw`, `${API}/brw/result`],
  )
  assert.deepEqual(all[0], {
    method: 'POST',
    path: `${API}/enrol`,
    query: {},
    merchantToken: 'token-1',
    body: { ...ENROL_FIELDS, acctNumber: MASKED },
  })
  const own = await logOf(client, `?requestorTransId=${started.requestorTransId}`)
  assert.deepEqual(own, [all[1], all[3], all[4]])
  assert.equal(field(all[1], 'merchantToken'), null)
  assert.deepEqual(field(own[2], 'query'), { threeDSServerTransID: started.serverTransId })
})

test('the log keeps the last 500 requests', async (t) => {
  const client = await serveThreeDS(t, 1, true)
  for (let count = 0; count < 501; count += 1) await client.post(`${API}/enrol`, { merchantId: `m${count}` })
  const items = await logOf(client)
  assert.equal(items.length, 500)
  assert.deepEqual(field(items[0], 'body'), { merchantId: 'm1' })
})

test('without being asked for, there is no log', async (t) => {
  const { get, start, result } = await serveThreeDS(t)
  const started = await start(NUMBER)
  assert.equal((await result(started)).status, 400)
  for (const query of ['', `?requestorTransId=${started.requestorTransId}`]) {
    assert.deepEqual(await get(`${LOG}${query}`), { status: 404, body: { error: 'not_found' } })
  }
})

test('a payment leaves no whole card number in the log', async (t) => {
  const client = await serveThreeDS(t, 1, true)
  const started = await client.start(NUMBER)
  await client.authenticate(started)
  const [init, auth] = await logOf(client, `?requestorTransId=${started.requestorTransId}`)
  assert.equal(field(field(init, 'body'), 'acctNumber'), MASKED)
  assert.equal(field(field(auth, 'body'), 'acctNumber'), MASKED)
  assert.equal(field(field(auth, 'body'), 'purchaseDate'), '20261115081500')
  assert.doesNotMatch(JSON.stringify(await logOf(client)), new RegExp(NUMBER))
})

test('a card number in a wrong field is masked too: address, header, any field or name of the body', async (t) => {
  const client = await serveThreeDS(t, 1, true)
  const encoded = (message: object): string => Buffer.from(JSON.stringify(message)).toString('base64url')
  await client.post(
    `${API}/brw?transId=${NUMBER}&${NUMBER}=x`,
    {
      merchantId: NUMBER,
      threeDSRequestorTransID: NUMBER,
      purchaseAmount: Number(NUMBER),
      purchaseDate: '36000000000008',
      cardHolderInfo: {
        cardholderName: `4242 4242 4242 4242 HANAKO`,
        mobilePhone: { subscriber: '4242-4242-4242-4242' },
      },
      list: [[NUMBER], { [NUMBER]: true }],
      browserInfo: encoded({ browserUserAgent: NUMBER, browserLanguage: 'ja' }),
    },
    { headers: { 'AS-Merchant-Token': NUMBER } },
  )
  const [entry] = await logOf(client)
  assert.deepEqual(entry, {
    method: 'POST',
    path: `${API}/brw`,
    query: { transId: MASKED, [MASKED]: 'x' },
    merchantToken: MASKED,
    body: {
      merchantId: MASKED,
      threeDSRequestorTransID: MASKED,
      purchaseAmount: MASKED,
      purchaseDate: '360000******0008',
      cardHolderInfo: { cardholderName: `${MASKED} HANAKO`, mobilePhone: { subscriber: MASKED } },
      list: [[MASKED], { [MASKED]: true }],
      browserInfo: encoded({ browserUserAgent: MASKED, browserLanguage: 'ja' }),
    },
  })
  assert.deepEqual(await logOf(client, `?requestorTransId=${NUMBER}`), [])
})
