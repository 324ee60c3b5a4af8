import type { BrowserContext, Page, Route } from '@playwright/test'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { pay, CARDS, payButton } from './harness/card-form.ts'
import { openDroppingLine, type Drop } from './harness/dropping-proxy.ts'
import { answerTo } from './harness/live-page.ts'
import { expect, test } from './harness/fixtures.ts'
import { watchMoney } from './harness/money.ts'
import { watchFor } from './harness/seen.ts'

/** What the page may not say, and what it says at the end. */
const WORDS: Readonly<Record<PageLocale, { readonly failed: string; readonly paid: string }>> = {
  ja: { failed: 'お支払いに失敗しました。', paid: 'お支払いが完了しました' },
  'en-US': { failed: 'Payment failed.', paid: 'Payment complete' },
  ko: { failed: '결제에 실패했습니다.', paid: '결제가 완료되었습니다' },
  'zh-Hans': { failed: '支付失败。', paid: '支付成功' },
  'zh-Hant': { failed: '付款失敗。', paid: '付款完成' },
  th: { failed: 'ชำระเงินไม่สำเร็จ', paid: 'ชำระเงินเรียบร้อยแล้ว' },
}

const SHOPPERS = [
  ['a card that passes', CARDS.good],
  ['a card that is asked for a code', CARDS.challenged],
  ['a card outside 3-D Secure', '5105105105105100'],
] as const

/** The page's own limit for an answer. The journeys have not the time for it: they say when it is over. */
const ANSWER_LIMIT_MS = 45_000

const takeLimitsInHand = (page: Page): Promise<unknown> =>
  page.addInitScript((limitMs) => {
    const limits: AbortController[] = []
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    AbortSignal.timeout = (ms) => {
      if (ms !== limitMs) return timeout(ms)
      const limit = new AbortController()
      limits.push(limit)
      return limit.signal
    }
    const end = () => limits.at(-1)?.abort(new DOMException('signal timed out', 'TimeoutError'))
    Object.defineProperty(window, 'endLastLimit', { value: end })
  }, ANSWER_LIMIT_MS)

interface Scene {
  readonly page: Page
  readonly context: BrowserContext
  readonly route: Route
  /** Of the five times that this way is told, the how manieth this is. */
  readonly round: number
}

/** Hands the pay call to the server and drops the answer, which is told here alone. */
type Way = (scene: Scene) => Promise<string>

const heard = async (route: Route): Promise<string> => (await answerTo(route)).text()

const onTheLine =
  (drop: Drop, after: (page: Page) => Promise<unknown> = async () => {}): Way =>
  async ({ page, route }) => {
    const line = await openDroppingLine()
    page.once('close', () => line.close())
    const answer = await line.carry(route, drop)
    await after(page)
    return answer
  }

const replaced =
  (by: (answer: string, round: number) => Parameters<Route['fulfill']>[0]): Way =>
  async ({ route, round }) => {
    const answer = await heard(route)
    await route.fulfill(by(answer, round))
    return answer
  }

const endLastLimit = (page: Page): Promise<unknown> => page.evaluate('window.endLastLimit()')
const asHtml = (words: string) => ({ contentType: 'text/html', body: `<!doctype html><h1>${words}</h1>` })
const asJson = { status: 200, contentType: 'application/json' }

/** Some that proxies have to themselves, some that they share with the server. */
const PROXY_STATUSES = [503, 502, 504, 520, 524]

const WAYS: Readonly<Record<string, Way>> = {
  'is given up by the browser': async ({ route }) => {
    const answer = await heard(route)
    await route.abort('failed')
    return answer
  },
  'is lost with its connection': onTheLine('nothing of it arrives and the connection is reset'),
  'breaks off in the middle': onTheLine('half of it arrives and the connection is reset'),
  'never comes': async ({ page, route }) => {
    const answer = await heard(route)
    await endLastLimit(page)
    return answer
  },
  'stops in the middle for ever': onTheLine('half of it arrives and nothing more is heard', endLastLimit),
  'is replaced by the error page of a proxy': replaced((_, round) => ({
    status: PROXY_STATUSES[round % PROXY_STATUSES.length] ?? 502,
    ...asHtml('Bad gateway'),
  })),
  'arrives empty': replaced(() => ({ ...asJson, body: '' })),
  'arrives as half a JSON text': replaced((answer) => ({ ...asJson, body: answer.slice(0, answer.length / 2) })),
  'is replaced by the login page of a hotel': replaced(() => ({ status: 200, ...asHtml('Welcome to our Wi-Fi') })),
  'is lost with the whole network, which comes back': async ({ page, context, route }) => {
    const answer = await heard(route)
    await context.setOffline(true)
    const unread = page.waitForEvent('requestfailed', (request) => !request.url().endsWith('/pay'))
    await route.abort('internetdisconnected')
    await unread
    await context.setOffline(false)
    return answer
  },
}

