import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import type { StartAnswer } from '#contract/three-ds.ts'
import { createSandboxGateway } from '../../server/gateways/sandbox/gateway.ts'
import { hashKey } from '../../server/http/api-key.ts'
import { saveKey, saveMerchant } from '../../server/store/merchants.ts'
import { startAcquirer, type Acquirer, type ThreeDSRequest } from '../harness/acquirer-process.ts'
import { BROWSER_INFO, createFormBrowser, type FormBrowser, type Seen } from '../harness/form-browser.ts'
import { patientGateway } from '../harness/patient-gateway.ts'
import { CARD, KEYS, openShop, SETTINGS, type Shop } from '../harness/shop.ts'
import { createActiveServer } from '../../server/three-ds/active-server/three-ds-server.ts'
import { requestorTransId } from '../../server/three-ds/active-server/translate.ts'

/** `strict` demands full authentication, `books` takes no card outside 3-D Secure, `tea` takes both. */
type MerchantLabel = 'tea' | 'books' | 'strict'
const MERCHANT_KEYS: Record<MerchantLabel, string> = {
  tea: KEYS.tea,
  books: KEYS.books,
  strict: `sk_test_${'d'.repeat(32)}`,
}

/** What the shopper does at the bank, and what the card page hears by the time it is over. */
type AtBank = (browser: FormBrowser, bank: Seen) => Promise<string[]>

const types =
  (...codes: string[]): AtBank =>
  async (browser, bank) => {
    let shown = { page: bank, heard: new Array<string>() }
    for (const code of codes) shown = await browser.press(shown.page, 'confirm', code)
    return shown.heard
  }
const rightCode = types('123456')
const cancels: AtBank = async (browser, bank) => (await browser.press(bank, 'cancel')).heard
const looksOn: AtBank = async () => []
const seesNothing: AtBank = async (_browser, bank) => {
  assert.equal(bank.headers['x-frame-options'], 'DENY')
  return []
}

interface Walk {
  readonly checkoutId: string
  readonly orderCode: string
  readonly said: readonly string[]
}

/** The whole program but its page: the real adapters, the real sandbox, and a shopper who walks the page's way. */
interface World {
  readonly shop: Shop
  readonly browser: FormBrowser
}

interface Timeouts {
  readonly chargeMs: number
  readonly threeDSMs: number
}

const openWorld = async ({ origin }: Acquirer, { chargeMs, threeDSMs }: Timeouts): Promise<World> => {
  const gateway = { ...patientGateway(origin), charge: createSandboxGateway(origin, chargeMs).charge }
  const asked = { apiUrl: new URL(origin), merchantId: 'sandbox', merchantToken: null, tls: null }
  const options = { ...asked, timeoutMs: threeDSMs }
  const shop = await openShop({ gateway, threeDSServer: createActiveServer(options) })
  const settings = { ...SETTINGS, requireFullAuthentication: true }
  const strict = await saveMerchant(shop.parts.database, { id: 'strict-id', label: 'strict', settings }, 0)
  const key = { hash: hashKey(MERCHANT_KEYS.strict), merchantId: strict.id, mode: 'test' } as const
  await saveKey(shop.parts.database, key, 0)
  return { shop, browser: createFormBrowser(shop.app) }
}

const said = (call: string, answer: LightMyRequestResponse): string => {
  const { status, code } = answer.json<{ status?: string; code?: string }>()
  return `${call} ${answer.statusCode} ${status ?? code ?? ''}`.trim()
}

const patch = ({ shop }: World, merchant: MerchantLabel, orderCode: string, call: string) =>
  shop.call({ method: 'PATCH', url: `/api/v1/3ds/${orderCode}/${call}`, merchant })

const MONITOR_EVERY_MS = 200

const NOT_READY = 'AuthResultNotReady'

const readMonitor = async ({ shop }: World, merchant: MerchantLabel, orderCode: string): Promise<string> => {
  const answer = await shop.call({ method: 'GET', url: `/api/v1/3ds/${orderCode}/monitor`, merchant })
  return answer.json<{ event?: string }>().event ?? said('monitor', answer)
}

