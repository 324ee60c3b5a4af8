import type { BrowserContext, Page, Route } from '@playwright/test'
import { answerChallenge, bankFrame, lengthenCollectTimeout, outlastTimers } from './harness/challenge.ts'
import { fetchFromServer } from './harness/server-response.ts'
import { CARDS, payButton, payWithCard, START_CALL } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { startChargeCheck } from './harness/charge-check.ts'

const receipt = (page: Page) => page.getByRole('heading', { name: 'Payment complete' })
const modal = (page: Page) => page.getByRole('alertdialog')
const panel = (page: Page) => page.getByRole('heading', { name: 'We are confirming your payment' })
const challenge = (page: Page) => page.getByRole('heading', { name: 'Confirm with your card issuer' })

const CALLS = {
  start: START_CALL,
  collect: 'http://3ds.localhost:*/{collect,watch}/*',
  authenticate: '**/authenticate',
  collectError: '**/collect-error',
  challengeError: '**/challenge-error',
  pay: '**/pay',
  read: /\/api\/v1\/checkouts\/\w+$/,
} as const

/** How far a held call comes: not to the server, or to the server and not back. */
type CallProgress = 'on its way' | 'answered but not received'

interface HeldCall {
  /** The page has made the call, and if it is to be answered, the server has answered it. */
  readonly made: Promise<unknown>
  /** The network drops it. */
  drop(): Promise<void>
}

const holdCall = async (page: Page, call: keyof typeof CALLS, progress: CallProgress): Promise<HeldCall> => {
  const { promise: made, resolve } = Promise.withResolvers<undefined>()
  const routes: Route[] = []
  await page.route(CALLS[call], async (route) => {
    if (progress === 'answered but not received') await fetchFromServer(route)
    routes.push(route)
    resolve(undefined)
  })
  return {
    made,
    drop: async () => {
      await page.unroute(CALLS[call])
      // A page that is closed has dropped it itself.
      for (const route of routes) await route.abort('internetdisconnected').catch(() => undefined)
    },
  }
}

const failCall = (page: Page, call: keyof typeof CALLS): Promise<unknown> =>
  page.route(CALLS[call], (route) => route.abort('internetdisconnected'))

/** A state of the payment in which the page is disturbed. */
interface PaymentState {
  /** The state of the page's flow, and what the server knows of it. */
  readonly name: string
  /** Whether the card has been charged by then. */
  readonly isPaid: boolean
  /** What the page shows once the network is gone. */
  readonly offline: 'modal' | 'panel' | 'challenge'
  /** Before the page is opened. */
  prepare?(page: Page): Promise<unknown>
  /** Brings the payment to this state and keeps it there; returns the calls that are held. */
  reach(page: Page): Promise<readonly HeldCall[]>
}

/** Holds a call in the state that makes it. */
const reachHeldCall =
  (
    call: keyof typeof CALLS,
    progress: CallProgress,
    card: string,
    act: (page: Page) => Promise<unknown> = async () => {},
  ) =>
  async (page: Page): Promise<readonly HeldCall[]> => {
    const held = await holdCall(page, call, progress)
    await payWithCard(page, card)
    await act(page)
    await held.made
    return [held]
  }

const UNKNOWN_COLLECT_MESSAGE = '4100000000722000'
/** Where the journey is not about 3-D Secure: its frames take most of a journey's time. */
const CARD_WITHOUT_FRAMES = CARDS.outsideThreeDS
const CALL_PROGRESS = ['on its way', 'answered but not received'] as const

const goBack = (page: Page) => page.getByRole('button', { name: 'Back to the card form' }).click()
const typeCode = (page: Page) => answerChallenge(page, '123456')

const reachHeldRead = (payCall: CallProgress) => async (page: Page) => {
  const pay = await holdCall(page, 'pay', payCall)
  const read = await holdCall(page, 'read', 'on its way')
  await payWithCard(page, CARD_WITHOUT_FRAMES)
  await pay.made
  await pay.drop()
  await read.made
  return [read]
}

const reachConfirming = (payCall: CallProgress) => async (page: Page) => {
  const pay = await holdCall(page, 'pay', payCall)
  await failCall(page, 'read')
  await payWithCard(page, CARD_WITHOUT_FRAMES)
  await pay.made
  await pay.drop()
  await expect(panel(page)).toBeVisible()
  return []
}

const unpaidState = (name: string, reach: PaymentState['reach']): PaymentState => ({
  name,
  isPaid: false,
  offline: 'modal',
  reach,
})