const ROUNDS = 5

/** Told with every test run: the ways most unlike each other, with every kind of card, in five languages. */
const USUAL: Readonly<Record<string, number>> = {
  'breaks off in the middle': 2,
  'never comes': 0,
  'is replaced by the error page of a proxy': 0,
  'is replaced by the login page of a hotel': 0,
  'is lost with the whole network, which comes back': 2,
}

const typeCode = (page: Page): Promise<void> => {
  const code = page.frameLocator('section iframe').frameLocator('iframe').locator('input[name="code"]')
  return code.fill('123456').then(() => code.press('Enter'))
}

const note = (type: string, value: number): void => {
  test.info().annotations.push({ type, description: String(value) })
}

const tell = (what: string, way: Way, round: number, place: number): void => {
  const [who, card] = SHOPPERS[(place + round) % SHOPPERS.length] ?? SHOPPERS[0]
  const locale = PAGE_LOCALES[(place * ROUNDS + round) % PAGE_LOCALES.length] ?? 'ja'
  const tag = USUAL[what] === round ? [] : ['@proof']
  test(
    `a pay answer that ${what} ends on the receipt: ${who}, ${locale}`,
    { tag },
    async ({ page, context, kaikei }) => {
      const { failed, paid } = WORDS[locale]
      const money = await watchMoney(kaikei)
      const saw = await watchFor(page, [failed, paid])
      await takeLimitsInHand(page)
      const { promise, resolve } = Promise.withResolvers<string>()
      await page.route('**/pay', (route) => way({ page, context, route, round }).then(resolve))
      const { id, url } = await kaikei.create()
      await page.goto(`${url}/creditcard?locale=${locale}`)
      await pay(page, card)
      if (card === CARDS.challenged) await typeCode(page)

      const dropped: unknown = JSON.parse(await promise)
      const modal = page.getByRole('alertdialog')
      const receipt = page.getByRole('heading', { name: paid })
      await expect(receipt.or(modal)).toBeVisible()
      note('dropped', 1)
      note('receipt', (await receipt.isVisible()) ? 1 : 0)
      note('lastWordFailed', (await modal.isVisible()) ? 1 : 0)
      note('everSaidFailed', saw(failed) ? 1 : 0)
      note('charges', await money.charges())

      expect(dropped).toMatchObject({ id, status: 'paid' })
      await expect(receipt).toBeVisible()
      await expect(page).toHaveURL(`${url}/complete?locale=${locale}`)
      expect({ failed: saw(failed), paid: saw(paid) }).toEqual({ failed: false, paid: true })
      await money.expectPaidOnce(id)
    },
  )
}

for (const [place, [what, way]] of Object.entries(WAYS).entries()) {
  for (let round = 0; round < ROUNDS; round += 1) tell(what, way, round, place)
}

/** What the shopper's browser hears of a request that is still on its way to the server. */
const HEARD_TOO_SOON: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'the line broke': (route) => route.abort('failed'),
  'a proxy said 503 in HTML': (route) => route.fulfill({ status: 503, ...asHtml('Service unavailable') }),
  'a proxy said 524 and nothing else': (route) => route.fulfill({ status: 524, body: '' }),
}

for (const [what, hear] of Object.entries(HEARD_TOO_SOON))
  test(`a pay request that arrives after its shopper was told that it failed charges nothing, and a second one does: ${what}`, async ({
    page,
    kaikei,
  }) => {
    const money = await watchMoney(kaikei)
    const { id, url } = await kaikei.create()
    const { promise: held, resolve: hold } = Promise.withResolvers<Route>()
    await page.route(
      '**/pay',
      async (route) => {
        hold(route)
        await hear(route)
      },
      { times: 1 },
    )
    await page.goto(`${url}/creditcard?locale=en-US`)
    await pay(page, CARDS.good)
    const modal = page.getByRole('alertdialog')
    await expect(modal).toContainText(WORDS['en-US'].failed)

    const late = await answerTo(await held)
    expect([late.status(), await late.json()]).toMatchObject([409, { code: 'order_over' }])
    await money.expectNoneMoved(id)

    await modal.getByRole('button').click()
    await payButton(page).click()
    await expect(page.getByRole('heading', { name: WORDS['en-US'].paid })).toBeVisible()
    await money.expectPaidOnce(id)
  })
