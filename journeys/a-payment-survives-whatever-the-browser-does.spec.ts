import type { BrowserContext, Page, Route } from '@playwright/test'
import { answerChallenge, bankFrame, collectPatiently } from './harness/challenge.ts'
import { answerTo } from './harness/live-page.ts'
import { CARDS, fillCard, payButton } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { watchMoney } from './harness/money.ts'

const receipt = (page: Page) => page.getByRole('heading', { name: 'Payment complete' })
const modal = (page: Page) => page.getByRole('alertdialog')
const panel = (page: Page) => page.getByRole('heading', { name: 'We are confirming your payment' })
const challenge = (page: Page) => page.getByRole('heading', { name: 'Confirm with your card company' })

const CALLS = {
  start: '**/api/v1/checkouts/*/3ds',
  collect: 'http://3ds.localhost:*/{collect,watch}/*',
  authenticate: '**/authenticate',
  collectError: '**/collect-error',
  challengeError: '**/challenge-error',
  pay: '**/pay',
  read: /\/api\/v1\/checkouts\/\w+$/,
} as const

/** How far a call comes that is held: not to the server, or there and not back. */
type Reach = 'on its way' | 'answered, unheard'

interface Held {
  /** The page has made the call, and where it shall have, the server has answered it. */
  readonly made: Promise<unknown>
  /** The network drops it. */
  drop(): Promise<void>
}

