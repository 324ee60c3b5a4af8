import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import type { StartAnswer } from '#contract/three-ds.ts'
import { createSandboxGateway } from '../../server/gateways/sandbox/gateway.ts'
import { insertKey } from '../../server/store/merchant/keys.ts'
import { startSandbox, type SandboxProcess, type RecordedThreeDSRequest } from '../harness/sandbox-process.ts'
import {
  BROWSER_INFO,
  createBrowserForApp,
  type SimulatedBrowser,
  type LoadedPage,
} from '../harness/simulated-browser.ts'
import { activeServerOptions, sameCredentials } from '../harness/fake-active-server.ts'
import { longTimeoutGateway } from '../harness/long-timeout-gateway.ts'
import { CARD, openTestServer, type TestServer } from '../harness/test-server.ts'
import { API_KEYS, MERCHANT_SETTINGS, testKey } from '../harness/test-merchants.ts'
import { realClock } from '../harness/test-clocks.ts'
import { createActiveServer } from '../../server/three-ds/active-server/three-ds-server.ts'
import { requestorTransId } from '../../server/three-ds/active-server/translate.ts'
import { saveMerchant } from '../harness/save-records.ts'

/** `strict` demands full authentication, `books` takes no card outside 3-D Secure, `tea` takes both. */
type MerchantLabel = 'tea' | 'books' | 'strict'
const MERCHANT_KEYS: Record<MerchantLabel, string> = {
  tea: API_KEYS.tea,
  books: API_KEYS.books,
  strict: `sk_test_${'d'.repeat(32)}`,
}

/** What the shopper does on the bank's page; returns the messages that the card page gets until it is over. */
type ActionAtBank = (browser: SimulatedBrowser, bank: LoadedPage) => Promise<string[]>

const entersCodes =
  (...codes: string[]): ActionAtBank =>
  async (browser, bank) => {
    let shown = { page: bank, messages: new Array<string>() }
    for (const code of codes) shown = await browser.pressButton(shown.page, 'confirm', code)
    return shown.messages
  }
const entersRightCode = entersCodes('123456')
const cancelsAtBank: ActionAtBank = async (browser, bank) => (await browser.pressButton(bank, 'cancel')).messages
const doesNothing: ActionAtBank = async () => []
const seesRefusedFrame: ActionAtBank = async (_browser, bank) => {
  assert.equal(bank.headers['x-frame-options'], 'DENY')
  return []
}

/** One payment: what was answered and which messages came, in order. */
interface PaymentRun {
  readonly checkoutId: string
  readonly orderCode: string
  readonly events: readonly string[]
}

/** Every scenario of 3-D Secure: the whole program but its page, with the real adapters and the real sandbox. */
interface TestProgram {
  readonly server: TestServer
  readonly browser: SimulatedBrowser
}

interface Timeouts {
  readonly chargeMs: number
  readonly threeDSMs: number
}

const openTestProgram = async ({ origin }: SandboxProcess, { chargeMs, threeDSMs }: Timeouts): Promise<TestProgram> => {
  const gateway = { ...longTimeoutGateway(origin), charge: createSandboxGateway(origin, chargeMs).charge }
  const options = { ...activeServerOptions(origin, threeDSMs), credentialsOf: sameCredentials('sandbox') }
  const server = await openTestServer({ gateway, threeDSServer: createActiveServer(options), clock: realClock })
  const settings = { ...MERCHANT_SETTINGS, requireFullAuthentication: true }
  const strict = await saveMerchant(server.deps.database, { id: 'strict-id', label: 'strict', settings }, 0)
  await insertKey(server.deps.database, testKey(MERCHANT_KEYS.strict, strict.id), 0)
  return { server, browser: createBrowserForApp(server.app) }
}

const describeAnswer = (call: string, answer: LightMyRequestResponse): string => {
  const { status, code } = answer.json<{ status?: string; code?: string }>()
  return `${call} ${answer.statusCode} ${status ?? code ?? ''}`.trim()
}

