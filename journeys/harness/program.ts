/** The whole program under test, started as a new user starts it, on ports and a data folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export const READY_TIMEOUT_MS = 60_000

interface CheckoutInput {
  readonly amount?: number
  readonly subject?: string
  readonly validUntil?: string
  readonly remarks?: string
  readonly links?: { readonly cancelUrl?: string; readonly redirectUrl?: string }
  readonly locale?: string
  readonly taxes?: readonly { readonly rate: number; readonly amount: number }[]
}

/** A webhook of the merchant, with its secret. */
interface MerchantWebhook {
  readonly id: string
  readonly secret: string
}

interface MerchantCheckout {
  readonly id: string
  readonly url: string
  readonly status: string
  readonly transactionId?: string
  readonly paymentPending: boolean
  readonly refundedAmount: number
}

export interface AcquirerOrder {
  readonly orderId: string
  readonly status: string
  readonly transactionId?: string
}

/** The calls of a merchant. */
export interface Merchant {
  createCheckout(input?: CheckoutInput): Promise<MerchantCheckout>
  readCheckout(checkoutId: string): Promise<MerchantCheckout>
  /** Gives back a part, under an id of the amount. */
  refund(checkoutId: string, amount: number): Promise<unknown>
}

/** What a journey does beside the browser. */
export interface Kaikei extends Merchant {
  /** The base of the merchant API, as the program prints it. */
  readonly merchantApi: string
  /** The demo's key, as the program prints it. */
  readonly merchantKey: string
  /** The link of the console's first owner, as the program prints it. It can be used once. */
  readonly consoleLink: string
  /** Where the mails of the sandbox are read. */
  readonly mailbox: string
  /** With which commands beside the running program find it. */
  readonly environment: NodeJS.ProcessEnv
  /** The key of the demo in live mode, as the program prints it where it is asked for. */
  readonly liveMerchantKey: string | undefined
  /** The same calls with another key. */
  merchantWith(key: string): Merchant
  registerWebhook(url: string): Promise<MerchantWebhook>
  removeWebhook(webhookId: string): Promise<void>
  /** The acquirer's own list of orders, charged or not: the independent record of what was charged. */
  acquirerOrders(): Promise<AcquirerOrder[]>
}

/** The port that this one stands for, or a free one; undefined where it is taken. */
const probePort = async (port: number): Promise<number | undefined> => {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return undefined
  }
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return address === null || typeof address === 'string' ? undefined : address.port
}

/** The port after it is free too: a sandbox has its mailbox there. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = (await probePort(0)) ?? 0
    if (port > 0 && port < 65_535 && (await probePort(port + 1)) !== undefined) return port
  }
}

/** Reads the `name: value` lines that the program prints before `ready`. */
export const readStartupLines = async (program: ChildProcess): Promise<Map<string, string>> => {
  const lines = new Map<string, string>()
  if (program.stdout === null) throw new Error('the program has no output')
  for await (const line of createInterface({ input: program.stdout })) {
    if (line === 'ready') return lines
    const colon = line.indexOf(': ')
    if (colon > 0) lines.set(line.slice(0, colon), line.slice(colon + 2))
  }
  throw new Error('the program ended before it was ready')
}

/** The acquirer's whole list, page by page: the first page alone would miss orders. */
export const readAcquirerOrders = async (sandboxPort: number): Promise<AcquirerOrder[]> => {
  const orders: AcquirerOrder[] = []
  for (let after: number | null = 0; after !== null;) {
    const page = await fetch(`http://127.0.0.1:${sandboxPort}/acquirer/v1/orders?limit=1000&after=${after}`)
    const listed = (await page.json()) as { items: AcquirerOrder[]; after: number | null }
    orders.push(...listed.items)
    after = listed.after
  }
  return orders
}

/** `more`: variables beside those of every journey. */
export const startKaikei = async (
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly kaikei: Kaikei; stop(): Promise<void> }> => {
  const data = await mkdtemp(join(tmpdir(), 'kaikei-journey-'))
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const environment = {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATA_DIR: data,
    SANDBOX_TIME_SCALE: '0.1',
    GATEWAY_TIMEOUT_MS: '1500',
    THREE_DS_TIMEOUT_MS: '3000',
    ...more,
  }
  const program = spawn(process.execPath, ['tools/start.ts'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: environment,
  })
  const timeout = setTimeout(() => program.kill('SIGKILL'), READY_TIMEOUT_MS)
  const lines = await readStartupLines(program)
  clearTimeout(timeout)
  program.stdout?.resume()
  const api = lines.get('merchant-api') ?? ''
  const merchantKey = lines.get('merchant-key') ?? ''

  const callMerchantApi = async <Answer>(key: string, path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`${api}${path}`, { headers, ...sent })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json() as Promise<Answer>
  }
  const merchantWith: Kaikei['merchantWith'] = (key) => ({
    createCheckout: (input = {}) => callMerchantApi<MerchantCheckout>(key, '/checkouts', { amount: 1980, ...input }),
    readCheckout: (checkoutId) => callMerchantApi<MerchantCheckout>(key, `/checkouts/${checkoutId}`),
    refund: (checkoutId, amount) =>
      callMerchantApi(key, `/checkouts/${checkoutId}/refunds`, { refundId: `refund-${amount}`, amount }),
  })

  return {
    kaikei: {
      merchantApi: api,
      merchantKey,
      consoleLink: lines.get('console') ?? '',
      mailbox: lines.get('mailbox') ?? '',
      environment,
      liveMerchantKey: lines.get('live-merchant-key'),
      merchantWith,
      ...merchantWith(merchantKey),
      registerWebhook: (url) => callMerchantApi<MerchantWebhook>(merchantKey, '/webhooks', { url }),
      removeWebhook: async (webhookId) => {
        await fetch(`${api}/webhooks/${webhookId}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${merchantKey}` },
        })
      },
      acquirerOrders: () => readAcquirerOrders(sandboxPort),
    },
    stop: async () => {
      program.kill('SIGTERM')
      if (program.exitCode === null && program.signalCode === null) await once(program, 'exit')
      await rm(data, { recursive: true, force: true })
    },
  }
}