const pollMonitor = async (world: World, merchant: MerchantLabel, orderCode: string): Promise<string> => {
  for (let left = 100; left > 0; left -= 1) {
    const event = await readMonitor(world, merchant, orderCode)
    if (event !== NOT_READY) return event
    await sleep(MONITOR_EVERY_MS)
  }
  return 'the challenge never ended'
}

interface Shopper {
  readonly atBank?: AtBank
  readonly merchant?: MerchantLabel
}

/** One payment as the page makes it, told as the list of what was answered and heard. */
const walk = async (
  world: World,
  card: string,
  { atBank = looksOn, merchant = 'tea' }: Shopper = {},
): Promise<Walk> => {
  const { shop, browser } = world
  const checkoutId = await shop.create({}, MERCHANT_KEYS[merchant])
  const told: string[] = []
  const started = await shop.submit(checkoutId, { number: card }, merchant)
  const { orderCode, threeDSRequired, collectUrl, monitoringUrl } = started.json<Partial<StartAnswer>>()
  const end = (...last: string[]): Walk => ({ checkoutId, orderCode: orderCode ?? '', said: [...told, ...last] })
  if (orderCode === undefined) return end(said('start', started))
  const pays = async (): Promise<Walk> => end(said('pay', await shop.pay(checkoutId, orderCode, merchant)))
  if (threeDSRequired !== true || collectUrl === undefined || monitoringUrl === undefined) {
    told.push('exempt')
    return pays()
  }

  const first = Promise.withResolvers<void>()
  const framesOver = browser.collect({ collectUrl, monitoringUrl }, (message) => {
    told.push(message)
    first.resolve()
  })
  await Promise.race([first.promise, framesOver])
  if (told.some((message) => message !== '3DS_DO_AUTH')) {
    const reported = await patch(world, merchant, orderCode, 'collect-error')
    await framesOver
    return end(said('collect-error', reported))
  }

  const authenticated = await patch(world, merchant, orderCode, 'authenticate')
  const { threeDSType, challengeUrl } = authenticated.json<{ threeDSType?: string; challengeUrl?: string }>()
  // At once: a bank whose page is not asked for within three seconds calls the challenge off.
  const bank = challengeUrl === undefined ? undefined : await browser.openChallenge(challengeUrl)
  // One who looks on may be late: the bank's app approves after a second.
  if (bank !== undefined && atBank !== looksOn) {
    assert.equal(await readMonitor(world, merchant, orderCode), NOT_READY, 'a challenge is not over by being shown')
  }
  await framesOver
  told.push(threeDSType ?? said('authenticate', authenticated))
  if (threeDSType === undefined) return end()
  const again = await patch(world, merchant, orderCode, 'authenticate')
  assert.equal(again.body, authenticated.body, 'asked again, it says the same')
  if (bank === undefined) return pays()

  const heard = await atBank(browser, bank)
  told.push(...heard)
  if (heard.some((message) => message !== '3DS_AUTH_RESULT_READY')) {
    return end(said('challenge-error', await patch(world, merchant, orderCode, 'challenge-error')))
  }
  told.push(await pollMonitor(world, merchant, orderCode))
  return pays()
}

const PASSES = ['3DS_DO_AUTH', 'frictionless', 'pay 200 paid']
const REFUSED = ['3DS_DO_AUTH', 'frictionless', 'pay 402 card_declined']
const ASKED = ['3DS_DO_AUTH', 'challenge']
const READY = '3DS_AUTH_RESULT_READY'
const POLLED = 'AuthResultReady'
const CODE_PAID = [...ASKED, READY, POLLED, 'pay 200 paid']
const EXEMPT = ['exempt', 'pay 200 paid']
const DECLINED_AT_START = ['start 402 card_declined']

type Row = readonly [scenario: number, title: string, cards: string[], said: readonly string[], shopper?: Shopper]

