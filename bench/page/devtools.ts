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
import { spawnExitingWithParent } from '../../tools/exit-with-parent/spawn.mjs'
import { isRecord } from '../../tools/is-record.mjs'

type Facts = Readonly<Record<string, unknown>>

export interface DevtoolsPage {
  send(method: string, params?: Facts): Promise<Facts>
  /** Calls `listener` for every event of this name. */
  on(event: string, listener: (params: Facts) => void): void
  /** Follows the address and waits until all of its document is loaded. */
  open(address: string): Promise<void>
  /** The result of an expression, or of what it promises. */
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
const CALL_TIMEOUT_MS = 30_000

type Listener = (method: string, params: Facts) => void

/** One connection carries the calls and events of all sessions. */
const connectTo = async (address: string) => {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, (answer: Facts) => void>()
  const listeners = new Map<string, Listener>()
  let calls = 0
  socket.addEventListener('message', ({ data }) => {
    const message: unknown = JSON.parse(String(data))
    if (!isRecord(message)) return
    const { id, sessionId, method, params } = message
    if (typeof id === 'number') waiting.get(id)?.(message)
    else listeners.get(String(sessionId))?.(String(method), isRecord(params) ? params : {})
  })
  return {
    listeners,
    call: async (method: string, params: Facts = {}, sessionId?: string): Promise<Facts> => {
      calls += 1
      const id = calls
      const { promise, resolve, reject } = Promise.withResolvers<Facts>()
      waiting.set(id, resolve)
      const timer = setTimeout(() => reject(new CommandError(`${method} was not answered`)), CALL_TIMEOUT_MS)
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
      try {
        const { result, error } = await promise
        if (!isRecord(result)) throw new CommandError(`${method} failed: ${JSON.stringify(error)}`)
        return result
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
    close: () => socket.close(),
  }
}
type Connection = Awaited<ReturnType<typeof connectTo>>

const pageOn = (connection: Connection, sessionId: string, dispose: () => Promise<unknown>): DevtoolsPage => {
  const listeners = new Map<string, (params: Facts) => void>()
  connection.listeners.set(sessionId, (method, params) => listeners.get(method)?.(params))
  const send: DevtoolsPage['send'] = (method, params) => connection.call(method, params, sessionId)
  return {
    send,
    on: (event, listener) => listeners.set(event, listener),
    open: async (address) => {
      const { promise: loaded, resolve, reject } = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => reject(new CommandError(`${address} did not load`)), CALL_TIMEOUT_MS)
      listeners.set('Page.loadEventFired', () => resolve(undefined))
      const { errorText } = await send('Page.navigate', { url: address })
      if (errorText !== undefined) throw new CommandError(`${address}: ${JSON.stringify(errorText)}`)
      await loaded
      clearTimeout(timer)
    },
    evaluate: async (expression) => {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })
      if (exceptionDetails !== undefined) throw new CommandError(`in the page: ${JSON.stringify(exceptionDetails)}`)
      return isRecord(result) ? result['value'] : undefined
    },
    close: async () => {
      connection.listeners.delete(sessionId)
      await dispose()
    },
  }
}

/** `hosts`: which port of this machine stands for a host, as in `shop.localhost:3000`. */
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
  const connection = await connectTo(await address)
  clearTimeout(timer)
  return {
    newPage: async (size) => {
      const { browserContextId } = await connection.call('Target.createBrowserContext')
      const { targetId } = await connection.call('Target.createTarget', {
        url: 'about:blank',
        browserContextId,
        ...size,
      })
      const { sessionId } = await connection.call('Target.attachToTarget', { targetId, flatten: true })
      const page = pageOn(connection, String(sessionId), () =>
        connection.call('Target.disposeBrowserContext', { browserContextId }),
      )
      await page.send('Page.enable')
      await page.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false })
      return page
    },
    close: async () => {
      await connection.call('Browser.close')
      connection.close()
      await exited
    },
  }
}
