import type { BrowserContext, Page, Route } from '@playwright/test'
import { withLineBreaks } from '#contract/line-breaks.ts'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { CARDS, payButton, payWithCard } from './harness/card-form.ts'
import { bankFrameInAnyLanguage } from './harness/challenge.ts'
import { startDroppingProxy, type ResponseDrop } from './harness/dropping-proxy.ts'
import { fetchFromServer } from './harness/server-response.ts'
import { expect, test } from './harness/fixtures.ts'
import { startChargeCheck } from './harness/charge-check.ts'
import { watchForTexts } from './harness/seen-texts.ts'

/** What the page must never show, and what it shows at the end. */
const TEXTS: Readonly<Record<PageLocale, { readonly failed: string; readonly paid: string }>> = {
  ja: { failed: 'お支払いに失敗しました。', paid: 'お支払いが完了しました' },
  'en-US': { failed: 'Payment failed.', paid: 'Payment complete' },
  ko: { failed: '결제에 실패했습니다.', paid: '결제가 완료되었습니다' },
  'zh-Hans': { failed: '支付失败。', paid: '支付成功' },
  'zh-Hant': { failed: '付款失敗。', paid: '付款完成' },
  th: { failed: 'ชำระเงินไม่สำเร็จ', paid: 'ชำระเงินเรียบร้อยแล้ว' },
}

const CARD_KINDS = [
  ['a card that passes', CARDS.good],
  ['a card that is asked for a code', CARDS.challenged],
  ['a card outside 3-D Secure', CARDS.outsideThreeDS],
] as const

/** The page's own timeout for an answer. It is too long for the journeys: they end it themselves. */
const ANSWER_TIMEOUT_MS = 45_000

const controlAnswerTimeouts = (page: Page): Promise<unknown> =>
  page.addInitScript((answerTimeoutMs) => {
    const timeouts: (() => void)[] = []
    const { setTimeout: original } = window
    const controlled = (run: () => void, ms?: number) => {
      if (ms === answerTimeoutMs) timeouts.push(run)
      return original(run, ms)
    }
    Object.assign(window, { setTimeout: controlled })
    const end = () => timeouts.at(-1)?.()
    Object.defineProperty(window, 'endLastTimeout', { value: end })
  }, ANSWER_TIMEOUT_MS)

/** A pay call that a journey intercepts. */
interface PayCall {
  readonly page: Page
  readonly context: BrowserContext
  readonly route: Route
  /** Each way to drop an answer is run five times: which of them this is. */
  readonly round: number
}

/** Passes the pay call on to the server, drops the answer on its way to the page and returns it. */
type DropAnswer = (call: PayCall) => Promise<string>

const readServerAnswer = async (route: Route): Promise<string> => (await fetchFromServer(route)).text()

const dropInProxy =
  (drop: ResponseDrop, after: (page: Page) => Promise<unknown> = async () => {}): DropAnswer =>
  async ({ page, route }) => {
    const proxy = await startDroppingProxy()
    page.once('close', () => proxy.close())
    const answer = await proxy.forward(route, drop)
    await after(page)
    return answer
  }

const replaceAnswer =
  (by: (answer: string, round: number) => Parameters<Route['fulfill']>[0]): DropAnswer =>
  async ({ route, round }) => {
    const answer = await readServerAnswer(route)
    await route.fulfill(by(answer, round))
    return answer
  }

const endLastTimeout = (page: Page): Promise<unknown> => page.evaluate('window.endLastTimeout()')
const asHtml = (text: string) => ({ contentType: 'text/html', body: `<!doctype html><h1>${text}</h1>` })
const AS_JSON = { status: 200, contentType: 'application/json' }

/** Some are used by proxies alone, some by the server too. */
const PROXY_STATUSES = [503, 502, 504, 520, 524]

const WAYS_TO_DROP: Readonly<Record<string, DropAnswer>> = {
  'is given up by the browser': async ({ route }) => {
    const answer = await readServerAnswer(route)
    await route.abort('failed')
    return answer
  },
  'is lost with its connection': dropInProxy('nothing of it arrives and the connection is reset'),
  'breaks off in the middle': dropInProxy('half of it arrives and the connection is reset'),
  'never comes': async ({ page, route }) => {
    const answer = await readServerAnswer(route)
    await endLastTimeout(page)
    return answer
  },
  'stops in the middle for ever': dropInProxy('half of it arrives and the connection stays open', endLastTimeout),
  'is replaced by the error page of a proxy': replaceAnswer((_, round) => ({
    status: PROXY_STATUSES[round % PROXY_STATUSES.length] ?? 502,
    ...asHtml('Bad gateway'),
  })),
  'arrives empty': replaceAnswer(() => ({ ...AS_JSON, body: '' })),
  'arrives as half a JSON text': replaceAnswer((answer) => ({ ...AS_JSON, body: answer.slice(0, answer.length / 2) })),
  'is replaced by the login page of a hotel': replaceAnswer(() => ({ status: 200, ...asHtml('Welcome to our Wi-Fi') })),
  'is lost with the whole network, which comes back': async ({ page, context, route }) => {
    const answer = await readServerAnswer(route)
    await context.setOffline(true)
    const unread = page.waitForEvent('requestfailed', (request) => !request.url().endsWith('/pay'))
    await route.abort('internetdisconnected')
    await unread
    await context.setOffline(false)
    return answer
  },
}