const ROWS: readonly Row[] = [
  [1, 'a card that passes after its bank’s method is paid', ['4242424242424242'], PASSES],
  [2, 'a card whose bank has no method is paid', ['4111111111111111'], PASSES],
  [3, 'a Mastercard that passes is paid', ['5555555555554444'], PASSES],
  [4, 'a card outside 3-D Secure is paid where exempt cards are taken', ['5105105105105100'], EXEMPT],
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
    PASSES,
  ],
  [6, 'a card that passes after the method is paid', ['4100000000600008'], PASSES],
  [
    7,
    'the right code is paid',
    ['4100000000005000', '5100000000005007', '3528000000005006', '340000000005008'],
    CODE_PAID,
    { atBank: rightCode },
  ],
  [
    7,
    'the right code after two wrong ones is paid',
    ['4100000000005000'],
    CODE_PAID,
    { atBank: types('1', '22', '123456') },
  ],
  [8, 'an attempt is paid', ['4100000000100009', '3528000000100005', '5100000000100006'], PASSES],
  [
    8,
    'an attempt is refused where full authentication is demanded',
    ['4100000000100009', '3528000000100005', '5100000000100006'],
    REFUSED,
    { merchant: 'strict' },
  ],
  [
    8,
    'a full authentication is paid where it is demanded',
    ['4100000000000100', '5100000000000107'],
    PASSES,
    { merchant: 'strict' },
  ],
  [9, 'a failed authentication is refused', ['4100000000300005'], REFUSED],
  [10, 'an unavailable authentication is refused', ['4100000000400003'], REFUSED],
  [11, 'a rejected card is refused', ['4100000000500000'], REFUSED],
  [
    12,
    'three wrong codes are refused',
    ['4100000000710005'],
    [...ASKED, READY, POLLED, 'pay 402 card_declined'],
    { atBank: types('123456', '123456', '123456') },
  ],
  [
    13,
    'a challenge cancelled at the bank is refused',
    ['4100000000711003'],
    [...ASKED, READY, POLLED, 'pay 402 card_declined'],
    { atBank: cancels },
  ],
  [
    14,
    'an idle shopper is refused by polling alone',
    ['4100000000712001'],
    [...ASKED, POLLED, 'pay 402 card_declined'],
  ],
  [
    15,
    'a bank that refuses the frame is refused by polling alone',
    ['4100000000713009'],
    [...ASKED, POLLED, 'pay 402 card_declined'],
    { atBank: seesNothing },
  ],
  [16, 'an approval in the app is paid by polling alone', ['4100000000715004'], [...ASKED, POLLED, 'pay 200 paid']],
  [
    17,
    'a result announced twice is paid once',
    ['4100000000716002'],
    [...ASKED, READY, READY, POLLED, 'pay 200 paid'],
    { atBank: rightCode },
  ],
  [
    18,
    'an unknown message in the challenge gives the attempt up',
    ['4100000000717000'],
    [...ASKED, 'SomethingElse', 'challenge-error 200'],
    { atBank: rightCode },
  ],
  [19, 'a method that never ends is paid', ['4100000000720004'], PASSES],
  [
    20,
    'a method that ends late is told twice, and the challenge is paid',
    ['4100000000721002'],
    ['3DS_DO_AUTH', '3DS_DO_AUTH', 'challenge', READY, POLLED, 'pay 200 paid'],
    { atBank: rightCode },
  ],
  [
    21,
    'an unknown message while collecting gives the attempt up',
    ['4100000000722000'],
    ['SomethingElse', 'collect-error 200'],
  ],
  [22, 'a silent collect host is paid', ['4100000000723008'], ['frictionless', 'pay 200 paid']],
  [23, 'an error of the method is not told, and the card is paid', ['4100000000724006'], PASSES],
  [
    24,
    'a 3-D Secure server that is down is said at the start',
    ['4100000000730003'],
    ['start 503 authentication_unavailable'],
  ],
  [25, 'an authentication that fails once is asked again', ['4100000000731001'], PASSES],
  [27, 'a result that fails once is read again', ['4100000000733007'], CODE_PAID, { atBank: rightCode }],
  [28, 'a card that does not take part is paid where exempt cards are taken', ['4100000000740002'], EXEMPT],
  [
    28,
    'a card that does not take part is refused at the start where they are not',
    ['4100000000740002'],
    DECLINED_AT_START,
    { merchant: 'books' },
  ],
  [29, 'a declined charge is refused', ['4100000000750001', '4100000000751009', '4100000000752007'], REFUSED],
  [
    30,
    'an authentication that proves nothing is refused',
    ['4100000000760000', '4100000000761008', '4100000000762006'],
    REFUSED,
  ],
  [31, 'a Diners Club card of 14 digits is paid', ['36000000000008'], PASSES],
]

