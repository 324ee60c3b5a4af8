import { chromium, type BrowserContext, type LaunchOptions, type Page } from '@playwright/test'
import { answerChallenge } from './harness/challenge.ts'
import { setUpConsoleOn, signOut } from './harness/console.ts'
import { expect, test } from './harness/fixtures.ts'
import { CARDS, payWithCard } from './harness/card-form.ts'
import { openHydrated } from './harness/hydration.ts'
import { watchPageErrors } from './harness/page-errors.ts'
import { startTlsProgram, STRANGERS_PAGE, type TlsProgram } from './harness/tls-program.ts'

const openBrowser = async (program: TlsProgram, options: LaunchOptions): Promise<BrowserContext> =>
  chromium.launchPersistentContext(program.profile, {
    ...options,
    args: [...(options.args ?? []), ...program.browserArguments],
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
  })

const openAndPay = async (page: Page, url: string): Promise<void> => {
  await openHydrated(page, url)
  await payWithCard(page, CARDS.challenged)
}

/** The call that would make a checkout, as the console itself sends it. */
const CREATE_CHECKOUT = {
  method: 'POST',
  headers: { merchant: 'demo', mode: 'test', 'content-type': 'application/json' },
  body: JSON.stringify({ amount: 100 }),
}

/** Opens a page of this host without any policy, and sends from it whatever such a page can send. */
const forgeFrom = async (page: Page, host: string, consoleOrigin: string): Promise<void> => {
  const address = new URL(STRANGERS_PAGE, consoleOrigin)
  address.hostname = host
  await page.goto(address.href)
  const notFramed = page.waitForEvent('console', (message) => message.text().includes("frame-ancestors 'none'"))
  await page.evaluate(
    async ({ origin, call }) => {
      const checkouts = `${origin}/merchant/v1/checkouts`
      const settled = (sent: Promise<unknown>): Promise<unknown> => sent.catch(() => undefined)
      const loaded = (element: HTMLElement): Promise<unknown> =>
        new Promise((resolve) => {
          element.addEventListener('load', resolve)
          element.addEventListener('error', resolve)
          document.body.append(element)
        })
      await settled(fetch(checkouts, { ...call, credentials: 'include' }))
      await settled(fetch(checkouts, { method: 'POST', body: call.body, mode: 'no-cors', credentials: 'include' }))
      await settled(fetch(`${origin}/console/v1/session`, { mode: 'no-cors', credentials: 'include' }))
      const picture = document.createElement('img')
      picture.src = `${origin}/console/v1/session`
      await loaded(picture)
      // The console in a frame, then a form that is sent into the same frame.
      const frame = document.createElement('iframe')
      frame.name = 'framed'
      frame.src = `${origin}/shops/demo/test/new-link`
      await loaded(frame)
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', enctype: 'text/plain', target: 'framed', action: checkouts })
      document.body.append(form)
      const answered = new Promise((resolve) => frame.addEventListener('load', resolve))
      form.submit()
      await answered
    },
    { origin: consoleOrigin, call: CREATE_CHECKOUT },
  )
  await notFramed
}

/** How many checkouts the shop has, asked for by the console's own page; or why it does not say. */
const countCheckouts = (page: Page): Promise<unknown> =>
  page.evaluate(async ({ headers }) => {
    const answer = await fetch('/merchant/v1/checkouts?limit=100', { headers })
    const body = (await answer.json()) as { items?: unknown[]; code?: unknown }
    return answer.ok ? body.items?.length : body.code
  }, CREATE_CHECKOUT)

/** A person is signed in: merchant hosts are of the console's site, so that the browser sends the session from them too. */
const expectNothingForged = async (browser: BrowserContext, program: TlsProgram): Promise<void> => {
  const page = await browser.newPage()
  const { origin } = await setUpConsoleOn(page, program.consoleLink)
  const before = await countCheckouts(page)
  // One was paid above, and one is the demo's own.
  expect(before).toBe(2)
  const stranger = await browser.newPage()
  for (const [from, site] of [
    ['demo.pay.test', 'same-site'],
    ['other-site.test', 'cross-site'],
  ] as const) {
    const known = program.requests.length
    await forgeFrom(stranger, from, origin)
    // The console's own page reads meanwhile what it shows.
    const isForged = ({ host, headers }: (typeof program.requests)[number]): boolean =>
      host === new URL(origin).host && headers['sec-fetch-site'] !== 'same-origin'
    const forged = program.requests.slice(known).filter(isForged)
    expect(forged.length, site).toBeGreaterThanOrEqual(6)
    for (const { headers, status, contentType } of forged) {
      expect(headers['sec-fetch-site']).toBe(site)
      // The document of the console, which no frame shows, is the same for everybody.
      if (!contentType.startsWith('text/html')) expect(status).toBeGreaterThanOrEqual(400)
    }
    const withSession = forged.filter(({ headers }) => headers.cookie?.includes('__Host-kaikei-session=') === true)
    expect(withSession.length > 0, site).toBe(site === 'same-site')
  }
  expect(await countCheckouts(page)).toBe(before)

  // An old tab, and whoever has kept its cookie.
  const cookies = await browser.cookies(origin)
  const second = await browser.newPage()
  await second.goto(origin)
  await signOut(second)
  expect(await countCheckouts(page)).toBe('signed_out')
  await browser.addCookies(cookies)
  expect(await countCheckouts(page)).toBe('signed_out')
}

test('as in production, over TLS alone, a challenged card is paid, and of requests that are forged in the browser of an owner none is accepted', async ({
  launchOptions,
}) => {
  const program = await startTlsProgram('client.p12')
  const browser = await openBrowser(program, launchOptions)
  const errors = watchPageErrors(browser)
  try {
    const page = await browser.newPage()
    const insecure: string[] = []
    page.on('request', (request) => request.url().startsWith('https:') || insecure.push(request.url()))
    const { id, url } = await program.createCheckout()
    expect(url).toMatch(/^https:\/\/demo\.pay\.test:\d+\/[a-z2-7]{32}$/)
    await openAndPay(page, url)
    await answerChallenge(page, '123456')
    await expect(page).toHaveURL(/\/complete$/)
    expect(await program.readStatus(id)).toBe('paid')
    expect(await program.countOrders()).toBe(1)
    expect([errors, insecure]).toEqual([[], []])
    const document = await page.reload()
    expect(document?.headers()['strict-transport-security']).toBe('max-age=63072000')
    await expectNothingForged(browser, program)
  } finally {
    await browser.close()
    await program.stop()
  }
})

const REFUSED = 'a 3-D Secure server that does not accept our certificate fails the payment, and nothing is charged'
test(REFUSED, { tag: '@proof' }, async ({ launchOptions }) => {
  const program = await startTlsProgram('other-client.p12')
  const browser = await openBrowser(program, launchOptions)
  const errors = watchPageErrors(browser)
  try {
    const page = await browser.newPage()
    const { id, url } = await program.createCheckout()
    await openAndPay(page, url)
    await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText('Payment failed.')
    expect(await program.readStatus(id)).toBe('open')
    expect(await program.countOrders()).toBe(0)
    expect(errors).toEqual([])
  } finally {
    await browser.close()
    await program.stop()
  }
})
