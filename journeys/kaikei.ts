import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test as base, expect, type APIResponse, type FrameLocator, type Page, type Route } from '@playwright/test'
import type { Links } from './screens.ts'

const READY_LIMIT_MS = 60_000

interface CheckoutWish {
  readonly amount?: number
  readonly subject?: string
  readonly validUntil?: string
  readonly remarks?: string
  readonly links?: { readonly cancelUrl?: string; readonly redirectUrl?: string }
  readonly locale?: string
}

interface MerchantCheckout {
  readonly id: string
  readonly url: string
  readonly status: string
  readonly transactionId?: string
  readonly paymentPending: boolean
}

interface ListedOrder {
  readonly orderId: string
  readonly status: string
  readonly transactionId?: string
}

/** The whole program, started as a newcomer starts it, on ports and a data folder of its own. */
export interface Kaikei {
  create(wish?: CheckoutWish): Promise<MerchantCheckout>
  read(checkoutId: string): Promise<MerchantCheckout>
  /** The acquirer's own list of orders, charged or not: the witness of what was charged. */
  charges(): Promise<ListedOrder[]>
}

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

export const readLines = async (program: ChildProcess): Promise<Map<string, string>> => {
  const lines = new Map<string, string>()
  if (program.stdout === null) throw new Error('the program has no output')
  for await (const line of createInterface({ input: program.stdout })) {
    if (line === 'ready') return lines
    const colon = line.indexOf(': ')
    if (colon > 0) lines.set(line.slice(0, colon), line.slice(colon + 2))
  }
  throw new Error('the program ended before it was ready')
}

/** The acquirer's whole list, page by page: a witness of the first page alone would be silent about the rest. */
export const readOrders = async (sandboxPort: number): Promise<ListedOrder[]> => {
  const orders: ListedOrder[] = []
  for (let after: number | null = 0; after !== null;) {
    const page = await fetch(`http://127.0.0.1:${sandboxPort}/acquirer/v1/orders?limit=1000&after=${after}`)
    const listed = (await page.json()) as { items: ListedOrder[]; after: number | null }
    orders.push(...listed.items)
    after = listed.after
  }
  return orders
}

export const openKaikei = async (): Promise<{ kaikei: Kaikei; stop(): Promise<void> }> => {
  const data = await mkdtemp(join(tmpdir(), 'kaikei-journey-'))
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const program = spawn(process.execPath, ['tools/start.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: data,
      SANDBOX_TIME_SCALE: '0.1',
      GATEWAY_TIMEOUT_MS: '1500',
      THREE_DS_TIMEOUT_MS: '3000',
    },
  })
  const limit = setTimeout(() => program.kill('SIGKILL'), READY_LIMIT_MS)
  const lines = await readLines(program)
  clearTimeout(limit)
  program.stdout?.resume()
  const api = lines.get('merchant-api') ?? ''
  const headers = { authorization: `Bearer ${lines.get('merchant-key')}`, 'content-type': 'application/json' }

  const call = async (path: string, body?: object): Promise<MerchantCheckout> => {
    const response = await fetch(`${api}${path}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json() as Promise<MerchantCheckout>
  }

  return {
    kaikei: {
      create: (wish = {}) => call('/checkouts', { amount: 1980, ...wish }),
      read: (checkoutId) => call(`/checkouts/${checkoutId}`),
      charges: () => readOrders(sandboxPort),
    },
    stop: async () => {
      program.kill('SIGTERM')
      if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** A refused call is a part of some journeys; the browser reports it as an error on its console. */
const EXPECTED_ON_CONSOLE = /^Failed to load resource/

export const test = base.extend<{ page: Page; tolerated: RegExp | null }, { kaikei: Kaikei; links: Links }>({
  kaikei: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const { kaikei, stop } = await openKaikei()
      await provide(kaikei)
      await stop()
    },
    { scope: 'worker', timeout: READY_LIMIT_MS },
  ],
  /** Journeys over screens share one set of checkouts a worker. A second kind of test would start the program anew for it. */
  links: [
    async ({ kaikei, browser }, provide) => {
      const { prepareLinks } = await import('./links.ts')
      const page = await browser.newPage()
      const links = await prepareLinks(kaikei, page)
      await page.context().close()
      await provide(links)
    },
    { scope: 'worker', timeout: READY_LIMIT_MS },
  ],
  /** What one journey cannot help hearing from the browser; the others hear it as a fault. */
  tolerated: [null, { option: true }],
  /** Every journey fails on anything the page complains about: an exception, a hydration mismatch, a policy violation. */
  page: async ({ page, tolerated }, provide) => {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() !== 'error' || EXPECTED_ON_CONSOLE.test(message.text())) return
      if (tolerated?.test(message.text()) !== true) complaints.push(message.text())
    })
    await provide(page)
    expect(complaints).toEqual([])
  },
})

export { expect }

export const CARDS = {
  good: '4242424242424242',
  declined: '4100000000750001',
  late: '4100000000753005',
  neverAnswered: '4100000000754003',
  dropped: '4100000000755000',
  /** Asks for the code 123456. */
  challenged: '4100000000005000',
  /** Approved in the bank's app a second later: only polling tells of it. */
  approvedInApp: '4100000000715004',
} as const

/** Fills in the form as a shopper would, field by field. */
export const fillCard = async (page: Page, number: string): Promise<void> => {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiration date').fill('1234')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('TARO YAMADA')
  await page.getByLabel('Email for the receipt').fill('taro@example.com')
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay ¥/ })

/** The bank's page: it stands in a frame of the bridge, which stands in a frame of the card page. */
export const bankFrame = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Identity check page of your card company"]').frameLocator('iframe')

export const answerChallenge = async (page: Page, code: string): Promise<void> => {
  await bankFrame(page).getByLabel('Confirmation code').fill(code)
  await bankFrame(page).getByRole('button', { name: 'Confirm' }).click()
}

/** The page's own script is alive: only then does it ask for the prefixes. */
export const becomesLive = (page: Page) => page.waitForResponse('**/api/v1/bincodes')

/** Opens a link and waits until the page's own script is alive. */
export const openLive = async (page: Page, url: string): Promise<void> => {
  await Promise.all([becomesLive(page), page.goto(url)])
}

/** At the time scale of the journeys a page goes on without the card company after 1.5 s: too soon for a busy machine. */
export const collectPatiently = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { setTimeout: later } = window
    const patient = (run: () => void, ms: number) => later(run, ms === 1500 ? 30_000 : ms)
    Object.assign(window, { setTimeout: patient })
  })

/** What the server would have answered to a request that a journey holds in its hand. Node does not resolve *.localhost. */
export const answerTo = async (route: Route): Promise<APIResponse> => {
  const url = new URL(route.request().url())
  const headers = { ...(await route.request().allHeaders()), host: url.host }
  url.hostname = '127.0.0.1'
  return route.fetch({ url: url.href, headers })
}