const ROUNDS = 5

/** In every test run: the ways most unlike each other, with every kind of card, in five languages. */
const ROUNDS_OF_EVERY_RUN: Readonly<Record<string, number>> = {
  'breaks off in the middle': 2,
  'never comes': 0,
  'is replaced by the error page of a proxy': 0,
  'is lost with the whole network, which comes back': 2,
}

const typeCode = (page: Page): Promise<void> => {
  const code = bankFrameInAnyLanguage(page).locator('input[name="code"]')
  return code.fill('123456').then(() => code.press('Enter'))
}

const annotate = (type: string, value: number): void => {
  test.info().annotations.push({ type, description: String(value) })
}

const addJourney = (what: string, dropAnswer: DropAnswer, round: number, place: number): void => {
  const [cardKind, card] = CARD_KINDS[(place + round) % CARD_KINDS.length] ?? CARD_KINDS[0]
  const locale = PAGE_LOCALES[(place * ROUNDS + round) % PAGE_LOCALES.length] ?? 'ja'
  const tag = ROUNDS_OF_EVERY_RUN[what] === round ? [] : ['@proof']
  test(
    `a pay answer that ${what} ends on the receipt: ${cardKind}, ${locale}`,
    { tag },
    async ({ page, context, kaikei }) => {
      const { failed, paid } = TEXTS[locale]
      const chargeCheck = await startChargeCheck(kaikei)
      const wasSeen = await watchForTexts(page, [failed, paid])
      await controlAnswerTimeouts(page)
      const { promise, resolve } = Promise.withResolvers<string>()
      await page.route('**/pay', (route) => dropAnswer({ page, context, route, round }).then(resolve))
      const { id, url } = await kaikei.createCheckout()
      await page.goto(`${url}/creditcard?locale=${locale}`)
      await payWithCard(page, card)
      if (card === CARDS.challenged) await typeCode(page)

      const dropped: unknown = JSON.parse(await promise)
      const modal = page.getByRole('alertdialog')
      const receipt = page.getByRole('heading', { name: withLineBreaks(paid, locale) })
      await expect(receipt.or(modal)).toBeVisible()
      annotate('dropped', 1)
      annotate('receipt', (await receipt.isVisible()) ? 1 : 0)
      annotate('lastWordFailed', (await modal.isVisible()) ? 1 : 0)
      annotate('everSaidFailed', wasSeen(failed) ? 1 : 0)
      annotate('charges', await chargeCheck.countCharges())

      expect(dropped).toMatchObject({ id, status: 'paid' })
      await expect(receipt).toBeVisible()
      await expect(page).toHaveURL(`${url}/complete?locale=${locale}`)
      expect({ failed: wasSeen(failed), paid: wasSeen(paid) }).toEqual({ failed: false, paid: true })
      await chargeCheck.expectPaidOnce(id)
    },
  )
}

for (const [place, [what, dropAnswer]] of Object.entries(WAYS_TO_DROP).entries()) {
  for (let round = 0; round < ROUNDS; round += 1) addJourney(what, dropAnswer, round, place)
}

/** What the shopper's browser gets while the request is still on its way to the server. */
const EARLY_FAILURES: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'the connection broke': (route) => route.abort('failed'),
  'a proxy answered 503 in HTML': (route) => route.fulfill({ status: 503, ...asHtml('Service unavailable') }),
  'a proxy answered 524 and nothing else': (route) => route.fulfill({ status: 524, body: '' }),
}

for (const [what, fail] of Object.entries(EARLY_FAILURES)) {
  const tag = what === 'the connection broke' ? [] : ['@proof']
  test(
    `a pay request that arrives after the page showed that it failed charges nothing, and a second one does: ${what}`,
    { tag },
    async ({ page, kaikei }) => {
      const chargeCheck = await startChargeCheck(kaikei)
      const { id, url } = await kaikei.createCheckout()
      const { promise: heldRoute, resolve: hold } = Promise.withResolvers<Route>()
      await page.route(
        '**/pay',
        async (route) => {
          hold(route)
          await fail(route)
        },
        { times: 1 },
      )
      await page.goto(`${url}/creditcard?locale=en-US`)
      await payWithCard(page, CARDS.good)
      const modal = page.getByRole('alertdialog')
      await expect(modal).toContainText(TEXTS['en-US'].failed)

      const late = await fetchFromServer(await heldRoute)
      expect([late.status(), await late.json()]).toMatchObject([409, { code: 'order_over' }])
      await chargeCheck.expectNothingCharged(id)

      await modal.getByRole('button').click()
      await payButton(page).click()
      await expect(page.getByRole('heading', { name: TEXTS['en-US'].paid })).toBeVisible()
      await chargeCheck.expectPaidOnce(id)
    },
  )
}
