/** Payment in a real browser: the whole card flow with a challenge, through its driver; and the page without its script. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../../tools/command-error.mjs'

/** Driven browser: what the payment in a real browser needs of its driver. Scripts are texts: they run in the browser. */
export interface DrivenBrowser {
  /** Name and version. */
  readonly label: string
  open(url: string): Promise<void>
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>
  /** The same in the bank's page, two frames deep and on another host. */
  evaluateInBank(expression: string): Promise<unknown>
  type(selector: string, text: string): Promise<void>
  click(selector: string): Promise<void>
  /** Sets the size of the page; it is opened after that. */
  resize(width: number, height: number): Promise<void>
  screenshot(): Promise<Buffer>
  /** From now on requests for these addresses fail; null: none. */
  lose(files: RegExp | null): void
  /** Errors that pages have reported; empty where the driver cannot hear them. */
  errors(): readonly string[]
  close(): Promise<void>
}

const STEP_TIMEOUT_MS = 60_000

const FIELDS = {
  'cc-number': '4100000000005000',
  'cc-exp': '1234',
  'cc-csc': '123',
  'cc-name': 'TARO YAMADA',
  email: 'taro@example.com',
}

/** Tries until the browser says true: a page in another process cannot be waited for in any other way. */
export const waitUntil = async (what: string, holds: () => Promise<unknown>): Promise<void> => {
  const end = performance.now() + STEP_TIMEOUT_MS
  let last: unknown
  while (performance.now() < end) {
    last = await holds().catch((error: unknown) => error)
    if (last === true) return
    await sleep(100)
  }
  throw new CommandError(`${what}: not so after ${STEP_TIMEOUT_MS / 1000} s, last ${String(last)}`)
}

export const waitUntilLive = (browser: DrivenBrowser): Promise<void> =>
  waitUntil(`${browser.label}: the page comes alive`, () =>
    browser.evaluate("'live' in document.documentElement.dataset"),
  )

/** Opens the link with files lost, and waits for the notice that stands in the place of the page. */
export const expectNotice = async (browser: DrivenBrowser, link: string, files: RegExp): Promise<void> => {
  browser.lose(files)
  await browser.open(link)
  await waitUntil(`${browser.label}: without ${files.source} the page says so`, () =>
    browser.evaluate(
      `document.querySelector('[role="alert"] a[href=""]') !== null &&
        document.querySelector('[role="alert"] a[href^="mailto:"]') !== null &&
        getComputedStyle(document.getElementById('page')).display === 'none'`,
    ),
  )
  browser.lose(null)
}

/** Pays the checkout behind the link, from the empty form to the receipt. */
export const payInDrivenBrowser = async (browser: DrivenBrowser, link: string): Promise<void> => {
  await browser.open(link)
  await waitUntilLive(browser)
  for (const [name, text] of Object.entries(FIELDS)) await browser.type(`input[autocomplete="${name}"]`, text)
  await waitUntil(`${browser.label}: Pay can be pressed`, () =>
    browser.evaluate(`document.querySelector('button[type="submit"]').disabled === false`),
  )
  await browser.click('button[type="submit"]')
  await waitUntil(`${browser.label}: the bank asks for a code`, () =>
    browser.evaluateInBank(`document.querySelector('input[name="code"]') !== null`),
  )
  await browser.evaluateInBank(
    `(() => {
      const field = document.querySelector('input[name="code"]')
      field.value = '123456'
      field.form.querySelector('button').click()
    })()`,
  )
  await waitUntil(`${browser.label}: the receipt is shown`, () =>
    browser.evaluate("location.pathname.endsWith('/complete') && document.querySelector('dl') !== null"),
  )
}