const STATES: readonly PaymentState[] = [
  ...CALL_PROGRESS.flatMap((progress): readonly PaymentState[] => {
    const paying = { isPaid: progress === 'answered but not received', offline: 'panel' } as const
    return [
      unpaidState(`starting, the start ${progress}`, reachHeldCall('start', progress, CARD_WITHOUT_FRAMES)),
      unpaidState(`auth_start, the authentication ${progress}`, reachHeldCall('authenticate', progress, CARDS.good)),
      {
        ...unpaidState(
          `collect_error, the report ${progress}`,
          reachHeldCall('collectError', progress, UNKNOWN_COLLECT_MESSAGE),
        ),
        prepare: lengthenCollectTimeout,
      },
      unpaidState(
        `challenge_error, the report ${progress}`,
        reachHeldCall('challengeError', progress, CARDS.challenged, goBack),
      ),
      { ...paying, name: `pay_start, the charge ${progress}`, reach: reachHeldCall('pay', progress, CARDS.good) },
      { ...paying, name: `reading, the charge ${progress}`, reach: reachHeldRead(progress) },
      { ...paying, name: `confirming, the charge ${progress}`, reach: reachConfirming(progress) },
    ]
  }),
  unpaidState('collecting', reachHeldCall('collect', 'on its way', CARDS.good)),
  unpaidState(
    'auth_start before a challenge',
    reachHeldCall('authenticate', 'answered but not received', CARDS.challenged),
  ),
  {
    ...unpaidState('challenge', async (page) => {
      await payWithCard(page, CARDS.challenged)
      await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
      return []
    }),
    offline: 'challenge',
  },
  {
    name: 'pay_start after a challenge',
    isPaid: true,
    offline: 'panel',
    reach: reachHeldCall('pay', 'answered but not received', CARDS.challenged, typeCode),
  },
  unpaidState('failed', async (page) => {
    await failCall(page, 'authenticate')
    await payWithCard(page, CARDS.good)
    await expect(modal(page)).toBeVisible()
    return []
  }),
]

interface DisturbedPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly url: string
  readonly state: PaymentState
  readonly heldCalls: readonly HeldCall[]
}

const stopIntercepting = async (page: Page): Promise<void> => {
  for (const call of Object.values(CALLS)) await page.unroute(call)
}

/** What the page shows while the network is gone. */
const expectOffline: Readonly<Record<PaymentState['offline'], (page: Page) => Promise<unknown>>> = {
  modal: (page) => expect(modal(page)).toBeVisible(),
  // It is not known yet whether the card was charged, so the page must not say that it was not.
  panel: (page) => expect(panel(page)).toBeVisible(),
  challenge: async (page) => {
    await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/monitor'))
    await expect(challenge(page)).toBeVisible()
  },
}

/** What may happen to a page at any time; returns the page that the shopper sees afterwards. */
const DISTURBANCES: Readonly<Record<string, (disturbed: DisturbedPage) => Promise<Page>>> = {
  'the page is reloaded': async ({ page }) => {
    await stopIntercepting(page)
    await page.reload()
    return page
  },
  'the page is closed and the link opened again': async ({ page, context, url, heldCalls }) => {
    // A page that is closed releases the calls that are held, and they would reach the server after all.
    await page.goto('about:blank')
    for (const { drop } of heldCalls) await drop()
    await page.close()
    const again = await context.newPage()
    await again.goto(url)
    return again
  },
  'the network is gone for a while': async ({ page, context, state, heldCalls }) => {
    await context.setOffline(true)
    for (const { drop } of heldCalls) await drop()
    await expectOffline[state.offline](page)
    await stopIntercepting(page)
    await context.setOffline(false)
    return page
  },
}

/** What was charged is shown as paid; otherwise nothing was charged, and the shopper can pay now. */
const finishPayment = async (
  page: Page,
  { isPaid, offline }: PaymentState,
  expectNothingCharged: () => Promise<void>,
): Promise<void> => {
  if (!isPaid) {
    await expectNothingCharged()
    await expect(challenge(page).or(payButton(page))).toBeVisible()
    if (await challenge(page).isVisible()) {
      expect(offline).toBe('challenge')
      await typeCode(page)
    } else {
      if (await modal(page).isVisible()) await modal(page).getByRole('button', { name: 'OK' }).click()
      await payWithCard(page, CARD_WITHOUT_FRAMES)
    }
  }
  await expect(receipt(page)).toBeVisible()
}

/** In every test run: a reload while the charge is on its way, and in a challenge. A network that is lost then is a dropped answer. */
const isOfEveryRun = ({ name }: PaymentState, what: string): boolean =>
  what.includes('reloaded') && /^(pay_start,|challenge$)/.test(name)

