import { chromium, type BrowserContext, type LaunchOptions, type Page } from '@playwright/test'
import { answerChallenge } from './harness/challenge.ts'
import { expect, test } from './harness/fixtures.ts'
import { fillCard, payButton } from './harness/card-form.ts'
import { openLive } from './harness/live-page.ts'
import { openTlsProgram, type TlsProgram } from './harness/tls-program.ts'

const CHALLENGED = '4100000000005000'

const openBrowser = async (program: TlsProgram, options: LaunchOptions): Promise<BrowserContext> =>
  chromium.launchPersistentContext(program.profile, {
    ...options,
    args: [...(options.args ?? []), ...program.browserArguments],
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
  })

const openAndPay = async (page: Page, url: string): Promise<void> => {
  await openLive(page, url)
  await fillCard(page, CHALLENGED)
  await payButton(page).click()
}

test('in the shape of production, over TLS alone, a challenged card is paid', async ({ launchOptions }) => {
  const program = await openTlsProgram('client.p12')
  const browser = await openBrowser(program, launchOptions)
  try {
    const page = await browser.newPage()
    const complaints: string[] = []
    const insecure: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('request', (request) => request.url().startsWith('https:') || insecure.push(request.url()))
    const { id, url } = await program.create()
    expect(url).toMatch(/^https:\/\/demo\.pay\.test:\d+\/[a-z2-7]{32}$/)
    await openAndPay(page, url)
    await answerChallenge(page, '123456')
    await expect(page).toHaveURL(/\/complete$/)
    expect(await program.statusOf(id)).toBe('paid')
    expect(await program.charges()).toBe(1)
    expect([complaints, insecure]).toEqual([[], []])
    const document = await page.reload()
    expect(document?.headers()['strict-transport-security']).toBe('max-age=63072000')
  } finally {
    await browser.close()
    await program.stop()
  }
})

test('a 3-D Secure server that does not accept our certificate costs a try, and nothing is charged', async ({
  launchOptions,
}) => {
  const program = await openTlsProgram('other-client.p12')
  const browser = await openBrowser(program, launchOptions)
  try {
    const page = await browser.newPage()
    const { id, url } = await program.create()
    await openAndPay(page, url)
    await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText('Payment failed.')
    expect(await program.statusOf(id)).toBe('open')
    expect(await program.charges()).toBe(0)
  } finally {
    await browser.close()
    await program.stop()
  }
})
