import { chromium, type BrowserContext, type LaunchOptions, type Page } from '@playwright/test'
import { answerChallenge } from './harness/challenge.ts'
import { expect, test } from './harness/fixtures.ts'
import { CARDS, payWithCard } from './harness/card-form.ts'
import { openHydrated } from './harness/hydration.ts'
import { watchPageErrors } from './harness/page-errors.ts'
import { startTlsProgram, type TlsProgram } from './harness/tls-program.ts'

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

test('as in production, over TLS alone, a challenged card is paid', async ({ launchOptions }) => {
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
