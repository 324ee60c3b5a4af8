import assert from 'node:assert/strict'
import { test } from 'node:test'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { adyenAccountOf } from './account.ts'
import { checkAdyenAccount } from './check.ts'
import { accountAt, HMAC_KEY, startScript, type Script } from './testing/adyen-fixtures.ts'

const ADDRESS = 'https://kaikei.example/acquirer/adyen/tea/test'
const ARRIVED = { address: ADDRESS, hasArrived: true }
const TAKEN = { status: 'received', paymentReference: 'kaikei-check' }

const PROBLEMS: readonly (readonly [what: string, answer: ReturnType<Script>, problem: RegExp, mend: RegExp])[] = [
  [
    'a wrong key, or one of the other mode',
    { status: 401, errorCode: '000', errorType: 'security' },
    /does not accept the API key in test mode/,
    /other mode/,
  ],
  [
    'another merchant account',
    { status: 403, errorCode: '901', errorType: 'security' },
    /merchant account/,
    /Compare merchantAccount/,
  ],
  ['a missing role', { status: 403, errorCode: '010', errorType: 'security' }, /lacks a role/, /API PCI Payments role/],
  ['a page that is none of Adyen', { status: 404 }, /HTTP 404/, /API base/],
  ['silence', 'silent', /did not answer/, /network/],
]
for (const [what, answer, problem, mend] of PROBLEMS)
  test(`an account with ${what} is named with its mend, and without its keys`, async (t) => {
    const { origin } = await startScript(t, () => answer)
    const problems = await checkAdyenAccount(accountAt(origin), ARRIVED, virtualClock())
    assert.equal(problems.length, 1)
    assert.match(problems[0]?.problem ?? '', problem)
    assert.match(problems[0]?.mend ?? '', mend)
    for (const secret of ['AQEtest_key', 'AQEreport_key', HMAC_KEY])
      assert.ok(!JSON.stringify(problems).includes(secret))
  })

test('an account that works has no problem, and the check changes no payment', async (t) => {
  const { origin, calls } = await startScript(t, () => TAKEN)
  assert.deepEqual(await checkAdyenAccount(accountAt(origin), ARRIVED, virtualClock()), [])
  assert.deepEqual(
    calls.map(({ path, body }) => [path, body]),
    [
      [
        '/adyen/v72/cancels',
        { merchantAccount: 'TeaShopJP', paymentReference: 'kaikei-check', reference: 'kaikei-check' },
      ],
    ],
  )
})

test('without a report key, and until a signed notification has arrived, each is a problem of its own', async (t) => {
  const { origin } = await startScript(t, () => TAKEN)
  const account = { ...accountAt(origin), reportApiKey: null }
  const problems = await checkAdyenAccount(account, { address: ADDRESS, hasArrived: false }, virtualClock())
  assert.deepEqual(
    problems.map(({ problem }) => problem),
    [
      'There is no reportApiKey, so nothing can be reconciled',
      'No notification of Adyen has arrived that is signed with this HMAC key',
    ],
  )
  assert.ok(problems[1]?.mend.includes(ADDRESS))
})

test('test, live and a double of Adyen each have their own addresses, and a live account without its prefix has none', () => {
  const credentials = { apiKey: 'k', merchantAccount: 'TeaShopJP', hmacKey: HMAC_KEY }
  const addresses = (mode: 'test' | 'live', apiBase: string | null, more: object = {}) => {
    const account = adyenAccountOf({ ...credentials, ...more }, { mode, apiBase })
    return account === null ? null : [account.apiBase, account.reportOrigin]
  }
  assert.deepEqual(addresses('test', null), ['https://checkout-test.adyen.com', 'https://ca-test.adyen.com'])
  assert.equal(addresses('live', null), null)
  assert.deepEqual(addresses('live', null, { liveUrlPrefix: '1797a841fbb37ca7-TeaShop' }), [
    'https://1797a841fbb37ca7-TeaShop-checkout-live.adyenpayments.com/checkout',
    'https://ca-live.adyen.com',
  ])
  assert.deepEqual(addresses('live', 'http://127.0.0.1:3001/adyen/'), [
    'http://127.0.0.1:3001/adyen',
    'http://127.0.0.1:3001',
  ])
})
