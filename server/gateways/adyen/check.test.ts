import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passesLuhn } from '#contract/card.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { adyenAccountOf } from './account.ts'
import { checkAdyenAccount } from './check.ts'
import { accountAt, HMAC_KEY, startScript, type Script } from './testing/adyen-fixtures.ts'

const ADDRESS = 'https://kaikei.example/acquirer/adyen/tea/test'
const ARRIVED = { address: ADDRESS, hasArrived: true }
const TAKEN = { status: 'received', paymentReference: 'kaikei-check' }
const WRONG_NUMBER = { status: 422, errorCode: '101', errorType: 'validation' }
const NOT_ALLOWED = { status: 403, errorCode: '010', errorType: 'security' }

/** As Adyen answers a key that may do everything. */
const allows: Script = ({ path }) => (path.endsWith('/payments') ? WRONG_NUMBER : TAKEN)

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

for (const [path, problem, role] of [
  ['/payments', /may not send payments with card numbers/, /"Checkout webservice role" and "API PCI Payments role"/],
  ['/cancels', /may not capture, cancel and refund/, /"Merchant PAL Webservice role"/],
] as const)
  test(`a key that lacks the role for ${path} is told which role, and where to give it`, async (t) => {
    const { origin } = await startScript(t, (call, response) =>
      call.path.endsWith(path) ? NOT_ALLOWED : allows(call, response),
    )
    const problems = await checkAdyenAccount(accountAt(origin), ARRIVED, virtualClock())
    assert.equal(problems.length, 1)
    assert.match(problems[0]?.problem ?? '', problem)
    assert.match(problems[0]?.mend ?? '', role)
    assert.match(problems[0]?.mend ?? '', /Customer Area, Developers, API credentials, Roles/)
  })

test('an account that works has no problem, and the check can charge nobody: its number fails the check digit', async (t) => {
  const { origin, calls } = await startScript(t, allows)
  assert.deepEqual(await checkAdyenAccount(accountAt(origin), ARRIVED, virtualClock()), [])
  assert.deepEqual(
    calls.slice(1).map(({ path, body }) => [path, body]),
    [
      [
        '/adyen/v72/cancels',
        { merchantAccount: 'TeaShopJP', paymentReference: 'kaikei-check', reference: 'kaikei-check' },
      ],
    ],
  )
  assert.equal(calls[0]?.path, '/adyen/v72/payments')
  const [, number = ''] = /"number":"(\d+)"/.exec(JSON.stringify(calls[0]?.body)) ?? []
  assert.equal(number.length, 16)
  assert.equal(passesLuhn(number), false)
})

test('without a report key, and until a signed notification has arrived, each is a problem of its own', async (t) => {
  const { origin } = await startScript(t, allows)
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
  assert.match(problems[1]?.mend ?? '', /has asked Adyen for a notification/)
  const refused = await startScript(t, () => ({ status: 401, errorCode: '000', errorType: 'security' }))
  const unasked = { address: ADDRESS, hasArrived: false }
  const [, webhook] = await checkAdyenAccount(accountAt(refused.origin), unasked, virtualClock())
  assert.match(webhook?.mend ?? '', /only a check that Adyen accepts makes it send a notification/)
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
