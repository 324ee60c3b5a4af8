import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export const READY_TIMEOUT_MS = 60_000

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
  const limit = setTimeout(() => program.kill('SIGKILL'), READY_TIMEOUT_MS)
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