const hold = async (page: Page, call: keyof typeof CALLS, reach: Reach): Promise<Held> => {
  const { promise: made, resolve } = Promise.withResolvers<undefined>()
  const routes: Route[] = []
  await page.route(CALLS[call], async (route) => {
    if (reach === 'answered, unheard') await answerTo(route)
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

const fails = (page: Page, call: keyof typeof CALLS): Promise<unknown> =>
  page.route(CALLS[call], (route) => route.abort('internetdisconnected'))

const submit = async (page: Page, card: string): Promise<void> => {
  await fillCard(page, card)
  await payButton(page).click()
}

interface Stop {
  /** The flow's state, and what the server knows of it. */
  readonly at: string
  /** Whether the card has been charged by then. */
  readonly isPaid: boolean
  /** What stands on the page once the network is gone. */
  readonly offline: 'modal' | 'panel' | 'challenge'
  /** What the page must have before it is opened. */
  before?(page: Page): Promise<unknown>
  /** Brings the payment to this state and keeps it there; answers the calls that are held. */
  reach(page: Page): Promise<readonly Held[]>
}

/** A call is held in the very state that makes it. */
const held =
  (call: keyof typeof CALLS, reach: Reach, card: string, go: (page: Page) => Promise<unknown> = async () => {}) =>
  async (page: Page): Promise<readonly Held[]> => {
    const it = await hold(page, call, reach)
    await submit(page, card)
    await go(page)
    await it.made
    return [it]
  }

const COLLECTING_GOES_WRONG = '4100000000722000'
/** Paid without 3-D Secure, where this is not what the journey is about: its frames take most of a journey's time. */
const PLAIN = '5105105105105100'
const BOTH = ['on its way', 'answered, unheard'] as const

const goBack = (page: Page) => page.getByRole('button', { name: 'Back to the card form' }).click()
const typeCode = (page: Page) => answerChallenge(page, '123456')

const readingHeld = (payCall: Reach) => async (page: Page) => {
  const pay = await hold(page, 'pay', payCall)
  const read = await hold(page, 'read', 'on its way')
  await submit(page, PLAIN)
  await pay.made
  await pay.drop()
  await read.made
  return [read]
}

const confirming = (payCall: Reach) => async (page: Page) => {
  const pay = await hold(page, 'pay', payCall)
  await fails(page, 'read')
  await submit(page, PLAIN)
  await pay.made
  await pay.drop()
  await expect(panel(page)).toBeVisible()
  return []
}

const unpaid = (at: string, reach: Stop['reach']): Stop => ({ at, isPaid: false, offline: 'modal', reach })

const STOPS: readonly Stop[] = [
  ...BOTH.flatMap((reach): readonly Stop[] => {
    const paying = { isPaid: reach === 'answered, unheard', offline: 'panel' } as const
    return [
      unpaid(`starting, the start ${reach}`, held('start', reach, PLAIN)),
      unpaid(`auth_start, the question ${reach}`, held('authenticate', reach, CARDS.good)),
      {
        ...unpaid(`collect_error, the report ${reach}`, held('collectError', reach, COLLECTING_GOES_WRONG)),
        before: collectPatiently,
      },
      unpaid(`challenge_error, the report ${reach}`, held('challengeError', reach, CARDS.challenged, goBack)),
      { ...paying, at: `pay_start, the charge ${reach}`, reach: held('pay', reach, CARDS.good) },
      { ...paying, at: `reading, the charge ${reach}`, reach: readingHeld(reach) },
      { ...paying, at: `confirming, the charge ${reach}`, reach: confirming(reach) },
    ]
  }),
  unpaid('collecting', held('collect', 'on its way', CARDS.good)),
  unpaid('auth_start before a challenge', held('authenticate', 'answered, unheard', CARDS.challenged)),
  {
    ...unpaid('challenge', async (page) => {
      await submit(page, CARDS.challenged)
      await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
      return []
    }),
    offline: 'challenge',
  },
  {
    at: 'pay_start after a challenge',
    isPaid: true,
    offline: 'panel',
    reach: held('pay', 'answered, unheard', CARDS.challenged, typeCode),
  },
  unpaid('failed', async (page) => {
    await fails(page, 'authenticate')
    await submit(page, CARDS.good)
    await expect(modal(page)).toBeVisible()
    return []
  }),
]

interface Scene {
  readonly page: Page
  readonly context: BrowserContext
  readonly url: string
  readonly stop: Stop
  readonly holding: readonly Held[]
}

const letCallsThrough = async (page: Page): Promise<void> => {
  for (const call of Object.values(CALLS)) await page.unroute(call)
}

/** Waits for what the page makes of it. */
const whileOffline: Readonly<Record<Stop['offline'], (page: Page) => Promise<unknown>>> = {
  modal: (page) => expect(modal(page)).toBeVisible(),
  // Nobody knows yet whether the card was charged, so nobody says that it was not.
  panel: (page) => expect(panel(page)).toBeVisible(),
  challenge: async (page) => {
    await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/monitor'))
    await expect(challenge(page)).toBeVisible()
  },
}

/** What may happen to a page at any time; answers the page that the shopper looks at afterwards. */
const DISTURBANCES: Readonly<Record<string, (scene: Scene) => Promise<Page>>> = {
  'the page is reloaded': async ({ page }) => {
    await letCallsThrough(page)
    await page.reload()
    return page
  },
  'the page is closed and the link opened again': async ({ page, context, url }) => {
    // Closed at once, it would let go of what is held, which then reaches the server after all.
    await page.goto('about:blank')
    await page.close()
    const again = await context.newPage()
    await again.goto(url)
    return again
  },
  'the network is gone for a while': async ({ page, context, stop, holding }) => {
    await context.setOffline(true)
    for (const { drop } of holding) await drop()
    await whileOffline[stop.offline](page)
    await letCallsThrough(page)
    await context.setOffline(false)
    return page
  },
}

/** The shopper looks on: what was charged is shown as paid; otherwise nothing was, and they can pay now. */
const goOn = async (page: Page, { isPaid, offline }: Stop, isUnpaid: () => Promise<void>): Promise<void> => {
  if (!isPaid) {
    await isUnpaid()
    await expect(challenge(page).or(payButton(page))).toBeVisible()
    if (await challenge(page).isVisible()) {
      expect(offline).toBe('challenge')
      await typeCode(page)
    } else {
      if (await modal(page).isVisible()) await modal(page).getByRole('button', { name: 'OK' }).click()
      await submit(page, PLAIN)
    }
  }
  await expect(receipt(page)).toBeVisible()
}

/** Told with every test run where money may be moving, by the likeliest mishap of each; all the others by the proof. */
const isUsual = ({ at, offline }: Stop, what: string): boolean =>
  offline !== 'modal' &&
  (what.includes('reloaded') || (what.includes('network') && /^(pay_start, .* on its way|challenge$)/.test(at)))

for (const stop of STOPS) {
  for (const [what, disturb] of Object.entries(DISTURBANCES)) {
    const tag = isUsual(stop, what) ? [] : ['@proof']
    test(`${stop.at}: ${what}, and the checkout is paid once`, { tag }, async ({ page, context, kaikei }) => {
      const money = await watchMoney(kaikei)
      const { id, url } = await kaikei.create()
      // As long as anything is intercepted, a held call that its page gives up never leaves.
      await page.route('**/never-called', () => undefined)
      await stop.before?.(page)
      await page.goto(`${url}/creditcard`)
      const holding = await stop.reach(page)
      const shown = await disturb({ page, context, url, stop, holding })
      await goOn(shown, stop, () => money.expectNoneMoved(id))
      await money.expectPaidOnce(id)
    })
  }
}

test('a shopper goes back from the challenge and pays with another card', async ({ page, kaikei }) => {
  const money = await watchMoney(kaikei)
  const { id, url } = await kaikei.create()
  await page.goto(url)
  await submit(page, CARDS.challenged)
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  await goBack(page)
  await expect(page.getByText('Authentication was not completed. Nothing was charged.')).toBeVisible()
  await expect(page.getByLabel('Name on card')).toHaveValue('TARO YAMADA')
  await expect(page.getByLabel('Card number')).toHaveValue('4100 0000 0000 5000')
  await money.expectNoneMoved(id)
  await page.getByLabel('Card number').fill(CARDS.good)
  await payButton(page).click()
  await expect(receipt(page)).toBeVisible()
  await expect(page.getByText('•••• 4242')).toBeVisible()
  await money.expectPaidOnce(id)
})

test('a challenge that stands in one tab ends on the receipt when another tab pays', async ({
  page,
  context,
  kaikei,
}) => {
  const money = await watchMoney(kaikei)
  const { id, url } = await kaikei.create()
  await page.goto(url)
  await submit(page, CARDS.challenged)
  await expect(bankFrame(page).getByLabel('Confirmation code')).toBeVisible()
  const other = await context.newPage()
  await other.goto(url)
  await submit(other, PLAIN)
  for (const tab of [other, page]) {
    await expect(receipt(tab)).toBeVisible()
    await expect(tab.getByText('•••• 5100')).toBeVisible()
  }
  await money.expectPaidOnce(id)
})

/** What a browser says of a page that goes behind the bank's app, and of one that comes back. */
const becomes = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: now })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

test('a shopper who comes back from the bank’s app finds the payment done at once', async ({ page, kaikei }) => {
  const money = await watchMoney(kaikei)
  const { id, url } = await kaikei.create()
  await page.goto(url)
  await submit(page, CARDS.approvedInApp)
  await expect(challenge(page)).toBeVisible()
  await becomes(page, 'hidden')
  // A poll of a frozen tab: it is out, and nobody will ever hear its answer. Until it is given up no other is sent.
  const { promise: frozen, resolve } = Promise.withResolvers<undefined>()
  await page.route('**/monitor', () => resolve(undefined), { times: 1 })
  await frozen
  await page.waitForTimeout(1500)
  await expect(challenge(page)).toBeVisible()
  await money.expectNoneMoved(id)
  await becomes(page, 'visible')
  await expect(receipt(page)).toBeVisible({ timeout: 5000 })
  await money.expectPaidOnce(id)
})
