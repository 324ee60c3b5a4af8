/** Program under the page bench: started as in production, on SQLite, with the sandbox and the demo merchant. */
import type { Browser } from '@playwright/test'
import { payWithCard } from '../../journeys/harness/card-form.ts'
import { sendAsBrowser } from '../../server/commands/send-as-browser.ts'
import { PRODUCTION, startProgram } from '../../proof/programs/started-program.ts'

/** One line, with the demo merchant's cover and logo on its page. */
const INVOICE = {
  amount: 4980,
  subject: '煎茶「山霧」詰め合わせ / Sencha gift box',
  links: { cancelUrl: 'https://shop.example.com/cart' },
}

export const SCREENS = ['card', 'receipt', 'not-found'] as const
export type ScreenName = (typeof SCREENS)[number]

/** The address of each screen, without its language. */
export type ScreenAddresses = Readonly<Record<ScreenName, string>>

/** What the program sends to a client that takes brotli. */
export interface Sent {
  readonly body: Buffer
  readonly encoding: string
}

const payInBrowser = async (browser: Browser, url: string): Promise<void> => {
  const page = await browser.newPage()
  await page.goto(url)
  await payWithCard(page)
  await page.waitForURL('**/complete')
  await page.close()
}

const LIMITS = { timeoutMs: 10_000, bytesMax: 10_000_000 }

export const fetchAsSent = async (address: string): Promise<Sent> => {
  const url = new URL(address)
  const { headers, body } = await sendAsBrowser(
    { method: 'GET', url, headers: { 'accept-encoding': 'br, gzip' } },
    LIMITS,
  )
  return { body, encoding: headers['content-encoding'] ?? 'identity' }
}

/** Starts the program, creates one open and one paid checkout, and stops the program after `measureAt`. */
export const withProgram = async <T>(
  browser: Browser,
  measureAt: (addresses: ScreenAddresses) => Promise<T>,
): Promise<T> => {
  const program = await startProgram({ env: { ...PRODUCTION, LOG_LEVEL: 'warn' } })
  const urlOfNew = async (): Promise<string> => (await program.createCheckout(INVOICE)).url
  try {
    const [open, paid] = [await urlOfNew(), await urlOfNew()]
    await payInBrowser(browser, paid)
    return await measureAt({
      card: `${open}/creditcard`,
      receipt: `${paid}/complete`,
      'not-found': `${new URL(open).origin}/404`,
    })
  } finally {
    await program.stop()
  }
}