const sendPatch = ({ server }: TestProgram, merchant: MerchantLabel, orderCode: string, call: string) =>
  server.sendRequest({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/${call}`, merchant })

const POLL_INTERVAL_MS = 200

const NOT_READY = 'AuthResultNotReady'

const readMonitor = async ({ server }: TestProgram, merchant: MerchantLabel, orderCode: string): Promise<string> => {
  const answer = await server.sendRequest({ method: 'GET', url: `/api/v1/3ds/${orderCode}/monitor`, merchant })
  return answer.json<{ event?: string }>().event ?? describeAnswer('monitor', answer)
}

const pollMonitor = async (program: TestProgram, merchant: MerchantLabel, orderCode: string): Promise<string> => {
  for (let left = 300; left > 0; left -= 1) {
    const event = await readMonitor(program, merchant, orderCode)
    if (event !== NOT_READY) return event
    await sleep(POLL_INTERVAL_MS)
  }
  return 'the challenge never ended'
}

interface ShopperOptions {
  readonly atBank?: ActionAtBank
  readonly merchant?: MerchantLabel
}

const payAsThePageDoes = async (
  program: TestProgram,
  card: string,
  { atBank = doesNothing, merchant = 'tea' }: ShopperOptions = {},
): Promise<PaymentRun> => {
  const { server, browser } = program
  const checkoutId = await server.createCheckout({}, MERCHANT_KEYS[merchant])
  const events: string[] = []
  const started = await server.submitCard(checkoutId, { number: card }, merchant)
  const { orderCode, threeDSRequired, collectUrl, monitoringUrl } = started.json<Partial<StartAnswer>>()
  const endWith = (...last: string[]): PaymentRun => ({
    checkoutId,
    orderCode: orderCode ?? '',
    events: [...events, ...last],
  })
  if (orderCode === undefined) return endWith(describeAnswer('start', started))
  const payAndEnd = async (): Promise<PaymentRun> =>
    endWith(describeAnswer('pay', await server.pay(checkoutId, orderCode, merchant)))
  if (threeDSRequired !== true || collectUrl === undefined || monitoringUrl === undefined) {
    events.push('exempt')
    return payAndEnd()
  }

  const first = Promise.withResolvers<void>()
  const framesOver = browser.runCollectFrames({ collectUrl, monitoringUrl }, (message) => {
    events.push(message)
    first.resolve()
  })
  await Promise.race([first.promise, framesOver])
  if (events.some((message) => message !== '3DS_DO_AUTH')) {
    const reported = await sendPatch(program, merchant, orderCode, 'collect-error')
    await framesOver
    return endWith(describeAnswer('collect-error', reported))
  }

  const authenticated = await sendPatch(program, merchant, orderCode, 'authenticate')
  const { threeDSType, challengeUrl } = authenticated.json<{ threeDSType?: string; challengeUrl?: string }>()
  const bank = challengeUrl === undefined ? undefined : await browser.openChallenge(challengeUrl)
  // Not where the challenge ends by itself, after a second in the bank's app: by now it may have.
  if (bank !== undefined && atBank !== doesNothing && atBank !== seesRefusedFrame) {
    assert.equal(await readMonitor(program, merchant, orderCode), NOT_READY, 'a challenge is not over by being shown')
  }
  await framesOver
  events.push(threeDSType ?? describeAnswer('authenticate', authenticated))
  if (threeDSType === undefined) return endWith()
  const again = await sendPatch(program, merchant, orderCode, 'authenticate')
  assert.equal(again.body, authenticated.body, 'a repeated call gets the same answer')
  if (bank === undefined) return payAndEnd()

  const messages = await atBank(browser, bank)
  events.push(...messages)
  if (messages.some((message) => message !== '3DS_AUTH_RESULT_READY')) {
    return endWith(describeAnswer('challenge-error', await sendPatch(program, merchant, orderCode, 'challenge-error')))
  }
  events.push(await pollMonitor(program, merchant, orderCode))
  return payAndEnd()
}

const FRICTIONLESS_PAID = ['3DS_DO_AUTH', 'frictionless', 'pay 200 paid']
const FRICTIONLESS_DECLINED = ['3DS_DO_AUTH', 'frictionless', 'pay 402 card_declined']
const CHALLENGED = ['3DS_DO_AUTH', 'challenge']
const RESULT_READY_MESSAGE = '3DS_AUTH_RESULT_READY'
const RESULT_READY_POLLED = 'AuthResultReady'
const CHALLENGE_PAID = [...CHALLENGED, RESULT_READY_MESSAGE, RESULT_READY_POLLED, 'pay 200 paid']
const EXEMPT_PAID = ['exempt', 'pay 200 paid']
const UNFINISHED = 'pay 409 authentication_unfinished'
const DECLINED_AT_START = ['start 402 card_declined']

type Scenario = readonly [
  scenario: number,
  title: string,
  cards: string[],
  expected: readonly string[],
  shopper?: ShopperOptions,
]

const SCENARIOS: readonly Scenario[] = [
  [1, 'a card that passes after its bank’s method is paid', ['4242424242424242'], FRICTIONLESS_PAID],
  [2, 'a card whose bank has no method is paid', ['4111111111111111'], FRICTIONLESS_PAID],
  [3, 'a Mastercard that passes is paid', ['5555555555554444'], FRICTIONLESS_PAID],
  [4, 'a card outside 3-D Secure is paid where exempt cards are taken', ['5105105105105100'], EXEMPT_PAID],
  [
    4,
    'a card outside 3-D Secure is refused at the start where they are not',
    ['5105105105105100'],
    DECLINED_AT_START,
    { merchant: 'books' },
  ],
  [
    5,
    'a card that passes at once is paid',
    ['4100000000000100', '5100000000000107', '3528000000000106', '340000000000108', '6440000000000104'],
    FRICTIONLESS_PAID,
  ],
  [6, 'a card that passes after the method is paid', ['4100000000600008'], FRICTIONLESS_PAID],
  [
    7,
    'the right code is paid',
    ['4100000000005000', '5100000000005007', '3528000000005006', '340000000005008'],
    CHALLENGE_PAID,
    { atBank: entersRightCode },
  ],
  [
    7,
    'the right code after two wrong ones is paid',
    ['4100000000005000'],
    CHALLENGE_PAID,
    { atBank: entersCodes('1', '22', '123456') },
  ],
  [8, 'an attempt is paid', ['4100000000100009', '3528000000100005', '5100000000100006'], FRICTIONLESS_PAID],
  [
    8,
    'an attempt is refused where full authentication is demanded',
    ['4100000000100009', '3528000000100005', '5100000000100006'],
    FRICTIONLESS_DECLINED,
    { merchant: 'strict' },
  ],
  [
    8,
    'a full authentication is paid where it is demanded',
    ['4100000000000100', '5100000000000107'],
    FRICTIONLESS_PAID,
    { merchant: 'strict' },
  ],
  [9, 'a failed authentication is refused', ['4100000000300005'], FRICTIONLESS_DECLINED],
  [10, 'an unavailable authentication is refused', ['4100000000400003'], FRICTIONLESS_DECLINED],
  [11, 'a rejected card is refused', ['4100000000500000'], FRICTIONLESS_DECLINED],
  [
    12,
    'three wrong codes are refused',
    ['4100000000710005'],
    [...CHALLENGED, RESULT_READY_MESSAGE, RESULT_READY_POLLED, 'pay 402 card_declined'],
    { atBank: entersCodes('123456', '123456', '123456') },
  ],
  [
    13,
    'a challenge cancelled at the bank is unfinished',
    ['4100000000711003'],
    [...CHALLENGED, RESULT_READY_MESSAGE, RESULT_READY_POLLED, UNFINISHED],
    { atBank: cancelsAtBank },
  ],
  [
    14,
    'the challenge of an idle shopper is unfinished, by polling alone',
    ['4100000000712001'],
    [...CHALLENGED, RESULT_READY_POLLED, UNFINISHED],
  ],
  [
    15,
    'the challenge of a bank that refuses the frame is unfinished, by polling alone',
    ['4100000000713009'],
    [...CHALLENGED, RESULT_READY_POLLED, UNFINISHED],
    { atBank: seesRefusedFrame },
  ],
  [
    16,
    'an approval in the app is paid by polling alone',
    ['4100000000715004'],
    [...CHALLENGED, RESULT_READY_POLLED, 'pay 200 paid'],
  ],
  [
    17,
    'a result announced twice is paid once',
    ['4100000000716002'],
    [...CHALLENGED, RESULT_READY_MESSAGE, RESULT_READY_MESSAGE, RESULT_READY_POLLED, 'pay 200 paid'],
    { atBank: entersRightCode },
  ],
  [
    18,
    'an unknown message in the challenge gives the attempt up',
    ['4100000000717000'],
    [...CHALLENGED, 'SomethingElse', 'challenge-error 200'],
    { atBank: entersRightCode },
  ],
  [19, 'a method that never ends is paid', ['4100000000720004'], FRICTIONLESS_PAID],
  [
    20,
    'a method that ends late is reported twice, and the challenge is paid',
    ['4100000000721002'],
    ['3DS_DO_AUTH', '3DS_DO_AUTH', 'challenge', RESULT_READY_MESSAGE, RESULT_READY_POLLED, 'pay 200 paid'],
    { atBank: entersRightCode },
  ],
  [
    21,
    'an unknown message while collecting gives the attempt up',
    ['4100000000722000'],
    ['SomethingElse', 'collect-error 200'],
  ],
  [22, 'a silent collect host is paid', ['4100000000723008'], ['frictionless', 'pay 200 paid']],
  [23, 'an error of the method is not reported, and the card is paid', ['4100000000724006'], FRICTIONLESS_PAID],
  [
    24,
    'a 3-D Secure server that is down is reported at the start',
    ['4100000000730003'],
    ['start 503 authentication_unavailable'],
  ],
  [25, 'an authentication that fails once is asked again', ['4100000000731001'], FRICTIONLESS_PAID],
  [27, 'a result that fails once is read again', ['4100000000733007'], CHALLENGE_PAID, { atBank: entersRightCode }],
  [28, 'a card that does not take part is paid where exempt cards are taken', ['4100000000740002'], EXEMPT_PAID],
  [
    28,
    'a card that does not take part is refused at the start where they are not',
    ['4100000000740002'],
    DECLINED_AT_START,
    { merchant: 'books' },
  ],
  [
    29,
    'a declined charge is refused',
    ['4100000000750001', '4100000000751009', '4100000000752007'],
    FRICTIONLESS_DECLINED,
  ],
  [
    30,
    'an authentication that proves nothing is refused',
    ['4100000000760000', '4100000000761008', '4100000000762006'],
    FRICTIONLESS_DECLINED,
  ],
  [31, 'a Diners Club card of 14 digits is paid', ['36000000000008'], FRICTIONLESS_PAID],
]

/** The paths of the requests about one payment. */
const pathsOf = (requests: readonly RecordedThreeDSRequest[]): string[] =>
  requests.map(({ path }) => path.replace('/api/v2/auth/', ''))

describe('every scenario of 3-D Secure, over HTTP', () => {
  let acquirer: SandboxProcess
  let longTimeouts: TestProgram
  /** Shorter than the six seconds for which the sandbox hangs. */
  let shortThreeDSTimeout: TestProgram
  let shortChargeTimeout: TestProgram
  before(async () => {
    acquirer = await startSandbox()
    longTimeouts = await openTestProgram(acquirer, { chargeMs: 10_000, threeDSMs: 10_000 })
    shortThreeDSTimeout = await openTestProgram(acquirer, { chargeMs: 10_000, threeDSMs: 3000 })
    shortChargeTimeout = await openTestProgram(acquirer, { chargeMs: 1500, threeDSMs: 10_000 })
  })
  after(() => acquirer.stop())

  const statusOf = async (
    { server }: TestProgram,
    checkoutId: string,
    merchant: MerchantLabel = 'tea',
  ): Promise<string> => {
    const answer = await server.sendRequest({ method: 'GET', url: `/api/v1/checkouts/${checkoutId}`, merchant })
    return answer.json<{ status: string }>().status
  }
  const countCharges = async (orderCode: string): Promise<number> =>
    (await acquirer.listOrders()).filter(({ orderId, status }) => orderId === orderCode && status === 'charged').length

  describe('many at once', { concurrency: 16 }, () => {
    for (const [scenario, title, cards, expected, shopper = {}] of SCENARIOS) {
      for (const card of cards) {
        test(`scenario ${scenario}: ${title} (${card})`, async () => {
          const { checkoutId, orderCode, events } = await payAsThePageDoes(longTimeouts, card, shopper)
          assert.deepEqual(events, expected)
          const isPaid = expected.at(-1) === 'pay 200 paid'
          assert.equal(await statusOf(longTimeouts, checkoutId, shopper.merchant), isPaid ? 'paid' : 'open')
          assert.equal(await countCharges(orderCode), isPaid ? 1 : 0)
          assert.ok(!longTimeouts.server.logLines.some((line) => line.includes(card)), 'no log line holds the number')
        })
      }
    }

    test('scenario 11: the rejected card is refused at once when it is tried again, and another card pays', async () => {
      const { checkoutId } = await payAsThePageDoes(longTimeouts, '4100000000500000')
      const refusal = await longTimeouts.server.submitCard(checkoutId, { number: '4100000000500000' })
      assert.equal(describeAnswer('start', refusal), 'start 402 card_declined')
      const { orderCode } = (await longTimeouts.server.submitCard(checkoutId)).json<StartAnswer>()
      await sendPatch(longTimeouts, 'tea', orderCode, 'authenticate')
      assert.equal(describeAnswer('pay', await longTimeouts.server.pay(checkoutId, orderCode)), 'pay 200 paid')
      assert.equal(await countCharges(orderCode), 1)
    })

    test('scenario 17: message and poll that pay at once make one charge, and all get the same answer', async () => {
      const checkoutId = await longTimeouts.server.createCheckout()
      const { orderCode } = (
        await longTimeouts.server.submitCard(checkoutId, { number: '4100000000716002' })
      ).json<StartAnswer>()
      const answer = await sendPatch(longTimeouts, 'tea', orderCode, 'authenticate')
      const { challengeUrl = '' } = answer.json<{ challengeUrl?: string }>()
      await entersRightCode(longTimeouts.browser, await longTimeouts.browser.openChallenge(challengeUrl))
      const answers = await Promise.all([1, 2, 3].map(() => longTimeouts.server.pay(checkoutId, orderCode)))
      for (const paid of answers) assert.equal(describeAnswer('pay', paid), 'pay 200 paid')
      assert.equal(await countCharges(orderCode), 1)
    })

    test('scenario 26: an authentication without an answer is given up in time, and nothing is charged', async () => {
      const { checkoutId, orderCode, events } = await payAsThePageDoes(shortThreeDSTimeout, '4100000000732009')
      assert.deepEqual(events, ['3DS_DO_AUTH', 'authenticate 503 authentication_unavailable'])
      assert.equal(await statusOf(shortThreeDSTimeout, checkoutId), 'open')
      assert.equal(await countCharges(orderCode), 0)
      assert.deepEqual(pathsOf(await acquirer.threeDSRequests(requestorTransId(orderCode))), ['brw/init', 'brw'])
    })

    test('scenario 29: a charge without an answer is found by an inquiry, and made exactly once', async () => {
      const { checkoutId, orderCode, events } = await payAsThePageDoes(shortChargeTimeout, '4100000000754003')
      assert.deepEqual(events, ['3DS_DO_AUTH', 'frictionless', 'pay 409 payment_in_progress'])
      for (let left = 300; left > 0 && (await statusOf(shortChargeTimeout, checkoutId)) === 'open'; left -= 1)
        await sleep(200)
      assert.equal(await statusOf(shortChargeTimeout, checkoutId), 'paid')
      assert.equal(await countCharges(orderCode), 1)
    })

    test('a failed call to the 3-D Secure server is repeated once and no more, and the server is informed of an abandoned challenge', async () => {
      const requestedPaths = async (card: string, shopper: ShopperOptions = {}): Promise<string[]> => {
        const { orderCode } = await payAsThePageDoes(longTimeouts, card, shopper)
        return pathsOf(await acquirer.threeDSRequests(requestorTransId(orderCode)))
      }
      const [authOnce, resultOnce] = await Promise.all([
        requestedPaths('4100000000731001'),
        requestedPaths('4100000000733007', { atBank: entersRightCode }),
      ])
      assert.deepEqual(authOnce, ['brw/init', 'brw', 'brw'])
      assert.deepEqual(resultOnce, ['brw/init', 'brw', 'brw/result', 'brw/result'])
      const { orderCode } = await payAsThePageDoes(longTimeouts, '4100000000717000', { atBank: entersRightCode })
      const status = async () =>
        (await acquirer.threeDSRequests(requestorTransId(orderCode))).find(({ path }) => path.endsWith('status'))?.body
      // It is informed in the background.
      for (let left = 300; left > 0 && (await status()) === undefined; left -= 1) await sleep(100)
      assert.equal((await status())?.['status'], 'AuthResultNotDelivered')
    })

    test('the 3-D Secure server is sent exactly what the protocol asks for', async () => {
      const from = Date.now()
      const { orderCode } = await payAsThePageDoes(longTimeouts, '4242424242424242')
      const [init, auth, ...rest] = await acquirer.threeDSRequests(requestorTransId(orderCode))
      assert.deepEqual(rest, [])
      const transaction = {
        acctNumber: '424242******4242',
        merchantId: 'sandbox',
        threeDSRequestorTransID: requestorTransId(orderCode),
      }
      const { eventCallbackUrl, ...initRest } = init?.body ?? {}
      assert.match(String(eventCallbackUrl), /^http:\/\/3ds\.localhost:3000\/events\/tea-id[a-z2-7]{32}$/)
      assert.deepEqual(initRest, { ...transaction, challengeWindowSize: '05' })
      assert.deepEqual(init?.query, {})
      const { purchaseDate, threeDSServerTransID, ...authRest } = auth?.body ?? {}
      assert.deepEqual(auth?.query, { transId: threeDSServerTransID })
      assert.deepEqual(authRest, {
        ...transaction,
        authenticationInd: '01',
        messageCategory: 'pa',
        purchaseAmount: '1980',
        purchaseCurrency: '392',
        cardExpiryDate: '9912',
        cardHolderInfo: { cardholderName: CARD.name, email: CARD.email },
        merchantName: MERCHANT_SETTINGS.receipt.shopName,
        transType: '01',
        threeDSRequestorDecReqInd: 'N',
        browserInfo: BROWSER_INFO,
      })
      const [, year, month, day, hour, minute, second] =
        /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(String(purchaseDate)) ?? []
      const purchasedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
      assert.ok(purchasedAt > from - 1000 && purchasedAt <= Date.now(), `${String(purchaseDate)} is not UTC`)
    })

    test('where the 3-D Secure server’s own page collected nothing, the browser facts of the bridge are sent', async () => {
      const { orderCode } = await payAsThePageDoes(longTimeouts, '4100000000723008')
      const requests = await acquirer.threeDSRequests(requestorTransId(orderCode))
      const body = requests.find(({ path }) => path.endsWith('/brw'))?.body
      assert.equal(body?.['browserInfo'], undefined)
      assert.deepEqual(body?.['browserInfoCollected'], {
        browserAcceptHeader: '*/*',
        browserUserAgent: 'lightMyRequest',
        browserIP: '127.0.0.1',
        browserLanguage: 'zh-Hant',
        browserJavascriptEnabled: true,
        browserJavaEnabled: false,
        browserColorDepth: '24',
        browserScreenHeight: '844',
        browserScreenWidth: '390',
        browserTZ: '-540',
      })
    })
  })

  test('the acquirer’s list holds one charge for each paid checkout, and none for any other', async () => {
    const select = `SELECT attempts.order_code FROM attempts
      JOIN checkouts ON checkouts.id = attempts.checkout_id
      WHERE checkouts.status = 'paid' AND attempts.state = 'charged'`
    const programs = [longTimeouts, shortThreeDSTimeout, shortChargeTimeout]
    const rows = await Promise.all(programs.map(({ server }) => server.deps.database.rows(select)))
    const ours = rows.flat().map((row) => String(row['order_code']))
    const charged = (await acquirer.listOrders()).filter(({ status }) => status === 'charged')
    assert.ok(ours.length > 20)
    assert.deepEqual(charged.map(({ orderId }) => orderId).toSorted(), ours.toSorted())
  })

  test('the table has each of the 31 scenarios; the 26th has a test of its own', () => {
    const listed = new Set([...SCENARIOS.map(([scenario]) => scenario), 26])
    assert.deepEqual(
      [...listed].toSorted((a, b) => a - b),
      Array.from({ length: 31 }, (_, place) => place + 1),
    )
  })
})
