/**
 * Devtools: a Chromium of its own over its debugging protocol, with nothing switched on but what a visit needs. A test
 * library reports every request and every packet of it from inside the page's main thread, which no shopper's browser does:
 * on a slow processor that delays the page's script by a tenth of a second.
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { CommandError } from '../../tools/command-error.mjs'
import { spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import { isRecord } from '../../tools/is-record.mjs'
import { connectProtocol, type Facts } from '../../proof/programs/protocol-client.ts'

export interface DevtoolsPage {
  send(method: string, params?: Facts): Promise<Facts>
  /** Calls `listener` for every event of this name. */
  on(event: string, listener: (params: Facts) => void): void
  /** Follows the address and waits until all of its document is loaded. */
  open(address: string): Promise<void>
  /** The result of an expression; a promise is awaited. */
  evaluate(expression: string): Promise<unknown>
  close(): Promise<void>
}

export interface DevtoolsBrowser {
  /** A page in a context of its own, without a cache. */
  newPage(size: { readonly width: number; readonly height: number }): Promise<DevtoolsPage>
  close(): Promise<void>
}

const ARGS = [
  '--headless=new',
  '--remote-debugging-port=0',
  '--no-first-run',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  // As on a phone, whose scroll bars take no room.
  '--hide-scrollbars',
]
const START_TIMEOUT_MS = 30_000
const LOAD_TIMEOUT_MS = 30_000

type Listener = (params: Facts) => void

const pageOf = (
  send: DevtoolsPage['send'],
  listeners: Map<string, Listener>,
  close: DevtoolsPage['close'],
): DevtoolsPage => ({
  send,
  on: (event, listener) => listeners.set(event, listener),
  open: async (address) => {
    const { promise: loaded, resolve, reject } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => reject(new CommandError(`${address} did not load`)), LOAD_TIMEOUT_MS)
    listeners.set('Page.loadEventFired', () => resolve(undefined))
    const { errorText } = await send('Page.navigate', { url: address })
    if (errorText !== undefined) throw new CommandError(`${address}: ${JSON.stringify(errorText)}`)
    await loaded
    clearTimeout(timer)
  },
  evaluate: async (expression) => {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await send('Runtime.evaluate', options)
    if (exceptionDetails !== undefined) throw new CommandError(`in the page: ${JSON.stringify(exceptionDetails)}`)
    return isRecord(result) ? result['value'] : undefined
  },
  close,
})

/** `hosts`: the port of this machine that the browser connects to for a host such as `shop.localhost:3000`. */
export const openBrowser = async (
  executable: string,
  hosts: Readonly<Record<string, number>>,
): Promise<DevtoolsBrowser> => {
  const profile = await mkdtemp(join(tmpdir(), 'kaikei-browser-'))
  const rules = Object.entries(hosts).map(([host, port]) => `MAP ${host} 127.0.0.1:${port}`)
  const args = [...ARGS, `--user-data-dir=${profile}`, `--host-resolver-rules=${rules.join(',')}`, 'about:blank']
  const child = spawnExitingWithParent(executable, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    removeFolder: profile,
  })
  const exited = once(child, 'exit')
  const { promise: address, resolve, reject } = Promise.withResolvers<string>()
  const timer = setTimeout(() => reject(new CommandError(`${executable} did not start`)), START_TIMEOUT_MS)
  if (child.stderr !== null)
    createInterface(child.stderr).on('line', (line) => {
      const [, found] = /^DevTools listening on (\S+)$/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
  const sessions = new Map<string, Map<string, Listener>>()
  const client = await connectProtocol(await address, (method, params, sessionId) =>
    sessions.get(sessionId)?.get(method)?.(params),
  )
  clearTimeout(timer)
  return {
    newPage: async (size) => {
      const { browserContextId } = await client.send('Target.createBrowserContext')
      const target = { url: 'about:blank', browserContextId, ...size }
      const { targetId } = await client.send('Target.createTarget', target)
      const attached = await client.send('Target.attachToTarget', { targetId, flatten: true })
      const sessionId = String(attached['sessionId'])
      const listeners = new Map<string, Listener>()
      sessions.set(sessionId, listeners)
      const page = pageOf(
        (method, params) => client.send(method, params, sessionId),
        listeners,
        async () => {
          sessions.delete(sessionId)
          await client.send('Target.disposeBrowserContext', { browserContextId })
        },
      )
      await page.send('Page.enable')
      await page.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false })
      return page
    },
    close: async () => {
      await client.send('Browser.close')
      client.close()
      await exited
    },
  }
}
