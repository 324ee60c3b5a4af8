/** Program under the page bench: started as in production, on SQLite, with the sandbox and the demo merchant. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Browser } from '@playwright/test'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { payWithCard } from '../../journeys/harness/card-form.ts'
import { freePort, readStartupLines, READY_TIMEOUT_MS } from '../../journeys/harness/program.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { spawnExitingWithParent } from '../../tools/exit-with-parent/spawn.mjs'
import { isRecord } from '../../tools/is-record.mjs'
import { ROOT } from '../../tools/setup/setup.mjs'

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

const environment = (port: number, sandboxPort: number, dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  SANDBOX: 'on',
  DEMO: 'on',
  LOG_LEVEL: 'warn',
  DATABASE_URL: '',
  PORT: String(port),
  SANDBOX_PORT: String(sandboxPort),
  DATA_DIR: dataDir,
})

const createCheckout = async (api: string, key: string): Promise<string> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${api}${MERCHANT_BASE}/checkouts`, {
    method: 'POST',
    headers,
    body: JSON.stringify(INVOICE),
  })
  const created: unknown = await answer.json()
  if (isRecord(created) && typeof created['url'] === 'string') return created['url']
  throw new CommandError(`no checkout was created: ${answer.status} ${JSON.stringify(created)}`)
}

const payInBrowser = async (browser: Browser, url: string): Promise<void> => {
  const page = await browser.newPage()
  await page.goto(url)
  await payWithCard(page)
  await page.waitForURL('**/complete')
  await page.close()
}

/** Node does not know the hosts below localhost, so the host is said in the request. */
export const fetchAsSent = (address: string): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const { host, port, pathname, search } = new URL(address)
    const headers = { host, 'accept-encoding': 'br, gzip' }
    const call = request({ host: '127.0.0.1', port, path: pathname + search, headers, agent: false }, (response) => {
      buffer(response).then(
        (body) => resolve({ body, encoding: response.headers['content-encoding'] ?? 'identity' }),
        reject,
      )
    })
    call.on('error', reject)
    call.end()
  })

/** Starts the program, creates one open and one paid checkout, and stops the program after `measureAt`. */
export const withProgram = async <T>(
  browser: Browser,
  measureAt: (addresses: ScreenAddresses) => Promise<T>,
): Promise<T> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kaikei-bench-'))
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const program = spawnExitingWithParent(process.execPath, [join('tools', 'start.mjs')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment(port, sandboxPort, dataDir),
  })
  const exited = once(program, 'exit')
  const timeout = setTimeout(() => program.kill('SIGTERM'), READY_TIMEOUT_MS)
  try {
    const lines = await readStartupLines(program)
    clearTimeout(timeout)
    program.stdout?.resume()
    const api = `http://localhost:${port}`
    const key = lines.get('merchant-key') ?? ''
    const [open, paid] = [await createCheckout(api, key), await createCheckout(api, key)]
    await payInBrowser(browser, paid)
    return await measureAt({
      card: `${open}/creditcard`,
      receipt: `${paid}/complete`,
      'not-found': `${new URL(open).origin}/404`,
    })
  } finally {
    clearTimeout(timeout)
    program.kill('SIGTERM')
    await exited
    await rm(dataDir, { recursive: true, force: true })
  }
}