/** What was asked about one payment, as path and, for the calls that decide, nothing more. */
const pathsOf = (requests: readonly ThreeDSRequest[]): string[] =>
  requests.map(({ path }) => path.replace('/api/v2/auth/', ''))

describe('every scenario of 3-D Secure, over HTTP', () => {
  let acquirer: Acquirer
  let patient: World
  /** Gives up before the sandbox does, which hangs for six seconds. */
  let impatientToAsk: World
  let impatientToCharge: World
  before(async () => {
    acquirer = await startAcquirer()
    patient = await openWorld(acquirer, { chargeMs: 10_000, threeDSMs: 10_000 })
    impatientToAsk = await openWorld(acquirer, { chargeMs: 10_000, threeDSMs: 3000 })
    impatientToCharge = await openWorld(acquirer, { chargeMs: 1500, threeDSMs: 10_000 })
  })
  after(() => acquirer.stop())

  const statusOf = async ({ shop }: World, checkoutId: string, merchant: MerchantLabel = 'tea'): Promise<string> => {
    const answer = await shop.call({ method: 'GET', url: `/api/v1/checkouts/${checkoutId}`, merchant })
    return answer.json<{ status: string }>().status
  }
  const chargesOf = async (orderCode: string): Promise<number> =>
    (await acquirer.orders()).filter(({ orderId, status }) => orderId === orderCode && status === 'charged').length

  describe('many at once', { concurrency: 16 }, () => {
    for (const [scenario, title, cards, expected, shopper = {}] of ROWS) {
      for (const card of cards) {
        test(`scenario ${scenario}: ${title} (${card})`, async () => {
          const { checkoutId, orderCode, said: told } = await walk(patient, card, shopper)
          assert.deepEqual(told, expected)
          const isPaid = expected.at(-1) === 'pay 200 paid'
          assert.equal(await statusOf(patient, checkoutId, shopper.merchant), isPaid ? 'paid' : 'open')
          assert.equal(await chargesOf(orderCode), isPaid ? 1 : 0)
          assert.ok(!patient.shop.logged.some((line) => line.includes(card)), 'no log line holds the number')
        })
      }
    }

    test('scenario 11: the rejected card is refused at once when it is tried again, and another card pays', async () => {
      const { checkoutId } = await walk(patient, '4100000000500000')
      const refusal = await patient.shop.submit(checkoutId, { number: '4100000000500000' })
      assert.equal(said('start', refusal), 'start 402 card_declined')
      const { orderCode } = (await patient.shop.submit(checkoutId)).json<StartAnswer>()
      await patch(patient, 'tea', orderCode, 'authenticate')
      assert.equal(said('pay', await patient.shop.pay(checkoutId, orderCode)), 'pay 200 paid')
      assert.equal(await chargesOf(orderCode), 1)
    })

    test('scenario 17: message and poll that pay at once make one charge, and both are told so', async () => {
      const checkoutId = await patient.shop.create()
      const { orderCode } = (await patient.shop.submit(checkoutId, { number: '4100000000716002' })).json<StartAnswer>()
      const answer = await patch(patient, 'tea', orderCode, 'authenticate')
      const { challengeUrl = '' } = answer.json<{ challengeUrl?: string }>()
      await rightCode(patient.browser, await patient.browser.openChallenge(challengeUrl))
      const answers = await Promise.all([1, 2, 3].map(() => patient.shop.pay(checkoutId, orderCode)))
      for (const paid of answers) assert.equal(said('pay', paid), 'pay 200 paid')
      assert.equal(await chargesOf(orderCode), 1)
    })

    test('scenario 26: an authentication without an answer is given up in time, and nothing is charged', async () => {
      const { checkoutId, orderCode, said: told } = await walk(impatientToAsk, '4100000000732009')
      assert.deepEqual(told, ['3DS_DO_AUTH', 'authenticate 503 authentication_unavailable'])
      assert.equal(await statusOf(impatientToAsk, checkoutId), 'open')
      assert.equal(await chargesOf(orderCode), 0)
      assert.deepEqual(pathsOf(await acquirer.threeDSRequests(requestorTransId(orderCode))), ['brw/init', 'brw'])
    })

    test('scenario 29: a charge without an answer is looked up, and made exactly once', async () => {
      const { checkoutId, orderCode, said: told } = await walk(impatientToCharge, '4100000000754003')
      assert.deepEqual(told, ['3DS_DO_AUTH', 'frictionless', 'pay 409 payment_in_progress'])
      for (let left = 50; left > 0 && (await statusOf(impatientToCharge, checkoutId)) === 'open'; left -= 1)
        await sleep(200)
      assert.equal(await statusOf(impatientToCharge, checkoutId), 'paid')
      assert.equal(await chargesOf(orderCode), 1)
    })

    test('a stumbling 3-D Secure server is asked once more and no further, and told of a challenge given up', async () => {
      const asked = async (card: string, shopper: Shopper = {}): Promise<string[]> => {
        const { orderCode } = await walk(patient, card, shopper)
        return pathsOf(await acquirer.threeDSRequests(requestorTransId(orderCode)))
      }
      const [authOnce, resultOnce] = await Promise.all([
        asked('4100000000731001'),
        asked('4100000000733007', { atBank: rightCode }),
      ])
      assert.deepEqual(authOnce, ['brw/init', 'brw', 'brw'])
      assert.deepEqual(resultOnce, ['brw/init', 'brw', 'brw/result', 'brw/result'])
      const { orderCode } = await walk(patient, '4100000000717000', { atBank: rightCode })
      const status = async () =>
        (await acquirer.threeDSRequests(requestorTransId(orderCode))).find(({ path }) => path.endsWith('status'))?.body
      // It is told in the background.
      for (let left = 50; left > 0 && (await status()) === undefined; left -= 1) await sleep(100)
      assert.equal((await status())?.['status'], 'AuthResultNotDelivered')
    })

    test('the 3-D Secure server is sent exactly what the protocol asks for', async () => {
      const from = Date.now()
      const { orderCode } = await walk(patient, '4242424242424242')
      const [init, auth, ...rest] = await acquirer.threeDSRequests(requestorTransId(orderCode))
      assert.deepEqual(rest, [])
      const transaction = {
        acctNumber: CARD.number,
        merchantId: 'sandbox',
        threeDSRequestorTransID: requestorTransId(orderCode),
      }
      const { eventCallbackUrl, ...initRest } = init?.body ?? {}
      assert.match(String(eventCallbackUrl), /^http:\/\/3ds\.localhost:3000\/events\/[a-z2-7]{32}$/)
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
        merchantName: SETTINGS.receipt.shopName,
        transType: '01',
        threeDSRequestorDecReqInd: 'N',
        browserInfo: BROWSER_INFO,
      })
      const [, year, month, day, hour, minute, second] =
        /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(String(purchaseDate)) ?? []
      const purchasedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
      assert.ok(purchasedAt > from - 1000 && purchasedAt <= Date.now(), `${String(purchaseDate)} is not UTC`)
    })

    test('where the 3-D Secure server’s own page said nothing, the bridge’s facts of the browser are sent', async () => {
      const { orderCode } = await walk(patient, '4100000000723008')
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
    const worlds = [patient, impatientToAsk, impatientToCharge]
    const rows = await Promise.all(worlds.map(({ shop }) => shop.parts.database.rows(select)))
    const ours = rows.flat().map((row) => String(row['order_code']))
    const charged = (await acquirer.orders()).filter(({ status }) => status === 'charged')
    assert.ok(ours.length > 20)
    assert.deepEqual(charged.map(({ orderId }) => orderId).toSorted(), ours.toSorted())
  })

  test('the table tells of each of the 31 scenarios; the 26th needs a world of its own', () => {
    const told = new Set([...ROWS.map(([scenario]) => scenario), 26])
    assert.deepEqual(
      [...told].toSorted((a, b) => a - b),
      Array.from({ length: 31 }, (_, place) => place + 1),
    )
  })
})
