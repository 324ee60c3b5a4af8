/** Page in a browser: the headers that a real Chromium was sent, and every script that it compiled, whoever put it there. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseJson } from '../../parse-json.ts'
import type { FetchedPage } from './fetch-page.ts'
import { integrityOf, steadyHeaders, type RawHeaders } from './page-facts.ts'

type Fields = Readonly<Record<string, unknown>>

const TIMEOUT_MS = 30_000

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {})

/** DevTools: calls of one browser, and the events that it tells. */
interface DevTools {
  call(method: string, params: Fields, sessionId?: string): Promise<Fields>
  on(method: string, hear: (params: Fields) => void): void
}

const connectDevTools = async (url: string): Promise<DevTools & { close(): void }> => {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, (fields: Fields) => void>()
  const listeners = new Map<string, (params: Fields) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = fieldsOf(parseJson(String(data)))
    const { id, method } = message
    if (typeof id === 'number') waiting.get(id)?.(message)
    if (typeof method === 'string') listeners.get(method)?.(fieldsOf(message['params']))
  })
  let last = 0
  return {
    close: () => socket.close(),
    on: (method, hear) => void listeners.set(method, hear),
    call: async (method, params, sessionId) => {
      last += 1
      const id = last
      const { promise, resolve } = Promise.withResolvers<Fields>()
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }))
      const answer = await promise
      waiting.delete(id)
      if ('error' in answer) throw new Error(`the browser refuses ${method}`)
      return fieldsOf(answer['result'])
    },
  }
}

const devToolsAddress = async (browser: ChildProcess): Promise<string> => {
  if (browser.stderr === null) throw new Error('the browser says nothing')
  for await (const line of createInterface({ input: browser.stderr })) {
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('the browser did not start')
}

const headersOf = (value: unknown): RawHeaders =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, text]) => [name, String(text)]))

const factsFrom = async (devTools: DevTools, url: URL): Promise<FetchedPage> => {
  const { targetId } = await devTools.call('Target.createTarget', { url: 'about:blank' })
  const { sessionId: session } = await devTools.call('Target.attachToTarget', { targetId, flatten: true })
  const sessionId = String(session)
  const parsed: { readonly id: string; readonly url: string }[] = []
  const { promise: quiet, resolve: becameQuiet } = Promise.withResolvers<void>()
  let document: Fields | null = null
  // The empty page that the tab begins with becomes quiet too, and later than one would think.
  const quietLoaders = new Set<unknown>()
  const awaited: { loader?: unknown } = {}
  devTools.on('Debugger.scriptParsed', ({ scriptId, url: from }) => {
    parsed.push({ id: String(scriptId), url: String(from) })
  })
  devTools.on('Network.responseReceived', ({ type, response }) => {
    if (type === 'Document' && document === null) document = fieldsOf(response)
  })
  devTools.on('Page.lifecycleEvent', ({ name, loaderId }) => {
    if (name === 'networkIdle') quietLoaders.add(loaderId)
    if (quietLoaders.has(awaited.loader)) becameQuiet()
  })
  for (const domain of ['Network', 'Page', 'Debugger']) await devTools.call(`${domain}.enable`, {}, sessionId)
  await devTools.call('Page.setLifecycleEventsEnabled', { enabled: true }, sessionId)
  const { errorText, loaderId: begun } = await devTools.call('Page.navigate', { url: url.href }, sessionId)
  if (typeof errorText === 'string') throw new Error(errorText)
  awaited.loader = begun
  if (quietLoaders.has(awaited.loader)) becameQuiet()
  await quiet
  const answer = fieldsOf(document)
  const status = Number(answer['status'])
  if (status !== 200) throw new Error(`it answers HTTP ${status}`)
  const shown = new URL(String(answer['url']))
  if (shown.origin !== url.origin) throw new Error(`it leads away to ${shown.origin}`)
  const scripts: Record<string, string> = {}
  for (const script of parsed) {
    const { scriptSource } = await devTools.call('Debugger.getScriptSource', { scriptId: script.id }, sessionId)
    const from = URL.canParse(script.url) ? new URL(script.url) : null
    const isInline = from === null || from.href === shown.href
    const name = isInline ? 'inline' : from.origin === shown.origin ? from.pathname : from.href
    const again = Object.keys(scripts).filter((each) => each.startsWith('inline ')).length
    scripts[isInline ? `inline ${again + 1}` : name] = integrityOf(String(scriptSource))
  }
  return { facts: { seenBy: 'browser', headers: steadyHeaders(headersOf(answer['headers'])), scripts }, faults: [] }
}

/** `chromium` is the path of a Chromium or Chrome. It has a profile of its own, which is removed. */
export const openInBrowser = async (url: URL, chromium: string): Promise<FetchedPage> => {
  const profile = await mkdtemp(join(tmpdir(), 'kaikei-probe-'))
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = spawn(
    chromium,
    ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-first-run', ...asRoot],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  browser.on('error', fail)
  const timeout = setTimeout(() => fail(new Error('the browser did not open it in time')), TIMEOUT_MS)
  try {
    const devTools = await Promise.race([devToolsAddress(browser).then(connectDevTools), failed])
    try {
      return await Promise.race([factsFrom(devTools, url), failed])
    } finally {
      devTools.close()
    }
  } finally {
    clearTimeout(timeout)
    if (browser.exitCode === null && browser.signalCode === null && browser.kill()) await once(browser, 'exit')
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
