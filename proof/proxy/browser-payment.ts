/** Browser payment through the proxy: Chromium pays with a challenge, every request with forged headers. */
import { createHash, X509Certificate } from 'node:crypto'
import { chromium, type Page } from '@playwright/test'
import { CARDS, payWithCard } from '../../journeys/harness/card-form.ts'
import { answerChallenge } from '../../journeys/harness/challenge.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { BUSY_RETRIES_MAX, BUSY_WAIT_MS, type Headers } from './calls.ts'
import type { Finding } from './forged-payments.ts'

const RECEIPT_TIMEOUT_MS = 60_000
const BUSY = /^Failed to load resource: .* 503/

export interface BrowserPaymentSetup {
  readonly executablePath: string
  /** Chromium trusts a listed certificate only with a profile folder of its own. */
  readonly profile: string
  readonly baseName: string
  readonly certificate: Buffer
  readonly forgedHeaders: Headers
}

const fingerprintOf = (certificate: Buffer): string =>
  createHash('sha256')
    .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

/** Opens the link until the server is not too busy to draw it, and waits until the page's own script runs. */
const openLink = async (page: Page, link: string): Promise<void> => {
  for (let retries = 0; retries < BUSY_RETRIES_MAX; retries += 1) {
    const hydrated = page.waitForResponse('**/api/v1/bincodes').then(
      () => true,
      () => false,
    )
    const document = await page.goto(link)
    if (document?.status() !== 503 && (await hydrated)) return
    await page.waitForTimeout(BUSY_WAIT_MS)
  }
  throw new CommandError('the page did not come up in Chromium, however often it was opened')
}

/** Pays the checkout behind the link, up to its receipt. Returns what went wrong on the way beside it, and how many forged headers were sent. */
export const payInBrowser = async (
  link: string,
  { executablePath, profile, baseName, certificate, forgedHeaders }: BrowserPaymentSetup,
): Promise<{ readonly findings: readonly Finding[]; readonly forgedHeaders: number }> => {
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      `--host-resolver-rules=MAP *.${baseName} 127.0.0.1, MAP ${baseName} 127.0.0.1`,
      `--ignore-certificate-errors-spki-list=${fingerprintOf(certificate)}`,
    ],
    locale: 'en-US',
    viewport: { width: 390, height: 844 },
    extraHTTPHeaders: forgedHeaders,
  })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(RECEIPT_TIMEOUT_MS)
    const consoleErrors: string[] = []
    const otherOrigins: string[] = []
    let requests = 0
    page.on('console', (message) => {
      if (message.type() === 'error' && !BUSY.test(message.text())) consoleErrors.push(message.text())
    })
    page.on('request', (request) => {
      requests += 1
      const { protocol, hostname } = new URL(request.url())
      if (protocol !== 'https:' || !hostname.endsWith(`.${baseName}`)) otherOrigins.push(request.url())
    })
    await openLink(page, link)
    await payWithCard(page, CARDS.challenged)
    await answerChallenge(page, '123456')
    await page.waitForURL(/\/complete$/, { timeout: RECEIPT_TIMEOUT_MS })
    return {
      findings: [
        { what: 'Chromium: errors on the console', expected: '', found: consoleErrors.join(' ') },
        { what: 'Chromium: requests to other origins', expected: '', found: otherOrigins.join(' ') },
      ],
      forgedHeaders: requests * Object.keys(forgedHeaders).length,
    }
  } finally {
    await browser.close()
  }
}