for (const state of STATES) {
  for (const [what, disturb] of Object.entries(DISTURBANCES)) {
    const tag = isOfEveryRun(state, what) ? [] : ['@proof']
    test(`${state.name}: ${what}, and the checkout is paid once`, { tag }, async ({ page, context, kaikei }) => {
      const chargeCheck = await startChargeCheck(kaikei)
      const { id, url } = await kaikei.createCheckout()
      // As long as anything is intercepted, a held call that its page gives up is never sent.
      await page.route('**/never-called', () => undefined)
      await state.prepare?.(page)
      await page.goto(`${url}/creditcard`)
      const heldCalls = await state.reach(page)
      const shown = await disturb({ page, context, url, state, heldCalls })
      await finishPayment(shown, state, () => chargeCheck.expectNothingCharged(id))
      await chargeCheck.expectPaidOnce(id)
    })
  }
}

const notAuthenticated = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Authentication was not completed. Nothing was charged.' })

test('a shopper leaves the challenge by the browser’s Back and by the bank’s Cancel, and pays with another card', async ({
  page,
  kaikei,
}) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const { id, url } = await kaikei.createCheckout()
  const before = `${new URL(url).origin}/404`
  await page.goto(before)
  await page.goto(url)
  await payWithCard(page, CARDS.challenged)
  // A page of the bank's frame is an entry of the history, which Back would go to unseen.
  await answerChallenge(page, '111111')
  await expect(bankFrame(page).getByRole('alert')).toContainText('2 tries left')
  await expect.poll(() => page.evaluate(() => navigation.entries().length)).toBe(4)
  await page.goBack()
  await expect(notAuthenticated(page)).toBeFocused()
  await expect(page.getByLabel('Name on card')).toHaveValue('TARO YAMADA')
  await expect(page.getByLabel('Card number')).toHaveValue('4100 0000 0000 5000')
  await chargeCheck.expectNothingCharged(id)
  await page.goForward()
  await expect(notAuthenticated(page)).toBeVisible()
  await page.goBack()

  await payButton(page).click()
  await bankFrame(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(modal(page)).toHaveText('Payment failed.OK')
  await modal(page).getByRole('button', { name: 'OK' }).click()
  await expect(notAuthenticated(page)).toBeVisible()
  await chargeCheck.expectNothingCharged(id)

  await page.getByLabel('Card number').fill(CARDS.good)
  await payButton(page).click()
  await expect(receipt(page)).toBeVisible()
  await expect(page.getByText('•••• 4242')).toBeVisible()
  await chargeCheck.expectPaidOnce(id)
  await page.goBack()
  await expect(page).toHaveURL(before)
})

test('a challenge that is open in one tab ends on the receipt when another tab pays', async ({
  page,
  context,
  kaikei,
}) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const { id, url } = await kaikei.createCheckout()
  await page.goto(url)
  await payWithCard(page, CARDS.challenged)
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  const other = await context.newPage()
  await other.goto(url)
  await payWithCard(other, CARD_WITHOUT_FRAMES)
  for (const tab of [other, page]) {
    await expect(receipt(tab)).toBeVisible()
    await expect(tab.getByText('•••• 5100')).toBeVisible()
  }
  await chargeCheck.expectPaidOnce(id)
})

/** After this the page gives up a poll without an answer. */
const POLL_TIMEOUT_MS = 10_000

/** The event of a page that goes behind the bank's app, and of one that comes back. */
const setVisibility = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: now })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

test('a shopper who comes back from the bank’s app finds the payment done at once', async ({ page, kaikei }) => {
  const chargeCheck = await startChargeCheck(kaikei)
  const { id, url } = await kaikei.createCheckout()
  await outlastTimers(page, POLL_TIMEOUT_MS)
  await page.goto(url)
  await payWithCard(page, CARDS.approvedInApp)
  await expect(challenge(page)).toBeVisible()
  await setVisibility(page, 'hidden')
  // A poll of a frozen tab: it was sent and its answer never arrives. Until it is given up no other is sent.
  const { promise: frozen, resolve } = Promise.withResolvers<undefined>()
  await page.route('**/monitor', () => resolve(undefined), { times: 1 })
  await frozen
  await page.waitForTimeout(1500)
  await expect(challenge(page)).toBeVisible()
  await chargeCheck.expectNothingCharged(id)
  await setVisibility(page, 'visible')
  await expect(receipt(page)).toBeVisible()
  await chargeCheck.expectPaidOnce(id)
})
